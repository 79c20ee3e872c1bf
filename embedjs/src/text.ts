// Is this run of text seen, and how much of it? The judgement is made for a
// line box where a line is uniform, for words and letters where it is not.

import { Kind } from "./evidence.gen";
import * as dom from "./dom";
import { contrast, gradientStops, over, parseColor, type Color } from "./color";
import { applyFilters, type Context } from "./context";
import { area, fromDOM, height, union, visiblePart, width, type Rect } from "./geometry";
import { opaque, type Canvas, type Stack } from "./paint";

// [from, to, kind]: characters [from, to) are not seen, and why.
export type Hidden = [number, number, Kind];

export interface Judged {
  hidden: Hidden[];
  // The boxes of the first and the last line that show, and of all.
  first: Rect | null;
  last: Rect | null;
  box: Rect | null;
}

// Below this contrast ratio a person reads nothing on an ordinary screen;
// light grey captions (#ccc on white: 1.6) lie well above.
const CONTRAST_FLOOR = 1.25;
// Letters lower than this many pixels are not read.
const SIZE_FLOOR = 5;
const SEEN = -1;
type Verdict = Kind | typeof SEEN;

const px = (s: string): number => parseFloat(s) || 0;

// The paint of the letters of one element, read once per element.
export interface Ink {
  fill: Color | null;
  size: number;
  // Colours of shadows and strokes that outline the letters.
  outline: Color[];
  spaced: boolean;
  masked: boolean;
  vertical: boolean;
  // unicode-bidi draws the letters in another order than they are stored.
  override: boolean;
  // Painted behind the letters alone, by a selection or a highlight.
  ground?: Color | null;
}

export function inkOf(s: dom.Style, c: Context): Ink {
  const fill = parseColor(s("-webkit-text-fill-color")) ?? parseColor(s("color"));
  const size = px(s("font-size"));
  return {
    fill: fill && applyFilters(fill, c.filters),
    size: size * Math.min(c.scale[0], c.scale[1]),
    outline: outlines(s, size, c),
    spaced: px(s("letter-spacing")) > 5 * size || px(s("word-spacing")) > 40 * size,
    masked: !/^(none|)$/.test(s("-webkit-text-security")),
    vertical: s("writing-mode").indexOf("horizontal") < 0,
    override: s("unicode-bidi").indexOf("override") >= 0,
  };
}

function outlines(s: dom.Style, size: number, c: Context): Color[] {
  const out: Color[] = [];
  const shadow = s("text-shadow");
  if (shadow !== "none") {
    const re = /((?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\))\s+(-?[\d.]+)px\s+(-?[\d.]+)px\s+([\d.]+)px/g;
    for (let m = re.exec(shadow); m; m = re.exec(shadow)) {
      const color = parseColor(m[1]!);
      const near = Math.abs(+m[2]!) < size && Math.abs(+m[3]!) < size && +m[4]! < size / 2;
      if (color && near) out[out.length] = applyFilters(color, c.filters);
    }
  }
  if (px(s("-webkit-text-stroke-width")) > 0) {
    const color = parseColor(s("-webkit-text-stroke-color"));
    if (color) out[out.length] = applyFilters(color, c.filters);
  }
  return out;
}

export class TextJudge {
  // Steps of word-by-word work, bounded by the caller's budget.
  work = 0;

  constructor(
    private canvas: Canvas,
    private doc: Document,
  ) {}

  judge(node: Node, text: string, c: Context, ink: Ink): Judged {
    const out: Judged = { hidden: [], first: null, last: null, box: null };
    const whole = (k: Kind): Judged => {
      out.hidden = [[0, text.length, k]];
      return out;
    };
    const before = ink.override && text.trim().length > 1 ? Kind.BidiOverride : this.early(c, ink);
    if (before !== SEEN) return whole(before);
    const rects = dom.textRects(node, 0, text.length);
    this.work += rects.length;
    const lines: Rect[] = [];
    for (let i = 0; i < rects.length; i++) {
      const r = fromDOM(rects[i]!);
      if (width(r) > 0 || height(r) > 0) lines[lines.length] = r;
    }
    if (!lines.length) return whole(Kind.NotRendered);
    if (crushed(lines, text, c, ink)) return whole(Kind.Tiny);
    let uniform = true;
    let verdict: Verdict | null = null;
    for (const r of lines) {
      const v = this.line(r, c, ink);
      if (v === null || (verdict !== null && v !== verdict)) {
        uniform = false;
        break;
      }
      verdict = v;
    }
    if (!uniform) return this.words(node, text, c, ink, out);
    if (verdict !== null && verdict !== SEEN) return whole(verdict);
    out.first = lines[0]!;
    out.last = lines[lines.length - 1]!;
    for (const r of lines) out.box = union(out.box, r);
    return out;
  }

