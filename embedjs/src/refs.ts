// Which element is which, for upstreams that keep their names of elements as
// properties of them in an isolated world of their own, which is then the world
// of the scan. Playwright has `element._ariaRef = { role, name, ref }`
// (packages/injected/src/ariaSnapshot.ts).

import { isElement, ownValue } from "./dom";
import type { ElementItem, Item } from "./items";

// The name in the property, or "". A page can put an element of its own in the
// place of a form's property, but no string.
export function refOf(el: Element, property: string): string {
  const held = ownValue(el, property);
  const ref = typeof held === "object" && held !== null ? ownValue(held, "ref") : "";
  return typeof ref === "string" && ref.length < 32 ? ref : "";
}

// The elements of the last scan, by the nonce of its call.
let last = { nonce: "", property: "", index: new Map<Node, number>(), names: [] as string[] };

export function remember(nonce: string, property: string, index: Map<Node, number>, items: Item[]): void {
  const names: string[] = [];
  for (let i = 0; i < items.length; i++) names[i] = (items[i] as ElementItem)[6] ?? "";
  last = { nonce, property, index, names };
}

// Which items of that scan have got other names since, and which; null if it was
// not the last one.
export function renamed(nonce: string): [number, string][] | null {
  if (nonce !== last.nonce) return null;
  const out: [number, string][] = [];
  last.index.forEach((item, node) => {
    const name = isElement(node) ? refOf(node, last.property) : "";
    if (name !== last.names[item]) out[out.length] = [item, name];
  });
  return out;
}
