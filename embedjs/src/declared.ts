// Which elements can have a style out of the ordinary? Reading fifty computed
// properties of every element is most of a scan's time, and nearly all are
// initial. What no declaration sets is initial, so elements that no
// rule, attribute or animation can touch are not asked. Everything here errs on
// the side of asking: a selector counts for every element that shares the class,
// id, tag or attribute of its subject, and what can't be read or understood
// counts for all elements.
//
// CSS Cascading 4, section 6 (https://www.w3.org/TR/css-cascade-4/#filtering):
// declarations come from style sheets, style attributes, presentational hints
// and animations. evals/read compares scans with and without this.

import * as dom from "./dom";

// The initial values of what PLAIN elements are not asked for. None of them
// inherits. (Blocks have unicode-bidi isolate, which draws like normal.)
const INITIAL: Record<string, string> = {
  __proto__: null as never,
  "backdrop-filter": "none", "backface-visibility": "visible", "background-clip": "border-box",
  "background-color": "rgba(0, 0, 0, 0)", "background-image": "none", "box-shadow": "none",
  clip: "auto", "clip-path": "none", contain: "none", "content-visibility": "visible", filter: "none",
  isolation: "auto", "mask-image": "none", "mix-blend-mode": "normal", opacity: "1", "overflow-x": "visible",
  "overflow-y": "visible", perspective: "none", position: "static", rotate: "none", scale: "none",
  transform: "none", "transform-style": "flat", translate: "none", "unicode-bidi": "normal",
  "will-change": "auto", "z-index": "auto",
};

// Inherited properties that plain elements take from their parent.
export interface Inherited {
  visibility: string;
  direction: string;
  "writing-mode": string;
}

// Names of properties that set any of these, in a rule's serialised text.
const UNUSUAL =
  /(filter|backface|background|shadow|clip|contain|visibility|isolation|mask|blend|opacity|overflow|perspective|position|rotate|scale|transform|translate|bidi|will-change|z-index|direction|writing-mode|zoom|all)[\w-]*\s*:/;