  private early(c: Context, ink: Ink): Verdict {
    if (c.gone >= 0) return c.gone as Kind;
    if (ink.masked) return Kind.TextSecurity;
    if (ink.size < SIZE_FLOOR) return Kind.Tiny;
    if (ink.spaced) return Kind.OffScreen;
    if (!c.follows && this.canvas.curtain(c.key)) return Kind.Covered;
    return SEEN;
  }

  // The verdict for a whole line box; null if parts of it differ.
  private line(r: Rect, c: Context, ink: Ink): Verdict | null {
    const seen = visiblePart(r, c.clip);
    if (!seen) return this.outside(r, c);
    if (area(seen) < area(r) * 0.98) return null;
    const stack = this.canvas.stack(r, c.key, c.follows, c.clip);
    if (stack.partial) return null;
    return this.painted(r, stack, c, ink);
  }

  // The verdict for a word or a letter: what shows of it has to be most of it.
  private part(r: Rect, c: Context, ink: Ink): Verdict {
    const seen = visiblePart(r, c.clip);
    if (!seen || area(seen) < area(r) * 0.6) return this.outside(r, c);
    return this.painted(r, this.canvas.stack(r, c.key, c.follows, c.clip), c, ink);
  }

  private outside(r: Rect, c: Context): Kind {
    let root = c.clip;
    while (root && root.outer) root = root.outer;
    return root && !visiblePart(r, root) ? Kind.OffScreen : Kind.Clipped;
  }

  private painted(r: Rect, stack: Stack, c: Context, ink: Ink): Verdict {
    if (c.hitTest && !this.hits(r, c.hitTest)) return Kind.Clipped;
    for (const box of stack.above) if (opaque(box)) return Kind.Covered;
    let back = this.canvas.backdrop(stack.under);
    if (ink.ground && (back || ink.ground[3] > 0.98)) back = over(ink.ground, back ?? this.canvas.base, c.opacity);
    if (!back || !ink.fill) return SEEN;
    let readable = false;
    for (const paint of this.paints(ink, c)) {
      let t = over(paint, back, c.opacity);
      let b: Color = back;
      if (c.blend !== "normal") {
        const mixed = this.canvas.backdrop([
          ...stack.under,
          { rect: r, key: [], color: paint, opacity: c.opacity, blend: c.blend, sticky: false, clip: null },
        ]);
        if (!mixed) return Kind.Filtered;
        t = mixed;
      }
      for (const box of stack.above) {
        if (!box.color) continue;
        t = over(box.color, t, box.opacity);
        b = over(box.color, b, box.opacity);
      }
      if (contrast(t, b) >= CONTRAST_FLOOR) readable = true;
    }
    if (readable) return SEEN;
    return ink.fill[3] * c.opacity < 0.1 ? Kind.Transparent : Kind.LowContrast;
  }

  private paints(ink: Ink, c: Context): Color[] {
    const out = ink.outline.slice();
    const fill = ink.fill as Color;
    out[out.length] = fill;
    if (c.clipText && fill[3] < 0.95) for (const stop of c.clipText) out[out.length] = stop;
    if (c.clipText === null && fill[3] < 0.95) out[out.length] = [0.5, 0.5, 0.5, 1];
    return out;
  }

  private hits(r: Rect, shaped: Element): boolean {
    const list = dom.elementsFromPoint(this.doc, (r.l + r.r) / 2, (r.t + r.b) / 2);
    for (let i = 0; i < list.length; i++) if (dom.contains(shaped, list[i]!)) return true;
    return false;
  }

  // Words first, the letters of a word only where it is cut.
  private words(node: Node, text: string, c: Context, ink: Ink, out: Judged): Judged {
    const re = /\S+/g;
    for (let m = re.exec(text); m; m = re.exec(text)) {
      const from = m.index;
      const to = from + m[0].length;
      const rects = dom.textRects(node, from, to);
      this.work += 4;
      if (rects.length === 1) {
        const r = fromDOM(rects[0]!);
        const v = this.line(r, c, ink);
        if (v !== null) {
          this.note(out, from, to, v, r);
          continue;
        }
      }
      this.letters(node, text, from, to, c, ink, out);
    }
    return out;
  }

