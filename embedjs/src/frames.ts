// What the page around a frame does to the document in it: how much of it
// shows, what lies above and behind it, how it is painted. The same serves the
// documents that a scan enters itself and those that are scanned in a process of
// their own, which are told by JSON.

import * as dom from "./dom";
import { parseColor, type Color } from "./color";
import type { Context, Filter } from "./context";
import { covers, intersect, overlaps, type Clip, type Rect } from "./geometry";
import { comparePaint, type Box, type Canvas } from "./paint";
import { backgroundColor } from "./text";

export interface Around {
  // The part of the frame's viewport that shows, in its own pixels; null: all.
  view: Rect | null;
  // It can't be scrolled.
  still: boolean;
  opacity: number;
  filters: Filter[];
  blend: string;
  scale: [number, number];
  // The frame's colour scheme: another one's document is not transparent.
  dark: boolean | null;
  base: Color | null;
  above: { rect: Rect; color: Color | null; opacity: number }[];
}

export const ALONE: Around = {
  view: null, still: false, opacity: 1, filters: [], blend: "normal", scale: [1, 1], dark: null, base: null, above: [],
};

// Maps a rectangle of the page into the frame's viewport.
type Inward = (r: Rect) => Rect;

// null: the frame is turned or skewed, and rectangles do not map.
function inward(el: Element, r: Rect, s: dom.Style): Inward | null {
  const size = dom.offsetSize(el);
  if (!size || !size[0] || !size[1]) return null;
  const [kx, ky] = [(r.r - r.l) / size[0], (r.b - r.t) / size[1]];
  if (!(kx > 0 && Math.abs(kx - ky) < 0.02 * kx)) return null;
  const x = r.l + (dom.clientLeft(el) + (parseFloat(s("padding-left")) || 0)) * kx;
  const y = r.t + (dom.clientTop(el) + (parseFloat(s("padding-top")) || 0)) * ky;
  return (o) => ({ l: (o.l - x) / kx, t: (o.t - y) / ky, r: (o.r - x) / kx, b: (o.b - y) / ky });
}

// The part of a box that a person can bring to show.
function shows(r: Rect, clip: Clip | null): Rect {
  let part = r;
  for (let c = clip; c; c = c.outer) {
    part = intersect(part, c.reach);
    if (!covers(c.box, part)) return part; // what is outside scrolls into it
  }
  return part;
}

// A frame in a page, and what is known of what is around it.
export class Framed {
  readonly around: Around;
  private into: Inward | null;

  constructor(
    readonly el: Element,
    readonly item: number,
    readonly rect: Rect,
    readonly c: Context,
    s: dom.Style,
    dark: boolean,
  ) {
    this.into = inward(el, rect, s);
    const part = shows(rect, c.clip);
    this.around = {
      view: this.into && !covers(part, rect) ? this.into(part) : null,
      still: /^(no|off|noscroll)$/i.test(dom.getAttribute(el, "scrolling") ?? ""),
      opacity: c.opacity, filters: c.filters, blend: c.blend, scale: c.scale, dark, base: null, above: [],
    };
  }

  // Once all boxes of the page are known.
  surround(canvas: Canvas): void {
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
}

// Puts what is around the frame of a document on its canvas.
export function lay(a: Around, canvas: Canvas, dark: boolean): void {
  if (a.base && (a.dark === null || a.dark === dark)) canvas.base = a.base;
  for (const x of a.above) {
    const box: Box = { rect: x.rect, key: [99], color: x.color, opacity: x.opacity, blend: "normal", sticky: true, clip: null };
    canvas.add(box);
  }
}

// The colour scheme that an element uses.
export function isDark(el: Element): boolean {
  const scheme = dom.style(el)("color-scheme");
  return /dark/.test(scheme) && (!/light/.test(scheme) || dom.prefersDark());
}

// What a modal dialog or a full screen lies on.
export const backdropOf = (el: Element): Color | null => parseColor(dom.style(el, "::backdrop")("background-color"));

// The root's or the body's background covers the whole canvas.
export function ground(root: Element, canvas: Canvas): void {
  const take = (el: Element): boolean => {
    const color = backgroundColor(dom.style(el));
    if (color === undefined) return false;
    const big = 1e7;
    const rect = { l: -big, t: -big, r: big, b: big };
    canvas.add({ rect, key: [-1], color, opacity: 1, blend: "normal", sticky: false, clip: null });
    return true;
  };
  if (take(root)) return;
  for (let c = dom.firstChild(root); c; c = dom.nextSibling(c))
    if (dom.isElement(c) && dom.localName(c) === "body") {
      take(c);
      return;
    }
}