const CONTENT = /[\s;{](content|all)\s*:/;

// Elements that browsers give some of these themselves, or draw in their own
// way: HTML, section 15 (https://html.spec.whatwg.org/multipage/rendering.html).
const OWN_STYLE =
  /^(html|body|audio|bdi|bdo|canvas|dialog|embed|fencedframe|frame|frameset|geolocation|hr|iframe|img|input|marquee|meter|object|optgroup|option|permission|progress|select|selectedcontent|slot|textarea|usermedia|video)$/;
// Browsers colour the ground of these, and no more.
const COLOURED = /^(button|mark)$/;
const HINTED = /^(table|thead|tbody|tfoot|tr|td|th|col|colgroup|caption)$/;
const HINTS = ["bgcolor", "background"];
const ATTRIBUTES = ["style", "hidden", "dir", "popover"];

// Beyond this many rules for each element asking is cheaper than reading them.
const RULES_PER_ELEMENT = 2;
const MAX_ATTRIBUTES = 6;

// The subjects of selectors, by the rarest part that could be told.
class Subjects {
  all = false;
  private names = new Set<string>(); // ".class", "#id", "tag"
  private attributes: string[] = [];
  private classLists = new Map<string, boolean>();

  add(subject: string): void {
    const key = keyOf(subject);
    if (key === "") this.all = true;
    else if (key[0] !== "[") this.names.add(key);
    else if (this.attributes.length >= MAX_ATTRIBUTES) this.all = true;
    else if (this.attributes.indexOf(key.slice(1)) < 0) this.attributes[this.attributes.length] = key.slice(1);
    this.classLists.clear();
  }

  has(el: Element, tag: string): boolean {
    if (this.all || this.names.has(tag)) return true;
    for (const name of this.attributes) if (dom.hasAttribute(el, name)) return true;
    if (!this.names.size) return false;
    const id = dom.getAttribute(el, "id");
    if (id !== null && this.names.has("#" + id.toLowerCase())) return true;
    const list = dom.getAttribute(el, "class");
    return list !== null && this.classed(list);
  }

  private classed(list: string): boolean {
    let known = this.classLists.get(list);
    if (known === undefined) {
      known = false;
      for (const name of list.toLowerCase().split(/\s+/)) known = known || this.names.has("." + name);
      this.classLists.set(list, known);
    }
    return known;
  }
}

export class Declared {
  private styled = new Subjects();
  private generating = new Subjects();
  private lettered = new Subjects();
  private animated = new Set<Node>();
  private rules = 0;

  // off: everything is asked.
  constructor(off: boolean) {
    if (off) this.unknown();
  }

  // True if no style can be ruled out.
  get everything(): boolean {
    return this.styled.all;
  }

  private unknown(): void {
    this.styled.all = this.generating.all = this.lettered.all = true;
  }

  // Takes in the style sheets and animations of a tree. Trees have to be added
  // before the elements they can style are asked for: outer ones first.
  add(root: Document | ShadowRoot): void {
    if (this.styled.all && this.generating.all && this.lettered.all) return;
    for (const target of dom.animationTargets(root)) this.animated.add(target);
    const limit = RULES_PER_ELEMENT * dom.elementCount(root) + 50;
    for (const sheet of dom.styleSheets(root)) this.sheet(sheet, limit);
  }

  private sheet(sheet: CSSStyleSheet, limit: number): void {
    const list = dom.sheetRules(sheet);
    if (list) this.list(list, limit);
    else this.unknown();
  }

  private list(list: CSSRuleList, limit: number): void {
    this.rules += list.length;
    if (this.rules > limit) return this.unknown();
    for (let i = 0; i < list.length; i++) this.rule(list[i]!, limit);
  }

  private rule(rule: CSSRule, limit: number): void {
    const group = dom.groupRules(rule);
    if (group) return this.list(group, limit);
    const imported = dom.importedSheet(rule);
    if (imported !== undefined) {
      if (imported) this.sheet(imported, limit);
      return;
    }
    const text = dom.ruleText(rule);
    const selector = dom.selectorText(rule);
    const unusual = UNUSUAL.test(text);
    if (selector === null) {
      // Fonts and key frames style no element by themselves.
      if (unusual && !/^@(font-face|(-webkit-)?keyframes|page|counter-style)\b/.test(text)) this.unknown();
      return;
    }
    const content = CONTENT.test(text);
    if (!unusual && !content && text.indexOf("first-letter") < 0) return;
    if (dom.nestedRules(rule) || /:host|::slotted|::part|::details-content|:scope|&|\|\|/.test(selector)) return this.unknown();
    for (const subject of subjects(selector)) this.subject(subject, unusual, content);
  }

  private subject(subject: string, unusual: boolean, content: boolean): void {
    const pseudo = /::?(before|after|first-letter)|::/.exec(subject);
    if (!pseudo) {
      if (unusual) this.styled.add(subject);
      return;
    }
    const own = subject.slice(0, pseudo.index);
    if (pseudo[1] === "first-letter") this.lettered.add(own);
    else if (pseudo[1] && content) this.generating.add(own);
  }

  // True if nothing but the browser's own style sheet styles the element.
  plain(el: Element, tag: string): boolean {
    if (this.styled.all || !dom.isHTML(el) || OWN_STYLE.test(tag) || this.animated.has(el)) return false;
    for (const name of ATTRIBUTES) if (dom.hasAttribute(el, name)) return false;
    if (HINTED.test(tag)) for (const name of HINTS) if (dom.hasAttribute(el, name)) return false;
    return !this.styled.has(el, tag);
  }

  // False if the element surely has no ::before and no ::after.
  generates(el: Element, tag: string): boolean {
    return tag === "q" || !dom.isHTML(el) || this.animated.has(el) || this.generating.has(el, tag);
  }

  // False if the element's ::first-letter is surely like its other letters.
  letters(el: Element, tag: string): boolean {
    return this.animated.has(el) || this.lettered.has(el, tag);
  }
}

const COLOURED_INITIAL: typeof INITIAL = { ...INITIAL, __proto__: null as never };
delete COLOURED_INITIAL["background-color"];

// The reader of a plain element.
export function plainStyle(el: Element, tag: string, parent: Inherited): dom.Style {
  const s = dom.style(el);
  const initial = COLOURED.test(tag) ? COLOURED_INITIAL : INITIAL;
  return (name) => initial[name] ?? (parent as unknown as Record<string, string | undefined>)[name] ?? s(name);
}

export const inherited = (s: dom.Style): Inherited => ({
  visibility: s("visibility"),
  direction: s("direction"),
  "writing-mode": s("writing-mode"),
});

// The subjects (last compound selectors) of a serialised selector list:
// Selectors 4, section 3.1 (https://www.w3.org/TR/selectors-4/#subject).
function subjects(list: string): string[] {
  const out: string[] = [];
  let from = 0;
  let depth = 0;
  for (let i = 0; i <= list.length; i++) {
    const c = list[i];
    if (c === "\\") i = escapeEnd(list, i) - 1;
    else if (c === '"') i = stringEnd(list, i);
    else if (c === "(" || c === "[") depth++;
    else if (c === ")" || c === "]") depth--;
    else if (depth === 0 && (c === undefined || c === ",")) {
      out[out.length] = list.slice(from, i).trim();
      from = i + 1;
    } else if (depth === 0 && /[\s>+~]/.test(c!)) from = i + 1;
  }
  return out;
}

// An escape ends after one character, or up to six hex digits and a space.
function escapeEnd(s: string, i: number): number {
  const m = /^\\(?:[0-9a-fA-F]{1,6}\s?|[\s\S])/.exec(s.slice(i, i + 9));
  return i + (m ? m[0].length : 1);
}

function stringEnd(s: string, i: number): number {
  for (i++; i < s.length && s[i] !== '"'; i++) if (s[i] === "\\") i++;
  return i;
}

const IDENT = "(?:[\\w-]|[^\\x00-\\x7f]|\\\\[0-9a-fA-F]{1,6}\\s?|\\\\[^0-9a-fA-F])+";
const CLASS = new RegExp("\\.(" + IDENT + ")");
const ID = new RegExp("#(" + IDENT + ")");
const TAG = new RegExp("^(" + IDENT + ")");
const ATTRIBUTE = /^\*?\[([a-z][a-z0-9-]*)[\]=~^$*|]/;

// What of a compound selector an element must have: ".class", "#id", a tag or
// "[attribute". Empty: any element could match. Quirks mode compares classes
// and ids without case, so all is in lower case.
function keyOf(subject: string): string {
  const bare = withoutArguments(subject);
  const m = CLASS.exec(bare) ?? ID.exec(bare);
  if (m) return m[0][0] + unescape(m[1]!).toLowerCase();
  if (/:root\b/.test(bare)) return "html";
  const tag = TAG.exec(bare);
  if (tag) return unescape(tag[1]!).toLowerCase();
  const attribute = ATTRIBUTE.exec(subject);
  return attribute ? "[" + attribute[1] : "";
}

// Without what stands in brackets: `:not(.a)` needs no class.
function withoutArguments(subject: string): string {
  let out = "";
  let depth = 0;
  for (let i = 0; i < subject.length; i++) {
    const c = subject[i]!;
    if (c === "\\") {
      const end = escapeEnd(subject, i);
      if (depth === 0) out += subject.slice(i, end);
      i = end - 1;
    } else if (c === '"') i = stringEnd(subject, i);
    else if (c === "(" || c === "[") depth++;
    else if (c === ")" || c === "]") depth--;
    else if (depth === 0) out += c;
  }
  return out;
}

const unescape = (s: string): string =>
  s.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|([\s\S]))/g, (_, hex: string | undefined, c: string) =>
    hex ? String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)) : c,
  );
