// Has a document changed between two looks? Only for isolated worlds: what is
// counted here can't be reset by a page. Style and layout are counted by the
// browser itself (Performance.getMetrics); this notes what needs neither, such
// as a label that is an attribute, or a picture that arrives in a box whose
// size was known.

import * as dom from "./dom";

let changes = 0;
const observer = dom.mutationObserver(() => {
  changes++;
});
const watched = new WeakSet<Node>();
const roots: (Document | ShadowRoot)[] = [];

// Watches a document or a shadow tree, once.
export function watch(root: Document | ShadowRoot): void {
  if (watched.has(root)) return;
  watched.add(root);
  roots[roots.length] = root;
  dom.observe(observer, root);
  for (const type of ["load", "error", "input", "change", "toggle", "scroll"])
    dom.listen(root, type, () => {
      changes++;
    });
}

// What stays equal while nothing changes; empty while something is always
// changing. Reading it brings style and layout up to date.
export function stamp(): string {
  watch(document);
  if (dom.pendingMutations(observer)) changes++;
  const out: (string | number)[] = [changes];
  for (const root of roots) {
    if (!dom.isConnected(root) && root !== document) continue;
    if (dom.animating(root)) return "";
    const doc = root as Document;
    const el = dom.nodeType(root) === 9 ? dom.documentElement(doc) : null;
    if (!el) continue;
    const scroller = dom.scrollingElement(doc) ?? el;
    out[out.length] = dom.style(el)("width") + " " + dom.scrollLeft(scroller) + " " + dom.scrollTop(scroller);
  }
  return out.join("|");
}
