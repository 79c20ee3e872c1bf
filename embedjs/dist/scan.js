var moire = (() => {
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

  // src/main.ts
  var main_exports = {};
  __export(main_exports, {
    at: () => at,
    focus: () => focus,
    named: () => named,
    renamed: () => renamed,
    scan: () => scan,
    stamp: () => stamp,
    targets: () => targets
  });

  // src/evidence.gen.ts
  var Kind = {
    /** has no box: display none, content-visibility, visibility, closed details */
    NotRendered: 0,
    /** opacity, over all ancestors, below the floor */
    Transparent: 1,
    /** colour too close to what is painted behind it */
    LowContrast: 2,
    /** a filter, mask or blend mode removes it, or can not be judged */
    Filtered: 3,
    /** turned away with backface-visibility hidden */
    Backface: 4,
    /** rendered below the size a person can read */
    Tiny: 5,
    /** outside the box, clip or clip-path that clips it */
    Clipped: 6,
    /** outside every area that can be scrolled into view */
    OffScreen: 7,
    /** reads differently on the screen than in the document */
    VisualOrder: 8,
    /** an opaque box is painted above it */
    Covered: 9,
    /** an accessible name that no visible text explains and nothing binds */
    HiddenName: 10,
    /** prose where a short name belongs */
    ProseName: 11,
    /** more hidden names than the container's controls account for */
    NameBudget: 12,
    /** a description, role description or value text nobody sees */
    HiddenDescription: 13,
    /** an option that no open list shows and no short name explains */
    HiddenOption: 14,
    /** fallback of a canvas, video, object, frame, meter or progress element */
    FallbackContent: 15,
    /** generated content or its alternative text that is not drawn */
    GeneratedContent: 16,
    /** a page or frame title that no visible text explains */
    UnexplainedTitle: 17,
    /** a part of a URL that is neither shown, given nor machine-shaped */
    UnexplainedUrl: 18,
    /** any other string that no visible text explains */
    UnexplainedString: 19,
    /** a channel that no adapter entry classifies */
    UnclassifiedChannel: 20,
    /** tag characters, variation selectors, zero-width carriers outside their script */
    InvisibleCharacters: 21,
    /** a directional override reorders the reading */
    BidiOverride: 22,
    /** glyphs whose meaning only a font knows */
    PrivateUse: 23,
    /** more combining marks than any orthography stacks */
    CombiningStack: 24,
    /** drawn as discs or squares */
    TextSecurity: 25,
    /** look-alike letters of several scripts in one word (passes, is reported) */
    MixedScript: 26,
    /** in a frame that is not shown */
    HiddenFrame: 27,
    /** pixels whose text nothing here can read */
    OpaqueRegion: 28,
    /** the scans before and after the reply differ */
    Unsteady: 29,
    /** no scanned node matches, or more than one does */
    Unmatched: 30,
    /** not judged: the scan's budget was spent */
    Budget: 31,
    /** the scan's answers contradict each other */
    Tamper: 32,
    /** addresses a model or commands an act */
    Instruction: 33,
    /** fakes a speaker, delimiter or chat markup */
    RoleMarker: 34,
    /** long encoded runs */
    EncodedPayload: 35
  };

  // src/dom.ts
  var uncurry = Function.prototype.bind.bind(Function.prototype.call);
  function getter(proto, name) {
    let d;
    for (let p = proto; p && !d; p = Object.getPrototypeOf(p)) d = Object.getOwnPropertyDescriptor(p, name);
    if (!d || !d.get) throw new Error("moire: no getter " + name);
    return uncurry(d.get);
  }
  var describe = Object.getOwnPropertyDescriptor;
  var ownValue = (o, name) => describe(o, name)?.value;
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
  var closedRoots = /* @__PURE__ */ new WeakMap();
  function admitRoot(root) {
    if (root) closedRoots.set(hostOf(root), root);
  }
  var shadowRoot = (el) => openRoot(el) ?? closedRoots.get(el) ?? null;
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
  function offsetSize(el) {
    return isHTML(el) ? [offW(el), offH(el)] : null;
  }
  var check = uncurry(E.checkVisibility);
  var rendered = (el) => check(el);
  var styleOf = getComputedStyle;
  var propertyValue = uncurry(CSSStyleDeclaration.prototype.getPropertyValue);
  function style(el, pseudo) {
    const s = styleOf(el, pseudo);
    const read = { __proto__: null };
    return (name) => read[name] ??= propertyValue(s, name);
  }
  var documentSheets = getter(Document.prototype, "styleSheets");
  var shadowSheets = getter(ShadowRoot.prototype, "styleSheets");
  var documentAdopted = getter(Document.prototype, "adoptedStyleSheets");
  var shadowAdopted = getter(ShadowRoot.prototype, "adoptedStyleSheets");
  var documentAnimations = uncurry(Document.prototype.getAnimations);
  var shadowAnimations = uncurry(ShadowRoot.prototype.getAnimations);
  var playState = getter(Animation.prototype, "playState");
  function animating(root) {
    const list = isDocument(root) ? documentAnimations(root) : shadowAnimations(root);
    for (let i = 0; i < list.length; i++) if (playState(list[i]) === "running") return true;
    return false;
  }
  var effectOf = getter(Animation.prototype, "effect");
  var targetOf = getter(KeyframeEffect.prototype, "target");
  var byTag = uncurry(Document.prototype.getElementsByTagName);
  var collectionLength = getter(HTMLCollection.prototype, "length");
  var isDocument = (n) => nodeType(n) === 9;
  var alive = (root) => isDocument(root) ? defaultView(root) !== null : isConnected(root);
  var elementCount = (root) => collectionLength(byTag(isDocument(root) ? root : ownerDocument(root), "*"));
  function styleSheets(root) {
    const listed = isDocument(root) ? documentSheets(root) : shadowSheets(root);
    const adopted = isDocument(root) ? documentAdopted(root) : shadowAdopted(root);
    const out = [];
    for (let i = 0; i < listed.length; i++) out[out.length] = listed[i];
    for (let i = 0; i < adopted.length; i++) out[out.length] = adopted[i];
    return out;
  }
  function animationTargets(root) {
    const out = [];
    const list = isDocument(root) ? documentAnimations(root) : shadowAnimations(root);
    for (let i = 0; i < list.length; i++) {
      const effect = effectOf(list[i]);
      const target = effect && targetOf(effect);
      if (target) out[out.length] = target;
    }
    return out;
  }
  var rulesOf = getter(CSSStyleSheet.prototype, "cssRules");
  function sheetRules(sheet) {
    try {
      return rulesOf(sheet);
    } catch {
      return null;
    }
  }
  var isA = uncurry(Object.prototype.isPrototypeOf);
  var GROUPS = [CSSMediaRule, CSSSupportsRule, CSSContainerRule, CSSLayerBlockRule].map((g) => g.prototype);
  var groupOf = getter(CSSGroupingRule.prototype, "cssRules");
  function groupRules(rule) {
    for (const g of GROUPS) if (isA(g, rule)) return groupOf(rule);
    return null;
  }
  var importOf = getter(CSSImportRule.prototype, "styleSheet");
  var importedSheet = (rule) => isA(CSSImportRule.prototype, rule) ? importOf(rule) : void 0;
  var ruleText = getter(CSSRule.prototype, "cssText");
  var selectorOf = getter(CSSStyleRule.prototype, "selectorText");
  var selectorText = (rule) => isA(CSSStyleRule.prototype, rule) ? selectorOf(rule) : null;
  var nestedOf = getter(CSSStyleRule.prototype, "cssRules");
  var nestedRules = (rule) => nestedOf(rule).length > 0;
  var createRange = uncurry(Document.prototype.createRange);
  var setStart = uncurry(Range.prototype.setStart);
  var setEnd = uncurry(Range.prototype.setEnd);
  var clientRects = uncurry(Range.prototype.getClientRects);
  function textRects(text, from, to) {
    const r = createRange(ownerDocument(text));
    setStart(r, text, from);
    setEnd(r, text, to);
    return clientRects(r);
  }
  var HTML_NS = "http://www.w3.org/1999/xhtml";
  var isHTML = (el) => namespaceURI(el) === HTML_NS;
  var isElement = (n) => nodeType(n) === 1;
  var isText = (n) => nodeType(n) === 3 || nodeType(n) === 4;
  function flatChildren(n) {
    let from = n;
    if (isElement(n)) {
      const root = shadowRoot(n);
      if (root) from = root;
      else if (isHTML(n) && localName(n) === "slot") {
        const assigned = assignedNodes(n);
        if (assigned.length) return assigned;
      }
    }
    const out = [];
    for (let c = firstChild(from); c; c = nextSibling(c)) out[out.length] = c;
    return out;
  }
  function byId(from, id) {
    const root = getRootNode(from);
    if (nodeType(root) === 9) return elementById(root, id);
    return fragmentById(root, id);
  }
  var fragmentById = uncurry(DocumentFragment.prototype.getElementById);
  var frameDoc = getter(
    HTMLIFrameElement.prototype,
    "contentDocument"
  );
  function contentDocument(el) {
    try {
      return frameDoc(el);
    } catch {
      return null;
    }
  }
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
  function value(el) {
    if (localName(el) === "input") return inputValue(el);
    if (localName(el) === "textarea") return areaValue(el);
    return "";
  }
  var anchorHref = getter(HTMLAnchorElement.prototype, "href");
  var href = (el) => isHTML(el) ? anchorHref(el) : "";
  var areaLink = getter(HTMLAreaElement.prototype, "href");
  var areaHref = (el) => areaLink(el);
  var optionLabel = (el) => optionText(el);
  var optionSelected = (el) => optionPicked(el);
  var imageLoaded = (el) => imgWidth(el) > 0;
  var isListBox = (el) => selSize(el) > 1 || selMulti(el);
  function labels(el) {
    const out = [];
    const of = LABELS[localName(el)];
    if (!of || !isHTML(el)) return out;
    const list = of(el);
    for (let i = 0; list && i < list.length; i++) out[i] = list[i];
    return out;
  }
  var Observer = MutationObserver;
  var observeNode = uncurry(MutationObserver.prototype.observe);
  var takeRecords = uncurry(MutationObserver.prototype.takeRecords);
  var mutationObserver = (f) => new Observer(f);
  var observe = (o, root) => observeNode(o, root, { subtree: true, childList: true, characterData: true, attributes: true });
  var pendingMutations = (o) => takeRecords(o).length > 0;
  var addListener = uncurry(EventTarget.prototype.addEventListener);
  var isTrusted = uncurry(Object.getOwnPropertyDescriptor(new Event("x"), "isTrusted").get);
  var composedPath = uncurry(Event.prototype.composedPath);
  var clientX = getter(MouseEvent.prototype, "clientX");
  var clientY = getter(MouseEvent.prototype, "clientY");
  var keyOf = getter(KeyboardEvent.prototype, "key");
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
  var controlType = (el) => !isHTML(el) ? "" : localName(el) === "button" ? buttonType(el) : type(el);
  function pressAction(el, form) {
    if (!hasAttribute(el, "formaction")) return formAction(form);
    return localName(el) === "button" ? buttonAction(el) : inputAction(el);
  }
  function pressMethod(el, form) {
    if (!hasAttribute(el, "formmethod")) return formMethod(form);
    return localName(el) === "button" ? buttonMethod(el) : inputMethod(el);
  }
  var controlOf = getter(HTMLLabelElement.prototype, "control");
  var labelControl = (el) => controlOf(el);
  var elementsOf = getter(HTMLFormElement.prototype, "elements");
  var collectionItem = uncurry(HTMLCollection.prototype.item);
  function formFields(form, limit) {
    const out = [];
    const list = elementsOf(form);
    const n = collectionLength(list);
    for (let i = 0; i < n && out.length <= limit; i++) {
      const el = collectionItem(list, i);
      if (el) out[out.length] = el;
    }
    return out;
  }
  var documentActive = getter(Document.prototype, "activeElement");
  var shadowActive = getter(ShadowRoot.prototype, "activeElement");
  function focused(doc) {
    let el = documentActive(doc);
    for (let root = el && shadowRoot(el); root; root = el && shadowRoot(el)) {
      const inner = shadowActive(root);
      if (!inner) break;
      el = inner;
    }
    return el;
  }
  var rootPoint = uncurry(ShadowRoot.prototype.elementsFromPoint);
  function hit(doc, x, y) {
    let el = elementsFromPoint(doc, x, y)[0] ?? null;
    for (let root = el && shadowRoot(el); root; root = el && shadowRoot(el)) {
      const inner = rootPoint(root, x, y)[0];
      if (!inner || inner === el) break;
      el = inner;
    }
    return el;
  }
  function composedParent(n) {
    const up = parentNode(n);
    if (up) return up;
    return nodeType(n) === 11 && isA(ShadowRoot.prototype, n) ? hostOf(n) : null;
  }
  var disabled = (el) => matches(el, ":disabled");
  var contentEditable = getter(HTMLElement.prototype, "isContentEditable");
  var editable = (el) => isHTML(el) && contentEditable(el);
  var mediaMatches = getter(MediaQueryList.prototype, "matches");
  var prefersDark = () => mediaMatches(matchMedia("(prefers-color-scheme: dark)"));
  var nowOf = uncurry(Performance.prototype.now);
  var clock = performance;
  var now = () => nowOf(clock);
  var viewSize = (w, name) => {
    const d = Object.getOwnPropertyDescriptor(window, name);
    return d && d.get ? d.get.call(w) : w[name];
  };
  function viewport(doc) {
    const w = defaultView(doc);
    return w ? { width: viewSize(w, "innerWidth"), height: viewSize(w, "innerHeight") } : { width: 0, height: 0 };
  }
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
  var painted = (pseudo, r) => ({
    pseudo,
    start: rangeStart(r),
    from: rangeFrom(r),
    end: rangeEnd(r),
    to: rangeTo(r)
  });
  var Highlights = globalThis.HighlightRegistry;
  var Marks = globalThis.Highlight;
  var registrySize = Highlights ? getter(Highlights.prototype, "size") : null;
  var registryEach = Highlights ? uncurry(Highlights.prototype.forEach) : null;
  var marksEach = Marks ? uncurry(Marks.prototype.forEach) : null;
  var registryOf = (doc) => defaultView(doc)?.CSS?.highlights ?? null;
  var selectionOf = uncurry(Document.prototype.getSelection);
  var composed = Selection.prototype.getComposedRanges;
  var composedRanges = composed ? uncurry(composed) : null;
  var rangeCount = getter(Selection.prototype, "rangeCount");
  var rangeAt = uncurry(Selection.prototype.getRangeAt);
  function selected(doc, shadowRoots) {
    const s = selectionOf(doc);
    if (!s || !rangeCount(s)) return null;
    const r = composedRanges ? composedRanges(s, { shadowRoots })[0] : rangeAt(s, 0);
    return r && (rangeStart(r) !== rangeEnd(r) || rangeFrom(r) !== rangeTo(r)) ? r : null;
  }
  var MAX_PAINTED = 2e4;
  function paintedRanges(doc, scopes) {
    const out = [];
    const s = selected(doc, scopes.filter((r) => nodeType(r) === 11));
    if (s) out[0] = painted("::selection", s);
    const all = registryOf(doc);
    if (all && registryEach && marksEach)
      registryEach(all, (marks, name) => {
        const pseudo = "::highlight(" + escapeName(name) + ")";
        marksEach(marks, (r) => {
          try {
            if (out.length < MAX_PAINTED) out[out.length] = painted(pseudo, r);
          } catch {
            return;
          }
        });
      });
    return out;
  }
  var escapeName = (s) => CSS.escape(s);
  var hasPainted = (doc, scopes) => {
    const all = registryOf(doc);
    return !!(all && registrySize && registrySize(all) > 0) || selected(doc, scopes.filter((r) => nodeType(r) === 11)) !== null;
  };
  function meets(p, node) {
    if (getRootNode(p.start) !== getRootNode(p.end)) return true;
    const r = createRange(ownerDocument(node));
    try {
      setStart(r, p.start, p.from);
      setEnd(r, p.end, p.to);
    } catch {
      return true;
    }
    return intersects(r, node);
  }
  var isFullscreen = (el) => matches(el, ":fullscreen");
  var documentFull = getter(Document.prototype, "fullscreenElement");
  var shadowFull = getter(ShadowRoot.prototype, "fullscreenElement");
  var fullscreenElement = (root) => isDocument(root) ? documentFull(root) : shadowFull(root);
  var queryDocument = uncurry(Document.prototype.querySelectorAll);
  var queryFragment = uncurry(DocumentFragment.prototype.querySelectorAll);
  function inTransition(root) {
    const out = [];
    try {
      const list = isDocument(root) ? queryDocument(root, ":active-view-transition") : queryFragment(root, ":active-view-transition");
      for (let i = 0; i < list.length; i++) out[i] = list[i];
    } catch {
      return out;
    }
    return out;
  }

  // src/color.ts
  var TRANSPARENT = [0, 0, 0, 0];
  var cache = /* @__PURE__ */ new Map();
  function parseColor(s) {
    let c = cache.get(s);
    if (c === void 0) {
      c = parse(s);
      if (cache.size < 4096) cache.set(s, c);
    }
    return c;
  }
  function parse(s) {
    let m = /^rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)(?:\s*[,/]\s*([\d.]+%?))?\s*\)$/.exec(s);
    if (m) return [+m[1] / 255, +m[2] / 255, +m[3] / 255, alpha(m[4])];
    m = /^color\((srgb|srgb-linear|display-p3)\s+(\S+)\s+(\S+)\s+([^\s/)]+)(?:\s*\/\s*(\S+))?\)$/.exec(s);
    if (m) {
      const v = [+m[2], +m[3], +m[4], alpha(m[5])];
      return m[1] === "srgb-linear" ? [gamma(v[0]), gamma(v[1]), gamma(v[2]), v[3]] : v;
    }
    m = /^(oklab|oklch|lab|lch)\(\s*(\S+)\s+(\S+)\s+([^\s/)]+)(?:\s*\/\s*(\S+))?\)$/.exec(s);
    if (m) return fromLab(m[1], +m[2], num(m[3]), num(m[4]), alpha(m[5]));
    return s === "transparent" ? TRANSPARENT : null;
  }
  var num = (s) => s === "none" ? 0 : +s || 0;
  var alpha = (s) => s === void 0 ? 1 : s[s.length - 1] === "%" ? parseFloat(s) / 100 : num(s);
  var clamp = (x) => x < 0 ? 0 : x > 1 ? 1 : x;
  var gamma = (x) => x <= 31308e-7 ? 12.92 * x : 1.055 * Math.pow(clamp(x), 1 / 2.4) - 0.055;
  var linear = (x) => x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);
  function fromLab(space, L, a, b, al) {
    if (space === "oklch" || space === "lch") {
      const h = b * Math.PI / 180;
      b = a * Math.sin(h);
      a = a * Math.cos(h);
    }
    let r, g, bl;
    if (space === "oklab" || space === "oklch") {
      const l = Math.pow(L + 0.3963377774 * a + 0.2158037573 * b, 3);
      const m = Math.pow(L - 0.1055613458 * a - 0.0638541728 * b, 3);
      const s = Math.pow(L - 0.0894841775 * a - 1.291485548 * b, 3);
      r = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
      g = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
      bl = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
    } else {
      const fy = (L + 16) / 116;
      const inv = (t) => t > 6 / 29 ? t * t * t : (116 * t - 16) / 903.3;
      const x = 0.96422 * inv(a / 500 + fy);
      const y = L > 8 ? fy * fy * fy : L / 903.3;
      const z = 0.82521 * inv(fy - b / 200);
      r = 3.1341359 * x - 1.6172206 * y - 0.4906686 * z;
      g = -0.9787684 * x + 1.9161415 * y + 0.033454 * z;
      bl = 0.0719453 * x - 0.2289914 * y + 1.4052427 * z;
    }
    return [gamma(clamp(r)), gamma(clamp(g)), gamma(clamp(bl)), al];
  }
  function over(top, under, opacity = 1) {
    const a = top[3] * opacity;
    return [
      top[0] * a + under[0] * (1 - a),
      top[1] * a + under[1] * (1 - a),
      top[2] * a + under[2] * (1 - a),
      1
    ];
  }
  var luminance = (c) => 0.2126 * linear(clamp(c[0])) + 0.7152 * linear(clamp(c[1])) + 0.0722 * linear(clamp(c[2]));
  function contrast(a, b) {
    const x = luminance(a) + 0.05;
    const y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
  }
  var screen = (b, s) => b + s - b * s;
  var hardLight = (b, s) => s <= 0.5 ? b * 2 * s : screen(b, 2 * s - 1);
  var blends = {
    __proto__: null,
    multiply: (b, s) => b * s,
    screen,
    overlay: (b, s) => hardLight(s, b),
    darken: (b, s) => Math.min(b, s),
    lighten: (b, s) => Math.max(b, s),
    "color-dodge": (b, s) => b === 0 ? 0 : s >= 1 ? 1 : Math.min(1, b / (1 - s)),
    "color-burn": (b, s) => b >= 1 ? 1 : s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s),
    "hard-light": hardLight,
    "soft-light": (b, s) => s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (Math.sqrt(b) - b),
    difference: (b, s) => Math.abs(b - s),
    exclusion: (b, s) => b + s - 2 * b * s,
    "plus-lighter": (b, s) => Math.min(1, b + s)
  };
  function blend(mode, top, under, opacity) {
    if (mode === "normal" || mode === "") return over(top, under, opacity);
    const f = blends[mode];
    if (!f) return null;
    return over([f(under[0], top[0]), f(under[1], top[1]), f(under[2], top[2]), top[3]], under, opacity);
  }
  function filterColor(name, amount, c) {
    const f = (g) => [g(c[0]), g(c[1]), g(c[2]), c[3]].map(clamp);
    switch (name) {
      case "brightness":
        return f((x) => x * amount);
      case "contrast":
        return f((x) => (x - 0.5) * amount + 0.5);
      case "invert":
        return f((x) => x * (1 - amount) + (1 - x) * amount);
      case "grayscale":
      case "saturate": {
        const s = name === "grayscale" ? 1 - amount : amount;
        const y = 0.213 * c[0] + 0.715 * c[1] + 0.072 * c[2];
        return f((x) => y + (x - y) * s);
      }
      default:
        return c;
    }
  }
  function gradientStops(image) {
    if (/(^|[\s,(])(url|image|image-set|cross-fade|element|paint)\(/.test(image)) return null;
    const out = [];
    const re = /(?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)|transparent/g;
    for (let m = re.exec(image); m; m = re.exec(image)) {
      const c = parseColor(m[0]);
      if (!c) return null;
      out[out.length] = c;
    }
    return out.length ? out : null;
  }

  // src/geometry.ts
  var fromDOM = (d) => ({
    l: d.left,
    t: d.top,
    r: d.right,
    b: d.bottom
  });
  var width = (r) => r.r - r.l;
  var height = (r) => r.b - r.t;
  var area = (r) => r.r > r.l && r.b > r.t ? (r.r - r.l) * (r.b - r.t) : 0;
  function intersect(a, b) {
    return {
      l: Math.max(a.l, b.l),
      t: Math.max(a.t, b.t),
      r: Math.min(a.r, b.r),
      b: Math.min(a.b, b.b)
    };
  }
  var overlaps = (a, b) => a.l < b.r && b.l < a.r && a.t < b.b && b.t < a.b;
  var covers = (outer, inner, slack = 1) => outer.l <= inner.l + slack && outer.t <= inner.t + slack && outer.r >= inner.r - slack && outer.b >= inner.b - slack;
  function union(a, b) {
    if (!a) return b;
    return {
      l: Math.min(a.l, b.l),
      t: Math.min(a.t, b.t),
      r: Math.max(a.r, b.r),
      b: Math.max(a.b, b.b)
    };
  }
  function visiblePart(r, clip) {
    let part = r;
    let stands = null;
    for (let c = clip; c; c = c.outer) {
      if (stands) {
        const seen = intersect(stands, c.reach);
        if (area(seen) < 16) return null;
        stands = overlaps(seen, c.box) ? intersect(seen, c.box) : c.box;
        continue;
      }
      let edge = c.reach;
      if (c.ellipsis > 0 && (c.rtl ? part.l < c.reach.l - 1 : part.r > c.reach.r + 1)) {
        edge = c.rtl ? { ...edge, l: edge.l + c.ellipsis } : { ...edge, r: edge.r - c.ellipsis };
      }
      part = intersect(part, edge);
      if (part.r <= part.l || part.b <= part.t) return null;
      if (!covers(c.box, part)) stands = c.box;
    }
    return part;
  }
  function scroller(r, clip) {
    for (let c = clip; c && c.outer; c = c.outer) if (!covers(c.box, r)) return overlaps(c.reach, r) ? c : null;
    return null;
  }
  function roomy(clip) {
    for (let c = clip; c && c.outer; c = c.outer) if (height(c.reach) - height(c.box) > 8) return c;
    return null;
  }
  function free(r, c, over2) {
    const h = height(r);
    const rest = c.box.t + (r.t - c.reach.t);
    const hi = Math.min(rest, c.box.b - h);
    let top = Math.max(rest - (height(c.reach) - height(c.box)), c.box.t);
    const sorted = over2.slice().sort((a, b) => a.t - b.t);
    for (const o of sorted) if (o.t < top + h && o.b > top) top = o.b;
    return top <= hi;
  }
  function within(clip, ancestor) {
    for (let c = clip; c; c = c.outer) if (c === ancestor) return true;
    return false;
  }
  var IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  function parseMatrix(s) {
    if (s === "none" || s === "") return null;
    const v = s.slice(s.indexOf("(") + 1, -1).split(",").map(Number);
    if (v.length === 6) return [v[0], v[1], 0, v[2], v[3], 0, 0, 0, 1];
    if (v.length !== 16) return null;
    return [v[0], v[1], v[2], v[4], v[5], v[6], v[8], v[9], v[10]];
  }
  function multiply(a, b) {
    const out = [];
    for (let c = 0; c < 3; c++)
      for (let r = 0; r < 3; r++)
        out[c * 3 + r] = a[r] * b[c * 3] + a[3 + r] * b[c * 3 + 1] + a[6 + r] * b[c * 3 + 2];
    return out;
  }
  function planarScale(m) {
    return [Math.hypot(m[0], m[1]), Math.hypot(m[3], m[4])];
  }

  // src/element.ts
  function shownChildren(el, tag, s) {
    if (s("content-visibility") === "hidden") return [];
    const kids = flatChildren(el);
    if (tag !== "details" || hasAttribute(el, "open")) return kids;
    for (const k of kids) if (isElement(k) && localName(k) === "summary") return [k];
    return [];
  }
  function clipTo(r, clip) {
    let out = r;
    for (let c = clip; c; c = c.outer)
      out = { l: Math.max(out.l, c.reach.l), t: Math.max(out.t, c.reach.t), r: Math.min(out.r, c.reach.r), b: Math.min(out.b, c.reach.b) };
    return area(out) > 0 ? out : { l: 0, t: 0, r: 0, b: 0 };
  }
  function firstLetters(text, from) {
    const m = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]*[\s\S][\p{M}\udc00-\udfff]*[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]*/u.exec(text.slice(from));
    return m ? m[0].length : 1;
  }
  var rightToLeft = (s) => s("writing-mode").slice(-3) === "-rl" || s("direction") === "rtl" && s("writing-mode").indexOf("vertical") < 0;
  function pieces(el, rect, s) {
    if (s("display") !== "inline") return [rect];
    const list = clientRectsOf(el);
    const out = [];
    for (let i = 0; i < list.length && i < 1e3; i++) out[i] = fromDOM(list[i]);
    return out;
  }
  function shadows(el, s) {
    const out = [];
    const v = s("box-shadow");
    if (v === "none" || v.length > 2e3) return out;
    const re = /((?:rgba?|color|oklab|oklch)\([^()]*\))\s+(-?[\d.]+)px\s+(-?[\d.]+)px\s+([\d.]+)px\s+(-?[\d.]+)px(\s+inset)?/g;
    for (let m = re.exec(v); m; m = re.exec(v)) {
      const spread = +m[5];
      const color = parseColor(m[1]);
      if (!color || spread < 40) continue;
      const r = fromDOM(boundingRect(el));
      const [dx, dy] = [+m[2], +m[3]];
      const around = { l: r.l + dx - spread, r: r.r + dx + spread, t: r.t + dy - spread, b: r.b + dy + spread };
      for (const rect of m[6] ? [r] : frameAround(around, r)) out[out.length] = { rect, color };
    }
    return out;
  }
  function frameAround(o, i) {
    return [
      { l: o.l, r: o.r, t: o.t, b: i.t },
      { l: o.l, r: o.r, t: i.b, b: o.b },
      { l: o.l, r: i.l, t: i.t, b: i.b },
      { l: i.r, r: o.r, t: i.t, b: i.b }
    ];
  }
  var far = (s) => Math.abs(parseFloat(s) || 0) > 900;
  function containing(el) {
    for (let n = el; n && isElement(n); n = parentNode(n)) {
      const s = style(n);
      if (s("position") !== "static" || s("transform") !== "none") return n;
    }
    return null;
  }
  function bordered(s) {
    for (const side of ["top", "bottom", "left"]) {
      const color = parseFloat(s("border-" + side + "-width")) > 0 ? parseColor(s("border-" + side + "-color")) : null;
      if (color && color[3] > 0.1) return true;
    }
    return false;
  }
  function level(el) {
    const m = /^h([1-6])$/.exec(localName(el));
    return Math.min(6, Math.max(1, Number(getAttribute(el, "aria-level") ?? (m ? m[1] : 2)) || 2));
  }
  var nativeControl = (tag, s) => /^(input|select|textarea|button|progress|meter)$/.test(tag) && s("appearance") !== "none";
  var canvasColor = (dark) => dark ? over([0.07, 0.07, 0.07, 1], [0, 0, 0, 1]) : [1, 1, 1, 1];
  function strings(content) {
    let shown = "";
    let alt = "";
    let after = false;
    const re = /"((?:[^"\\]|\\.)*)"|(\/)|open-quote|close-quote|counters?\([^)]*\)|url\([^)]*\)/g;
    for (let m = re.exec(content); m; m = re.exec(content)) {
      if (m[2]) after = true;
      else if (m[1] !== void 0) {
        const v = m[1].replace(/\\(.)/g, "$1");
        if (after) alt += v;
        else shown += v;
      }
    }
    return [shown, alt];
  }
  function pack(hidden2, offset, length) {
    if (!hidden2.length) return 0;
    const out = [];
    for (const [from, to, kind] of hidden2) {
      const a = Math.max(0, from - offset);
      const b = Math.min(length, to - offset);
      if (a >= b) continue;
      if (a === 0 && b === length) return kind + 1;
      out[out.length] = a;
      out[out.length] = b;
      out[out.length] = kind + 1;
    }
    return out.length ? out : 0;
  }
  function rootClip(doc, around) {
    const v = viewport(doc);
    const box = { l: 0, t: 0, r: v.width, b: v.height };
    const root = documentElement(doc);
    const el = scrollingElement(doc) ?? root;
    const reach = { ...box };
    if (root && el) {
      const s = style(root);
      const propagated = s("overflow-x") === "visible" && s("overflow-y") === "visible" && el !== root ? style(el) : s;
      const stuck = (o) => o === "hidden" || o === "clip";
      const [x, y] = [scrollLeft(el), scrollTop(el)];
      const rtl = s("direction") === "rtl";
      if (!stuck(propagated("overflow-x"))) {
        const extra = Math.max(0, scrollWidth(el) - v.width);
        reach.l = rtl ? -x - extra : -x;
        reach.r = (rtl ? -x : -x + extra) + v.width;
      }
      if (!stuck(propagated("overflow-y"))) {
        reach.t = -y;
        reach.b = Math.max(v.height, scrollHeight(el) - y);
      }
    }
    const whole = around.still ? { ...box } : reach;
    const view = around.view ? intersect(around.view, box) : box;
    const cut2 = { l: whole.l + view.l, t: whole.t + view.t, r: whole.r - box.r + view.r, b: whole.b - box.b + view.b };
    return { box: view, reach: cut2, outer: null, ellipsis: 0, rtl: false };
  }

  // src/paint.ts
  var PHASE = { negative: 2, block: 3, float: 4, inline: 5, zero: 6, positive: 7, top: 9 };
  function comparePaint(a, b) {
    const n = Math.min(a.length, b.length);
    for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  }
  var CELL = 256;
  var MAX_CELLS = 64;
  var Canvas = class {
    constructor(base, view, scrolls2) {
      this.base = base;
      this.view = view;
      this.scrolls = scrolls2;
    }
    base;
    view;
    scrolls;
    cells = /* @__PURE__ */ new Map();
    large = [];
    work = 0;
    add(box) {
      const { rect } = box;
      if (area(rect) < 4) return;
      const x0 = Math.floor(rect.l / CELL);
      const x1 = Math.floor(rect.r / CELL);
      const y0 = Math.floor(rect.t / CELL);
      const y1 = Math.floor(rect.b / CELL);
      if (!((x1 - x0 + 1) * (y1 - y0 + 1) <= MAX_CELLS)) {
        this.large[this.large.length] = box;
        return;
      }
      for (let x = x0; x <= x1; x++)
        for (let y = y0; y <= y1; y++) {
          const k = x * 1048576 + y;
          const list = this.cells.get(k);
          if (list) list[list.length] = box;
          else this.cells.set(k, [box]);
        }
    }
    // The boxes that meet `rect`, in painting order.
    at(rect) {
      const out = [];
      const pick = (list) => {
        if (!list) return;
        this.work += list.length;
        for (let i = 0; i < list.length; i++)
          if (overlaps(list[i].rect, rect) && out.indexOf(list[i]) < 0) out[out.length] = list[i];
      };
      pick(this.large);
      const x1 = Math.floor(rect.r / CELL);
      const y1 = Math.floor(rect.b / CELL);
      const x0 = Math.max(Math.floor(rect.l / CELL), x1 - 40);
      const y0 = Math.max(Math.floor(rect.t / CELL), y1 - 40);
      for (let x = x0; x <= x1; x++)
        for (let y = y0; y <= y1; y++) pick(this.cells.get(x * 1048576 + y));
      return out.sort((a, b) => comparePaint(a.key, b.key));
    }
    // Boxes that follow the viewport and fill it hide whatever scrolls.
    curtain(key) {
      for (const box of this.large)
        if (box.sticky && opaque(box) && covers(box.rect, this.view, 8) && comparePaint(box.key, key) > 0)
          return true;
      return false;
    }
    // What stands behind `rect` for something painted at `key`, and above it.
    // What is scrolled out of its box meets the boxes that scroll with it where
    // it is, and all others where the scrolling box is.
    stack(rect, key, follows, clip) {
      const out = { under: [], above: [], partial: false };
      const s = scroller(rect, clip);
      if (!s) {
        this.sort(this.uncovered(this.at(rect), rect, key, clip), rect, key, follows, out);
        return out;
      }
      this.sort(this.at(rect).filter((b) => within(b.clip, s)), rect, key, follows, out);
      const rest = this.at(s.box).filter((b) => !within(b.clip, s) && covers(b.rect, s.box));
      this.sort(rest, s.box, key, follows, out);
      out.under.sort((a, b) => comparePaint(a.key, b.key));
      return out;
    }
    // All boxes painted after `key` that meet `rect`, if only at its edge.
    above(rect, key, follows, clip) {
      const s = scroller(rect, clip);
      return this.at(rect).filter(
        (b) => comparePaint(b.key, key) > 0 && !(b.sticky && !follows && this.passesUnder(b)) && (!s || within(b.clip, s))
      );
    }
    // Leaves out what lies over a scrolling box and covers only a part of it, if
    // `rect` can be scrolled to where nothing lies over it.
    uncovered(boxes, rect, key, clip) {
      const c = roomy(clip);
      if (!c) return boxes;
      const stays = (b) => comparePaint(b.key, key) > 0 && !within(b.clip, c);
      if (!boxes.some(stays)) return boxes;
      const over2 = this.at(c.box).filter((b) => stays(b) && b.rect.l < rect.r && b.rect.r > rect.l);
      return free(rect, c, over2.map((b) => b.rect)) ? boxes.filter((b) => !stays(b)) : boxes;
    }
    sort(boxes, rect, key, follows, out) {
      const cx = (rect.l + rect.r) / 2;
      const cy = (rect.t + rect.b) / 2;
      for (const box of boxes) {
        const later = comparePaint(box.key, key) > 0;
        if (later && box.sticky && !follows && this.passesUnder(box)) continue;
        if (!covers(box.rect, rect)) {
          out.partial = true;
          if (!(box.rect.l <= cx && box.rect.r >= cx && box.rect.t <= cy && box.rect.b >= cy)) continue;
        }
        const list = later ? out.above : out.under;
        list[list.length] = box;
      }
    }
    passesUnder(box) {
      const tall = box.rect.b - box.rect.t > 0.9 * (this.view.b - this.view.t);
      return this.scrolls && !tall;
    }
    // The colour behind, null if unknown pixels take part in it.
    backdrop(under) {
      let c = this.base;
      for (const box of under) {
        if (!box.color) {
          if (box.opacity > 0.02) c = null;
        } else if (c) c = blend(box.blend, box.color, c, box.opacity);
        else if (box.blend === "normal" && box.color[3] * box.opacity > 0.98) c = over(box.color, this.base, 1);
      }
      return c;
    }
  };
  var opaque = (b) => b.blend === "normal" && b.opacity * (b.color ? b.color[3] : 1) > 0.95;

  // src/watch.ts
  var changes = 0;
  var observer = mutationObserver(() => {
    changes++;
  });
  var watched = /* @__PURE__ */ new WeakSet();
  var roots = [];
  var scrollers = [];
  var awaited = [];
  var restless = false;
  function begin() {
    const kept = [];
    for (const root of roots) {
      if (alive(root)) kept[kept.length] = root;
      else watched.delete(root);
    }
    roots = kept;
    scrollers = [];
    awaited = [];
    restless = false;
  }
  function scrolls(el) {
    scrollers[scrollers.length] = el;
  }
  function awaits(image) {
    awaited[awaited.length] = image;
  }
  function stirs() {
    restless = true;
  }
  function watch(root) {
    if (watched.has(root)) return;
    watched.add(root);
    roots[roots.length] = root;
    observe(observer, root);
  }
  function stamp() {
    if (pendingMutations(observer)) changes++;
    if (restless) return "";
    const out = [changes];
    for (const root of roots) {
      if (!alive(root)) continue;
      if (animating(root)) return "";
      const doc = root;
      if (nodeType(root) === 9 && hasPainted(doc, roots)) return "";
      const el = nodeType(root) === 9 ? documentElement(doc) : null;
      if (!el) continue;
      const scroller2 = scrollingElement(doc) ?? el;
      out[out.length] = style(el)("width") + " " + scrollLeft(scroller2) + " " + scrollTop(scroller2);
    }
    for (let i = 0; i < scrollers.length; i++) {
      const [x, y] = [scrollLeft(scrollers[i]), scrollTop(scrollers[i])];
      if (x || y) out[out.length] = i + " " + x + " " + y;
    }
    for (let i = 0; i < awaited.length; i++) if (imageLoaded(awaited[i])) out[out.length] = "image " + i;
    return out.join("|");
  }

  // src/context.ts
  function rootContext(gone, view, around) {
    return {
      gone,
      opacity: around.opacity,
      clip: view,
      absoluteClip: view,
      fixedClip: view,
      key: [],
      stacking: [],
      flow: [],
      filters: around.filters,
      blend: around.blend,
      scale: around.scale,
      matrix: IDENTITY,
      preserve3d: false,
      follows: false,
      ariaHidden: false,
      clipText: void 0,
      hitTest: null,
      item: false,
      inherits: null
    };
  }
  var px = (s) => parseFloat(s) || 0;
  var OPACITY_FLOOR = 0.1;
  function enter(el, up, s, index, root) {
    const position = s("position");
    const c = { ...up, key: up.key, hitTest: up.hitTest };
    c.clip = position === "fixed" ? up.fixedClip : position === "absolute" ? up.absoluteClip : up.clip;
    c.follows = up.follows || position === "fixed" || position === "sticky";
    const opacity = Number(s("opacity"));
    if (opacity < 1) c.opacity = up.opacity * opacity;
    order(el, up, c, s, index, position, root);
    transform(c, up, s);
    if (c.gone < 0 && c.opacity < OPACITY_FLOOR) c.gone = Kind.Transparent;
    const hidden2 = getAttribute(el, "aria-hidden");
    if (hidden2 === "true" || hasAttribute(el, "inert")) c.ariaHidden = true;
    filters(c, up, s);
    masks(el, c, s);
    textClip(el, c, s);
    return c;
  }
  function order(el, up, c, s, index, position, root) {
    const z = s("z-index");
    const positioned = position !== "static";
    const zi = z === "auto" ? 0 : Number(z) || 0;
    const ranked = z !== "auto" && (positioned || up.item);
    const context = root || ranked || position === "fixed" || position === "sticky" || Number(s("opacity")) < 1 || s("transform") !== "none" || s("filter") !== "none" || s("clip-path") !== "none" || s("mask-image") !== "none" || s("mix-blend-mode") !== "normal" || s("isolation") === "isolate" || s("perspective") !== "none" || s("backdrop-filter") !== "none" || s("translate") !== "none" || s("scale") !== "none" || s("rotate") !== "none" || s("contain").indexOf("paint") >= 0 || s("will-change") !== "auto";
    const display = s("display");
    if (topLayer(el, position)) {
      c.key = [PHASE.top, 0, index];
      c.stacking = c.flow = c.key;
      c.clip = c.absoluteClip = c.fixedClip;
      c.follows = true;
    } else if (context || positioned) {
      const phase = zi < 0 ? PHASE.negative : zi > 0 ? PHASE.positive : PHASE.zero;
      c.key = up.stacking.concat([phase, phase === PHASE.zero ? 0 : zi, index]);
      c.flow = c.key;
      if (context) c.stacking = c.key;
    } else if (s("float") !== "none") {
      c.key = c.flow = up.flow.concat([PHASE.float, 0, index]);
    } else if (display.indexOf("inline-") === 0 || up.item) {
      c.key = c.flow = up.flow.concat([PHASE.inline, 0, index]);
    } else {
      c.key = up.flow.concat([display === "inline" ? PHASE.inline : PHASE.block, 0, index]);
    }
    c.item = display.indexOf("flex") >= 0 || display.indexOf("grid") >= 0;
  }
  function topLayer(el, position) {
    const name = localName(el);
    if (name === "dialog") return matches(el, ":modal");
    if (position === "fixed" && isFullscreen(el)) return true;
    return hasAttribute(el, "popover") && matches(el, ":popover-open");
  }
  function transform(c, up, s) {
    let m = parseMatrix(s("transform"));
    const scale = s("scale");
    if (scale !== "none") {
      const v = scale.split(" ").map(Number);
      const k = [v[0], 0, 0, 0, v.length > 1 ? v[1] : v[0], 0, 0, 0, 1];
      m = m ? multiply(k, m) : k;
    }
    const rotate = s("rotate");
    if (rotate !== "none") {
      const r = rotation(rotate);
      m = m ? multiply(r, m) : r;
    }
    if (m) {
      c.matrix = up.preserve3d ? multiply(up.matrix, m) : m;
      const k = planarScale(m);
      c.scale = [up.scale[0] * k[0], up.scale[1] * k[1]];
    } else if (!up.preserve3d) c.matrix = IDENTITY;
    c.preserve3d = s("transform-style") === "preserve-3d";
    if (c.gone < 0 && s("backface-visibility") === "hidden" && c.matrix[8] < 0) c.gone = Kind.Backface;
  }
  function rotation(s) {
    const m = /^(?:(x|y|z)|(\S+)\s+(\S+)\s+(\S+))?\s*(-?[\d.e-]+)deg$/.exec(s);
    if (!m) return IDENTITY;
    const t = Number(m[5]) * Math.PI / 180;
    let x = m[1] === "x" ? 1 : Number(m[2]) || 0;
    let y = m[1] === "y" ? 1 : Number(m[3]) || 0;
    let z = m[2] ? Number(m[4]) || 0 : m[1] && m[1] !== "z" ? 0 : 1;
    const n = Math.hypot(x, y, z) || 1;
    x /= n;
    y /= n;
    z /= n;
    const [k, u, v] = [1 - Math.cos(t), Math.cos(t), Math.sin(t)];
    return [
      u + x * x * k,
      y * x * k + z * v,
      z * x * k - y * v,
      x * y * k - z * v,
      u + y * y * k,
      z * y * k + x * v,
      x * z * k + y * v,
      y * z * k - x * v,
      u + z * z * k
    ];
  }
  function filters(c, up, s) {
    const f = s("filter");
    c.blend = s("mix-blend-mode");
    if (c.blend === "normal") c.blend = up.blend;
    if (f === "none") return;
    c.filters = up.filters.slice();
    const re = /([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)/g;
    for (let m = re.exec(f); m; m = re.exec(f)) {
      const name = m[1];
      const amount = m[2].indexOf("%") > 0 ? px(m[2]) / 100 : px(m[2]);
      if (name === "opacity") c.opacity *= amount;
      else if (name === "blur") {
        if (c.gone < 0 && amount > px(s("font-size")) / 3) c.gone = Kind.Filtered;
      } else if (name === "url") {
        if (c.gone < 0) c.gone = Kind.Filtered;
      } else if (name !== "drop-shadow") c.filters[c.filters.length] = { name, amount };
    }
    if (c.gone < 0 && c.opacity < OPACITY_FLOOR) c.gone = Kind.Transparent;
  }
  function applyFilters(c, list) {
    for (let i = list.length - 1; i >= 0; i--) c = filterColor(list[i].name, list[i].amount, c);
    return c;
  }
  function masks(el, c, s) {
    if (c.gone >= 0) return;
    const mask = s("mask-image");
    if (mask !== "none") {
      const stops = gradientStops(mask);
      const most = stops ? Math.max(...stops.map((x) => x[3])) : 0;
      if (most < 0.3) c.gone = Kind.Filtered;
    }
    const shape = s("clip-path");
    if (shape !== "none" && shape.indexOf("-box") < 0) shapeClip(el, c, shape);
  }
  function shapeClip(el, c, shape) {
    const r = fromDOM(boundingRect(el));
    const box = shapeBox(shape, r);
    if (box) c.clip = c.absoluteClip = c.fixedClip = fixedBox(box, c.clip);
    else c.hitTest = el;
  }
  var fixedBox = (box, outer) => ({
    box,
    reach: box,
    outer,
    ellipsis: 0,
    rtl: false
  });
  function shapeBox(shape, r) {
    const m = /^(inset|rect|xywh|circle|ellipse|polygon)\((.*)\)$/.exec(shape);
    if (!m) return null;
    const [w, h] = [r.r - r.l, r.b - r.t];
    const len = (s, of) => {
      if (/^-?[\d.e-]+px$/.test(s) || s === "0") return px(s);
      if (/^-?[\d.e-]+%$/.test(s)) return px(s) / 100 * of;
      return NaN;
    };
    const args = m[2].split(" round ")[0].trim();
    if (m[1] === "inset") {
      const v = args.split(/\s+/);
      const t = len(v[0], h);
      const right = len(v[1] ?? v[0], w);
      const b = len(v[2] ?? v[0], h);
      const l = len(v[3] ?? v[1] ?? v[0], w);
      return finite({ l: r.l + l, t: r.t + t, r: r.r - right, b: r.b - b });
    }
    if (m[1] === "polygon") {
      const points = args.replace(/^(nonzero|evenodd)\s*,/, "").split(",");
      if (points.length > 4) return null;
      let out = { l: Infinity, t: Infinity, r: -Infinity, b: -Infinity };
      for (const p of points) {
        const [x, y] = p.trim().split(/\s+/);
        const [X, Y] = [r.l + len(x ?? "", w), r.t + len(y ?? "", h)];
        if (!isFinite(X) || !isFinite(Y)) return null;
        out = { l: Math.min(out.l, X), t: Math.min(out.t, Y), r: Math.max(out.r, X), b: Math.max(out.b, Y) };
      }
      return out;
    }
    if (m[1] === "circle") {
      const c = /^(\S+)(?: at (\S+) (\S+))?$/.exec(args);
      const radius = c ? len(c[1], Math.hypot(w, h) / Math.SQRT2) : NaN;
      const [x, y] = c && c[2] ? [len(c[2], w), len(c[3], h)] : [w / 2, h / 2];
      return finite({ l: r.l + x - radius, t: r.t + y - radius, r: r.l + x + radius, b: r.t + y + radius });
    }
    return null;
  }
  var finite = (r) => isFinite(r.l + r.t + r.r + r.b) ? r : null;
  function textClip(el, c, s) {
    if (s("background-clip").indexOf("text") < 0) return;
    const image = s("background-image");
    if (image !== "none") c.clipText = gradientStops(image);
    else {
      const color = parseColor(s("background-color"));
      c.clipText = color ? [color] : null;
    }
  }
  function clipChildren(el, c, s, root) {
    const position = s("position");
    const contains2 = position !== "static" || s("transform") !== "none";
    const ox = s("overflow-x");
    const oy = s("overflow-y");
    const old = s("clip");
    if (old !== "auto" && old !== "" && (position === "absolute" || position === "fixed")) {
      const v = /rect\((\S+)\s+(\S+)\s+(\S+)\s+(\S+)\)/.exec(old.replace(/,/g, " "));
      const r = fromDOM(boundingRect(el));
      if (v) {
        const at2 = (x, auto) => x === "auto" ? auto : px(x);
        const [w, h] = [r.r - r.l, r.b - r.t];
        const box = { t: r.t + at2(v[1], 0), r: r.l + at2(v[2], w), b: r.t + at2(v[3], h), l: r.l + at2(v[4], 0) };
        c.clip = fixedBox(box, c.clip);
      }
    }
    if (!root && (ox !== "visible" || oy !== "visible" || s("contain").indexOf("paint") >= 0))
      c.clip = overflowClip(el, c, s, ox, oy);
    if (contains2 || root) c.absoluteClip = c.clip;
    if (s("transform") !== "none" || s("filter") !== "none" || s("contain").indexOf("paint") >= 0) c.fixedClip = c.clip;
  }
  function overflowClip(el, c, s, ox, oy) {
    const r = boundingRect(el);
    const size = offsetSize(el);
    const kx = size && size[0] ? r.width / size[0] : 1;
    const ky = size && size[1] ? r.height / size[1] : 1;
    const [cw, ch] = [clientWidth(el) * kx, clientHeight(el) * ky];
    let l = r.left + clientLeft(el) * kx;
    let t = r.top + clientTop(el) * ky;
    if (s("display") === "inline") return c.clip ?? fixedBox({ l: -Infinity, t: -Infinity, r: Infinity, b: Infinity }, null);
    const margin = ox === "clip" || oy === "clip" ? px(s("overflow-clip-margin")) : 0;
    const box = { l: l - margin, t: t - margin, r: l + cw + margin, b: t + ch + margin };
    if (ox === "visible") [box.l, box.r] = [-Infinity, Infinity];
    if (oy === "visible") [box.t, box.b] = [-Infinity, Infinity];
    const reach = { ...box };
    const scrolls2 = (o) => o === "auto" || o === "scroll";
    if (ox !== "clip" || oy !== "clip") scrolls(el);
    if (scrolls2(ox) && cw > 0) {
      l -= scrollLeft(el) * kx;
      const rtl = s("direction") === "rtl" || scrollLeft(el) < 0;
      const extra = (scrollWidth(el) - clientWidth(el)) * kx;
      reach.l = rtl ? l - extra : l;
      reach.r = (rtl ? l : l + extra) + cw;
    }
    if (scrolls2(oy) && ch > 0) {
      t -= scrollTop(el) * ky;
      reach.t = t;
      reach.b = t + scrollHeight(el) * ky;
    }
    return { box, reach, outer: c.clip, ellipsis: ellipsis(el, s), rtl: s("direction") === "rtl" };
  }
  function ellipsis(el, s) {
    const cut2 = s("text-overflow").indexOf("ellipsis") >= 0 && scrollWidth(el) > clientWidth(el);
    return cut2 ? px(s("font-size")) * 0.75 : 0;
  }

  // src/selector.ts
  var SPACE = /[ \t\n\r\f]/;
  var NAME = /[-\w]|[^\x00-\x7f]/;
  var Unknown = class extends Error {
  };
  var Parser = class {
    constructor(text) {
      this.text = text;
    }
    text;
    at = 0;
    get c() {
      return this.text[this.at] ?? "";
    }
    list() {
      const out = [];
      for (; ; ) {
        out[out.length] = this.complex();
        if (this.c === "") return out;
        this.at++;
      }
    }
    // The last of its compounds.
    complex() {
      let subject = null;
      for (; ; ) {
        while (this.c !== "" && (SPACE.test(this.c) || />|\+|~/.test(this.c))) this.at++;
        if (this.c === "" || this.c === ",") {
          if (!subject) throw new Unknown();
          return subject;
        }
        subject = this.compound();
      }
    }
    compound() {
      const keys = { ".": "", "#": "", tag: "", "[": "" };
      let pseudo = "";
      const begin2 = this.at;
      if (this.c === "*") this.at++;
      else if (this.starts()) keys.tag = this.name();
      if (this.c === "|") throw new Unknown();
      for (; ; ) {
        const c = this.c;
        if (c === "." || c === "#") {
          this.at++;
          keys[c] = c + this.name();
        } else if (c === "[") keys["["] = "[" + this.attribute();
        else if (c === ":") pseudo = this.pseudo(keys) || pseudo;
        else break;
      }
      const end = this.c;
      if (this.at === begin2 || end !== "" && end !== "," && !SPACE.test(end) && !/>|\+|~/.test(end)) throw new Unknown();
      return { key: (keys["."] || keys["#"] || keys.tag || keys["["]).toLowerCase(), pseudo };
    }
    pseudo(keys) {
      this.at++;
      const element = this.c === ":";
      if (element) this.at++;
      const name = this.name().toLowerCase();
      if (this.c === "(") this.skip("(", ")");
      if (name === "root" && !element) keys.tag = keys.tag || "html";
      return element || /^(before|after|first-letter)$/.test(name) ? name : "";
    }
    attribute() {
      this.at++;
      const name = this.name();
      const c = this.c;
      if (c !== "]" && !/[=~^$*]/.test(c) && !(c === "|" && this.text[this.at + 1] === "=")) throw new Unknown();
      this.skip("", "]");
      return name;
    }
    // Goes behind the bracket that closes, past strings, escapes and brackets.
    skip(open, close) {
      let depth = open ? 0 : 1;
      for (; this.at < this.text.length; this.at++) {
        const c = this.c;
        if (c === "\\") this.at++;
        else if (c === '"' || c === "'") this.string(c);
        else if (/[([]/.test(c)) depth++;
        else if (/[)\]]/.test(c) && --depth === 0) {
          if (c !== close) throw new Unknown();
          this.at++;
          return;
        }
      }
      throw new Unknown();
    }
    string(quote) {
      for (this.at++; this.at < this.text.length && this.c !== quote; this.at++) if (this.c === "\\") this.at++;
    }
    starts() {
      return this.c !== "" && (NAME.test(this.c) || this.c === "\\");
    }
    name() {
      let out = "";
      while (this.starts()) {
        if (this.c !== "\\") {
          out += this.c;
          this.at++;
          continue;
        }
        const m = /^\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\r\f])?|([^\n\r\f]))/.exec(this.text.slice(this.at, this.at + 10));
        if (!m) throw new Unknown();
        out += m[1] ? String.fromCodePoint(Math.min(parseInt(m[1], 16), 1114111)) : m[2];
        this.at += m[0].length;
      }
      if (!out) throw new Unknown();
      return out;
    }
  };
  function subjects(list) {
    try {
      return new Parser(list).list();
    } catch (e) {
      if (e instanceof Unknown) return null;
      throw e;
    }
  }

  // src/declared.ts
  var INITIAL = {
    __proto__: null,
    "backdrop-filter": "none",
    "backface-visibility": "visible",
    "background-clip": "border-box",
    "background-color": "rgba(0, 0, 0, 0)",
    "background-image": "none",
    "box-shadow": "none",
    clip: "auto",
    "clip-path": "none",
    contain: "none",
    "content-visibility": "visible",
    filter: "none",
    isolation: "auto",
    "mask-image": "none",
    "mix-blend-mode": "normal",
    opacity: "1",
    "overflow-x": "visible",
    "overflow-y": "visible",
    perspective: "none",
    position: "static",
    rotate: "none",
    scale: "none",
    transform: "none",
    "transform-style": "flat",
    translate: "none",
    "unicode-bidi": "normal",
    "will-change": "auto",
    "z-index": "auto"
  };
  var UNUSUAL = /(filter|backface|background|shadow|clip|contain|visibility|isolation|mask|blend|opacity|overflow|perspective|position|rotate|scale|transform|translate|bidi|will-change|z-index|direction|writing-mode|zoom|all)[\w-]*\s*:/;
  var CONTENT = /[\s;{](content|all)\s*:/;
  var OWN_STYLE = /^(html|body|audio|bdi|bdo|canvas|dialog|embed|fencedframe|frame|frameset|geolocation|hr|iframe|img|input|marquee|meter|object|optgroup|option|permission|progress|select|selectedcontent|slot|textarea|usermedia|video)$/;
  var COLOURED = /^(button|mark)$/;
  var HINTED = /^(table|thead|tbody|tfoot|tr|td|th|col|colgroup|caption)$/;
  var HINTS = ["bgcolor", "background"];
  var ATTRIBUTES = ["style", "hidden", "dir", "popover"];
  var RULES_PER_ELEMENT = 2;
  var MAX_ATTRIBUTES = 6;
  var Subjects = class {
    all = false;
    names = /* @__PURE__ */ new Set();
    // ".class", "#id", "tag"
    attributes = [];
    classLists = /* @__PURE__ */ new Map();
    add(key) {
      if (key === "") this.all = true;
      else if (key[0] !== "[") this.names.add(key);
      else if (this.attributes.length >= MAX_ATTRIBUTES) this.all = true;
      else if (this.attributes.indexOf(key.slice(1)) < 0) this.attributes[this.attributes.length] = key.slice(1);
      this.classLists.clear();
    }
    has(el, tag) {
      if (this.all || this.names.has(tag)) return true;
      for (const name of this.attributes) if (hasAttribute(el, name)) return true;
      if (!this.names.size) return false;
      const id = getAttribute(el, "id");
      if (id !== null && this.names.has("#" + id.toLowerCase())) return true;
      const list = getAttribute(el, "class");
      return list !== null && this.classed(list);
    }
    classed(list) {
      let known = this.classLists.get(list);
      if (known === void 0) {
        known = false;
        for (const name of list.toLowerCase().split(/[ \t\n\r\f]+/)) known = known || this.names.has("." + name);
        this.classLists.set(list, known);
      }
      return known;
    }
  };
  var Declared = class {
    styled = new Subjects();
    generating = new Subjects();
    lettered = new Subjects();
    animated = /* @__PURE__ */ new Set();
    rules = 0;
    // off: everything is asked.
    constructor(off) {
      if (off) this.unknown();
    }
    // True if no style can be ruled out.
    get everything() {
      return this.styled.all;
    }
    unknown() {
      this.styled.all = this.generating.all = this.lettered.all = true;
    }
    // Takes in the style sheets and animations of a tree. Trees have to be added
    // before the elements they can style are asked for: outer ones first.
    add(root) {
      if (this.styled.all && this.generating.all && this.lettered.all) return;
      for (const target of animationTargets(root)) this.animated.add(target);
      const full = fullscreenElement(root);
      if (full) this.animated.add(full);
      const limit = RULES_PER_ELEMENT * elementCount(root) + 50;
      for (const sheet of styleSheets(root)) this.sheet(sheet, limit);
    }
    sheet(sheet, limit) {
      const list = sheetRules(sheet);
      if (list) this.list(list, limit);
      else this.unknown();
    }
    list(list, limit) {
      this.rules += list.length;
      if (this.rules > limit) return this.unknown();
      for (let i = 0; i < list.length; i++) this.rule(list[i], limit);
    }
    rule(rule, limit) {
      const group = groupRules(rule);
      if (group) return this.list(group, limit);
      const imported = importedSheet(rule);
      if (imported !== void 0) {
        if (imported) this.sheet(imported, limit);
        return;
      }
      const text = ruleText(rule);
      const selector = selectorText(rule);
      const unusual = UNUSUAL.test(text);
      if (selector === null) {
        if (unusual && !/^@(font-face|(-webkit-)?keyframes|page|counter-style)\b/.test(text)) this.unknown();
        return;
      }
      const content = CONTENT.test(text);
      if (!unusual && !content && text.indexOf("first-letter") < 0) return;
      const list = subjects(selector);
      if (nestedRules(rule) || !list || /&|:host|:scope|::slotted|::part|::details-content/.test(selector)) return this.unknown();
      for (const subject of list) this.subject(subject, unusual, content);
    }
    subject({ key, pseudo }, unusual, content) {
      if (pseudo === "") {
        if (unusual) this.styled.add(key);
      } else if (pseudo === "first-letter") this.lettered.add(key);
      else if (pseudo === "before" || pseudo === "after") {
        if (content) this.generating.add(key);
      }
    }
    // True if nothing but the browser's own style sheet styles the element.
    plain(el, tag) {
      if (this.styled.all || !isHTML(el) || OWN_STYLE.test(tag) || this.animated.has(el)) return false;
      for (const name of ATTRIBUTES) if (hasAttribute(el, name)) return false;
      if (HINTED.test(tag)) {
        for (const name of HINTS) if (hasAttribute(el, name)) return false;
      }
      return !this.styled.has(el, tag);
    }
    // False if the element surely has no ::before and no ::after.
    generates(el, tag) {
      return tag === "q" || !isHTML(el) || this.animated.has(el) || this.generating.has(el, tag);
    }
    // False if the element's ::first-letter is surely like its other letters.
    letters(el, tag) {
      return this.animated.has(el) || this.lettered.has(el, tag);
    }
  };
  var COLOURED_INITIAL = { ...INITIAL, __proto__: null };
  delete COLOURED_INITIAL["background-color"];
  function plainStyle(el, tag, parent) {
    const s = style(el);
    const initial = COLOURED.test(tag) ? COLOURED_INITIAL : INITIAL;
    return (name) => initial[name] ?? parent[name] ?? s(name);
  }
  var inherited = (s) => ({
    visibility: s("visibility"),
    direction: s("direction"),
    "writing-mode": s("writing-mode")
  });

  // src/text.ts
  var CONTRAST_FLOOR = 1.25;
  var SIZE_FLOOR = 5;
  var SEEN = -1;
  var px2 = (s) => parseFloat(s) || 0;
  function inkOf(s, c) {
    const fill = parseColor(s("-webkit-text-fill-color")) ?? parseColor(s("color"));
    const size = px2(s("font-size"));
    return {
      fill: fill && applyFilters(fill, c.filters),
      size: size * Math.min(c.scale[0], c.scale[1]),
      outline: outlines(s, size, c),
      spaced: px2(s("letter-spacing")) > 5 * size || px2(s("word-spacing")) > 40 * size,
      masked: !/^(none|)$/.test(s("-webkit-text-security")),
      vertical: s("writing-mode").indexOf("horizontal") < 0,
      override: s("unicode-bidi").indexOf("override") >= 0
    };
  }
  function outlines(s, size, c) {
    const out = [];
    const shadow = s("text-shadow");
    if (shadow !== "none") {
      const re = /((?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\))\s+(-?[\d.]+)px\s+(-?[\d.]+)px\s+([\d.]+)px/g;
      for (let m = re.exec(shadow); m; m = re.exec(shadow)) {
        const color = parseColor(m[1]);
        const near = Math.abs(+m[2]) < size && Math.abs(+m[3]) < size && +m[4] < size / 2;
        if (color && near) out[out.length] = applyFilters(color, c.filters);
      }
    }
    if (px2(s("-webkit-text-stroke-width")) > 0) {
      const color = parseColor(s("-webkit-text-stroke-color"));
      if (color) out[out.length] = applyFilters(color, c.filters);
    }
    return out;
  }
  var TextJudge = class {
    constructor(canvas, doc) {
      this.canvas = canvas;
      this.doc = doc;
    }
    canvas;
    doc;
    // Steps of word-by-word work, bounded by the caller's budget.
    work = 0;
    judge(node, text, c, ink) {
      const out = { hidden: [], first: null, last: null, box: null };
      const whole = (k) => {
        out.hidden = [[0, text.length, k]];
        return out;
      };
      const before = ink.override && text.trim().length > 1 ? Kind.BidiOverride : this.early(c, ink);
      if (before !== SEEN) return whole(before);
      const rects = textRects(node, 0, text.length);
      this.work += rects.length;
      const lines = [];
      for (let i = 0; i < rects.length; i++) {
        const r = fromDOM(rects[i]);
        if (width(r) > 0 || height(r) > 0) lines[lines.length] = r;
      }
      if (!lines.length) return whole(Kind.NotRendered);
      if (crushed(lines, text, c, ink)) return whole(Kind.Tiny);
      let uniform = true;
      let verdict = null;
      for (const r of lines) {
        const v = this.line(r, c, ink);
        if (v === null || verdict !== null && v !== verdict) {
          uniform = false;
          break;
        }
        verdict = v;
      }
      if (!uniform) return this.words(node, text, c, ink, out);
      if (verdict !== null && verdict !== SEEN) return whole(verdict);
      out.first = lines[0];
      out.last = lines[lines.length - 1];
      for (const r of lines) out.box = union(out.box, r);
      return out;
    }
    early(c, ink) {
      if (c.gone >= 0) return c.gone;
      if (ink.masked) return Kind.TextSecurity;
      if (ink.size < SIZE_FLOOR) return Kind.Tiny;
      if (ink.spaced) return Kind.OffScreen;
      if (!c.follows && this.canvas.curtain(c.key)) return Kind.Covered;
      return SEEN;
    }
    // The verdict for a whole line box; null if parts of it differ.
    line(r, c, ink) {
      const seen = visiblePart(r, c.clip);
      if (!seen) return this.outside(r, c);
      if (area(seen) < area(r) * 0.98) return null;
      const stack = this.canvas.stack(r, c.key, c.follows, c.clip);
      if (stack.partial) return null;
      return this.painted(r, stack, c, ink);
    }
    // The verdict for a word or a letter: what shows of it has to be most of it.
    part(r, c, ink) {
      const seen = visiblePart(r, c.clip);
      if (!seen || area(seen) < area(r) * 0.6) return this.outside(r, c);
      return this.painted(r, this.canvas.stack(r, c.key, c.follows, c.clip), c, ink);
    }
    outside(r, c) {
      let root = c.clip;
      while (root && root.outer) root = root.outer;
      return root && !visiblePart(r, root) ? Kind.OffScreen : Kind.Clipped;
    }
    painted(r, stack, c, ink) {
      if (c.hitTest && !this.hits(r, c.hitTest)) return Kind.Clipped;
      for (const box of stack.above) if (opaque(box)) return Kind.Covered;
      let back = this.canvas.backdrop(stack.under);
      if (ink.ground && (back || ink.ground[3] > 0.98)) back = over(ink.ground, back ?? this.canvas.base, c.opacity);
      if (!back || !ink.fill) return SEEN;
      let readable = false;
      for (const paint of this.paints(ink, c)) {
        let t = over(paint, back, c.opacity);
        let b = back;
        if (c.blend !== "normal") {
          const mixed = this.canvas.backdrop([
            ...stack.under,
            { rect: r, key: [], color: paint, opacity: c.opacity, blend: c.blend, sticky: false, clip: null }
          ]);
          if (!mixed) return Kind.Filtered;
          t = mixed;
        }
        for (const box of stack.above) {
          if (!box.color) continue;
          t = over(box.color, t, box.opacity);
          b = over(box.color, b, box.opacity);
        }
        if (contrast(t, b) >= CONTRAST_FLOOR) readable = true;
      }
      if (readable) return SEEN;
      return ink.fill[3] * c.opacity < 0.1 ? Kind.Transparent : Kind.LowContrast;
    }
    paints(ink, c) {
      const out = ink.outline.slice();
      const fill = ink.fill;
      out[out.length] = fill;
      if (c.clipText && fill[3] < 0.95) for (const stop of c.clipText) out[out.length] = stop;
      if (c.clipText === null && fill[3] < 0.95) out[out.length] = [0.5, 0.5, 0.5, 1];
      return out;
    }
    hits(r, shaped) {
      const list = elementsFromPoint(this.doc, (r.l + r.r) / 2, (r.t + r.b) / 2);
      for (let i = 0; i < list.length; i++) if (contains(shaped, list[i])) return true;
      return false;
    }
    // Words first, the letters of a word only where it is cut.
    words(node, text, c, ink, out) {
      const re = /\S+/g;
      for (let m = re.exec(text); m; m = re.exec(text)) {
        const from = m.index;
        const to = from + m[0].length;
        const rects = textRects(node, from, to);
        this.work += 4;
        if (rects.length === 1) {
          const r = fromDOM(rects[0]);
          const v = this.line(r, c, ink);
          if (v !== null) {
            this.note(out, from, to, v, r);
            continue;
          }
        }
        this.letters(node, text, from, to, c, ink, out);
      }
      return out;
    }
    letters(node, text, from, to, c, ink, out) {
      for (let i = from; i < to; ) {
        const step = clusterLength(text, i, to);
        const rects = textRects(node, i, i + step);
        this.work += 4;
        if (!rects.length) this.note(out, i, i + step, Kind.NotRendered, null);
        else {
          const r = fromDOM(rects[0]);
          this.note(out, i, i + step, area(r) > 0 ? this.part(r, c, ink) : Kind.NotRendered, r);
        }
        i += step;
      }
    }
    note(out, from, to, v, r) {
      if (v === SEEN) {
        if (r) {
          out.first ??= r;
          out.last = r;
          out.box = union(out.box, r);
        }
        return;
      }
      const last2 = out.hidden[out.hidden.length - 1];
      if (last2 && last2[2] === v && last2[1] >= from - 1) last2[1] = to;
      else out.hidden[out.hidden.length] = [from, to, v];
    }
  };
  function clusterLength(text, i, to) {
    let n = i + 1;
    while (n < to && /[\udc00-\udfff\u0300-\u036f\u200c\u200d\ufe00-\ufe0f]/.test(text[n])) n++;
    return n - i;
  }
  function crushed(lines, text, c, ink) {
    const upright = c.scale[0] === c.scale[1];
    const thick = (r) => ink.vertical ? width(r) : height(r);
    const long = (r) => ink.vertical ? height(r) : width(r);
    if (upright && Math.max(...lines.slice(0, 100).map((r) => Math.max(thick(r), long(r)))) < SIZE_FLOOR - 1) return true;
    let advance = 0;
    for (const r of lines) advance += Math.max(long(r), upright ? 0 : thick(r));
    const letters = text.replace(/[\s\p{M}\p{Cf}]|[\udc00-\udfff]/gu, "").length;
    if (letters > 3 && advance / letters < 0.1 * ink.size) return true;
    if (lines.length > 2 && upright && !ink.vertical) {
      const pitch = (lines[lines.length - 1].t - lines[0].t) / (lines.length - 1);
      const rows = lines[0].l < lines[1].r - 1 && lines[1].l < lines[0].r - 1;
      if (rows && Math.abs(pitch) < 0.3 * thick(lines[0])) return true;
    }
    return false;
  }
  function judgeBox(r, c, ink, canvas) {
    if (c.gone >= 0) return c.gone;
    if (ink.masked) return Kind.TextSecurity;
    if (ink.size < SIZE_FLOOR) return Kind.Tiny;
    const seen = visiblePart(r, c.clip);
    if (!seen || area(seen) < 16) return Kind.Clipped;
    const stack = canvas.stack(r, c.key, c.follows, c.clip);
    for (const box of stack.above) if (opaque(box)) return Kind.Covered;
    const back = canvas.backdrop(stack.under);
    if (!back || !ink.fill) return SEEN;
    if (contrast(over(ink.fill, back, c.opacity), back) >= CONTRAST_FLOOR) return SEEN;
    return ink.fill[3] * c.opacity < 0.1 ? Kind.Transparent : Kind.LowContrast;
  }
  function backgroundColor(s) {
    const image = s("background-image");
    const color = parseColor(s("background-color"));
    if (image === "none") return color && color[3] === 0 ? void 0 : color;
    const stops = gradientStops(image);
    if (!stops) return null;
    const base = color && color[3] > 0 ? color : null;
    const first = stops[0];
    for (const x of stops)
      if (Math.abs(x[3] - first[3]) > 0.02 || contrast(over(x, [1, 1, 1, 1]), over(first, [1, 1, 1, 1])) > 1.05)
        return null;
    if (first[3] < 0.02) return base ?? void 0;
    return base && first[3] < 1 ? [...over(first, base)] : first;
  }

  // src/frames.ts
  var ALONE = {
    view: null,
    still: false,
    opacity: 1,
    filters: [],
    blend: "normal",
    scale: [1, 1],
    dark: null,
    base: null,
    above: []
  };
  function inward(el, r, s) {
    const size = offsetSize(el);
    if (!size || !size[0] || !size[1]) return null;
    const [kx, ky] = [(r.r - r.l) / size[0], (r.b - r.t) / size[1]];
    if (!(kx > 0 && Math.abs(kx - ky) < 0.02 * kx)) return null;
    const x = r.l + (clientLeft(el) + (parseFloat(s("padding-left")) || 0)) * kx;
    const y = r.t + (clientTop(el) + (parseFloat(s("padding-top")) || 0)) * ky;
    return (o) => ({ l: (o.l - x) / kx, t: (o.t - y) / ky, r: (o.r - x) / kx, b: (o.b - y) / ky });
  }
  function shows(r, clip) {
    let part = r;
    for (let c = clip; c; c = c.outer) {
      part = intersect(part, c.reach);
      if (!covers(c.box, part)) return part;
    }
    return part;
  }
  var Framed = class {
    constructor(el, item, rect, c, s, dark) {
      this.el = el;
      this.item = item;
      this.rect = rect;
      this.c = c;
      this.into = inward(el, rect, s);
      const part = shows(rect, c.clip);
      this.around = {
        view: this.into && !covers(part, rect) ? this.into(part) : null,
        still: /^(no|off|noscroll)$/i.test(getAttribute(el, "scrolling") ?? ""),
        opacity: c.opacity,
        filters: c.filters,
        blend: c.blend,
        scale: c.scale,
        dark,
        base: null,
        above: []
      };
    }
    el;
    item;
    rect;
    c;
    around;
    into;
    // Once all boxes of the page are known.
    surround(canvas) {
      const c = this.c;
      const under = canvas.stack(this.rect, c.key.concat([0, 0, 0]), c.follows, c.clip).under;
      this.around.base = canvas.backdrop(under.filter((b) => b.color || comparePaint(b.key, c.key) !== 0));
      if (!this.into) return;
      for (const box of canvas.above(this.rect, c.key, c.follows, c.clip)) {
        if (this.around.above.length >= 200) break;
        const rect = intersect(box.rect, this.rect);
        if (overlaps(rect, this.rect)) this.around.above.push({ rect: this.into(rect), color: box.color, opacity: box.opacity });
      }
    }
  };
  function lay(a, canvas, dark) {
    if (a.base && (a.dark === null || a.dark === dark)) canvas.base = a.base;
    for (const x of a.above) {
      const box = { rect: x.rect, key: [99], color: x.color, opacity: x.opacity, blend: "normal", sticky: true, clip: null };
      canvas.add(box);
    }
  }
  function isDark(el) {
    const scheme = style(el)("color-scheme");
    return /dark/.test(scheme) && (!/light/.test(scheme) || prefersDark());
  }
  var backdropOf = (el) => parseColor(style(el, "::backdrop")("background-color"));
  function ground(root, canvas) {
    const take = (el) => {
      const color = backgroundColor(style(el));
      if (color === void 0) return false;
      const big = 1e7;
      const rect = { l: -big, t: -big, r: big, b: big };
      canvas.add({ rect, key: [-1], color, opacity: 1, blend: "normal", sticky: false, clip: null });
      return true;
    };
    if (take(root)) return;
    for (let c = firstChild(root); c; c = nextSibling(c))
      if (isElement(c) && localName(c) === "body") {
        take(c);
        return;
      }
  }

  // src/items.ts
  var SHOWN = 1;
  var CONTROL = 2;
  var GRAPHIC = 4;
  var UNLISTED = 8;

  // src/order.ts
  var unit = (item) => ({
    first: null,
    last: null,
    box: null,
    words: 0,
    rtl: false,
    children: [],
    sealed: false,
    item
  });
  var sameRow = (a, b) => {
    const overlap = Math.min(a.b, b.b) - Math.max(a.t, b.t);
    return overlap > 0.5 * Math.min(height(a), height(b));
  };
  var short = (u) => u.words <= 12 && !!u.box && height(u.box) < 80;
  function reversed(a, b) {
    if (!a.last || !b.first || !short(a) || !short(b)) return false;
    const x = a.last;
    const y = b.first;
    if (sameRow(x, y)) {
      if (a.rtl !== b.rtl) return false;
      return a.rtl ? y.l >= x.r - 1 : y.r <= x.l + 1;
    }
    return b.last.b <= a.first.t + 1 && y.l < x.r;
  }
  function arrange(u) {
    let moved = false;
    for (const child of u.children) moved = arrange(child) || moved;
    measure(u);
    const seen = u.children.filter((k) => k.box);
    let out = false;
    for (let i = 1; i < seen.length && !out; i++) out = reversed(seen[i - 1], seen[i]);
    if (!out) return moved;
    const rows = seen.slice().sort((a, b) => a.box.t - b.box.t || a.box.l - b.box.l);
    const sorted = [];
    for (let i = 0; i < rows.length; ) {
      let j = i + 1;
      while (j < rows.length && sameRow(rows[i].box, rows[j].box)) j++;
      const row = rows.slice(i, j);
      const rtl = row.filter((k) => k.rtl).length * 2 > row.length;
      row.sort((a, b) => rtl ? b.box.r - a.box.r : a.box.l - b.box.l);
      for (const k of row) sorted[sorted.length] = k;
      i = j;
    }
    let n = 0;
    u.children = u.children.map((k) => k.box ? sorted[n++] : k);
    return true;
  }
  function measure(u) {
    if (u.sealed) return;
    for (const k of u.children) {
      if (!k.box) continue;
      u.first ??= k.first;
      u.last = k.last ?? u.last;
      u.box = union(u.box, k.box);
      u.words += k.words;
    }
  }
  function ranks(u, out) {
    if (u.item >= 0) out[out.length] = u.item;
    for (const k of u.children) ranks(k, out);
  }
  function backwards(a, b) {
    const x = a.last;
    const y = b.first;
    const row = Math.min(x.b, y.b) - Math.max(x.t, y.t) > 0.5 * Math.min(height(x), height(y));
    return row && y.r <= x.l + 1 && x.l - y.r < 3 * height(x);
  }

  // src/refs.ts
  function refOf(el, property) {
    const held = ownValue(el, property);
    const ref = typeof held === "object" && held !== null ? ownValue(held, "ref") : "";
    return typeof ref === "string" && ref.length < 32 ? ref : "";
  }
  var last = { nonce: "", property: "", index: /* @__PURE__ */ new Map(), names: [] };
  function remember(nonce, property, index, items) {
    const names = [];
    for (let i = 0; i < items.length; i++) names[i] = items[i][6] ?? "";
    last = { nonce, property, index, names };
  }
  function renamed(nonce) {
    if (nonce !== last.nonce) return null;
    const out = [];
    last.index.forEach((item, node) => {
      const name = isElement(node) ? refOf(node, last.property) : "";
      if (name !== last.names[item]) out[out.length] = [item, name];
    });
    return out;
  }

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
  var CONTROLS = /^(link|button|checkbox|ColorWell|Date|DateTime|textbox|spinbutton|radio|slider|searchbox|InputTime|combobox|listbox|option|menuitem|menuitemcheckbox|menuitemradio|tab|switch|treeitem|DisclosureTriangle|scrollbar|gridcell)$/;
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
  var isControl = (el, role) => CONTROLS.test(role) || hasAttribute(el, "tabindex") || getAttribute(el, "contenteditable") === "true" || getAttribute(el, "contenteditable") === "";
  var LIMIT = 2e3;
  function attributeName(el) {
    const refs = getAttribute(el, "aria-labelledby");
    if (refs) {
      const parts = [];
      const ids = refs.split(/\s+/);
      for (let i = 0; i < ids.length && i < 20; i++) {
        const ref = ids[i] ? byId(el, ids[i]) : null;
        if (ref) parts[parts.length] = getAttribute(ref, "aria-label") ?? textContent(ref) ?? "";
      }
      if (parts.length) return parts.join(" ").slice(0, LIMIT);
    }
    const label = getAttribute(el, "aria-label");
    if (label) return label.slice(0, LIMIT);
    const tag = localName(el);
    if (tag === "input") {
      const own = labels(el).map((l) => textContent(l) ?? "");
      if (own.length) return own.join(" ").slice(0, LIMIT);
      if (/^(button|submit|reset)$/.test(type(el))) return value(el).slice(0, LIMIT);
    }
    const alt = tag === "img" || tag === "input" || tag === "area" ? getAttribute(el, "alt") : null;
    return (alt ?? "").slice(0, LIMIT);
  }
  var carriesStrings = (el) => hasAttribute(el, "aria-label") || hasAttribute(el, "aria-labelledby") || hasAttribute(el, "title") || hasAttribute(el, "aria-description") || hasAttribute(el, "aria-describedby") || hasAttribute(el, "aria-roledescription");

  // src/wash.ts
  var MAX_WIDE = 64;
  var Washes = class {
    byNode = /* @__PURE__ */ new Map();
    wide = [];
    constructor(doc, roots2) {
      for (const p of paintedRanges(doc, roots2)) {
        if (p.start !== p.end || !isText(p.start)) this.wide.push(p);
        else if (p.to > p.from) {
          const list = this.byNode.get(p.start);
          const wash = { from: p.from, to: p.to, pseudo: p.pseudo };
          if (list) list.push(wash);
          else this.byNode.set(p.start, [wash]);
        }
      }
    }
    get none() {
      return !this.byNode.size && !this.wide.length;
    }
    of(node, length) {
      const out = (this.byNode.get(node) ?? []).slice();
      const all = this.wide.length > MAX_WIDE;
      const seen = [];
      for (const p of this.wide)
        if (seen.indexOf(p.pseudo) < 0 && (all || meets(p, node))) {
          seen.push(p.pseudo);
          out.push({ from: 0, to: length, pseudo: p.pseudo });
        }
      return out;
    }
  };
  function washed(node, w, ink) {
    const el = parentNode(node);
    const s = el && isElement(el) ? style(el, w.pseudo) : null;
    if (!s) return null;
    const ground2 = parseColor(s("background-color"));
    const fill = parseColor(s("-webkit-text-fill-color")) ?? parseColor(s("color"));
    if (w.pseudo === "::selection" && !(ground2 && ground2[3] > 0) && !(fill && fill[3] < 0.5)) return null;
    return { ...ink, fill, outline: [], ground: ground2 };
  }
  function add(hidden2, more, from, to) {
    const out = hidden2.slice();
    for (const [a, b, kind] of more) if (a < to && b > from) out.push([Math.max(a, from), Math.min(b, to), kind]);
    out.sort((x, y) => x[0] - y[0] || y[1] - x[1]);
    const flat = [];
    let end = 0;
    for (const [a, b, kind] of out) {
      if (b <= end) continue;
      flat.push([Math.max(a, end), b, kind]);
      end = b;
    }
    return flat;
  }

  // src/scan.ts
  var SKIP = /^(script|style|template|head|title|meta|link|base|noscript|desc|metadata|defs|datalist|param|source|track|annotation|annotation-xml)$/;
  var FALLBACK = /^(canvas|video|audio|object|meter|progress)$/;
  var PICTURES = /^(img|video|canvas|svg|object|embed|iframe|frame)$/;
  var RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
  var Budget = class extends Error {
  };
  function scan(o, elements, closed = []) {
    for (let i = 0; i < closed.length; i++) admitRoot(closed[i]);
    begin();
    const w = new Walk(o);
    let spent = "";
    try {
      w.document(document, -1, -1, { ...ALONE, ...o.around });
    } catch (e) {
      if (!(e instanceof Budget)) throw e;
      spent = e.message;
    }
    const marks = [];
    for (let i = 0; i < elements.length; i++) marks[i] = w.index.get(elements[i]) ?? -1;
    if (o.refs) remember(o.nonce, o.refs, w.index, w.items);
    return { v: 1, n: o.nonce, b: spent, i: w.items, r: w.rank(), o: w.opaque, a: marks };
  }
  var Walk = class {
    constructor(o) {
      this.o = o;
      this.end = now() + o.millis;
      this.declared = new Declared(o.exhaustive === true);
    }
    o;
    items = [];
    index = /* @__PURE__ */ new Map();
    opaque = 0;
    root = unit(-1);
    leaves = [];
    end;
    nodes = 0;
    chars = 0;
    blocks = 0;
    order = 0;
    // The document that is walked or judged.
    here;
    trees = [];
    frozen = /* @__PURE__ */ new Set();
    declared;
    step() {
      if (++this.nodes > this.o.nodes) throw new Budget("nodes");
      if (this.nodes % 128 === 0 && now() > this.end) throw new Budget("millis");
    }
    push(item) {
      this.items[this.items.length] = item;
      return this.items.length - 1;
    }
    enterTree(root) {
      if (this.o.watch) watch(root);
      this.trees[this.trees.length] = root;
      for (const el of inTransition(root)) this.frozen.add(el);
      this.declared.add(root);
    }
    document(doc, parent, gone, around, at2) {
      const el = documentElement(doc);
      const item = this.push([2, parent, documentURL(doc).slice(0, 4096), gone + 1, title(doc).slice(0, 1e3)]);
      if (!el) return null;
      const outer = this.here;
      const clip = rootClip(doc, around);
      const scrolls2 = clip.reach.b - clip.reach.t > clip.box.b - clip.box.t + 8;
      const dark = isDark(el);
      const canvas = new Canvas(canvasColor(dark), clip.box, scrolls2);
      const place = { doc, dark, canvas, texts: [], boxes: [], pending: [], frames: [] };
      this.here = place;
      lay(around, canvas, dark);
      this.enterTree(doc);
      ground(el, canvas);
      try {
        this.element(el, rootContext(gone, clip, around), item, at2 ?? this.root, true, 0);
      } finally {
        if (outer) this.here = outer;
        else this.settle(place);
      }
      return place;
    }
    // Returns true if anything of the element is drawn: a picture, a box, text.
    element(el, up, parent, u, root, depth) {
      this.step();
      if (depth > 1500) throw new Budget("depth");
      const tag = localName(el);
      if (SKIP.test(tag)) return false;
      const shadow = shadowRoot(el);
      if (shadow) this.enterTree(shadow);
      const fallback = up.gone === Kind.FallbackContent;
      const plain = up.inherits !== null && !fallback && this.declared.plain(el, tag);
      const s = plain ? plainStyle(el, tag, up.inherits) : style(el);
      const display = s("display");
      if (s("content-visibility") === "auto") stirs();
      if (display === "none") return false;
      const bare = display === "contents";
      if (!bare && !fallback && !rendered(el)) return false;
      const c = bare ? { ...up } : enter(el, up, s, this.order++, root);
      if (this.frozen.size && this.frozen.has(el) && c.gone < 0) c.gone = Kind.Covered;
      if (!plain) c.inherits = inherited(s);
      const role = roleOf(el);
      const control = isControl(el, role);
      let item = parent;
      if (role || control || carriesStrings(el) || this.o.refs) item = this.emit(el, parent, role, control, c, s);
      const mine = unit(item === parent ? -1 : item);
      mine.rtl = rightToLeft(s);
      u.children[u.children.length] = mine;
      let drawn = false;
      if (!bare && s("visibility") === "visible") drawn = this.paint(el, tag, c, s, root);
      drawn = this.children(el, tag, c, s, item, mine, root, depth) || drawn;
      if (!drawn && !bare && c.gone < 0 && s("visibility") === "visible") drawn = bordered(s) || s("mask-image") !== "none" || nativeControl(tag, s);
      if (drawn && item !== parent) this.items[item][4] |= GRAPHIC;
      return drawn;
    }
    emit(el, parent, role, control, c, s) {
      const flags = (control ? CONTROL : 0) | (c.ariaHidden ? UNLISTED : 0);
      const name = attributeName(el);
      this.chars += name.length;
      const item = this.push([1, parent, role, name, flags | (role === "heading" ? level(el) << 4 : 0), []]);
      this.index.set(el, item);
      if (this.o.refs) this.items[item][6] = refOf(el, this.o.refs);
      this.here.boxes[this.here.boxes.length] = { el, item, c, s, role };
      return item;
    }
    children(el, tag, c, s, item, u, root, depth) {
      if (tag === "select") return this.options(el, item, u);
      if (tag === "iframe" || tag === "frame") return this.frame(el, c, s, item, u);
      if (tag === "textarea") return false;
      const inside = { ...c };
      if (FALLBACK.test(tag)) inside.gone = Kind.FallbackContent;
      if (s("display") !== "contents") clipChildren(el, inside, s, root);
      const block = /^(inline|contents|ruby|ruby-text|ruby-base)$/.test(s("display")) ? -1 : ++this.blocks;
      const mark = block < 0 ? this.blocks : block;
      let drawn = this.generated(el, tag, "::before", inside, item, u, mark, s);
      let ink = null;
      let first = false;
      const kids = shownChildren(el, tag, s);
      const content = tag === "details" && this.declared.everything ? this.detailsContent(el, inside) : inside;
      for (let i = 0; i < kids.length; i++) {
        const kid = kids[i];
        if (isElement(kid)) {
          const within3 = content !== inside && localName(kid) !== "summary" ? content : inside;
          drawn = this.element(kid, within3, item, u, false, depth + 1) || drawn;
          if (block >= 0 && this.blocks > mark) this.blocks++;
        } else if (isText(kid)) {
          this.step();
          const text = nodeValue(kid) ?? "";
          if (!/\S/.test(text) || s("visibility") !== "visible") continue;
          first = !ink && block >= 0;
          ink ??= this.ink(el, s, inside);
          this.text(kid, text, inside, ink, item, u, rightToLeft(s) && ink.vertical);
          if (first && this.declared.letters(el, tag)) this.firstLetter(el, s, inside);
          first = false;
          drawn = true;
        }
      }
      return this.generated(el, tag, "::after", inside, item, u, this.blocks, s) || drawn;
    }
    // The box around what a details element discloses has a style of its own; it
    // lies within the element's own box.
    detailsContent(el, up) {
      const s = style(el, "::details-content");
      const c = enter(el, up, s, this.order++, false);
      c.inherits = inherited(s);
      const ground2 = backgroundColor(s);
      const rect = fromDOM(boundingRect(el));
      for (let k = firstChild(el); k; k = nextSibling(k))
        if (isElement(k) && localName(k) === "summary") rect.t = Math.max(rect.t, fromDOM(boundingRect(k)).b);
      if (ground2 !== void 0) this.box(rect, c, ground2);
      clipChildren(el, c, s, false);
      return c;
    }
    // ::first-letter can draw a letter, or not, unlike the rest of its text.
    firstLetter(el, s, c) {
      const l = style(el, "::first-letter");
      const same = (name) => l(name) === s(name);
      if (same("font-size") && same("color") && same("-webkit-text-fill-color") && same("opacity")) return;
      const t = this.here.texts[this.here.texts.length - 1];
      const ink = inkOf(l, c);
      const fill = ink.fill;
      if (t && (ink.size < 5 || fill && fill[3] < 0.1 || Number(l("opacity")) < 0.1)) t.first = true;
    }
    ink(el, s, c) {
      const ink = inkOf(s, c);
      if (!isHTML(el)) {
        const fill = parseColor(s("fill"));
        if (fill || s("fill") === "none") ink.fill = fill ? applyFilters(fill, c.filters) : [0, 0, 0, 0];
        else ink.fill = null;
      }
      return ink;
    }
    text(node, raw, c, ink, parent, u, columns) {
      const offset = raw.length - raw.trimStart().length;
      const text = raw.trim();
      this.chars += text.length;
      if (this.chars > this.o.chars) throw new Budget("chars");
      const item = this.push([0, parent, text, Kind.Budget + 1, c.ariaHidden ? UNLISTED : 0, this.blocks]);
      const leaf = unit(item);
      leaf.words = text.split(/\s+/).length;
      leaf.rtl = columns || RTL.test(text);
      u.children[u.children.length] = leaf;
      this.here.texts[this.here.texts.length] = { node, text: raw, item, c, ink, unit: leaf, offset };
    }
    // Generated content has no node: it is judged by its own style in its
    // element's box. The alternative text after "/" is never drawn.
    generated(el, tag, pseudo, c, parent, u, block, own) {
      if (!this.declared.generates(el, tag)) return false;
      const s = style(el, pseudo);
      const content = s("content");
      if (content === "none" || content === "normal" || content === "") return false;
      const inner = enter(el, { ...c, item: true }, s, this.order++, false);
      const placed = this.pseudoBox(el, inner, s);
      const [shown, alt] = strings(content);
      if (/\S/.test(shown) && s("display") !== "none") {
        const gone = inner.gone >= 0 ? inner.gone : s("visibility") !== "visible" ? Kind.NotRendered : -1;
        this.pseudoText(el, inner, s, own, shown, gone, parent, u, block);
      }
      if (/\S/.test(alt)) this.push([0, parent, alt.trim(), Kind.GeneratedContent + 1, 0, block]);
      return placed || /\S/.test(shown);
    }
    pseudoText(el, c, s, own, shown, gone, parent, u, block) {
      const text = shown.trim();
      const item = this.push([0, parent, text, gone + 1, c.ariaHidden ? UNLISTED : 0, block]);
      const leaf = unit(item);
      leaf.words = 100;
      u.children[u.children.length] = leaf;
      if (gone >= 0) return;
      const ink = inkOf(s, c);
      const away = /^(absolute|fixed)$/.test(s("position")) && (far(s("left")) || far(s("top")) || far(s("right")) || far(s("bottom")));
      const squeezed = s("overflow-x") !== "visible" && (parseFloat(s("width")) < 4 || parseFloat(s("height")) < 4);
      const bad = away || squeezed || far(s("text-indent")) || far(own("text-indent")) ? Kind.GeneratedContent : -1;
      this.here.pending[this.here.pending.length] = { el, c, ink, item, bad };
    }
    // A positioned pseudo-element can cover: its box from its used offsets.
    pseudoBox(el, c, s) {
      const color = backgroundColor(s);
      if (color === void 0 || c.gone >= 0 || s("visibility") !== "visible") return false;
      const position = s("position");
      if (position !== "absolute" && position !== "fixed") return true;
      const host = position === "fixed" ? null : containing(el);
      const origin = host ? fromDOM(boundingRect(host)) : { l: 0, t: 0, r: 0, b: 0 };
      const l = origin.l + (host ? clientLeft(host) : 0) + parseFloat(s("left"));
      const t = origin.t + (host ? clientTop(host) : 0) + parseFloat(s("top"));
      const rect = { l, t, r: l + parseFloat(s("width")), b: t + parseFloat(s("height")) };
      if (isFinite(rect.l + rect.t + rect.r + rect.b)) this.box(rect, c, color);
      return true;
    }
    box(rect, c, color) {
      const part = visiblePart(rect, c.clip);
      if (!part) return;
      const filtered = color && applyFilters(color, c.filters);
      this.here.canvas.add({ rect: c.clip && !c.follows ? clipTo(rect, c.clip) : rect, key: c.key, color: filtered, opacity: c.opacity, blend: c.blend, sticky: c.follows, clip: c.clip });
    }
    paint(el, tag, c, s, root) {
      const isPicture = PICTURES.test(tag) && (tag !== "img" || imageLoaded(el));
      if (tag === "img" && !isPicture) awaits(el);
      if (tag === "marquee") stirs();
      const color = root || tag === "body" ? void 0 : backgroundColor(s);
      let drawn = isPicture;
      if (c.gone >= 0) return false;
      if ((color !== void 0 || isPicture) && s("background-clip").indexOf("text") < 0) {
        const rect = fromDOM(boundingRect(el));
        if (color !== void 0) for (const r of pieces(el, rect, s)) this.box(r, c, color);
        if (isPicture && tag !== "svg") this.box(rect, c, null);
        if (tag === "canvas" || tag === "video" || tag === "embed" || tag === "object") this.opaque++;
        drawn = true;
      }
      if (c.key.length === 3 && c.key[0] === PHASE.top) this.veil(el, c);
      for (const x of shadows(el, s)) this.box(x.rect, c, x.color);
      return drawn;
    }
    veil(el, c) {
      const color = backdropOf(el);
      if (!color || color[3] === 0) return;
      const key = c.key.slice();
      key[2] = key[2] - 0.5;
      this.here.canvas.add({ rect: { l: -1e7, t: -1e7, r: 1e7, b: 1e7 }, key, color, opacity: 1, blend: "normal", sticky: true, clip: null });
    }
    options(el, parent, u) {
      const walk = (n) => {
        for (let k = firstChild(n); k; k = nextSibling(k)) {
          if (!isElement(k)) continue;
          this.step();
          const tag = localName(k);
          const isOption = tag === "option";
          if (!isOption && tag !== "optgroup") continue;
          const label = isOption ? optionLabel(k) : getAttribute(k, "label") ?? "";
          const item = this.push([1, parent, isOption ? "option" : "group", label.slice(0, 2e3), isOption && optionSelected(k) ? CONTROL | SHOWN : CONTROL, []]);
          this.index.set(k, item);
          if (this.o.refs) this.items[item][6] = refOf(k, this.o.refs);
          u.children[u.children.length] = unit(item);
          if (!isOption) walk(k);
        }
      };
      walk(el);
      return true;
    }
    frame(el, c, s, item, u) {
      const r = fromDOM(boundingRect(el));
      const seen = s("visibility") === "visible" ? visiblePart(r, c.clip) : null;
      let gone = c.gone;
      if (gone < 0 && (!seen || seen.r - seen.l < 8 || seen.b - seen.t < 8)) gone = Kind.HiddenFrame;
      const at2 = { frame: new Framed(el, this.items.length, r, c, s, isDark(el)), inner: null };
      this.here.frames[this.here.frames.length] = at2;
      const doc = this.o.apart ? null : contentDocument(el);
      if (!doc) {
        this.push([2, item, "", gone + 1, "", ""]);
        return true;
      }
      const inner = unit(-1);
      at2.inner = this.document(doc, item, gone, at2.frame.around, inner);
      inner.first = inner.last = inner.box = r;
      inner.sealed = true;
      inner.words = 1e3;
      u.children[u.children.length] = inner;
      return true;
    }
    // A frame under an opaque box: all that shows of it has to be covered. What is
    // around its document is now known.
    settleFrames(place) {
      for (const { frame, inner } of place.frames) {
        const it = this.items[frame.item];
        const c = frame.c;
        const seen = it[3] === 0 ? visiblePart(frame.rect, c.clip) : null;
        if (seen) {
          frame.surround(place.canvas);
          for (const box of place.canvas.stack(seen, c.key, c.follows, c.clip).above)
            if (opaque(box) && covers(box.rect, seen, 4)) it[3] = Kind.Covered + 1;
        }
        if (inner) {
          lay(frame.around, inner.canvas, inner.dark);
          this.settle(inner);
        } else if (this.o.watch && it[2] === "") it[5] = JSON.stringify(frame.around);
      }
    }
    // Second pass of a document: all boxes are known, so judge.
    settle(place) {
      this.here = place;
      const judge = new TextJudge(place.canvas, place.doc);
      const washes = new Washes(place.doc, this.trees);
      for (const t of place.texts) {
        const work = judge.work + place.canvas.work / 16;
        if (work > 4 * this.o.nodes) throw new Budget("work");
        if ((++this.nodes & 63) === 0 && now() > this.end) throw new Budget("millis");
        const j = judge.judge(t.node, t.text, t.c, t.ink);
        if (!washes.none) this.wash(t, j, judge, washes);
        if (t.first && !j.hidden.length) j.hidden[0] = [t.offset, t.offset + firstLetters(t.text, t.offset), Kind.Tiny];
        this.items[t.item][3] = pack(j.hidden, t.offset, t.text.trim().length);
        t.unit.first = j.first;
        t.unit.last = j.last;
        t.unit.box = j.box;
        if (j.box) this.leaves[this.leaves.length] = { item: t.item, unit: t.unit };
      }
      for (const p of place.pending) {
        const v = p.bad >= 0 ? p.bad : judgeBox(fromDOM(boundingRect(p.el)), p.c, p.ink, place.canvas);
        this.items[p.item][3] = v + 1;
      }
      for (const b of place.boxes) this.control(b.el, b.item, b.c, b.s, b.role);
      this.settleFrames(place);
    }
    wash(t, j, judge, washes) {
      for (const w of washes.of(t.node, t.text.length)) {
        const ink = washed(t.node, w, t.ink);
        if (ink) j.hidden = add(j.hidden, judge.judge(t.node, t.text, t.c, ink).hidden, w.from, w.to);
      }
    }
    // Is the control itself there to be seen, and the value it draws?
    control(el, item, c, s, role) {
      const it = this.items[item];
      const r = fromDOM(boundingRect(el));
      const seen = c.gone < 0 && s("visibility") === "visible" ? visiblePart(r, c.clip) : null;
      let shown = !!seen && seen.r - seen.l >= 4 && seen.b - seen.t >= 4;
      if (shown && (it[4] & CONTROL || role === "image")) {
        const mid = { l: (r.l + r.r) / 2 - 1, r: (r.l + r.r) / 2 + 1, t: (r.t + r.b) / 2 - 1, b: (r.t + r.b) / 2 + 1 };
        for (const box of this.here.canvas.stack(mid, c.key, c.follows, c.clip).above)
          if (box.opacity > 0.95 && box.color && box.color[3] > 0.95 && !covers(r, box.rect, 2)) shown = false;
      }
      if (shown) it[4] |= SHOWN;
      const tag = localName(el);
      if (tag === "a") it[5] = [0, 0, href(el).slice(0, 4096)];
      if (tag !== "input" && tag !== "textarea" && tag !== "select") return;
      const value2 = value(el);
      const verdict = type(el) === "password" ? Kind.TextSecurity : judgeBox(r, c, inkOf(s, c), this.here.canvas);
      it[5] = [verdict + 1];
      const hint = getAttribute(el, "placeholder");
      if (hint && !value2) {
        const p = style(el, "::placeholder");
        const pc = { ...c, opacity: c.opacity * (Number(p("opacity")) || 0) };
        it[5] = [verdict + 1, judgeBox(r, pc, inkOf(p, pc), this.here.canvas) + 1, hint.slice(0, 2e3)];
      }
    }
    // The visual order as a list of item indices; empty if it is tree order.
    rank() {
      let moved = false;
      try {
        moved = arrange(this.root);
      } catch {
        moved = false;
      }
      const out = [];
      if (moved) ranks(this.root, out);
      this.tangled(moved ? out : null);
      return out;
    }
    // Short runs that read backwards even after ordering are boxes interleaved
    // across containers: they are withheld, as no order of lines shows them.
    tangled(order2) {
      const place = /* @__PURE__ */ new Map();
      if (order2) for (let i = 0; i < order2.length; i++) place.set(order2[i], i);
      const leaves = order2 ? this.leaves.filter((x) => place.has(x.item)) : this.leaves.slice();
      if (order2) leaves.sort((a, b) => place.get(a.item) - place.get(b.item));
      for (let i = 1; i < leaves.length; i++) {
        const a = leaves[i - 1];
        const b = leaves[i];
        if (a.unit.rtl || b.unit.rtl || a.unit.words > 4 || b.unit.words > 4) continue;
        if (!backwards(a.unit, b.unit)) continue;
        for (const x of [a, b]) this.items[x.item][3] = Kind.VisualOrder + 1;
      }
    }
  };

  // src/target.ts
  var FIELDS = 100;
  var TEXT = 512;
  var ADDRESS = 16384;
  var cut = (s, n) => (s ?? "").slice(0, n);
  var targets = (elements) => {
    const out = [];
    for (const e of elements)
      out[out.length] = e && isElement(e) && ownerDocument(e) === document ? facts(e) : null;
    return out;
  };
  function named(refs, property) {
    const out = [];
    const wanted = new Set(refs);
    const visit = (n) => {
      if (isElement(n)) {
        const ref = refOf(n, property);
        if (wanted.has(ref)) out[out.length] = [ref, facts(n)];
        const root = shadowRoot(n);
        if (root) walk(root);
      }
    };
    const walk = (root) => {
      for (let n = root; n; ) {
        visit(n);
        let next = firstChild(n);
        for (let up = n; !next && up && up !== root; up = parentNode(up)) next = nextSibling(up);
        n = next;
      }
    };
    walk(document);
    return out;
  }
  function focus() {
    const el = focused(document);
    return el ? facts(el) : null;
  }
  function at(x, y) {
    const el = hit(document, x, y);
    return el ? facts(el) : null;
  }
  function acting(el) {
    for (let n = el; n; n = composedParent(n)) {
      if (!isElement(n)) continue;
      const tag = localName(n);
      if (tag === "label" && isHTML(n)) return labelControl(n) ?? n;
      if ((tag === "a" || tag === "area") && (hasAttribute(n, "href") || hasAttribute(n, "xlink:href"))) return n;
      if (/^(button|input|select|textarea|summary|option)$/.test(tag)) return n;
      if (/^(button|link|menuitem|tab|option|switch|checkbox|radio)$/.test(getAttribute(n, "role") ?? "")) return n;
      if (editable(n)) return n;
    }
    return el;
  }
  var SENDS = /^(submit|image)$/;
  var ENTER = /^(text|search|tel|url|email|password|date|month|week|time|datetime-local|number|checkbox|radio|range|color|file)$/;
  function facts(el) {
    const top = middle(el);
    const it = acting(top && within2(top, el) ? top : el);
    const tag = localName(it);
    const form = formOf(it);
    const type2 = controlType(it);
    const fillable = /^(input|select|textarea)$/.test(tag) || editable(it) || /^(textbox|searchbox|combobox)$/.test(roleOf(it));
    let around = it;
    while (around && !(isElement(around) && linkOf(around) !== null)) around = composedParent(around);
    const link = around ? linkOf(around) : null;
    return {
      tag: cut(tag, 64),
      role: cut(roleOf(it), 64),
      name: cut(words(it), TEXT),
      field: fillable ? field(it) : null,
      link: link === null ? null : cut(link, ADDRESS),
      download: around !== null && hasAttribute(around, "download"),
      form: form ? formFacts(it, form) : null,
      submits: !!form && (tag === "button" || tag === "input") && SENDS.test(type2),
      enter: !!form && tag === "input" && ENTER.test(type2),
      covered: top !== null && covered(top, el, it),
      hidden: hidden(el) && hidden(it),
      disabled: disabled(it) || getAttribute(it, "aria-disabled") === "true",
      frame: /^(iframe|frame|object|embed)$/.test(tag)
    };
  }
  function linkOf(el) {
    const tag = localName(el);
    if (tag === "a" && !isHTML(el)) {
      const raw = getAttribute(el, "href") ?? getAttribute(el, "xlink:href");
      try {
        return raw === null ? null : new URL(raw, documentURL(document)).href;
      } catch {
        return raw;
      }
    }
    if (tag !== "a" && tag !== "area" || !hasAttribute(el, "href")) return null;
    return tag === "area" ? areaHref(el) : href(el);
  }
  function formFacts(el, form) {
    const list = formFields(form, FIELDS);
    const fields = [];
    for (let i = 0; i < list.length && i < FIELDS; i++) {
      const type2 = controlType(list[i]);
      if (!/^(button|submit|reset|image)$/.test(type2) && localName(list[i]) !== "fieldset") fields[fields.length] = field(list[i]);
    }
    return {
      action: cut(pressAction(el, form), ADDRESS),
      method: cut(pressMethod(el, form), 16),
      fields,
      more: list.length > FIELDS,
      search: getAttribute(form, "role") === "search"
    };
  }
  function field(el) {
    let label = "";
    for (const l of labels(el)) label += " " + cut(textContent(l), TEXT);
    const by = getAttribute(el, "aria-labelledby");
    if (by)
      for (const id of by.slice(0, 512).split(/\s+/)) {
        const named2 = id ? byId(el, id) : null;
        if (named2) label += " " + cut(textContent(named2), TEXT);
      }
    label += " " + cut(getAttribute(el, "aria-label"), TEXT) + " " + cut(getAttribute(el, "title"), TEXT);
    return {
      tag: cut(localName(el), 64),
      type: cut(type(el), 32),
      autocomplete: cut(getAttribute(el, "autocomplete"), TEXT),
      name: cut(getAttribute(el, "name"), TEXT),
      id: cut(getAttribute(el, "id"), TEXT),
      placeholder: cut(getAttribute(el, "placeholder"), TEXT),
      label: cut(label.trim(), 4 * TEXT),
      role: cut(roleOf(el), 64),
      inputMode: cut(getAttribute(el, "inputmode"), 32),
      editable: editable(el)
    };
  }
  function words(el) {
    const type2 = controlType(el);
    const tag = localName(el);
    if (tag === "input") return /^(button|submit|reset)$/.test(type2) ? value(el) || getAttribute(el, "value") || "" : getAttribute(el, "alt") ?? "";
    const text = (textContent(el) ?? "").slice(0, 4 * TEXT).replace(/\s+/g, " ").trim();
    return text || getAttribute(el, "aria-label") || getAttribute(el, "title") || "";
  }
  function hidden(el) {
    const r = fromDOM(boundingRect(el));
    return !rendered(el) || style(el)("visibility") !== "visible" || r.r <= r.l && r.b <= r.t;
  }
  function middle(el) {
    const r = fromDOM(boundingRect(el));
    const v = viewport(document);
    if (r.r <= r.l || r.b <= r.t || r.r <= 0 || r.b <= 0 || r.l >= v.width || r.t >= v.height) return null;
    return hit(document, (Math.max(r.l, 0) + Math.min(r.r, v.width)) / 2, (Math.max(r.t, 0) + Math.min(r.b, v.height)) / 2);
  }
  function covered(top, el, it) {
    if (within2(top, el) || within2(top, it) || within2(el, top) && acting(top) === acting(el)) return false;
    for (const l of labels(it)) if (within2(top, l)) return false;
    return true;
  }
  function within2(n, outer) {
    for (let at2 = n; at2; at2 = composedParent(at2)) if (at2 === outer) return true;
    return false;
  }
  return __toCommonJS(main_exports);
})();
