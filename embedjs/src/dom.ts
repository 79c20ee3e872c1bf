// The one file that reads the DOM. Everything goes through getters captured
// from prototypes: a page can clobber any property of a form or document
// (`<input name=tagName>`), in an isolated world as well, but not the getter on
// the prototype of an isolated world. A lint (embedjs/lint_test.go) keeps
// direct reads out of every other file.

type Getter<T, R> = (self: T) => R;

const uncurry = Function.prototype.bind.bind(Function.prototype.call) as <
  A extends unknown[],
  T,
  R,
>(
  f: (this: T, ...args: A) => R,
) => (self: T, ...args: A) => R;

function getter<T, R>(proto: object, name: string): Getter<T, R> {
  let d: PropertyDescriptor | undefined; // browsers differ in which interface has a member
  for (let p: object | null = proto; p && !d; p = Object.getPrototypeOf(p)) d = Object.getOwnPropertyDescriptor(p, name);
  if (!d || !d.get) throw new Error("moire: no getter " + name);
  return uncurry(d.get) as Getter<T, R>;
}

const describe = Object.getOwnPropertyDescriptor;
// What an object itself holds under a name, without running anything.
export const ownValue = (o: object, name: string): unknown => describe(o, name)?.value;

const N = Node.prototype;
const E = Element.prototype;

export const nodeType = getter<Node, number>(N, "nodeType");
export const nodeValue = getter<Node, string | null>(N, "nodeValue");
export const parentNode = getter<Node, Node | null>(N, "parentNode");
export const firstChild = getter<Node, Node | null>(N, "firstChild");
export const nextSibling = getter<Node, Node | null>(N, "nextSibling");
export const ownerDocument = getter<Node, Document | null>(N, "ownerDocument");
export const isConnected = getter<Node, boolean>(N, "isConnected");
export const getRootNode = uncurry(N.getRootNode);
export const contains = uncurry(N.contains);
export const textContent = getter<Node, string | null>(N, "textContent");

export const localName = getter<Element, string>(E, "localName");
export const namespaceURI = getter<Element, string | null>(E, "namespaceURI");
const openRoot = getter<Element, ShadowRoot | null>(E, "shadowRoot");
const hostOf = getter<ShadowRoot, Element>(ShadowRoot.prototype, "host");
// Closed roots by host: only the browser can hand them over.
const closedRoots = new WeakMap<Element, ShadowRoot>();
export function admitRoot(root: unknown): void {
  if (root) closedRoots.set(hostOf(root as ShadowRoot), root as ShadowRoot);
}
export const shadowRoot = (el: Element): ShadowRoot | null => openRoot(el) ?? closedRoots.get(el) ?? null;
export const getAttribute = uncurry(E.getAttribute);
export const hasAttribute = uncurry(E.hasAttribute);
export const boundingRect = uncurry(E.getBoundingClientRect);
export const clientRectsOf = uncurry(E.getClientRects);
export const clientWidth = getter<Element, number>(E, "clientWidth");
export const clientHeight = getter<Element, number>(E, "clientHeight");
export const clientLeft = getter<Element, number>(E, "clientLeft");
export const clientTop = getter<Element, number>(E, "clientTop");
export const scrollWidth = getter<Element, number>(E, "scrollWidth");
export const scrollHeight = getter<Element, number>(E, "scrollHeight");
export const scrollLeft = getter<Element, number>(E, "scrollLeft");
export const scrollTop = getter<Element, number>(E, "scrollTop");
export const matches = uncurry(E.matches);
export const closest = uncurry(E.closest);
export const elementById = uncurry(Document.prototype.getElementById);
export const documentElement = getter<Document, Element | null>(
  Document.prototype,
  "documentElement",
);
export const documentURL = getter<Document, string>(Document.prototype, "URL");
export const contentType = getter<Document, string>(Document.prototype, "contentType");
export const title = getter<Document, string>(Document.prototype, "title");
export const scrollingElement = getter<Document, Element | null>(
  Document.prototype,
  "scrollingElement",
);
export const defaultView = getter<Document, Window | null>(Document.prototype, "defaultView");
export const assignedNodes = uncurry(HTMLSlotElement.prototype.assignedNodes);
export const elementsFromPoint = uncurry(Document.prototype.elementsFromPoint);

