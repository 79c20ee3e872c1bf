// Scrolls a page as a person would, in a world of its own. A position is one
// place of the page's own scroller; at it, every scroller in view is taken
// through its places, all at once.
globalThis.moireOracle = (() => {
  const STEP = 0.8; // of what is visible, so that no line is cut at every place
  const free = (v) => v === "auto" || v === "scroll" || v === "overlay";
  const places = (all, seen) => (seen > 0 ? Math.ceil(Math.max(0, all - seen - 1) / (seen * STEP)) + 1 : 1);
  const go = (e, x, y) => e.scrollTo({ left: x, top: y, behavior: "instant" });
  const root = () => document.scrollingElement ?? document.documentElement;
  let inView = [];
  const done = new WeakSet();

  function* elements(tree) {
    for (const e of tree.querySelectorAll("*")) {
      yield e;
      if (e.shadowRoot) yield* elements(e.shadowRoot);
      let inner = null;
      try {
        inner = e.contentDocument;
      } catch {
        // of another origin
      }
      if (inner?.documentElement) {
        yield inner.documentElement;
        yield* elements(inner);
      }
    }
  }

  // A body's overflow is the viewport's unless the root has its own
  // (https://www.w3.org/TR/css-overflow-3/#overflow-propagation).
  function propagates(e) {
    const outer = e.ownerDocument.documentElement;
    const style = e.ownerDocument.defaultView.getComputedStyle(outer);
    return e === e.ownerDocument.body && style.overflowX === "visible" && style.overflowY === "visible";
  }

  // What an element lets a person scroll: its places across and down.
  function extent(e) {
    const outer = e === e.ownerDocument.documentElement;
    const fixed = outer && e.ownerDocument.defaultView.frameElement?.getAttribute("scrolling") === "no";
    if (fixed || propagates(e)) return { across: 1, down: 1 };
    const own = e.ownerDocument.defaultView.getComputedStyle(e);
    const of = (axis) => {
      const v = own[axis];
      if (!outer || v !== "visible" || !e.ownerDocument.body) return outer ? v !== "hidden" && v !== "clip" : free(v);
      const body = e.ownerDocument.defaultView.getComputedStyle(e.ownerDocument.body)[axis];
      return body !== "hidden" && body !== "clip";
    };
    return {
      across: of("overflowX") ? places(e.scrollWidth, e.clientWidth) : 1,
      down: of("overflowY") ? places(e.scrollHeight, e.clientHeight) : 1,
    };
  }

  function put(e, x, k) {
    go(e, (k % x.across) * e.clientWidth * STEP, Math.floor(k / x.across) * e.clientHeight * STEP);
  }

  function shown(e) {
    const outer = e === e.ownerDocument.documentElement;
    const r = (outer && e.ownerDocument.defaultView.frameElement ? e.ownerDocument.defaultView.frameElement : e)
      .getBoundingClientRect();
    const any = r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth && r.width > 0 && r.height > 0;
    return { any, whole: any && r.top >= 0 && r.bottom <= innerHeight };
  }

  return {
    // How many positions the page has.
    positions() {
      const x = extent(document.documentElement);
      return x.across * x.down;
    },
    // Goes to a position; returns the places of the scrollers in view there.
    at(k) {
      put(root(), extent(document.documentElement), k);
      inView = [];
      for (const e of elements(document)) {
        if (e === document.documentElement || done.has(e)) continue;
        const x = extent(e);
        if (x.across * x.down < 2) continue;
        go(e, 0, 0);
        const s = shown(e);
        if (!s.any) continue;
        inView.push([e, x]);
        if (s.whole) done.add(e);
      }
      return Math.max(1, ...inView.map(([, x]) => x.across * x.down));
    },
    place(k) {
      for (const [e, x] of inView) if (k < x.across * x.down) put(e, x, k);
    },
  };
})();
true;
