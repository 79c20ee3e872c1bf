// The walk over one document and the same-origin documents in its frames.
// Everything it finds becomes items in tree order; see items.ts for
// the form of the result.

import { Kind } from "./evidence.gen";
import * as dom from "./dom";
import {
  bordered, canvasColor, clipTo, containing, far, firstLetters, level,
  nativeControl, pack, pieces, rightToLeft, rootClip, shadows, shownChildren, strings,
} from "./element";
import { parseColor, type Color } from "./color";
import { applyFilters, clipChildren, enter, rootContext, type Context } from "./context";
import { Declared, inherited, plainStyle } from "./declared";
import { ALONE, backdropOf, Framed, ground, isDark, lay, type Around } from "./frames";
import { covers, fromDOM, visiblePart, type Rect } from "./geometry";
import { awaits, begin, stirs, watch } from "./watch";
import { CONTROL, GRAPHIC, SHOWN, UNLISTED, type ElementItem, type FrameItem, type Item, type TextItem } from "./items";
import { arrange, backwards, ranks, unit, type Unit } from "./order";
import { Canvas, opaque, PHASE, type PaintKey } from "./paint";
import type { Place, Waiting } from "./place";
import { refOf, remember } from "./refs";
import { attributeName, carriesStrings, isControl, roleOf } from "./role";
import { backgroundColor, inkOf, judgeBox, TextJudge, type Ink, type Judged } from "./text";
import { add, washed, Washes } from "./wash";

export interface Options {
  nonce: string;
  nodes: number;
  chars: number;
  millis: number;
  // Ask every element for every property: tests compare the two ways.
  exhaustive?: boolean;
  // The scan runs in an isolated world, where it can watch for changes.
  watch?: boolean;
  // Frames are scanned by themselves, those of the same origin too.
  apart?: boolean;
  // The property in which the upstream keeps its names of elements.
  refs?: string;
  // What is around the frame of the document.
  around?: Around;
}

const SKIP = /^(script|style|template|head|title|meta|link|base|noscript|desc|metadata|defs|datalist|param|source|track|annotation|annotation-xml)$/;
const FALLBACK = /^(canvas|video|audio|object|meter|progress)$/;
const PICTURES = /^(img|video|canvas|svg|object|embed|iframe|frame)$/;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

class Budget extends Error {}

// The elements are asked for their items; closed shadow roots, which no script
// can find, are entered.
export function scan(o: Options, elements: unknown[], closed: unknown[] = []): unknown {
  for (let i = 0; i < closed.length; i++) dom.admitRoot(closed[i]);
  begin();
  const w = new Walk(o);
  let spent = "";
  try {
    w.document(document, -1, -1, { ...ALONE, ...o.around });
  } catch (e) {
    if (!(e instanceof Budget)) throw e;
    spent = e.message;
  }
  const marks: number[] = [];
  for (let i = 0; i < elements.length; i++) marks[i] = w.index.get(elements[i] as Node) ?? -1;
  if (o.refs) remember(o.nonce, o.refs, w.index, w.items);
  return { v: 1, n: o.nonce, b: spent, i: w.items, r: w.rank(), o: w.opaque, a: marks };
}

class Walk {
  items: Item[] = [];
  index = new Map<Node, number>();
  opaque = 0;
  private root: Unit = unit(-1);
  private leaves: { item: number; unit: Unit }[] = [];
  private end: number;
  private nodes = 0;
  private chars = 0;
  private blocks = 0;
  private order = 0;
  // The document that is walked or judged.
  private here!: Place;
  private trees: (Document | ShadowRoot)[] = [];
  private frozen = new Set<Element>();
  private declared: Declared;

  constructor(private o: Options) {
    this.end = dom.now() + o.millis;
    this.declared = new Declared(o.exhaustive === true);
  }

  private step(): void {
    if (++this.nodes > this.o.nodes) throw new Budget("nodes");
    if (this.nodes % 128 === 0 && dom.now() > this.end) throw new Budget("millis");
  }

  private push(item: Item): number {
    this.items[this.items.length] = item;
    return this.items.length - 1;
  }

