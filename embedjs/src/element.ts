// What the style and the attributes of one element say; no state, no order.

import * as dom from "./dom";
import { over, parseColor, type Color } from "./color";
import type { Around } from "./frames";
import { area, fromDOM, intersect, type Clip, type Rect } from "./geometry";
import type { Hidden } from "./text";

// Without what has no box though its parent has: a closed details' content.
export function shownChildren(el: Element, tag: string, s: dom.Style): Node[] {
  if (s("content-visibility") === "hidden") return [];
  const kids = dom.flatChildren(el);
  if (tag !== "details" || dom.hasAttribute(el, "open")) return kids;
  for (const k of kids) if (dom.isElement(k) && dom.localName(k) === "summary") return [k];
  return [];
}

export function clipTo(r: Rect, clip: Clip): Rect {
  let out = r;
  for (let c: Clip | null = clip; c; c = c.outer)
    out = { l: Math.max(out.l, c.reach.l), t: Math.max(out.t, c.reach.t), r: Math.min(out.r, c.reach.r), b: Math.min(out.b, c.reach.b) };
  return area(out) > 0 ? out : { l: 0, t: 0, r: 0, b: 0 };
}

// CSS Pseudo-Elements 4: punctuation around the letter belongs to it.
export function firstLetters(text: string, from: number): number {
  const m = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]*[\s\S][\p{M}\udc00-\udfff]*[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]*/u.exec(text.slice(from));
  return m ? m[0].length : 1;
}

// Vertical columns that run from right to left read like right-to-left rows.
export const rightToLeft = (s: dom.Style): boolean =>
  s("writing-mode").slice(-3) === "-rl" || (s("direction") === "rtl" && s("writing-mode").indexOf("vertical") < 0);

// Where the element's background is: an inline box that breaks over lines has a
// piece on each.
export function pieces(el: Element, rect: Rect, s: dom.Style): Rect[] {
  if (s("display") !== "inline") return [rect];
  const list = dom.clientRectsOf(el);
  const out: Rect[] = [];
  for (let i = 0; i < list.length && i < 1000; i++) out[i] = fromDOM(list[i]!);
  return out;
}

// A wide shadow paints like a box: around (outer) or over its own ground.
export function shadows(el: Element, s: dom.Style): { rect: Rect; color: Color }[] {
  const out: { rect: Rect; color: Color }[] = [];
  const v = s("box-shadow");
  if (v === "none" || v.length > 2000) return out;
  const re = /((?:rgba?|color|oklab|oklch)\([^()]*\))\s+(-?[\d.]+)px\s+(-?[\d.]+)px\s+([\d.]+)px\s+(-?[\d.]+)px(\s+inset)?/g;
  for (let m = re.exec(v); m; m = re.exec(v)) {
    const spread = +m[5]!;
    const color = parseColor(m[1]!);
    if (!color || spread < 40) continue;
    const r = fromDOM(dom.boundingRect(el));
    const [dx, dy] = [+m[2]!, +m[3]!];
    const around = { l: r.l + dx - spread, r: r.r + dx + spread, t: r.t + dy - spread, b: r.b + dy + spread };
    for (const rect of m[6] ? [r] : frameAround(around, r)) out[out.length] = { rect, color };
  }
  return out;
}

function frameAround(o: Rect, i: Rect): Rect[] {
  return [
    { l: o.l, r: o.r, t: o.t, b: i.t },
    { l: o.l, r: o.r, t: i.b, b: o.b },
    { l: o.l, r: i.l, t: i.t, b: i.b },
    { l: i.r, r: o.r, t: i.t, b: i.b },
  ];
}

export const far = (s: string): boolean => Math.abs(parseFloat(s) || 0) > 900;

export function containing(el: Element): Element | null {
  for (let n: Node | null = el; n && dom.isElement(n); n = dom.parentNode(n)) {
    const s = dom.style(n);
    if (s("position") !== "static" || s("transform") !== "none") return n;
  }
  return null;
}

export function bordered(s: dom.Style): boolean {
  for (const side of ["top", "bottom", "left"]) {
    const color = parseFloat(s("border-" + side + "-width")) > 0 ? parseColor(s("border-" + side + "-color")) : null;
    if (color && color[3] > 0.1) return true;
  }
  return false;
}

export function level(el: Element): number {
  const m = /^h([1-6])$/.exec(dom.localName(el));
  return Math.min(6, Math.max(1, Number(dom.getAttribute(el, "aria-level") ?? (m ? m[1] : 2)) || 2));
}

export const nativeControl = (tag: string, s: dom.Style): boolean =>
  /^(input|select|textarea|button|progress|meter)$/.test(tag) && s("appearance") !== "none";

export const canvasColor = (dark: boolean): Color => (dark ? over([0.07, 0.07, 0.07, 1], [0, 0, 0, 1]) : [1, 1, 1, 1]);

// The drawn strings and the alternative text of a computed `content`.
export function strings(content: string): [string, string] {
  let shown = "";
  let alt = "";
  let after = false;
  const re = /"((?:[^"\\]|\\.)*)"|(\/)|open-quote|close-quote|counters?\([^)]*\)|url\([^)]*\)/g;
  for (let m = re.exec(content); m; m = re.exec(content)) {
    if (m[2]) after = true;
    else if (m[1] !== undefined) {
      const v = m[1].replace(/\\(.)/g, "$1");
      if (after) alt += v;
      else shown += v;
    }
  }
  return [shown, alt];
}

export function pack(hidden: Hidden[], offset: number, length: number): number | number[] {
  if (!hidden.length) return 0;
  const out: number[] = [];
  for (const [from, to, kind] of hidden) {
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

// What of a document a person can scroll into its viewport, or into the part of
// it that shows.
export function rootClip(doc: Document, around: Around): Clip {
  const v = dom.viewport(doc);
  const box: Rect = { l: 0, t: 0, r: v.width, b: v.height };
  const root = dom.documentElement(doc);
  const el = dom.scrollingElement(doc) ?? root;
  const reach = { ...box };
  if (root && el) {
    const s = dom.style(root);
    const propagated = s("overflow-x") === "visible" && s("overflow-y") === "visible" && el !== root ? dom.style(el) : s;
    const stuck = (o: string) => o === "hidden" || o === "clip";
    const [x, y] = [dom.scrollLeft(el), dom.scrollTop(el)];
    const rtl = s("direction") === "rtl";
    if (!stuck(propagated("overflow-x"))) {
      const extra = Math.max(0, dom.scrollWidth(el) - v.width);
      reach.l = rtl ? -x - extra : -x;
      reach.r = (rtl ? -x : -x + extra) + v.width;
    }
    if (!stuck(propagated("overflow-y"))) {
      reach.t = -y;
      reach.b = Math.max(v.height, dom.scrollHeight(el) - y);
    }
  }
  const whole = around.still ? { ...box } : reach;
  const view = around.view ? intersect(around.view, box) : box;
  const cut = { l: whole.l + view.l, t: whole.t + view.t, r: whole.r - box.r + view.r, b: whole.b - box.b + view.b };
  return { box: view, reach: cut, outer: null, ellipsis: 0, rtl: false };
}
