// Selections and highlights (CSS Custom Highlight API) paint letters in colours
// that are in no style of their element, and change without a change of style.

import * as dom from "./dom";
import { parseColor, type Color } from "./color";
import type { Hidden, Ink } from "./text";

// Beyond this many ranges over several nodes each counts for every text.
const MAX_WIDE = 64;

export interface Wash {
  from: number;
  to: number;
  pseudo: string;
}

export class Washes {
  private byNode = new Map<Node, Wash[]>();
  private wide: dom.Painted[] = [];

  constructor(doc: Document, roots: (Document | ShadowRoot)[]) {
    for (const p of dom.paintedRanges(doc, roots)) {
      if (p.start !== p.end || !dom.isText(p.start)) this.wide.push(p);
      else if (p.to > p.from) {
        const list = this.byNode.get(p.start);
        const wash = { from: p.from, to: p.to, pseudo: p.pseudo };
        if (list) list.push(wash);
        else this.byNode.set(p.start, [wash]);
      }
    }
  }

  get none(): boolean {
    return !this.byNode.size && !this.wide.length;
  }

  of(node: Node, length: number): Wash[] {
    const out = (this.byNode.get(node) ?? []).slice();
    const all = this.wide.length > MAX_WIDE;
    const seen: string[] = [];
    for (const p of this.wide)
      if (seen.indexOf(p.pseudo) < 0 && (all || dom.meets(p, node))) {
        seen.push(p.pseudo);
        out.push({ from: 0, to: length, pseudo: p.pseudo });
      }
    return out;
  }
}

// The ink of letters under a wash; null if it leaves them as they are.
export function washed(node: Node, w: Wash, ink: Ink): Ink | null {
  const el = dom.parentNode(node);
  const s = el && dom.isElement(el) ? dom.style(el, w.pseudo) : null;
  if (!s) return null;
  const ground = parseColor(s("background-color"));
  const fill = parseColor(s("-webkit-text-fill-color")) ?? parseColor(s("color"));
  // Without a ground of its own a selection has the browser's.
  if (w.pseudo === "::selection" && !(ground && ground[3] > 0) && !(fill && fill[3] < 0.5)) return null;
  return { ...ink, fill: fill as Color | null, outline: [], ground };
}

// Adds what is hidden in [from, to).
export function add(hidden: Hidden[], more: Hidden[], from: number, to: number): Hidden[] {
  const out = hidden.slice();
  for (const [a, b, kind] of more) if (a < to && b > from) out.push([Math.max(a, from), Math.min(b, to), kind]);
  out.sort((x, y) => x[0] - y[0] || y[1] - x[1]);
  const flat: Hidden[] = [];
  let end = 0;
  for (const [a, b, kind] of out) {
    if (b <= end) continue;
    flat.push([Math.max(a, end), b, kind]);
    end = b;
  }
  return flat;
}