  private enterTree(root: Document | ShadowRoot): void {
    if (this.o.watch) watch(root);
    this.trees[this.trees.length] = root;
    for (const el of dom.inTransition(root)) this.frozen.add(el);
    this.declared.add(root);
  }

  document(doc: Document, parent: number, gone: Kind | -1, around: Around, at?: Unit): Place | null {
    const el = dom.documentElement(doc);
    const item = this.push([2, parent, dom.documentURL(doc).slice(0, 4096), gone + 1, dom.title(doc).slice(0, 1000)]);
    if (!el) return null;
    const outer = this.here as Place | undefined;
    const clip = rootClip(doc, around);
    const scrolls = clip.reach.b - clip.reach.t > clip.box.b - clip.box.t + 8;
    const dark = isDark(el);
    const canvas = new Canvas(canvasColor(dark), clip.box, scrolls);
    const place: Place = { doc, dark, canvas, texts: [], boxes: [], pending: [], frames: [] };
    this.here = place;
    lay(around, canvas, dark);
    this.enterTree(doc);
    ground(el, canvas);
    try {
      this.element(el, rootContext(gone, clip, around), item, at ?? this.root, true, 0);
    } finally {
      if (outer) this.here = outer;
      else this.settle(place);
    }
    return place;
  }

  // Returns true if anything of the element is drawn: a picture, a box, text.
  private element(el: Element, up: Context, parent: number, u: Unit, root: boolean, depth: number): boolean {
    this.step();
    if (depth > 1500) throw new Budget("depth");
    const tag = dom.localName(el);
    if (SKIP.test(tag)) return false;
    const shadow = dom.shadowRoot(el);
    if (shadow) this.enterTree(shadow);
    const fallback = up.gone === Kind.FallbackContent; // which may have no style at all
    const plain = up.inherits !== null && !fallback && this.declared.plain(el, tag);
    const s = plain ? plainStyle(el, tag, up.inherits!) : dom.style(el);
    const display = s("display");
    if (s("content-visibility") === "auto") stirs(); // browsers put off, and do not count, what changes in it
    if (display === "none") return false;
    const bare = display === "contents";
    if (!bare && !fallback && !dom.rendered(el)) return false;
    const c = bare ? { ...up } : enter(el, up, s, this.order++, root);
    if (this.frozen.size && this.frozen.has(el) && c.gone < 0) c.gone = Kind.Covered; // a picture of an earlier state shows
    if (!plain) c.inherits = inherited(s);
    const role = roleOf(el);
    const control = isControl(el, role);
    let item = parent;
    if (role || control || carriesStrings(el) || this.o.refs) item = this.emit(el, parent, role, control, c, s);
    const mine = unit(item === parent ? -1 : item);
    mine.rtl = rightToLeft(s);
    u.children[u.children.length] = mine;
    let drawn = false;
    if (!bare && s("visibility") === "visible") drawn = this.paint(el, tag, c, s, root);
    drawn = this.children(el, tag, c, s, item, mine, root, depth) || drawn;
    if (!drawn && !bare && c.gone < 0 && s("visibility") === "visible") drawn = bordered(s) || s("mask-image") !== "none" || nativeControl(tag, s);
    if (drawn && item !== parent) (this.items[item] as ElementItem)[4] |= GRAPHIC;
    return drawn;
  }

  private emit(el: Element, parent: number, role: string, control: boolean, c: Context, s: dom.Style): number {
    const flags = (control ? CONTROL : 0) | (c.ariaHidden ? UNLISTED : 0);
    const name = attributeName(el);
    this.chars += name.length;
    const item = this.push([1, parent, role, name, flags | (role === "heading" ? level(el) << 4 : 0), []]);
    this.index.set(el, item);
    if (this.o.refs) (this.items[item] as ElementItem)[6] = refOf(el, this.o.refs);
    this.here.boxes[this.here.boxes.length] = { el, item, c, s, role };
    return item;
  }