const offW = getter<HTMLElement, number>(HTMLElement.prototype, "offsetWidth");
const offH = getter<HTMLElement, number>(HTMLElement.prototype, "offsetHeight");
export function offsetSize(el: Element): [number, number] | null {
  return isHTML(el) ? [offW(el as HTMLElement), offH(el as HTMLElement)] : null;
}

const check = uncurry(E.checkVisibility);
// False for display none, content-visibility hidden (closed details and
// hidden=until-found are made of it); c-v:auto off screen counts as rendered.
export const rendered = (el: Element): boolean => check(el);

const styleOf = getComputedStyle;
const propertyValue = uncurry(CSSStyleDeclaration.prototype.getPropertyValue);
export type Style = (name: string) => string;

// The computed style as a reader that a page's own properties can't shadow.
export function style(el: Element, pseudo?: string): Style {
  const s = styleOf(el, pseudo);
  const read: Record<string, string> = { __proto__: null as never };
  return (name) => (read[name] ??= propertyValue(s, name));
}

// Style sheets and animations, for declared.ts.
type Root = Document | ShadowRoot;
const documentSheets = getter<Document, StyleSheetList>(Document.prototype, "styleSheets");
const shadowSheets = getter<ShadowRoot, StyleSheetList>(ShadowRoot.prototype, "styleSheets");
const documentAdopted = getter<Document, CSSStyleSheet[]>(Document.prototype, "adoptedStyleSheets");
const shadowAdopted = getter<ShadowRoot, CSSStyleSheet[]>(ShadowRoot.prototype, "adoptedStyleSheets");
const documentAnimations = uncurry(Document.prototype.getAnimations);
const shadowAnimations = uncurry(ShadowRoot.prototype.getAnimations);
const playState = getter<Animation, string>(Animation.prototype, "playState");
export function animating(root: Root): boolean {
  const list = isDocument(root) ? documentAnimations(root) : shadowAnimations(root);
  for (let i = 0; i < list.length; i++) if (playState(list[i]!) === "running") return true;
  return false;
}
const effectOf = getter<Animation, AnimationEffect | null>(Animation.prototype, "effect");
const targetOf = getter<KeyframeEffect, Element | null>(KeyframeEffect.prototype, "target");
const byTag = uncurry(Document.prototype.getElementsByTagName);
const collectionLength = getter<HTMLCollection, number>(HTMLCollection.prototype, "length");
const isDocument = (n: Node): n is Document => nodeType(n) === 9;

// Is it still part of a page? A document without a window is not.
export const alive = (root: Root): boolean => (isDocument(root) ? defaultView(root) !== null : isConnected(root));

// A tree's elements, or for a shadow tree those of its document.
export const elementCount = (root: Root): number =>
  collectionLength(byTag(isDocument(root) ? root : (ownerDocument(root) as Document), "*") as HTMLCollection);

export function styleSheets(root: Root): CSSStyleSheet[] {
  const listed = isDocument(root) ? documentSheets(root) : shadowSheets(root);
  const adopted = isDocument(root) ? documentAdopted(root) : shadowAdopted(root);
  const out: CSSStyleSheet[] = [];
  for (let i = 0; i < listed.length; i++) out[out.length] = listed[i] as CSSStyleSheet;
  for (let i = 0; i < adopted.length; i++) out[out.length] = adopted[i]!;
  return out;
}

export function animationTargets(root: Root): Element[] {
  const out: Element[] = [];
  const list = isDocument(root) ? documentAnimations(root) : shadowAnimations(root);
  for (let i = 0; i < list.length; i++) {
    const effect = effectOf(list[i]!);
    const target = effect && targetOf(effect as KeyframeEffect);
    if (target) out[out.length] = target;
  }
  return out;
}

