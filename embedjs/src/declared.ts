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
import { subjects, type Subject } from "./selector";

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

  add(key: string): void {
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
      for (const name of list.toLowerCase().split(/[ \t\n\r\f]+/)) known = known || this.names.has("." + name);
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
    const full = dom.fullscreenElement(root);
    if (full) this.animated.add(full); // styled by the browser
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
    const list = subjects(selector);
    if (dom.nestedRules(rule) || !list || /&|:host|:scope|::slotted|::part|::details-content/.test(selector)) return this.unknown();
    for (const subject of list) this.subject(subject, unusual, content);
  }

  private subject({ key, pseudo }: Subject, unusual: boolean, content: boolean): void {
    if (pseudo === "") {
      if (unusual) this.styled.add(key);
    } else if (pseudo === "first-letter") this.lettered.add(key);
    else if (pseudo === "before" || pseudo === "after") {
      if (content) this.generating.add(key);
    }
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