  private children(el: Element, tag: string, c: Context, s: dom.Style, item: number, u: Unit, root: boolean, depth: number): boolean {
    if (tag === "select") return this.options(el, item, u);
    if (tag === "iframe" || tag === "frame") return this.frame(el, c, s, item, u);
    if (tag === "textarea") return false;
    const inside: Context = { ...c };
    if (FALLBACK.test(tag)) inside.gone = Kind.FallbackContent;
    if (s("display") !== "contents") clipChildren(el, inside, s, root);
    const block = /^(inline|contents|ruby|ruby-text|ruby-base)$/.test(s("display")) ? -1 : ++this.blocks;
    const mark = block < 0 ? this.blocks : block;
    let drawn = this.generated(el, tag, "::before", inside, item, u, mark, s);
    let ink: Ink | null = null;
    let first = false;
    const kids = shownChildren(el, tag, s);
    const content = tag === "details" && this.declared.everything ? this.detailsContent(el, inside) : inside;
    for (let i = 0; i < kids.length; i++) {
      const kid = kids[i]!;
      if (dom.isElement(kid)) {
        const within = content !== inside && dom.localName(kid) !== "summary" ? content : inside;
        drawn = this.element(kid, within, item, u, false, depth + 1) || drawn;
        if (block >= 0 && this.blocks > mark) this.blocks++;
      } else if (dom.isText(kid)) {
        this.step();
        const text = dom.nodeValue(kid) ?? "";
        if (!/\S/.test(text) || s("visibility") !== "visible") continue;
        first = !ink && block >= 0;
        ink ??= this.ink(el, s, inside);
        this.text(kid, text, inside, ink, item, u, rightToLeft(s) && ink.vertical);
        if (first && this.declared.letters(el, tag)) this.firstLetter(el, s, inside);
        first = false;
        drawn = true;
      }
    }
    return this.generated(el, tag, "::after", inside, item, u, this.blocks, s) || drawn;
  }

  // The box around what a details element discloses has a style of its own; it
  // lies within the element's own box.
  private detailsContent(el: Element, up: Context): Context {
    const s = dom.style(el, "::details-content");
    const c = enter(el, up, s, this.order++, false);
    c.inherits = inherited(s);
    const ground = backgroundColor(s);
    const rect = fromDOM(dom.boundingRect(el));
    for (let k = dom.firstChild(el); k; k = dom.nextSibling(k))
      if (dom.isElement(k) && dom.localName(k) === "summary") rect.t = Math.max(rect.t, fromDOM(dom.boundingRect(k)).b);
    if (ground !== undefined) this.box(rect, c, ground);
    clipChildren(el, c, s, false);
    return c;
  }

  // ::first-letter can draw a letter, or not, unlike the rest of its text.
  private firstLetter(el: Element, s: dom.Style, c: Context): void {
    const l = dom.style(el, "::first-letter");
    const same = (name: string) => l(name) === s(name);
    if (same("font-size") && same("color") && same("-webkit-text-fill-color") && same("opacity")) return;
    const t = this.here.texts[this.here.texts.length - 1];
    const ink = inkOf(l, c);
    const fill = ink.fill;
    if (t && (ink.size < 5 || (fill && fill[3] < 0.1) || Number(l("opacity")) < 0.1)) t.first = true;
  }

  private ink(el: Element, s: dom.Style, c: Context): Ink {
    const ink = inkOf(s, c);
    if (!dom.isHTML(el)) {
      const fill = parseColor(s("fill"));
      if (fill || s("fill") === "none") ink.fill = fill ? applyFilters(fill, c.filters) : [0, 0, 0, 0];
      else ink.fill = null;
    }
    return ink;
  }

  private text(node: Node, raw: string, c: Context, ink: Ink, parent: number, u: Unit, columns: boolean): void {
    const offset = raw.length - raw.trimStart().length;
    const text = raw.trim();
    this.chars += text.length;
    if (this.chars > this.o.chars) throw new Budget("chars");
    const item = this.push([0, parent, text, Kind.Budget + 1, c.ariaHidden ? UNLISTED : 0, this.blocks]);
    const leaf = unit(item);
    leaf.words = text.split(/\s+/).length;
    leaf.rtl = columns || RTL.test(text);
    u.children[u.children.length] = leaf;
    this.here.texts[this.here.texts.length] = { node, text: raw, item, c, ink, unit: leaf, offset };
  }