const rulesOf = getter<CSSStyleSheet, CSSRuleList>(CSSStyleSheet.prototype, "cssRules");
// null: a sheet of another origin, whose rules are not told.
export function sheetRules(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return rulesOf(sheet);
  } catch {
    return null;
  }
}

const isA = uncurry(Object.prototype.isPrototypeOf);
const GROUPS = [CSSMediaRule, CSSSupportsRule, CSSContainerRule, CSSLayerBlockRule].map((g) => g.prototype);
const groupOf = getter<CSSGroupingRule, CSSRuleList>(CSSGroupingRule.prototype, "cssRules");
// The rules in a rule whose selectors mean the same inside as outside.
export function groupRules(rule: CSSRule): CSSRuleList | null {
  for (const g of GROUPS) if (isA(g, rule)) return groupOf(rule as CSSGroupingRule);
  return null;
}

const importOf = getter<CSSImportRule, CSSStyleSheet | null>(CSSImportRule.prototype, "styleSheet");
// undefined: not an @import; null: not loaded.
export const importedSheet = (rule: CSSRule): CSSStyleSheet | null | undefined =>
  isA(CSSImportRule.prototype, rule) ? importOf(rule as CSSImportRule) : undefined;

export const ruleText = getter<CSSRule, string>(CSSRule.prototype, "cssText");
const selectorOf = getter<CSSStyleRule, string>(CSSStyleRule.prototype, "selectorText");
export const selectorText = (rule: CSSRule): string | null =>
  isA(CSSStyleRule.prototype, rule) ? selectorOf(rule as CSSStyleRule) : null;
const nestedOf = getter<CSSStyleRule, CSSRuleList>(CSSStyleRule.prototype, "cssRules");
export const nestedRules = (rule: CSSRule): boolean => nestedOf(rule as CSSStyleRule).length > 0;

const createRange = uncurry(Document.prototype.createRange);
const setStart = uncurry(Range.prototype.setStart);
const setEnd = uncurry(Range.prototype.setEnd);
const clientRects = uncurry(Range.prototype.getClientRects);

// The boxes of characters [from, to) of a text node, in viewport pixels.
export function textRects(text: Node, from: number, to: number): DOMRectList {
  const r = createRange(ownerDocument(text) as Document);
  setStart(r, text, from);
  setEnd(r, text, to);
  return clientRects(r);
}

const HTML_NS = "http://www.w3.org/1999/xhtml";
export const isHTML = (el: Element): boolean => namespaceURI(el) === HTML_NS;
export const isElement = (n: Node): n is Element => nodeType(n) === 1;
export const isText = (n: Node): boolean => nodeType(n) === 3 || nodeType(n) === 4;

// Children in the flat tree: a host's shadow tree, a slot's assigned nodes.
export function flatChildren(n: Node): Node[] {
  let from: Node = n;
  if (isElement(n)) {
    const root = shadowRoot(n);
    if (root) from = root;
    else if (isHTML(n) && localName(n) === "slot") {
      const assigned = assignedNodes(n as HTMLSlotElement);
      if (assigned.length) return assigned;
    }
  }
  const out: Node[] = [];
  for (let c = firstChild(from); c; c = nextSibling(c)) out[out.length] = c;
  return out;
}

// The element of an id in the same tree scope.
export function byId(from: Element, id: string): Element | null {
  const root = getRootNode(from);
  if (nodeType(root) === 9) return elementById(root as Document, id);
  return fragmentById(root as ShadowRoot, id);
}
const fragmentById = uncurry(DocumentFragment.prototype.getElementById);

const frameDoc = getter<HTMLIFrameElement, Document | null>(
  HTMLIFrameElement.prototype,
  "contentDocument",
);
// The document of a same-origin frame, else null.
export function contentDocument(el: Element): Document | null {
  try {
    return frameDoc(el as HTMLIFrameElement);
  } catch {
    return null;
  }
}

