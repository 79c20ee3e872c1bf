// Rectangles in viewport pixels, and the chain of boxes that clip them.

export interface Rect {
  l: number;
  t: number;
  r: number;
  b: number;
}

export const EVERYWHERE: Rect = { l: -Infinity, t: -Infinity, r: Infinity, b: Infinity };

export const fromDOM = (d: DOMRectReadOnly): Rect => ({
  l: d.left,
  t: d.top,
  r: d.right,
  b: d.bottom,
});
export const width = (r: Rect): number => r.r - r.l;
export const height = (r: Rect): number => r.b - r.t;
export const area = (r: Rect): number =>
  r.r > r.l && r.b > r.t ? (r.r - r.l) * (r.b - r.t) : 0;

export function intersect(a: Rect, b: Rect): Rect {
  return {
    l: Math.max(a.l, b.l),
    t: Math.max(a.t, b.t),
    r: Math.min(a.r, b.r),
    b: Math.min(a.b, b.b),
  };
}
export const overlaps = (a: Rect, b: Rect): boolean =>
  a.l < b.r && b.l < a.r && a.t < b.b && b.t < a.b;
export const covers = (outer: Rect, inner: Rect, slack = 1): boolean =>
  outer.l <= inner.l + slack &&
  outer.t <= inner.t + slack &&
  outer.r >= inner.r - slack &&
  outer.b >= inner.b - slack;
export function union(a: Rect | null, b: Rect): Rect {
  if (!a) return b;
  return {
    l: Math.min(a.l, b.l),
    t: Math.min(a.t, b.t),
    r: Math.max(a.r, b.r),
    b: Math.max(a.b, b.b),
  };
}

// A box that clips its descendants. `reach` is the part of the plane that a
// person can scroll into `box`; where nothing scrolls, the two are equal.
export interface Clip {
  box: Rect;
  reach: Rect;
  outer: Clip | null;
  // Width lost to an ellipsis at the end of an overflowing line, px.
  ellipsis: number;
  rtl: boolean;
}

// What of `r` can be brought to a person's eyes, or null.
//
// From the inside out: what lies outside a box's reach never shows; what lies
// inside its reach but outside the box shows once it is scrolled, wherever the
// box itself shows, so from there on the box stands for it.
export function visiblePart(r: Rect, clip: Clip | null): Rect | null {
  let part = r;
  let stands: Rect | null = null;
  for (let c = clip; c; c = c.outer) {
    if (stands) {
      const seen = intersect(stands, c.reach);
      if (area(seen) < 16) return null;
      stands = overlaps(seen, c.box) ? intersect(seen, c.box) : c.box;
      continue;
    }
    let edge = c.reach;
    if (c.ellipsis > 0 && (c.rtl ? part.l < c.reach.l - 1 : part.r > c.reach.r + 1)) {
      edge = c.rtl
        ? { ...edge, l: edge.l + c.ellipsis }
        : { ...edge, r: edge.r - c.ellipsis };
    }
    part = intersect(part, edge);
    if (part.r <= part.l || part.b <= part.t) return null;
    if (!covers(c.box, part)) stands = c.box;
  }
  return part;
}

// The innermost box that has to be scrolled before `r` shows in it; the
// viewport itself does not count, as everything scrolls with it.
export function scroller(r: Rect, clip: Clip | null): Clip | null {
  for (let c = clip; c && c.outer; c = c.outer) if (!covers(c.box, r)) return overlaps(c.reach, r) ? c : null;
  return null;
}

// The nearest box around that a person can scroll up and down.
export function roomy(clip: Clip | null): Clip | null {
  for (let c = clip; c && c.outer; c = c.outer) if (height(c.reach) - height(c.box) > 8) return c;
  return null;
}

// Can `r` be scrolled, up or down, to where it is whole in the scrolling box and
// none of `over`, which stay where they are, meets it?
export function free(r: Rect, c: Clip, over: Rect[]): boolean {
  const h = height(r);
  const rest = c.box.t + (r.t - c.reach.t);
  const hi = Math.min(rest, c.box.b - h);
  let top = Math.max(rest - (height(c.reach) - height(c.box)), c.box.t);
  const sorted = over.slice().sort((a, b) => a.t - b.t);
  for (const o of sorted) if (o.t < top + h && o.b > top) top = o.b;
  return top <= hi;
}

export function within(clip: Clip | null, ancestor: Clip): boolean {
  for (let c = clip; c; c = c.outer) if (c === ancestor) return true;
  return false;
}

export type Matrix = [number, number, number, number, number, number, number, number, number];
export const IDENTITY: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

// The linear part of a computed `transform`.
export function parseMatrix(s: string): Matrix | null {
  if (s === "none" || s === "") return null;
  const v = s.slice(s.indexOf("(") + 1, -1).split(",").map(Number);
  if (v.length === 6) return [v[0]!, v[1]!, 0, v[2]!, v[3]!, 0, 0, 0, 1];
  if (v.length !== 16) return null;
  return [v[0]!, v[1]!, v[2]!, v[4]!, v[5]!, v[6]!, v[8]!, v[9]!, v[10]!];
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out = [] as unknown as Matrix;
  for (let c = 0; c < 3; c++)
    for (let r = 0; r < 3; r++)
      out[c * 3 + r] = a[r]! * b[c * 3]! + a[3 + r]! * b[c * 3 + 1]! + a[6 + r]! * b[c * 3 + 2]!;
  return out;
}

// Lengths of the images of the two unit vectors in the plane of the screen.
export function planarScale(m: Matrix): [number, number] {
  return [Math.hypot(m[0], m[1]), Math.hypot(m[3], m[4])];
}
