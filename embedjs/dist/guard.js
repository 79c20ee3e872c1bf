var moireGuard = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  // src/guardmain.ts
  var guardmain_exports = {};
  __export(guardmain_exports, {
    guarded: () => guarded,
    stand: () => stand
  });

  // src/dom.ts
  var uncurry = Function.prototype.bind.bind(Function.prototype.call);
  function getter(proto, name) {
    let d;
    for (let p = proto; p && !d; p = Object.getPrototypeOf(p)) d = Object.getOwnPropertyDescriptor(p, name);
    if (!d || !d.get) throw new Error("moire: no getter " + name);
    return uncurry(d.get);
  }
  var N = Node.prototype;
  var E = Element.prototype;
  var nodeType = getter(N, "nodeType");
  var nodeValue = getter(N, "nodeValue");
  var parentNode = getter(N, "parentNode");
  var firstChild = getter(N, "firstChild");
  var nextSibling = getter(N, "nextSibling");
  var ownerDocument = getter(N, "ownerDocument");
  var isConnected = getter(N, "isConnected");
  var getRootNode = uncurry(N.getRootNode);
  var contains = uncurry(N.contains);
  var textContent = getter(N, "textContent");
  var localName = getter(E, "localName");
  var namespaceURI = getter(E, "namespaceURI");
  var openRoot = getter(E, "shadowRoot");
  var hostOf = getter(ShadowRoot.prototype, "host");
  var getAttribute = uncurry(E.getAttribute);
  var hasAttribute = uncurry(E.hasAttribute);
  var boundingRect = uncurry(E.getBoundingClientRect);
  var clientRectsOf = uncurry(E.getClientRects);
  var clientWidth = getter(E, "clientWidth");
  var clientHeight = getter(E, "clientHeight");
  var clientLeft = getter(E, "clientLeft");
  var clientTop = getter(E, "clientTop");
  var scrollWidth = getter(E, "scrollWidth");
  var scrollHeight = getter(E, "scrollHeight");
  var scrollLeft = getter(E, "scrollLeft");
  var scrollTop = getter(E, "scrollTop");
  var matches = uncurry(E.matches);
  var closest = uncurry(E.closest);
  var elementById = uncurry(Document.prototype.getElementById);
  var documentElement = getter(
    Document.prototype,
    "documentElement"
  );
  var documentURL = getter(Document.prototype, "URL");
  var contentType = getter(Document.prototype, "contentType");
  var title = getter(Document.prototype, "title");
  var scrollingElement = getter(
    Document.prototype,
    "scrollingElement"
  );
  var defaultView = getter(Document.prototype, "defaultView");
  var assignedNodes = uncurry(HTMLSlotElement.prototype.assignedNodes);
  var elementsFromPoint = uncurry(Document.prototype.elementsFromPoint);
  var offW = getter(HTMLElement.prototype, "offsetWidth");
  var offH = getter(HTMLElement.prototype, "offsetHeight");
  var check = uncurry(E.checkVisibility);
  var propertyValue = uncurry(CSSStyleDeclaration.prototype.getPropertyValue);
  var documentSheets = getter(Document.prototype, "styleSheets");
  var shadowSheets = getter(ShadowRoot.prototype, "styleSheets");
  var documentAdopted = getter(Document.prototype, "adoptedStyleSheets");
  var shadowAdopted = getter(ShadowRoot.prototype, "adoptedStyleSheets");
  var documentAnimations = uncurry(Document.prototype.getAnimations);
  var shadowAnimations = uncurry(ShadowRoot.prototype.getAnimations);
  var playState = getter(Animation.prototype, "playState");
  var effectOf = getter(Animation.prototype, "effect");
  var targetOf = getter(KeyframeEffect.prototype, "target");
  var byTag = uncurry(Document.prototype.getElementsByTagName);
  var collectionLength = getter(HTMLCollection.prototype, "length");
  var rulesOf = getter(CSSStyleSheet.prototype, "cssRules");
  var isA = uncurry(Object.prototype.isPrototypeOf);
  var GROUPS = [CSSMediaRule, CSSSupportsRule, CSSContainerRule, CSSLayerBlockRule].map((g) => g.prototype);
  var groupOf = getter(CSSGroupingRule.prototype, "cssRules");
  var importOf = getter(CSSImportRule.prototype, "styleSheet");
  var ruleText = getter(CSSRule.prototype, "cssText");
  var selectorOf = getter(CSSStyleRule.prototype, "selectorText");
  var nestedOf = getter(CSSStyleRule.prototype, "cssRules");
  var createRange = uncurry(Document.prototype.createRange);
  var setStart = uncurry(Range.prototype.setStart);
  var setEnd = uncurry(Range.prototype.setEnd);
  var clientRects = uncurry(Range.prototype.getClientRects);
  var HTML_NS = "http://www.w3.org/1999/xhtml";
  var isHTML = (el) => namespaceURI(el) === HTML_NS;
  var fragmentById = uncurry(DocumentFragment.prototype.getElementById);
  var frameDoc = getter(
    HTMLIFrameElement.prototype,
    "contentDocument"
  );
  var inputValue = getter(HTMLInputElement.prototype, "value");
  var inputType = getter(HTMLInputElement.prototype, "type");
  var areaValue = getter(HTMLTextAreaElement.prototype, "value");
  var optionText = getter(HTMLOptionElement.prototype, "label");
  var optionPicked = getter(HTMLOptionElement.prototype, "selected");
  var imgWidth = getter(HTMLImageElement.prototype, "naturalWidth");
  var selSize = getter(HTMLSelectElement.prototype, "size");
  var selMulti = getter(HTMLSelectElement.prototype, "multiple");
  var LABELS = {
    __proto__: null,
    input: getter(HTMLInputElement.prototype, "labels"),
    textarea: getter(HTMLTextAreaElement.prototype, "labels"),
    select: getter(HTMLSelectElement.prototype, "labels"),
    button: getter(HTMLButtonElement.prototype, "labels")
  };
  var type = (el) => localName(el) === "input" ? inputType(el) : "";
  var anchorHref = getter(HTMLAnchorElement.prototype, "href");
  var href = (el) => isHTML(el) ? anchorHref(el) : "";
  var areaLink = getter(HTMLAreaElement.prototype, "href");
  var isListBox = (el) => selSize(el) > 1 || selMulti(el);
  var observeNode = uncurry(MutationObserver.prototype.observe);
  var takeRecords = uncurry(MutationObserver.prototype.takeRecords);
  var addListener = uncurry(EventTarget.prototype.addEventListener);
  var isTrusted = uncurry(Object.getOwnPropertyDescriptor(new Event("x"), "isTrusted").get);
  var trusted = (e) => isTrusted(e);
  var composedPath = uncurry(Event.prototype.composedPath);
  var eventTarget = (e) => composedPath(e)[0] ?? null;
  var clientX = getter(MouseEvent.prototype, "clientX");
  var clientY = getter(MouseEvent.prototype, "clientY");
  var eventPoint = (e) => isA(MouseEvent.prototype, e) ? [clientX(e), clientY(e)] : [-1, -1];
  var keyOf = getter(KeyboardEvent.prototype, "key");
  var eventKey = (e) => isA(KeyboardEvent.prototype, e) ? keyOf(e) : "";
  var onWindow = (type2, f) => addListener(window, type2, f, { capture: true, passive: true });
  var actionOf = getter(HTMLFormElement.prototype, "action");
  var methodOf = getter(HTMLFormElement.prototype, "method");
  var formAction = (form) => actionOf(form);
  var formMethod = (form) => methodOf(form);
  var FORMS = {
    __proto__: null,
    input: getter(HTMLInputElement.prototype, "form"),
    button: getter(HTMLButtonElement.prototype, "form"),
    select: getter(HTMLSelectElement.prototype, "form"),
    textarea: getter(HTMLTextAreaElement.prototype, "form")
  };
  function formOf(el) {
    if (!isHTML(el)) return null;
    const name = localName(el);
    if (name === "form") return el;
    const control = FORMS[name] ? el : closest(el, "button");
    return control ? FORMS[localName(control)](control) : null;
  }
  var buttonType = getter(HTMLButtonElement.prototype, "type");
  var buttonAction = getter(HTMLButtonElement.prototype, "formAction");
  var buttonMethod = getter(HTMLButtonElement.prototype, "formMethod");
  var inputAction = getter(HTMLInputElement.prototype, "formAction");
  var inputMethod = getter(HTMLInputElement.prototype, "formMethod");
  var controlOf = getter(HTMLLabelElement.prototype, "control");
  var elementsOf = getter(HTMLFormElement.prototype, "elements");
  var collectionItem = uncurry(HTMLCollection.prototype.item);
  var documentActive = getter(Document.prototype, "activeElement");
  var shadowActive = getter(ShadowRoot.prototype, "activeElement");
  var rootPoint = uncurry(ShadowRoot.prototype.elementsFromPoint);
  function linkAround(el) {
    const a = closest(el, "a[href]");
    return a ? href(a) : "";
  }
  var contentEditable = getter(HTMLElement.prototype, "isContentEditable");
  var editable = (el) => isHTML(el) && contentEditable(el);
  var mediaMatches = getter(MediaQueryList.prototype, "matches");
  var nowOf = uncurry(Performance.prototype.now);
  function ofRange(name) {
    let proto = Range.prototype;
    while (!Object.getOwnPropertyDescriptor(proto, name)) proto = Object.getPrototypeOf(proto);
    return getter(proto, name);
  }
  var rangeStart = ofRange("startContainer");
  var rangeFrom = ofRange("startOffset");
  var rangeEnd = ofRange("endContainer");
  var rangeTo = ofRange("endOffset");
  var intersects = uncurry(Range.prototype.intersectsNode);
  var Highlights = globalThis.HighlightRegistry;
  var Marks = globalThis.Highlight;
  var registrySize = Highlights ? getter(Highlights.prototype, "size") : null;
  var registryEach = Highlights ? uncurry(Highlights.prototype.forEach) : null;
  var marksEach = Marks ? uncurry(Marks.prototype.forEach) : null;
  var selectionOf = uncurry(Document.prototype.getSelection);
  var composed = Selection.prototype.getComposedRanges;
  var composedRanges = composed ? uncurry(composed) : null;
  var rangeCount = getter(Selection.prototype, "rangeCount");
  var rangeAt = uncurry(Selection.prototype.getRangeAt);
  var documentFull = getter(Document.prototype, "fullscreenElement");
  var shadowFull = getter(ShadowRoot.prototype, "fullscreenElement");
  var queryDocument = uncurry(Document.prototype.querySelectorAll);
  var queryFragment = uncurry(DocumentFragment.prototype.querySelectorAll);

  // src/role.ts
  var TAGS = {
    __proto__: null,
    a: "link",
    area: "link",
    article: "article",
    aside: "complementary",
    button: "button",
    blockquote: "blockquote",
    caption: "caption",
    code: "code",
    dd: "definition",
    details: "group",
    dialog: "dialog",
    dl: "list",
    dt: "term",
    fieldset: "group",
    figcaption: "Figcaption",
    figure: "figure",
    footer: "contentinfo",
    form: "form",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    h4: "heading",
    h5: "heading",
    h6: "heading",
    header: "banner",
    hr: "separator",
    iframe: "Iframe",
    frame: "Iframe",
    img: "image",
    label: "LabelText",
    legend: "Legend",
    li: "listitem",
    main: "main",
    math: "MathMLMath",
    menu: "list",
    meter: "meter",
    nav: "navigation",
    object: "PluginObject",
    embed: "EmbeddedObject",
    ol: "list",
    optgroup: "group",
    option: "option",
    output: "status",
    p: "paragraph",
    pre: "Pre",
    progress: "progressbar",
    search: "search",
    section: "region",
    summary: "DisclosureTriangle",
    svg: "image",
    table: "table",
    tbody: "rowgroup",
    td: "cell",
    textarea: "textbox",
    tfoot: "rowgroup",
    th: "columnheader",
    thead: "rowgroup",
    tr: "row",
    ul: "list",
    video: "Video",
    audio: "Audio",
    canvas: "Canvas"
  };
  var INPUTS = {
    __proto__: null,
    button: "button",
    checkbox: "checkbox",
    color: "ColorWell",
    date: "Date",
    "datetime-local": "DateTime",
    email: "textbox",
    file: "button",
    image: "button",
    month: "Date",
    number: "spinbutton",
    password: "textbox",
    radio: "radio",
    range: "slider",
    reset: "button",
    search: "searchbox",
    submit: "button",
    tel: "textbox",
    text: "textbox",
    time: "InputTime",
    url: "textbox",
    week: "Date"
  };
  function roleOf(el) {
    const explicit = getAttribute(el, "role");
    if (explicit) {
      const token = /\S+/.exec(explicit.toLowerCase());
      if (token && token[0].length < 32 && token[0] !== "presentation" && token[0] !== "none")
        return token[0] === "img" ? "image" : token[0];
    }
    const name = localName(el);
    if (name === "input") {
      const t = type(el);
      if (hasAttribute(el, "list")) return "combobox";
      return INPUTS[t] ?? "textbox";
    }
    if (name === "select") return isListBox(el) ? "listbox" : "combobox";
    if (name === "a" || name === "area") return hasAttribute(el, "href") ? "link" : "";
    return TAGS[name] ?? "";
  }

  // src/guard.ts
  var POINTER = ["pointerdown", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "dragstart", "drop"];
  var KEYS = ["keydown", "beforeinput", "input", "change", "submit", "reset", "paste", "cut"];
  var listeners = [];
  var since = /* @__PURE__ */ new WeakMap();
  function stand(report) {
    if (!listeners.length)
      for (const type2 of POINTER.concat(KEYS)) listeners[listeners.length] = [type2, (e) => seen(type2, e, report)];
    for (const [type2, f] of listeners) onWindow(type2, f);
    if (!since.has(document)) since.set(document, documentElement(document) ? "late" : "start");
  }
  var guarded = () => since.get(document) ?? "";
  function seen(type2, e, report) {
    if (!trusted(e)) return;
    const node = eventTarget(e);
    const el = node && nodeType(node) === 1 ? node : null;
    const [x, y] = eventPoint(e);
    report(JSON.stringify({ type: type2, x, y, key: keyKind(eventKey(e)), ...el ? facts(el) : {} }));
  }
  function facts(el) {
    const form = formOf(el);
    return {
      tag: localName(el).slice(0, 64),
      role: roleOf(el),
      field: type(el),
      link: linkAround(el).slice(0, 4096),
      action: form ? formAction(form).slice(0, 4096) : "",
      method: form ? formMethod(form) : "",
      editable: editable(el)
    };
  }
  var keyKind = (key) => key === "" ? "" : key.length === 1 ? key === " " ? "Space" : "character" : /^[A-Z][A-Za-z0-9]{1,24}$/.test(key) ? key : "other";
  return __toCommonJS(guardmain_exports);
})();