const inputValue = getter<HTMLInputElement, string>(HTMLInputElement.prototype, "value");
const inputType = getter<HTMLInputElement, string>(HTMLInputElement.prototype, "type");
const areaValue = getter<HTMLTextAreaElement, string>(HTMLTextAreaElement.prototype, "value");
const optionText = getter<HTMLOptionElement, string>(HTMLOptionElement.prototype, "label");
const optionPicked = getter<HTMLOptionElement, boolean>(HTMLOptionElement.prototype, "selected");
const imgWidth = getter<HTMLImageElement, number>(HTMLImageElement.prototype, "naturalWidth");
const selSize = getter<HTMLSelectElement, number>(HTMLSelectElement.prototype, "size");
const selMulti = getter<HTMLSelectElement, boolean>(HTMLSelectElement.prototype, "multiple");
type Labels = Getter<Element, NodeListOf<HTMLLabelElement> | null>;
const LABELS: Record<string, Labels> = {
  __proto__: null as never,
  input: getter(HTMLInputElement.prototype, "labels"),
  textarea: getter(HTMLTextAreaElement.prototype, "labels"),
  select: getter(HTMLSelectElement.prototype, "labels"),
  button: getter(HTMLButtonElement.prototype, "labels"),
};

export const type = (el: Element): string =>
  localName(el) === "input" ? inputType(el as HTMLInputElement) : "";
export function value(el: Element): string {
  if (localName(el) === "input") return inputValue(el as HTMLInputElement);
  if (localName(el) === "textarea") return areaValue(el as HTMLTextAreaElement);
  return "";
}
const anchorHref = getter<HTMLAnchorElement, string>(HTMLAnchorElement.prototype, "href");
export const href = (el: Element): string => (isHTML(el) ? anchorHref(el as HTMLAnchorElement) : "");
const areaLink = getter<HTMLAreaElement, string>(HTMLAreaElement.prototype, "href");
export const areaHref = (el: Element): string => areaLink(el as HTMLAreaElement);
export const optionLabel = (el: Element): string => optionText(el as HTMLOptionElement);
export const optionSelected = (el: Element): boolean => optionPicked(el as HTMLOptionElement);
export const imageLoaded = (el: Element): boolean => imgWidth(el as HTMLImageElement) > 0;
export const isListBox = (el: Element): boolean =>
  selSize(el as HTMLSelectElement) > 1 || selMulti(el as HTMLSelectElement);

export function labels(el: Element): Element[] {
  const out: Element[] = [];
  const of = LABELS[localName(el)];
  if (!of || !isHTML(el)) return out;
  const list = of(el);
  for (let i = 0; list && i < list.length; i++) out[i] = list[i] as Element;
  return out;
}

const Observer = MutationObserver;
const observeNode = uncurry(MutationObserver.prototype.observe);
const takeRecords = uncurry(MutationObserver.prototype.takeRecords);
export const mutationObserver = (f: () => void): MutationObserver => new Observer(f);
export const observe = (o: MutationObserver, root: Node): void =>
  observeNode(o, root, { subtree: true, childList: true, characterData: true, attributes: true });
export const pendingMutations = (o: MutationObserver): boolean => takeRecords(o).length > 0;
const addListener = uncurry(EventTarget.prototype.addEventListener);

// Events, for the guard.
const isTrusted = uncurry(Object.getOwnPropertyDescriptor(new Event("x"), "isTrusted")!.get as (this: Event) => boolean);
export const trusted = (e: Event): boolean => isTrusted(e);
const composedPath = uncurry(Event.prototype.composedPath);
// The innermost target that is not in a closed shadow tree.
export const eventTarget = (e: Event): Node | null => (composedPath(e)[0] as Node | undefined) ?? null;
const clientX = getter<MouseEvent, number>(MouseEvent.prototype, "clientX");
const clientY = getter<MouseEvent, number>(MouseEvent.prototype, "clientY");
// Where a pointer is, in pixels of the frame's viewport; -1 for other events.
export const eventPoint = (e: Event): [number, number] =>
  isA(MouseEvent.prototype, e) ? [clientX(e as MouseEvent), clientY(e as MouseEvent)] : [-1, -1];