  // Generated content has no node: it is judged by its own style in its
  // element's box. The alternative text after "/" is never drawn.
  private generated(el: Element, tag: string, pseudo: string, c: Context, parent: number, u: Unit, block: number, own: dom.Style): boolean {
    if (!this.declared.generates(el, tag)) return false;
    const s = dom.style(el, pseudo);
    const content = s("content");
    if (content === "none" || content === "normal" || content === "") return false;
    const inner = enter(el, { ...c, item: true }, s, this.order++, false);
    const placed = this.pseudoBox(el, inner, s);
    const [shown, alt] = strings(content);
    if (/\S/.test(shown) && s("display") !== "none") {
      const gone = inner.gone >= 0 ? (inner.gone as Kind) : s("visibility") !== "visible" ? Kind.NotRendered : -1;
      this.pseudoText(el, inner, s, own, shown, gone, parent, u, block);
    }
    if (/\S/.test(alt)) this.push([0, parent, alt.trim(), Kind.GeneratedContent + 1, 0, block]);
    return placed || /\S/.test(shown);
  }

  private pseudoText(el: Element, c: Context, s: dom.Style, own: dom.Style, shown: string, gone: Kind | -1, parent: number, u: Unit, block: number): void {
    const text = shown.trim();
    const item = this.push([0, parent, text, gone + 1, c.ariaHidden ? UNLISTED : 0, block]);
    const leaf = unit(item);
    leaf.words = 100; // its place is not known, so it takes no part in ordering
    u.children[u.children.length] = leaf;
    if (gone >= 0) return;
    const ink = inkOf(s, c);
    const away = /^(absolute|fixed)$/.test(s("position")) && (far(s("left")) || far(s("top")) || far(s("right")) || far(s("bottom")));
    const squeezed = s("overflow-x") !== "visible" && (parseFloat(s("width")) < 4 || parseFloat(s("height")) < 4);
    const bad = away || squeezed || far(s("text-indent")) || far(own("text-indent")) ? Kind.GeneratedContent : -1;
    this.here.pending[this.here.pending.length] = { el, c, ink, item, bad };
  }
  // A positioned pseudo-element can cover: its box from its used offsets.
  private pseudoBox(el: Element, c: Context, s: dom.Style): boolean {
    const color = backgroundColor(s);
    if (color === undefined || c.gone >= 0 || s("visibility") !== "visible") return false;
    const position = s("position");
    if (position !== "absolute" && position !== "fixed") return true;
    const host = position === "fixed" ? null : containing(el);
    const origin = host ? fromDOM(dom.boundingRect(host)) : { l: 0, t: 0, r: 0, b: 0 };
    const l = origin.l + (host ? dom.clientLeft(host) : 0) + parseFloat(s("left"));
    const t = origin.t + (host ? dom.clientTop(host) : 0) + parseFloat(s("top"));
    const rect = { l, t, r: l + parseFloat(s("width")), b: t + parseFloat(s("height")) };
    if (isFinite(rect.l + rect.t + rect.r + rect.b)) this.box(rect, c, color);
    return true;
  }

  private box(rect: Rect, c: Context, color: Color | null): void {
    const part = visiblePart(rect, c.clip);
    if (!part) return;
    const filtered = color && applyFilters(color, c.filters);
    this.here.canvas.add({ rect: c.clip && !c.follows ? clipTo(rect, c.clip) : rect, key: c.key, color: filtered, opacity: c.opacity, blend: c.blend, sticky: c.follows, clip: c.clip });
  }

  private paint(el: Element, tag: string, c: Context, s: dom.Style, root: boolean): boolean {
    const isPicture = PICTURES.test(tag) && (tag !== "img" || dom.imageLoaded(el));
    if (tag === "img" && !isPicture) awaits(el);
    if (tag === "marquee") stirs(); // moved by an animation that no script is told of
    const color = root || tag === "body" ? undefined : backgroundColor(s);
    let drawn = isPicture;
    if (c.gone >= 0) return false;
    if ((color !== undefined || isPicture) && s("background-clip").indexOf("text") < 0) {
      const rect = fromDOM(dom.boundingRect(el));
      if (color !== undefined) for (const r of pieces(el, rect, s)) this.box(r, c, color);
      if (isPicture && tag !== "svg") this.box(rect, c, null);
      if (tag === "canvas" || tag === "video" || tag === "embed" || tag === "object") this.opaque++;
      drawn = true;
    }
    if (c.key.length === 3 && c.key[0] === PHASE.top) this.veil(el, c);
    for (const x of shadows(el, s)) this.box(x.rect, c, x.color);
    return drawn;
  }

