// Which element is which, for upstreams that keep their names of elements as
// properties of them in an isolated world of their own, which is then the world
// of the scan. Playwright has `element._ariaRef = { role, name, ref }`
// (packages/injected/src/ariaSnapshot.ts).

import { ownValue } from "./dom";

// The name in the property, or "". A page can put an element of its own in the
// place of a form's property, but no string.
export function refOf(el: Element, property: string): string {
  const held = ownValue(el, property);
  const ref = typeof held === "object" && held !== null ? ownValue(held, "ref") : "";
  return typeof ref === "string" && ref.length < 32 ? ref : "";
}