const keyOf = getter<KeyboardEvent, string>(KeyboardEvent.prototype, "key");
export const eventKey = (e: Event): string => (isA(KeyboardEvent.prototype, e) ? keyOf(e as KeyboardEvent) : "");
export const onWindow = (type: string, f: (e: Event) => void): void =>
  addListener(window, type, f as () => void, { capture: true, passive: true });
const actionOf = getter<HTMLFormElement, string>(HTMLFormElement.prototype, "action");
const methodOf = getter<HTMLFormElement, string>(HTMLFormElement.prototype, "method");
export const formAction = (form: Element): string => actionOf(form as HTMLFormElement);
export const formMethod = (form: Element): string => methodOf(form as HTMLFormElement);
const FORMS: Record<string, (el: Element) => Element | null> = {
  __proto__: null as never,
  input: getter(HTMLInputElement.prototype, "form"),
  button: getter(HTMLButtonElement.prototype, "form"),
  select: getter(HTMLSelectElement.prototype, "form"),
  textarea: getter(HTMLTextAreaElement.prototype, "form"),
};
// The form that the element belongs to, or is.
export function formOf(el: Element): Element | null {
  if (!isHTML(el)) return null;
  const name = localName(el);
  if (name === "form") return el;
  const control = FORMS[name] ? el : closest(el, "button");
  return control ? FORMS[localName(control)]!(control) : null;
}
// Controls and what a press of them brings about, for target.ts.
const buttonType = getter<HTMLButtonElement, string>(HTMLButtonElement.prototype, "type");
const buttonAction = getter<HTMLButtonElement, string>(HTMLButtonElement.prototype, "formAction");
const buttonMethod = getter<HTMLButtonElement, string>(HTMLButtonElement.prototype, "formMethod");
const inputAction = getter<HTMLInputElement, string>(HTMLInputElement.prototype, "formAction");
const inputMethod = getter<HTMLInputElement, string>(HTMLInputElement.prototype, "formMethod");
// The type of an input or a button, "" for anything else.
export const controlType = (el: Element): string =>
  !isHTML(el) ? "" : localName(el) === "button" ? buttonType(el as HTMLButtonElement) : type(el);