  private veil(el: Element, c: Context): void {
    const color = backdropOf(el);
    if (!color || color[3] === 0) return;
    const key: PaintKey = c.key.slice();
    key[2] = key[2]! - 0.5;
    this.here.canvas.add({ rect: { l: -1e7, t: -1e7, r: 1e7, b: 1e7 }, key, color, opacity: 1, blend: "normal", sticky: true, clip: null });
  }

  private options(el: Element, parent: number, u: Unit): boolean {
    const walk = (n: Node): void => {
      for (let k = dom.firstChild(n); k; k = dom.nextSibling(k)) {
        if (!dom.isElement(k)) continue;
        this.step();
        const tag = dom.localName(k);
        const isOption = tag === "option";
        if (!isOption && tag !== "optgroup") continue;
        const label = isOption ? dom.optionLabel(k) : (dom.getAttribute(k, "label") ?? "");
        const item = this.push([1, parent, isOption ? "option" : "group", label.slice(0, 2000), isOption && dom.optionSelected(k) ? CONTROL | SHOWN : CONTROL, []]);
        this.index.set(k, item);
        if (this.o.refs) (this.items[item] as ElementItem)[6] = refOf(k, this.o.refs);
        u.children[u.children.length] = unit(item);
        if (!isOption) walk(k);
      }
    };
    walk(el);
    return true;
  }

  private frame(el: Element, c: Context, s: dom.Style, item: number, u: Unit): boolean {
    const r = fromDOM(dom.boundingRect(el));
    const seen = s("visibility") === "visible" ? visiblePart(r, c.clip) : null;
    let gone: Kind | -1 = c.gone;
    if (gone < 0 && (!seen || seen.r - seen.l < 8 || seen.b - seen.t < 8)) gone = Kind.HiddenFrame;
    const at = { frame: new Framed(el, this.items.length, r, c, s, isDark(el)), inner: null as Place | null };
    this.here.frames[this.here.frames.length] = at;
    const doc = this.o.apart ? null : dom.contentDocument(el);
    if (!doc) {
      this.push([2, item, "", gone + 1, "", ""]);
      return true;
    }
    const inner = unit(-1);
    at.inner = this.document(doc, item, gone, at.frame.around, inner);
    // Its boxes are in the frame's own plane: outside, it is one unit.
    inner.first = inner.last = inner.box = r;
    inner.sealed = true;
    inner.words = 1000;
    u.children[u.children.length] = inner;
    return true;
  }

  // A frame under an opaque box: all that shows of it has to be covered. What is
  // around its document is now known.
  private settleFrames(place: Place): void {
    for (const { frame, inner } of place.frames) {
      const it = this.items[frame.item] as FrameItem;
      const c = frame.c;
      const seen = it[3] === 0 ? visiblePart(frame.rect, c.clip) : null;
      if (seen) {
        frame.surround(place.canvas);
        for (const box of place.canvas.stack(seen, c.key, c.follows, c.clip).above)
          if (opaque(box) && covers(box.rect, seen, 4)) it[3] = Kind.Covered + 1;
      }
      if (inner) {
        lay(frame.around, inner.canvas, inner.dark);
        this.settle(inner);
      } else if (this.o.watch && it[2] === "") it[5] = JSON.stringify(frame.around);
    }
  }

