// Has a document changed between two looks? Only for isolated worlds: what is
// counted here can't be reset by a page. Style and layout are counted by the
// browser itself (Performance.getMetrics); this notes what needs neither: a
// label that is an attribute, a box that scrolls, a picture that arrives. State
// is compared, not events counted: a page can keep events from whoever listens
// behind it, and document.open() takes all listeners away.

import * as dom from "./dom";

let changes = 0;
const observer = dom.mutationObserver(() => {
  changes++;
});
const watched = new WeakSet<Node>();
let roots: (Document | ShadowRoot)[] = [];
// Of the last scan: boxes that scroll, pictures that are still to come, and
// whether there was anything whose changes nothing tells.
let scrollers: Element[] = [];
let awaited: Element[] = [];
let restless = false;

// Called at the begin of each scan. What has left the page is let go.
export function begin(): void {
  const kept: (Document | ShadowRoot)[] = [];
  for (const root of roots) {
    if (dom.alive(root)) kept[kept.length] = root;
    else watched.delete(root);
  }
  roots = kept;
  scrollers = [];
  awaited = [];
  restless = false;
}

export function scrolls(el: Element): void {
  scrollers[scrollers.length] = el;
}

export function awaits(image: Element): void {
  awaited[awaited.length] = image;
}

export function stirs(): void {
  restless = true;
}

// Watches a document or a shadow tree, once.
export function watch(root: Document | ShadowRoot): void {
  if (watched.has(root)) return;
  watched.add(root);
  roots[roots.length] = root;
  dom.observe(observer, root);
}

// What stays equal while nothing changes; empty while something is always
// changing. Reading it brings style and layout up to date.
export function stamp(): string {
  if (dom.pendingMutations(observer)) changes++;
  if (restless) return "";
  const out: (string | number)[] = [changes];
  for (const root of roots) {
    if (!dom.alive(root)) continue;
    if (dom.animating(root)) return "";
    const doc = root as Document;
    if (dom.nodeType(root) === 9 && dom.hasPainted(doc, roots)) return "";
    const el = dom.nodeType(root) === 9 ? dom.documentElement(doc) : null;
    if (!el) continue;
    const scroller = dom.scrollingElement(doc) ?? el;
    out[out.length] = dom.style(el)("width") + " " + dom.scrollLeft(scroller) + " " + dom.scrollTop(scroller);
  }
  for (let i = 0; i < scrollers.length; i++) {
    const [x, y] = [dom.scrollLeft(scrollers[i]!), dom.scrollTop(scrollers[i]!)];
    if (x || y) out[out.length] = i + " " + x + " " + y;
  }
  for (let i = 0; i < awaited.length; i++) if (dom.imageLoaded(awaited[i]!)) out[out.length] = "image " + i;
  return out.join("|");
}
