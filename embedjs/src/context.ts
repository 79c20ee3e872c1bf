// What an element inherits for the question "is it seen": opacity, clips,
// paint order, filters. One context per element, computed once, top down.

import { Kind } from "./evidence.gen";
import * as dom from "./dom";
import type { Inherited } from "./declared";
import type { Around } from "./frames";
import { filterColor, gradientStops, parseColor, type Color } from "./color";
import {
  IDENTITY,
  fromDOM,
  multiply,
  parseMatrix,
  planarScale,
  type Clip,
  type Matrix,
  type Rect,
} from "./geometry";
import { PHASE, type PaintKey } from "./paint";
import { scrolls as noteScroller } from "./watch";

export interface Filter {
  name: string;
  amount: number;
}

export interface Context {
  // Set: nothing below is seen, for this reason.
  gone: Kind | -1;
  opacity: number;
  clip: Clip | null;
  // Clips by containing block: absolute and fixed boxes escape some.
  absoluteClip: Clip | null;
  fixedClip: Clip | null;
  key: PaintKey;
  stacking: PaintKey;
  flow: PaintKey;
  filters: Filter[];
  blend: string;
  scale: [number, number];
  matrix: Matrix;
  preserve3d: boolean;
  follows: boolean;
  ariaHidden: boolean;
  clipText: Color[] | null | undefined;
  // Judged by asking the browser what is hit, as only it knows the shape.
  hitTest: Element | null;
  item: boolean;
  // Of this element; null at the root.
  inherits: Inherited | null;
}

export function rootContext(gone: Kind | -1, view: Clip | null, around: Around): Context {
  return {
    gone,
    opacity: around.opacity,
    clip: view,
    absoluteClip: view,
    fixedClip: view,
    key: [],
    stacking: [],
    flow: [],
    filters: around.filters,
    blend: around.blend,
    scale: around.scale,
    matrix: IDENTITY,
    preserve3d: false,
    follows: false,
    ariaHidden: false,
    clipText: undefined,
    hitTest: null,
    item: false,
    inherits: null,
  };
}

const px = (s: string): number => parseFloat(s) || 0;

// The floor of opacity below which nothing is legible whatever its colour.
const OPACITY_FLOOR = 0.1;

export function enter(el: Element, up: Context, s: dom.Style, index: number, root: boolean): Context {
  const position = s("position");
  const c: Context = { ...up, key: up.key, hitTest: up.hitTest };
  c.clip = position === "fixed" ? up.fixedClip : position === "absolute" ? up.absoluteClip : up.clip;
  c.follows = up.follows || position === "fixed" || position === "sticky";
  const opacity = Number(s("opacity"));
  if (opacity < 1) c.opacity = up.opacity * opacity;
  order(el, up, c, s, index, position, root);
  transform(c, up, s);
  if (c.gone < 0 && c.opacity < OPACITY_FLOOR) c.gone = Kind.Transparent;
  const hidden = dom.getAttribute(el, "aria-hidden");
  if (hidden === "true" || dom.hasAttribute(el, "inert")) c.ariaHidden = true;
  filters(c, up, s);
  masks(el, c, s);
  textClip(el, c, s);
  return c;
}

