// Colours as [r, g, b, a], channels and alpha in 0..1 (sRGB, not premultiplied).
// Arithmetic: CSS Color 4, Compositing 1 (https://www.w3.org/TR/compositing-1/),
// contrast: WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).

export type Color = [number, number, number, number];
export const TRANSPARENT: Color = [0, 0, 0, 0];

const cache = new Map<string, Color | null>();

// Parses a computed colour; null if it is in a space we do not convert.
export function parseColor(s: string): Color | null {
  let c = cache.get(s);
  if (c === undefined) {
    c = parse(s);
    if (cache.size < 4096) cache.set(s, c);
  }
  return c;
}

function parse(s: string): Color | null {
  let m = /^rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)(?:\s*[,/]\s*([\d.]+%?))?\s*\)$/.exec(s);
  if (m) return [+m[1]! / 255, +m[2]! / 255, +m[3]! / 255, alpha(m[4])];
  m = /^color\((srgb|srgb-linear|display-p3)\s+(\S+)\s+(\S+)\s+([^\s/)]+)(?:\s*\/\s*(\S+))?\)$/.exec(s);
  if (m) {
    const v: Color = [+m[2]!, +m[3]!, +m[4]!, alpha(m[5])];
    return m[1] === "srgb-linear" ? [gamma(v[0]), gamma(v[1]), gamma(v[2]), v[3]] : v;
  }
  m = /^(oklab|oklch|lab|lch)\(\s*(\S+)\s+(\S+)\s+([^\s/)]+)(?:\s*\/\s*(\S+))?\)$/.exec(s);
  if (m) return fromLab(m[1]!, +m[2]!, num(m[3]!), num(m[4]!), alpha(m[5]));
  return s === "transparent" ? TRANSPARENT : null;
}

const num = (s: string): number => (s === "none" ? 0 : +s || 0);
const alpha = (s: string | undefined): number =>
  s === undefined ? 1 : s[s.length - 1] === "%" ? parseFloat(s) / 100 : num(s);
const clamp = (x: number): number => (x < 0 ? 0 : x > 1 ? 1 : x);
const gamma = (x: number): number =>
  x <= 0.0031308 ? 12.92 * x : 1.055 * Math.pow(clamp(x), 1 / 2.4) - 0.055;
const linear = (x: number): number =>
  x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);

// CSS Color 4, sample code of section 18.
function fromLab(space: string, L: number, a: number, b: number, al: number): Color {
  if (space === "oklch" || space === "lch") {
    const h = (b * Math.PI) / 180;
    b = a * Math.sin(h);
    a = a * Math.cos(h);
  }
  let r: number, g: number, bl: number;
  if (space === "oklab" || space === "oklch") {
    const l = Math.pow(L + 0.3963377774 * a + 0.2158037573 * b, 3);
    const m = Math.pow(L - 0.1055613458 * a - 0.0638541728 * b, 3);
    const s = Math.pow(L - 0.0894841775 * a - 1.291485548 * b, 3);
    r = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    g = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    bl = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  } else {
    const fy = (L + 16) / 116;
    const inv = (t: number) => (t > 6 / 29 ? t * t * t : (116 * t - 16) / 903.3);
    const x = 0.96422 * inv(a / 500 + fy);
    const y = L > 8 ? fy * fy * fy : L / 903.3;
    const z = 0.82521 * inv(fy - b / 200);
    r = 3.1341359 * x - 1.6172206 * y - 0.4906686 * z;
    g = -0.9787684 * x + 1.9161415 * y + 0.033454 * z;
    bl = 0.0719453 * x - 0.2289914 * y + 1.4052427 * z;
  }
  return [gamma(clamp(r)), gamma(clamp(g)), gamma(clamp(bl)), al];
}

// `top` over an opaque `under`, with an extra opacity.
export function over(top: Color, under: Color, opacity = 1): Color {
  const a = top[3] * opacity;
  return [
    top[0] * a + under[0] * (1 - a),
    top[1] * a + under[1] * (1 - a),
    top[2] * a + under[2] * (1 - a),
    1,
  ];
}

const luminance = (c: Color): number =>
  0.2126 * linear(clamp(c[0])) + 0.7152 * linear(clamp(c[1])) + 0.0722 * linear(clamp(c[2]));

// WCAG contrast ratio of two opaque colours, 1..21.
export function contrast(a: Color, b: Color): number {
  const x = luminance(a) + 0.05;
  const y = luminance(b) + 0.05;
  return x > y ? x / y : y / x;
}

type Channel = (backdrop: number, source: number) => number;
const screen: Channel = (b, s) => b + s - b * s;
const hardLight: Channel = (b, s) => (s <= 0.5 ? b * 2 * s : screen(b, 2 * s - 1));
// Separable blend modes of Compositing 1, section 9. Others can't be judged.
const blends: Record<string, Channel> = {
  __proto__: null as never,
  multiply: (b, s) => b * s,
  screen,
  overlay: (b, s) => hardLight(s, b),
  darken: (b, s) => Math.min(b, s),
  lighten: (b, s) => Math.max(b, s),
  "color-dodge": (b, s) => (b === 0 ? 0 : s >= 1 ? 1 : Math.min(1, b / (1 - s))),
  "color-burn": (b, s) => (b >= 1 ? 1 : s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s)),
  "hard-light": hardLight,
  "soft-light": (b, s) => (s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (Math.sqrt(b) - b)),
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
  "plus-lighter": (b, s) => Math.min(1, b + s),
};

export function blend(mode: string, top: Color, under: Color, opacity: number): Color | null {
  if (mode === "normal" || mode === "") return over(top, under, opacity);
  const f = blends[mode];
  if (!f) return null;
  return over([f(under[0], top[0]), f(under[1], top[1]), f(under[2], top[2]), top[3]], under, opacity);
}

// One filter function that maps colours, as CSS Filter Effects 1 defines it.
export function filterColor(name: string, amount: number, c: Color): Color {
  const f = (g: (x: number) => number): Color => [g(c[0]), g(c[1]), g(c[2]), c[3]].map(clamp) as Color;
  switch (name) {
    case "brightness":
      return f((x) => x * amount);
    case "contrast":
      return f((x) => (x - 0.5) * amount + 0.5);
    case "invert":
      return f((x) => x * (1 - amount) + (1 - x) * amount);
    case "grayscale":
    case "saturate": {
      const s = name === "grayscale" ? 1 - amount : amount;
      const y = 0.213 * c[0] + 0.715 * c[1] + 0.072 * c[2];
      return f((x) => y + (x - y) * s);
    }
    default:
      return c;
  }
}

// The colours of a gradient's stops; null if the image is not only gradients.
export function gradientStops(image: string): Color[] | null {
  if (/(^|[\s,(])(url|image|image-set|cross-fade|element|paint)\(/.test(image)) return null;
  const out: Color[] = [];
  const re = /(?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)|transparent/g;
  for (let m = re.exec(image); m; m = re.exec(image)) {
    const c = parseColor(m[0]);
    if (!c) return null;
    out[out.length] = c;
  }
  return out.length ? out : null;
}