// Where and how the control's own press sends its form.
export function pressAction(el: Element, form: Element): string {
  if (!hasAttribute(el, "formaction")) return formAction(form);
  return localName(el) === "button" ? buttonAction(el as HTMLButtonElement) : inputAction(el as HTMLInputElement);
}
export function pressMethod(el: Element, form: Element): string {
  if (!hasAttribute(el, "formmethod")) return formMethod(form);
  return localName(el) === "button" ? buttonMethod(el as HTMLButtonElement) : inputMethod(el as HTMLInputElement);
}
const controlOf = getter<HTMLLabelElement, HTMLElement | null>(HTMLLabelElement.prototype, "control");
export const labelControl = (el: Element): Element | null => controlOf(el as HTMLLabelElement);
const elementsOf = getter<HTMLFormElement, HTMLFormControlsCollection>(HTMLFormElement.prototype, "elements");
const collectionItem = uncurry(HTMLCollection.prototype.item);
// The form's fields, at most limit and one more.
export function formFields(form: Element, limit: number): Element[] {
  const out: Element[] = [];
  const list = elementsOf(form as HTMLFormElement);
  const n = collectionLength(list as unknown as HTMLCollection);
  for (let i = 0; i < n && out.length <= limit; i++) {
    const el = collectionItem(list as unknown as HTMLCollection, i);
    if (el) out[out.length] = el;
  }
  return out;
}
const documentActive = getter<Document, Element | null>(Document.prototype, "activeElement");
const shadowActive = getter<ShadowRoot, Element | null>(ShadowRoot.prototype, "activeElement");
// Where keys go: the innermost element that has the document's focus.
export function focused(doc: Document): Element | null {
  let el = documentActive(doc);
  for (let root = el && shadowRoot(el); root; root = el && shadowRoot(el)) {
    const inner: Element | null = shadowActive(root);
    if (!inner) break;
    el = inner;
  }
  return el;
}
const rootPoint = uncurry(ShadowRoot.prototype.elementsFromPoint);
// What a pointer meets at a place of the viewport.
export function hit(doc: Document, x: number, y: number): Element | null {
  let el: Element | null = elementsFromPoint(doc, x, y)[0] ?? null;
  for (let root = el && shadowRoot(el); root; root = el && shadowRoot(el)) {
    const inner: Element | undefined = rootPoint(root, x, y)[0];
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}
// The parent through shadow roots to their hosts.
export function composedParent(n: Node): Node | null {
  const up = parentNode(n);
  if (up) return up;
  return nodeType(n) === 11 && isA(ShadowRoot.prototype, n) ? hostOf(n as ShadowRoot) : null;
}
export const disabled = (el: Element): boolean => matches(el, ":disabled");

export function linkAround(el: Element): string {
  const a = closest(el, "a[href]");
  return a ? href(a) : "";
}
const contentEditable = getter<HTMLElement, boolean>(HTMLElement.prototype, "isContentEditable");
export const editable = (el: Element): boolean => isHTML(el) && contentEditable(el as HTMLElement);

const mediaMatches = getter<MediaQueryList, boolean>(MediaQueryList.prototype, "matches");
export const prefersDark = (): boolean => mediaMatches(matchMedia("(prefers-color-scheme: dark)"));

// Milliseconds on a clock that only rises.
const nowOf = uncurry(Performance.prototype.now);
const clock = performance;
export const now = (): number => nowOf(clock);

export interface Viewport {
  width: number;
  height: number;
}
const viewSize = (w: Window, name: "innerWidth" | "innerHeight"): number => {
  const d = Object.getOwnPropertyDescriptor(window, name);
  return d && d.get ? (d.get.call(w) as number) : w[name];
};
export function viewport(doc: Document): Viewport {
  const w = defaultView(doc);
  return w
    ? { width: viewSize(w, "innerWidth"), height: viewSize(w, "innerHeight") }
    : { width: 0, height: 0 };
}

// Ranges that selections and highlights paint.
export interface Painted {
  pseudo: string;
  start: Node;
  from: number;
  end: Node;
  to: number;
}
// Browsers do not agree on which of the prototypes of a range has the members.
function ofRange<R>(name: string): Getter<AbstractRange, R> {
  let proto: object = Range.prototype;
  while (!Object.getOwnPropertyDescriptor(proto, name)) proto = Object.getPrototypeOf(proto) as object;
  return getter<AbstractRange, R>(proto, name);
}
const rangeStart = ofRange<Node>("startContainer");
const rangeFrom = ofRange<number>("startOffset");
const rangeEnd = ofRange<Node>("endContainer");
const rangeTo = ofRange<number>("endOffset");
const intersects = uncurry(Range.prototype.intersectsNode);
const painted = (pseudo: string, r: AbstractRange): Painted => ({
  pseudo, start: rangeStart(r), from: rangeFrom(r), end: rangeEnd(r), to: rangeTo(r),
});

type Registry = Map<string, Set<AbstractRange>>;
const Highlights = (globalThis as { HighlightRegistry?: { prototype: Registry } }).HighlightRegistry;
const Marks = (globalThis as { Highlight?: { prototype: Set<AbstractRange> } }).Highlight;
const registrySize = Highlights ? getter<Registry, number>(Highlights.prototype, "size") : null;
const registryEach = Highlights ? uncurry(Highlights.prototype.forEach as Registry["forEach"]) : null;
const marksEach = Marks ? uncurry(Marks.prototype.forEach as Set<AbstractRange>["forEach"]) : null;
const registryOf = (doc: Document): Registry | null =>
  ((defaultView(doc) as unknown as { CSS?: { highlights?: Registry } } | null)?.CSS?.highlights ?? null);

const selectionOf = uncurry(Document.prototype.getSelection);
const composed = (Selection.prototype as { getComposedRanges?: (o: object) => StaticRange[] }).getComposedRanges;
const composedRanges = composed ? uncurry(composed as (this: Selection, o: object) => StaticRange[]) : null;
const rangeCount = getter<Selection, number>(Selection.prototype, "rangeCount");
const rangeAt = uncurry(Selection.prototype.getRangeAt);
function selected(doc: Document, shadowRoots: Root[]): AbstractRange | null {
  const s = selectionOf(doc);
  if (!s || !rangeCount(s)) return null;
  const r = composedRanges ? composedRanges(s, { shadowRoots })[0] : rangeAt(s, 0);
  return r && (rangeStart(r) !== rangeEnd(r) || rangeFrom(r) !== rangeTo(r)) ? r : null;
}

const MAX_PAINTED = 20_000;
// The tree scopes are the shadow trees in which a selection may begin or end.
export function paintedRanges(doc: Document, scopes: Root[]): Painted[] {
  const out: Painted[] = [];
  const s = selected(doc, scopes.filter((r) => nodeType(r) === 11));
  if (s) out[0] = painted("::selection", s);
  const all = registryOf(doc);
  if (all && registryEach && marksEach)
    registryEach(all, (marks: Set<AbstractRange>, name: string) => {
      const pseudo = "::highlight(" + escapeName(name) + ")";
      marksEach(marks, (r: AbstractRange) => {
        try {
          if (out.length < MAX_PAINTED) out[out.length] = painted(pseudo, r);
        } catch {
          return; // a range in the value of a field, which has no nodes
        }
      });
    });
  return out;
}
const escapeName = (s: string): string => CSS.escape(s);

// True if anything is painted so in the document.
export const hasPainted = (doc: Document, scopes: Root[]): boolean => {
  const all = registryOf(doc);
  return !!(all && registrySize && registrySize(all) > 0) || selected(doc, scopes.filter((r) => nodeType(r) === 11)) !== null;
};

// Does the range touch the node? One over the border of a tree counts for all.
export function meets(p: Painted, node: Node): boolean {
  if (getRootNode(p.start) !== getRootNode(p.end)) return true;
  const r = createRange(ownerDocument(node) as Document);
  try {
    setStart(r, p.start, p.from);
    setEnd(r, p.end, p.to);
  } catch {
    return true; // it no longer fits its nodes
  }
  return intersects(r, node);
}

// What stands above all else, and what shows a picture of an earlier state.
export const isFullscreen = (el: Element): boolean => matches(el, ":fullscreen");
const documentFull = getter<Document, Element | null>(Document.prototype, "fullscreenElement");
const shadowFull = getter<ShadowRoot, Element | null>(ShadowRoot.prototype, "fullscreenElement");
export const fullscreenElement = (root: Root): Element | null => (isDocument(root) ? documentFull(root) : shadowFull(root));
const queryDocument = uncurry(Document.prototype.querySelectorAll) as (d: Document, s: string) => NodeListOf<Element>;
const queryFragment = uncurry(DocumentFragment.prototype.querySelectorAll) as (d: DocumentFragment, s: string) => NodeListOf<Element>;
export function inTransition(root: Root): Element[] {
  const out: Element[] = [];
  try {
    const list = isDocument(root)
      ? queryDocument(root, ":active-view-transition")
      : queryFragment(root, ":active-view-transition");
    for (let i = 0; i < list.length; i++) out[i] = list[i]!;
  } catch {
    return out; // a browser without them
  }
  return out;
}