function order(el: Element, up: Context, c: Context, s: dom.Style, index: number, position: string, root: boolean): void {
  const z = s("z-index");
  const positioned = position !== "static";
  const zi = z === "auto" ? 0 : Number(z) || 0;
  const ranked = z !== "auto" && (positioned || up.item);
  const context =
    root ||
    ranked ||
    position === "fixed" ||
    position === "sticky" ||
    Number(s("opacity")) < 1 ||
    s("transform") !== "none" ||
    s("filter") !== "none" ||
    s("clip-path") !== "none" ||
    s("mask-image") !== "none" ||
    s("mix-blend-mode") !== "normal" ||
    s("isolation") === "isolate" ||
    s("perspective") !== "none" ||
    s("backdrop-filter") !== "none" ||
    s("translate") !== "none" ||
    s("scale") !== "none" ||
    s("rotate") !== "none" ||
    s("contain").indexOf("paint") >= 0 ||
    s("will-change") !== "auto";
  const display = s("display");
  if (topLayer(el, position)) {
    c.key = [PHASE.top, 0, index];
    c.stacking = c.flow = c.key;
    c.clip = c.absoluteClip = c.fixedClip;
    c.follows = true;
  } else if (context || positioned) {
    const phase = zi < 0 ? PHASE.negative : zi > 0 ? PHASE.positive : PHASE.zero;
    c.key = up.stacking.concat([phase, phase === PHASE.zero ? 0 : zi, index]);
    c.flow = c.key;
    if (context) c.stacking = c.key;
  } else if (s("float") !== "none") {
    c.key = c.flow = up.flow.concat([PHASE.float, 0, index]);
  } else if (display.indexOf("inline-") === 0 || up.item) {
    c.key = c.flow = up.flow.concat([PHASE.inline, 0, index]);
  } else {
    c.key = up.flow.concat([display === "inline" ? PHASE.inline : PHASE.block, 0, index]);
  }
  c.item = display.indexOf("flex") >= 0 || display.indexOf("grid") >= 0;
}

function topLayer(el: Element, position: string): boolean {
  const name = dom.localName(el);
  if (name === "dialog") return dom.matches(el, ":modal");
  // Browsers fix what fills the screen: https://fullscreen.spec.whatwg.org/#rendering
  if (position === "fixed" && dom.isFullscreen(el)) return true;
  return dom.hasAttribute(el, "popover") && dom.matches(el, ":popover-open");
}

function transform(c: Context, up: Context, s: dom.Style): void {
  let m = parseMatrix(s("transform"));
  const scale = s("scale");
  if (scale !== "none") {
    const v = scale.split(" ").map(Number);
    const k: Matrix = [v[0]!, 0, 0, 0, v.length > 1 ? v[1]! : v[0]!, 0, 0, 0, 1];
    m = m ? multiply(k, m) : k;
  }
  const rotate = s("rotate");
  if (rotate !== "none") {
    const r = rotation(rotate);
    m = m ? multiply(r, m) : r;
  }
  if (m) {
    c.matrix = up.preserve3d ? multiply(up.matrix, m) : m;
    const k = planarScale(m);
    c.scale = [up.scale[0] * k[0], up.scale[1] * k[1]];
  } else if (!up.preserve3d) c.matrix = IDENTITY;
  c.preserve3d = s("transform-style") === "preserve-3d";
  if (c.gone < 0 && s("backface-visibility") === "hidden" && c.matrix[8] < 0) c.gone = Kind.Backface;
}

// The individual `rotate` property: an angle, an axis letter, or a vector.
function rotation(s: string): Matrix {
  const m = /^(?:(x|y|z)|(\S+)\s+(\S+)\s+(\S+))?\s*(-?[\d.e-]+)deg$/.exec(s);
  if (!m) return IDENTITY;
  const t = (Number(m[5]) * Math.PI) / 180;
  let x = m[1] === "x" ? 1 : Number(m[2]) || 0;
  let y = m[1] === "y" ? 1 : Number(m[3]) || 0;
  let z = m[2] ? Number(m[4]) || 0 : m[1] && m[1] !== "z" ? 0 : 1;
  const n = Math.hypot(x, y, z) || 1;
  x /= n;
  y /= n;
  z /= n;
  const [k, u, v] = [1 - Math.cos(t), Math.cos(t), Math.sin(t)];
  return [
    u + x * x * k, y * x * k + z * v, z * x * k - y * v,
    x * y * k - z * v, u + y * y * k, z * y * k + x * v,
    x * z * k + y * v, y * z * k - x * v, u + z * z * k,
  ];
}

