// Visual reading order. DOM order stands unless short boxes are placed so that
// it reads differently on the screen (`order`, row-reverse, absolute boxes).

import type { Rect } from "./geometry";
import { height, union } from "./geometry";

// A node of the layout as reading sees it.
export interface Unit {
  first: Rect | null;
  last: Rect | null;
  box: Rect | null;
  words: number;
  rtl: boolean;
  children: Unit[];
  // A frame: its children lie in a plane of their own.
  sealed: boolean;
  // Items (indices into the scan's list) that this very node contributes.
  item: number;
}

export const unit = (item: number): Unit => ({
  first: null,
  last: null,
  box: null,
  words: 0,
  rtl: false,
  children: [],
  sealed: false,
  item,
});

const sameRow = (a: Rect, b: Rect): boolean => {
  const overlap = Math.min(a.b, b.b) - Math.max(a.t, b.t);
  return overlap > 0.5 * Math.min(height(a), height(b));
};

// Short enough that its place, not its own words, makes the sense.
const short = (u: Unit): boolean => u.words <= 12 && !!u.box && height(u.box) < 80;

// True if `b`, later in the document, is plainly read before `a`.
function reversed(a: Unit, b: Unit): boolean {
  if (!a.last || !b.first || !short(a) || !short(b)) return false;
  const x = a.last;
  const y = b.first;
  if (sameRow(x, y)) {
    if (a.rtl !== b.rtl) return false;
    return a.rtl ? y.l >= x.r - 1 : y.r <= x.l + 1;
  }
  return (b.last as Rect).b <= (a.first as Rect).t + 1 && y.l < x.r;
}

// Puts reversed siblings in visual order; true if anything moved.
export function arrange(u: Unit): boolean {
  let moved = false;
  for (const child of u.children) moved = arrange(child) || moved;
  measure(u);
  const seen = u.children.filter((k) => k.box);
  let out = false;
  for (let i = 1; i < seen.length && !out; i++) out = reversed(seen[i - 1]!, seen[i]!);
  if (!out) return moved;
  const rows = seen.slice().sort((a, b) => a.box!.t - b.box!.t || a.box!.l - b.box!.l);
  const sorted: Unit[] = [];
  for (let i = 0; i < rows.length; ) {
    let j = i + 1;
    while (j < rows.length && sameRow(rows[i]!.box!, rows[j]!.box!)) j++;
    const row = rows.slice(i, j);
    const rtl = row.filter((k) => k.rtl).length * 2 > row.length;
    row.sort((a, b) => (rtl ? b.box!.r - a.box!.r : a.box!.l - b.box!.l));
    for (const k of row) sorted[sorted.length] = k;
    i = j;
  }
  let n = 0;
  u.children = u.children.map((k) => (k.box ? sorted[n++]! : k));
  return true;
}

function measure(u: Unit): void {
  if (u.sealed) return;
  for (const k of u.children) {
    if (!k.box) continue;
    u.first ??= k.first;
    u.last = k.last ?? u.last;
    u.box = union(u.box, k.box);
    u.words += k.words;
  }
}

// The items in visual order.
export function ranks(u: Unit, out: number[]): void {
  if (u.item >= 0) out[out.length] = u.item;
  for (const k of u.children) ranks(k, out);
}

// Two runs of one row of which the later stands right before the earlier.
export function backwards(a: Unit, b: Unit): boolean {
  const x = a.last as Rect;
  const y = b.first as Rect;
  const row = Math.min(x.b, y.b) - Math.max(x.t, y.t) > 0.5 * Math.min(height(x), height(y));
  return row && y.r <= x.l + 1 && x.l - y.r < 3 * height(x);
}
