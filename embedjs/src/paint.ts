// What is painted where, and in which order: CSS 2.2 appendix E
// (https://www.w3.org/TR/CSS22/zindex.html) as keys that compare.

import { blend, over, type Color } from "./color";
import { area, covers, free, overlaps, roomy, scroller, within, type Clip, type Rect } from "./geometry";

// A place in the painting order: triples (phase, z, tree index), one per
// stacking level, compared lexicographically; a prefix is painted first.
export type PaintKey = number[];

export const PHASE = { negative: 2, block: 3, float: 4, inline: 5, zero: 6, positive: 7, top: 9 };

export function comparePaint(a: PaintKey, b: PaintKey): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

// A painted box: a background, a picture, a frame.
export interface Box {
  rect: Rect;
  key: PaintKey;
  // null: pixels we can't know (pictures, gradients of several colours).
  color: Color | null;
  opacity: number;
  blend: string;
  // Follows the viewport, so that what scrolls passes under it.
  sticky: boolean;
  clip: Clip | null;
}

const CELL = 256;
const MAX_CELLS = 64;

// The painted boxes by place. Queries touch a cell's boxes and the large ones;
// `work` counts the steps so that a page can't make the scan quadratic.
export class Canvas {
  private cells = new Map<number, Box[]>();
  private large: Box[] = [];
  work = 0;

  constructor(
    public base: Color,
    readonly view: Rect,
    readonly scrolls: boolean,
  ) {}

  add(box: Box): void {
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
  at(rect: Rect): Box[] {
    const out: Box[] = [];
    const pick = (list: Box[] | undefined) => {
      if (!list) return;
      this.work += list.length;
      for (let i = 0; i < list.length; i++)
        if (overlaps(list[i]!.rect, rect) && out.indexOf(list[i]!) < 0) out[out.length] = list[i]!;
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
  curtain(key: PaintKey): boolean {
    for (const box of this.large)
      if (box.sticky && opaque(box) && covers(box.rect, this.view, 8) && comparePaint(box.key, key) > 0)
        return true;
    return false;
  }

  // What stands behind `rect` for something painted at `key`, and above it.
  // What is scrolled out of its box meets the boxes that scroll with it where
  // it is, and all others where the scrolling box is.
  stack(rect: Rect, key: PaintKey, follows: boolean, clip: Clip | null): Stack {
    const out: Stack = { under: [], above: [], partial: false };
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
  above(rect: Rect, key: PaintKey, follows: boolean, clip: Clip | null): Box[] {
    const s = scroller(rect, clip);
    return this.at(rect).filter(
      (b) => comparePaint(b.key, key) > 0 && !(b.sticky && !follows && this.passesUnder(b)) && (!s || within(b.clip, s)),
    );
  }

  // Leaves out what lies over a scrolling box and covers only a part of it, if
  // `rect` can be scrolled to where nothing lies over it.
  private uncovered(boxes: Box[], rect: Rect, key: PaintKey, clip: Clip | null): Box[] {
    const c = roomy(clip);
    if (!c) return boxes;
    const stays = (b: Box) => comparePaint(b.key, key) > 0 && !within(b.clip, c);
    if (!boxes.some(stays)) return boxes;
    const over = this.at(c.box).filter((b) => stays(b) && b.rect.l < rect.r && b.rect.r > rect.l);
    return free(rect, c, over.map((b) => b.rect)) ? boxes.filter((b) => !stays(b)) : boxes;
  }

  private sort(boxes: Box[], rect: Rect, key: PaintKey, follows: boolean, out: Stack): void {
    const cx = (rect.l + rect.r) / 2;
    const cy = (rect.t + rect.b) / 2;
    for (const box of boxes) {
      const later = comparePaint(box.key, key) > 0;
      if (later && box.sticky && !follows && this.passesUnder(box)) continue;
      if (!covers(box.rect, rect)) {
        out.partial = true;
        // What does not reach the middle is judged when the caller asks again
        // for each word.
        if (!(box.rect.l <= cx && box.rect.r >= cx && box.rect.t <= cy && box.rect.b >= cy)) continue;
      }
      const list = later ? out.above : out.under;
      list[list.length] = box;
    }
  }

  private passesUnder(box: Box): boolean {
    const tall = box.rect.b - box.rect.t > 0.9 * (this.view.b - this.view.t);
    return this.scrolls && !tall;
  }

  // The colour behind, null if unknown pixels take part in it.
  backdrop(under: Box[]): Color | null {
    let c: Color | null = this.base;
    for (const box of under) {
      if (!box.color) {
        if (box.opacity > 0.02) c = null;
      } else if (c) c = blend(box.blend, box.color, c, box.opacity);
      else if (box.blend === "normal" && box.color[3] * box.opacity > 0.98) c = over(box.color, this.base, 1);
    }
    return c;
  }
}

export interface Stack {
  under: Box[];
  above: Box[];
  partial: boolean;
}

export const opaque = (b: Box): boolean =>
  b.blend === "normal" && b.opacity * (b.color ? b.color[3] : 1) > 0.95;
