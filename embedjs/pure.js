(make) => {
  "use strict";
  // A change that the engine's check sees ends a script for good: an exception could be caught.
  const sink = {};
  const trip = () => { sink.tripped = 1; };
  const { defineProperty, getOwnPropertyDescriptor: own, getPrototypeOf, getOwnPropertyNames, getOwnPropertySymbols, keys, setPrototypeOf } = Object;
  const { isArray } = Array, isConcat = Symbol.isConcatSpreadable;
  const { apply, get: reflectGet, has: reflectHas } = Reflect;
  const test = (re, s) => apply(RegExp.prototype.test, re, [s]);
  const done = new WeakSet();
  const isDone = WeakSet.prototype.has, setDone = WeakSet.prototype.add;

  const close = (w) => {
    const secrets = 'input[type="password" i],input[type="hidden" i]';
    const name = own(w.Element.prototype, "localName").get, type = own(w.HTMLInputElement.prototype, "type").get;
    const queries = [w.Element, w.Document, w.DocumentFragment].map((c) => c.prototype.querySelector);
    // By the browser's own tests, as an element may come from another realm.
    const isSecret = (n) => {
      try {
        if (apply(name, n, []) !== "input") return false;
        const t = apply(type, n, []);
        return t === "password" || t === "hidden";
      } catch { return false; }
    };
    const finds = (q, n) => { try { return apply(q, n, [secrets]) !== null; } catch { return false; } };
    const holds = (n) => isSecret(n) || queries.some((q) => finds(q, n));
    const getter = (at, name, guard) => {
      const d = at && own(at, name);
      if (!d || !d.get || !d.configurable) return;
      const was = d.get;
      defineProperty(at, name, { ...d, get() { if (guard(this)) trip(); return apply(was, this, []); } });
    };
    const method = (at, name, guard) => {
      const d = at && own(at, name);
      if (!d || typeof d.value !== "function") return;
      const was = d.value;
      defineProperty(at, name, { ...d, value: { [name](...a) { if (guard(this, a)) trip(); return apply(was, this, a); } }[name] });
    };
    const gone = (at, name) => {
      if (at && own(at, name)) defineProperty(at, name, { configurable: true, enumerable: true, get: trip });
    };
    // Built-ins that loop do not ask whether their time is over, and end the tab when memory is.
    const most = 1 << 20;
    const long = (s) => typeof s !== "string" || s.length > 4 * most;
    const lists = [w.NodeList, w.HTMLCollection, w.DOMTokenList, w.NamedNodeMap, w.CSSRuleList, w.StyleSheetList, w.FileList];
    const vast = (a) => !(typeof a === "string" || isArray(a) || lists.some((c) => a instanceof c) && !own(a, "length")) || a.length > most;
    method(w.String.prototype, "split", long);
    method(w.RegExp.prototype, Symbol.split, (_, a) => long(a[0]));
    for (const n of ["repeat", "padStart", "padEnd"]) method(w.String.prototype, n, (s, a) => long(s) || typeof a[0] !== "number" || a[0] > most || s.length * a[0] > 4 * most);
    for (const n of getOwnPropertyNames(w.Array.prototype)) if (n !== "constructor" && n !== "push") method(w.Array.prototype, n, vast);
    method(w.Array.prototype, "concat", (_, a) => a.some((v) => v !== null && typeof v === "object" && isConcat in v && vast(v)));
    method(w.Array, "from", (_, a) => a[0] !== null && typeof a[0] === "object" && !(Symbol.iterator in a[0]) && !((d) => d && d.value <= most)(own(a[0], "length")));
    for (const n of ["keys", "values", "entries", "getOwnPropertyNames"]) method(w.Object, n, (_, a) => typeof a[0] === "string" && a[0].length > most);
    for (const n of ["localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore", "FormData", "XSLTProcessor"]) gone(w, n);
    gone(w.Document.prototype, "cookie");
    gone(w.Navigator.prototype, "credentials");
    getter(w.HTMLInputElement.prototype, "value", isSecret);
    getter(w.HTMLInputElement.prototype, "defaultValue", isSecret);
    const E = w.Element.prototype;
    const named = (e, a, i) => isSecret(e) && (typeof a[i] !== "string" || test(/^value$/i, a[i]));
    method(E, "getAttribute", (e, a) => named(e, a, 0));
    method(E, "getAttributeNode", (e, a) => named(e, a, 0));
    method(E, "getAttributeNS", (e, a) => named(e, a, 1));
    method(E, "getAttributeNodeNS", (e, a) => named(e, a, 1));
    getter(E, "attributes", isSecret);
    for (const c of [E, w.ShadowRoot.prototype]) {
      getter(c, "innerHTML", holds);
      getter(c, "outerHTML", holds);
      method(c, "getHTML", holds);
    }
    method(w.XMLSerializer.prototype, "serializeToString", (_, a) => holds(a[0]));
    // The engine knows querySelector to change nothing, but not these.
    const qs = w.Document.prototype.querySelector, qsa = w.Document.prototype.querySelectorAll, fqsa = w.DocumentFragment.prototype.querySelectorAll;
    const parent = own(w.Node.prototype, "parentNode").get;
    const instead = (at, name, by) => {
      const d = own(at, name), was = d.value;
      defineProperty(at, name, { ...d, value: { [name](...a) { const v = by(this, a); return v === sink ? apply(was, this, a) : v; } }[name] });
    };
    instead(w.Document.prototype, "getElementById", (d, a) =>
      typeof a[0] !== "string" || a[0] === "" || test(/[\\"\0\n\r\f]/, a[0]) ? sink : apply(qs, d, ['[id="' + a[0] + '"]']));
    const selected = (e, a) => {
      if (typeof a[0] !== "string" || test(/:(?:scope|host)/i, a[0]) || !(e instanceof w.Element)) return sink;
      let root = e;
      for (let p; (p = apply(parent, root, [])); ) root = p;
      return root instanceof w.Document ? apply(qsa, root, a) : root instanceof w.DocumentFragment ? apply(fqsa, root, a) : sink;
    };
    const among = (e, list) => { for (let i = 0; i < list.length; i++) if (list[i] === e) return true; return false; };
    instead(w.Element.prototype, "matches", (e, a) => { const l = selected(e, a); return l === sink ? l : among(e, l); });
    instead(w.Element.prototype, "closest", (e, a) => {
      const l = selected(e, a);
      if (l === sink) return l;
      for (let at = e; at instanceof w.Element; at = apply(parent, at, [])) if (among(at, l)) return at;
      return null;
    });
    instead(w.CSSStyleDeclaration.prototype, "getPropertyValue", (d, a) => {
      if (typeof a[0] !== "string" || !test(/^[a-z]+(-[a-z]+)*$/, a[0])) return sink;
      const v = d[a[0]];
      return typeof v === "string" ? v : sink;
    });
    const sides = ["x", "y", "width", "height", "top", "right", "bottom", "left"];
    instead(w.DOMRectReadOnly.prototype, "toJSON", (r) => {
      const o = {};
      for (const k of sides) o[k] = r[k];
      return o;
    });
    instead(w.Object, "fromEntries", (_, a) => {
      const o = {};
      for (const [k, v] of a[0]) { if (k === "__proto__" || typeof k === "symbol") trip(); o[k] = v; }
      return o;
    });
    instead(w.Object, "assign", (_, [o, ...from]) => {
      if (o === null || typeof o !== "object") return sink;
      for (const f of from) {
        if (f === null || f === undefined) continue;
        if (typeof f !== "object" || getOwnPropertySymbols(f).length > 0) trip();
        for (const k of keys(f)) { if (k === "__proto__") trip(); o[k] = f[k]; }
      }
      return o;
    });
    // Matching by value tells it letter by letter.
    const asksValue = (_, a) => typeof a[0] !== "string" || test(/\[[^\]]*(?:value|\\)/i, a[0]);
    for (const c of [w.Element, w.Document, w.DocumentFragment])
      for (const n of ["querySelector", "querySelectorAll", "matches", "closest", "webkitMatchesSelector"]) method(c.prototype, n, asksValue);
    const xpath = (_, a) => typeof a[0] !== "string" || test(/@\s*(?:\*|value|node)|attribute\s*::/i, a[0]);
    for (const [c, n] of [[w.Document, "evaluate"], [w.Document, "createExpression"], [w.XPathEvaluator, "evaluate"], [w.XPathEvaluator, "createExpression"]])
      method(c.prototype, n, xpath);
  };

  // What nothing of the browser's has may be the page's own: a proxy in the chain ends the script.
  const base = getPrototypeOf(Node.prototype);
  const localName = own(Element.prototype, "localName").get;
  const isNode = Node, isElement = Element;
  const custom = (n) => n instanceof isElement && test(/-/, apply(localName, n, []));
  const known = setPrototypeOf({}, new Proxy(base, {
    get(t, key, on) { trip(); return reflectGet(t, key, on); },
    has(t, key) { trip(); return reflectHas(t, key); },
    set() { trip(); return false; },
  }));
  const lacks = (key, always) => {
    if (key in base || own(known, key)) return;
    defineProperty(known, key, { configurable: true, get() { if (!always && custom(this)) trip(); return undefined; } });
  };
  for (const k of getOwnPropertyNames(base)) defineProperty(known, k, own(base, k));
  for (const k of getOwnPropertyNames(Object.prototype)) defineProperty(known, k, own(Object.prototype, k));
  for (const k of ["then", "toJSON", Symbol.toPrimitive, Symbol.isConcatSpreadable, Symbol.iterator]) lacks(k, true);
  for (const n of getOwnPropertyNames(window)) {
    if (!test(/^[A-Z]/, n)) continue;
    const d = own(window, n);
    if (typeof d.value === "function" && d.value.prototype) for (const k of getOwnPropertyNames(d.value.prototype)) lacks(k);
  }
  setPrototypeOf(Node.prototype, known);

  const near = (w, left) => {
    try {
      if (!apply(isDone, done, [w.Document])) { close(w); apply(setDone, done, [w.Document]); }
    } catch {} // of another origin: no script can enter it either, but those in it
    for (let i = 0; i < w.length && left.n-- > 0; i++) near(w[i], left);
  };
  const out = make(JSON.stringify);
  out.ready = () => near(window.top, { n: 500 });
  // What the page may have under these names, and we have not: elements lend theirs to the window.
  const lent = getPrototypeOf(Window.prototype);
  out.lacks = (names, words) => JSON.stringify([names.filter((n) => !(n in window) || own(lent, n)), words.filter((n) => own(lent, n))]);
  close(window);
  apply(setDone, done, [window.Document]);
  return out;
}