function filters(c: Context, up: Context, s: dom.Style): void {
  const f = s("filter");
  c.blend = s("mix-blend-mode");
  if (c.blend === "normal") c.blend = up.blend;
  if (f === "none") return;
  c.filters = up.filters.slice();
  const re = /([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)/g;
  for (let m = re.exec(f); m; m = re.exec(f)) {
    const name = m[1]!;
    const amount = m[2]!.indexOf("%") > 0 ? px(m[2]!) / 100 : px(m[2]!);
    if (name === "opacity") c.opacity *= amount;
    else if (name === "blur") {
      // A blur of a third of the letters' height leaves no strokes apart.
      if (c.gone < 0 && amount > px(s("font-size")) / 3) c.gone = Kind.Filtered;
    } else if (name === "url") {
      if (c.gone < 0) c.gone = Kind.Filtered;
    } else if (name !== "drop-shadow") c.filters[c.filters.length] = { name, amount };
  }
  if (c.gone < 0 && c.opacity < OPACITY_FLOOR) c.gone = Kind.Transparent;
}

export function applyFilters(c: Color, list: Filter[]): Color {
  for (let i = list.length - 1; i >= 0; i--) c = filterColor(list[i]!.name, list[i]!.amount, c);
  return c;
}

// Masks and shapes. A mask of gradients is judged by its stops; any other
// picture as a mask is unknown, and unknown is withheld.
function masks(el: Element, c: Context, s: dom.Style): void {
  if (c.gone >= 0) return;
  const mask = s("mask-image");
  if (mask !== "none") {
    const stops = gradientStops(mask);
    const most = stops ? Math.max(...stops.map((x) => x[3])) : 0;
    if (most < 0.3) c.gone = Kind.Filtered;
  }
  const shape = s("clip-path");
  if (shape !== "none" && shape.indexOf("-box") < 0) shapeClip(el, c, shape);
}

function shapeClip(el: Element, c: Context, shape: string): void {
  const r = fromDOM(dom.boundingRect(el));
  const box = shapeBox(shape, r);
  if (box) c.clip = c.absoluteClip = c.fixedClip = fixedBox(box, c.clip);
  else c.hitTest = el;
}

export const fixedBox = (box: Rect, outer: Clip | null): Clip => ({
  box,
  reach: box,
  outer,
  ellipsis: 0,
  rtl: false,
});

// The bounding box of a basic shape in the element's border box, or null for
// shapes that only the browser can evaluate.
function shapeBox(shape: string, r: Rect): Rect | null {
  const m = /^(inset|rect|xywh|circle|ellipse|polygon)\((.*)\)$/.exec(shape);
  if (!m) return null;
  const [w, h] = [r.r - r.l, r.b - r.t];
  const len = (s: string, of: number): number => {
    if (/^-?[\d.e-]+px$/.test(s) || s === "0") return px(s);
    if (/^-?[\d.e-]+%$/.test(s)) return (px(s) / 100) * of;
    return NaN;
  };
  const args = m[2]!.split(" round ")[0]!.trim();
  if (m[1] === "inset") {
    const v = args.split(/\s+/);
    const t = len(v[0]!, h);
    const right = len(v[1] ?? v[0]!, w);
    const b = len(v[2] ?? v[0]!, h);
    const l = len(v[3] ?? v[1] ?? v[0]!, w);
    return finite({ l: r.l + l, t: r.t + t, r: r.r - right, b: r.b - b });
  }
  if (m[1] === "polygon") {
    const points = args.replace(/^(nonzero|evenodd)\s*,/, "").split(",");
    // More than a quadrilateral may hide the middle and keep the corners.
    if (points.length > 4) return null;
    let out: Rect = { l: Infinity, t: Infinity, r: -Infinity, b: -Infinity };
    for (const p of points) {
      const [x, y] = p.trim().split(/\s+/);
      const [X, Y] = [r.l + len(x ?? "", w), r.t + len(y ?? "", h)];
      if (!isFinite(X) || !isFinite(Y)) return null;
      out = { l: Math.min(out.l, X), t: Math.min(out.t, Y), r: Math.max(out.r, X), b: Math.max(out.b, Y) };
    }
    return out;
  }
  if (m[1] === "circle") {
    const c = /^(\S+)(?: at (\S+) (\S+))?$/.exec(args);
    const radius = c ? len(c[1]!, Math.hypot(w, h) / Math.SQRT2) : NaN;
    const [x, y] = c && c[2] ? [len(c[2], w), len(c[3]!, h)] : [w / 2, h / 2];
    return finite({ l: r.l + x - radius, t: r.t + y - radius, r: r.l + x + radius, b: r.t + y + radius });
  }
  return null;
}

const finite = (r: Rect): Rect | null => (isFinite(r.l + r.t + r.r + r.b) ? r : null);

// `background-clip: text` paints the letters with the background.
function textClip(el: Element, c: Context, s: dom.Style): void {
  if (s("background-clip").indexOf("text") < 0) return;
  const image = s("background-image");
  if (image !== "none") c.clipText = gradientStops(image);
  else {
    const color = parseColor(s("background-color"));
    c.clipText = color ? [color] : null;
  }
}

// The clip that an element's own overflow sets for what is inside it.
export function clipChildren(el: Element, c: Context, s: dom.Style, root: boolean): void {
  const position = s("position");
  const contains = position !== "static" || s("transform") !== "none";
  const ox = s("overflow-x");
  const oy = s("overflow-y");
  const old = s("clip");
  if (old !== "auto" && old !== "" && (position === "absolute" || position === "fixed")) {
    const v = /rect\((\S+)\s+(\S+)\s+(\S+)\s+(\S+)\)/.exec(old.replace(/,/g, " "));
    const r = fromDOM(dom.boundingRect(el));
    if (v) {
      const at = (x: string, auto: number) => (x === "auto" ? auto : px(x));
      const [w, h] = [r.r - r.l, r.b - r.t];
      const box = { t: r.t + at(v[1]!, 0), r: r.l + at(v[2]!, w), b: r.t + at(v[3]!, h), l: r.l + at(v[4]!, 0) };
      c.clip = fixedBox(box, c.clip);
    }
  }
  if (!root && (ox !== "visible" || oy !== "visible" || s("contain").indexOf("paint") >= 0))
    c.clip = overflowClip(el, c, s, ox, oy);
  if (contains || root) c.absoluteClip = c.clip;
  if (s("transform") !== "none" || s("filter") !== "none" || s("contain").indexOf("paint") >= 0) c.fixedClip = c.clip;
}

function overflowClip(el: Element, c: Context, s: dom.Style, ox: string, oy: string): Clip {
  const r = dom.boundingRect(el);
  const size = dom.offsetSize(el);
  // Client sizes are in layout pixels, rectangles are transformed.
  const kx = size && size[0] ? r.width / size[0] : 1;
  const ky = size && size[1] ? r.height / size[1] : 1;
  const [cw, ch] = [dom.clientWidth(el) * kx, dom.clientHeight(el) * ky];
  let l = r.left + dom.clientLeft(el) * kx;
  let t = r.top + dom.clientTop(el) * ky;
  if (s("display") === "inline") return c.clip ?? fixedBox({ l: -Infinity, t: -Infinity, r: Infinity, b: Infinity }, null);
  const margin = ox === "clip" || oy === "clip" ? px(s("overflow-clip-margin")) : 0;
  const box: Rect = { l: l - margin, t: t - margin, r: l + cw + margin, b: t + ch + margin };
  if (ox === "visible") [box.l, box.r] = [-Infinity, Infinity];
  if (oy === "visible") [box.t, box.b] = [-Infinity, Infinity];
  const reach = { ...box };
  const scrolls = (o: string) => o === "auto" || o === "scroll";
  if (ox !== "clip" || oy !== "clip") noteScroller(el);
  if (scrolls(ox) && cw > 0) {
    l -= dom.scrollLeft(el) * kx;
    const rtl = s("direction") === "rtl" || dom.scrollLeft(el) < 0;
    const extra = (dom.scrollWidth(el) - dom.clientWidth(el)) * kx;
    reach.l = rtl ? l - extra : l;
    reach.r = (rtl ? l : l + extra) + cw;
  }
  if (scrolls(oy) && ch > 0) {
    t -= dom.scrollTop(el) * ky;
    reach.t = t;
    reach.b = t + dom.scrollHeight(el) * ky;
  }
  return { box, reach, outer: c.clip, ellipsis: ellipsis(el, s), rtl: s("direction") === "rtl" };
}

// Room that the ellipsis takes from the last letters of an overflowing line.
function ellipsis(el: Element, s: dom.Style): number {
  const cut = s("text-overflow").indexOf("ellipsis") >= 0 && dom.scrollWidth(el) > dom.clientWidth(el);
  return cut ? px(s("font-size")) * 0.75 : 0;
}