  // Second pass of a document: all boxes are known, so judge.
  private settle(place: Place): void {
    this.here = place;
    const judge = new TextJudge(place.canvas, place.doc);
    const washes = new Washes(place.doc, this.trees);
    for (const t of place.texts) {
      const work = judge.work + place.canvas.work / 16;
      if (work > 4 * this.o.nodes) throw new Budget("work");
      if ((++this.nodes & 63) === 0 && dom.now() > this.end) throw new Budget("millis");
      const j = judge.judge(t.node, t.text, t.c, t.ink);
      if (!washes.none) this.wash(t, j, judge, washes);
      if (t.first && !j.hidden.length) j.hidden[0] = [t.offset, t.offset + firstLetters(t.text, t.offset), Kind.Tiny];
      (this.items[t.item] as TextItem)[3] = pack(j.hidden, t.offset, t.text.trim().length);
      t.unit.first = j.first;
      t.unit.last = j.last;
      t.unit.box = j.box;
      if (j.box) this.leaves[this.leaves.length] = { item: t.item, unit: t.unit };
    }
    for (const p of place.pending) {
      const v = p.bad >= 0 ? p.bad : judgeBox(fromDOM(dom.boundingRect(p.el)), p.c, p.ink, place.canvas);
      (this.items[p.item] as TextItem)[3] = v + 1;
    }
    for (const b of place.boxes) this.control(b.el, b.item, b.c, b.s, b.role);
    this.settleFrames(place);
  }

  private wash(t: Waiting, j: Judged, judge: TextJudge, washes: Washes): void {
    for (const w of washes.of(t.node, t.text.length)) {
      const ink = washed(t.node, w, t.ink);
      if (ink) j.hidden = add(j.hidden, judge.judge(t.node, t.text, t.c, ink).hidden, w.from, w.to);
    }
  }

  // Is the control itself there to be seen, and the value it draws?
  private control(el: Element, item: number, c: Context, s: dom.Style, role: string): void {
    const it = this.items[item] as ElementItem;
    const r = fromDOM(dom.boundingRect(el));
    const seen = c.gone < 0 && s("visibility") === "visible" ? visiblePart(r, c.clip) : null;
    let shown = !!seen && seen.r - seen.l >= 4 && seen.b - seen.t >= 4;
    if (shown && (it[4] & CONTROL || role === "image")) {
      const mid = { l: (r.l + r.r) / 2 - 1, r: (r.l + r.r) / 2 + 1, t: (r.t + r.b) / 2 - 1, b: (r.t + r.b) / 2 + 1 };
      for (const box of this.here.canvas.stack(mid, c.key, c.follows, c.clip).above)
        if (box.opacity > 0.95 && box.color && box.color[3] > 0.95 && !covers(r, box.rect, 2)) shown = false;
    }
    if (shown) it[4] |= SHOWN;
    const tag = dom.localName(el);
    if (tag === "a") it[5] = [0, 0, dom.href(el).slice(0, 4096)];
    if (tag !== "input" && tag !== "textarea" && tag !== "select") return;
    const value = dom.value(el);
    const verdict = dom.type(el) === "password" ? Kind.TextSecurity : judgeBox(r, c, inkOf(s, c), this.here.canvas);
    it[5] = [verdict + 1];
    const hint = dom.getAttribute(el, "placeholder");
    if (hint && !value) {
      const p = dom.style(el, "::placeholder");
      const pc = { ...c, opacity: c.opacity * (Number(p("opacity")) || 0) };
      it[5] = [verdict + 1, judgeBox(r, pc, inkOf(p, pc), this.here.canvas) + 1, hint.slice(0, 2000)];
    }
  }

  // The visual order as a list of item indices; empty if it is tree order.
  rank(): number[] {
    let moved = false;
    try {
      moved = arrange(this.root);
    } catch {
      moved = false;
    }
    const out: number[] = [];
    if (moved) ranks(this.root, out);
    this.tangled(moved ? out : null);
    return out;
  }

  // Short runs that read backwards even after ordering are boxes interleaved
  // across containers: they are withheld, as no order of lines shows them.
  private tangled(order: number[] | null): void {
    const place = new Map<number, number>();
    if (order) for (let i = 0; i < order.length; i++) place.set(order[i]!, i);
    const leaves = order ? this.leaves.filter((x) => place.has(x.item)) : this.leaves.slice();
    if (order) leaves.sort((a, b) => place.get(a.item)! - place.get(b.item)!);
    for (let i = 1; i < leaves.length; i++) {
      const a = leaves[i - 1]!;
      const b = leaves[i]!;
      if (a.unit.rtl || b.unit.rtl || a.unit.words > 4 || b.unit.words > 4) continue;
      if (!backwards(a.unit, b.unit)) continue;
      for (const x of [a, b]) (this.items[x.item] as TextItem)[3] = Kind.VisualOrder + 1;
    }
  }
}