  private letters(node: Node, text: string, from: number, to: number, c: Context, ink: Ink, out: Judged): void {
    for (let i = from; i < to; ) {
      const step = clusterLength(text, i, to);
      const rects = dom.textRects(node, i, i + step);
      this.work += 4;
      if (!rects.length) this.note(out, i, i + step, Kind.NotRendered, null);
      else {
        const r = fromDOM(rects[0]!);
        this.note(out, i, i + step, area(r) > 0 ? this.part(r, c, ink) : Kind.NotRendered, r);
      }
      i += step;
    }
  }

  private note(out: Judged, from: number, to: number, v: Verdict, r: Rect | null): void {
    if (v === SEEN) {
      if (r) {
        out.first ??= r;
        out.last = r;
        out.box = union(out.box, r);
      }
      return;
    }
    const last = out.hidden[out.hidden.length - 1];
    if (last && last[2] === v && last[1] >= from - 1) last[1] = to;
    else out.hidden[out.hidden.length] = [from, to, v];
  }
}

// A base character with what joins it: surrogates, marks, joiners.
function clusterLength(text: string, i: number, to: number): number {
  let n = i + 1;
  while (n < to && /[\udc00-\udfff\u0300-\u036f\u200c\u200d\ufe00-\ufe0f]/.test(text[n]!)) n++;
  return n - i;
}

// Letters drawn over each other: no advance, or lines without a pitch.
function crushed(lines: Rect[], text: string, c: Context, ink: Ink): boolean {
  const upright = c.scale[0] === c.scale[1];
  const thick = (r: Rect) => (ink.vertical ? width(r) : height(r));
  const long = (r: Rect) => (ink.vertical ? height(r) : width(r));
  if (upright && Math.max(...lines.slice(0, 100).map((r) => Math.max(thick(r), long(r)))) < SIZE_FLOOR - 1) return true;
  let advance = 0;
  for (const r of lines) advance += Math.max(long(r), upright ? 0 : thick(r));
  const letters = text.replace(/[\s\p{M}\p{Cf}]|[\udc00-\udfff]/gu, "").length;
  if (letters > 3 && advance / letters < 0.1 * ink.size) return true;
  if (lines.length > 2 && upright && !ink.vertical) {
    const pitch = (lines[lines.length - 1]!.t - lines[0]!.t) / (lines.length - 1);
    // Pieces of one line in two directions touch, by a hair more or less.
    const rows = lines[0]!.l < lines[1]!.r - 1 && lines[1]!.l < lines[0]!.r - 1;
    if (rows && Math.abs(pitch) < 0.3 * thick(lines[0]!)) return true;
  }
  return false;
}

// The verdict for text that a control draws itself in its box.
export function judgeBox(r: Rect, c: Context, ink: Ink, canvas: Canvas): Verdict {
  if (c.gone >= 0) return c.gone as Kind;
  if (ink.masked) return Kind.TextSecurity;
  if (ink.size < SIZE_FLOOR) return Kind.Tiny;
  const seen = visiblePart(r, c.clip);
  if (!seen || area(seen) < 16) return Kind.Clipped;
  const stack = canvas.stack(r, c.key, c.follows, c.clip);
  for (const box of stack.above) if (opaque(box)) return Kind.Covered;
  const back = canvas.backdrop(stack.under);
  if (!back || !ink.fill) return SEEN;
  if (contrast(over(ink.fill, back, c.opacity), back) >= CONTRAST_FLOOR) return SEEN;
  return ink.fill[3] * c.opacity < 0.1 ? Kind.Transparent : Kind.LowContrast;
}

// One colour for a background, null if it is not one.
export function backgroundColor(s: dom.Style): Color | null | undefined {
  const image = s("background-image");
  const color = parseColor(s("background-color"));
  if (image === "none") return color && color[3] === 0 ? undefined : color;
  const stops = gradientStops(image);
  if (!stops) return null;
  const base = color && color[3] > 0 ? color : null;
  const first = stops[0]!;
  for (const x of stops)
    if (Math.abs(x[3] - first[3]) > 0.02 || contrast(over(x, [1, 1, 1, 1]), over(first, [1, 1, 1, 1])) > 1.05)
      return null;
  if (first[3] < 0.02) return base ?? undefined;
  return base && first[3] < 1 ? [...over(first, base)] as Color : first;
}
