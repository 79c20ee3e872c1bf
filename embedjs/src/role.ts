// Roles as the browser's accessibility tree names them, near enough to line
// up two trees: HTML-AAM (https://www.w3.org/TR/html-aam-1.0/). An element
// whose role or name comes out differently is matched by its id instead.

import * as dom from "./dom";

const TAGS: Record<string, string> = {
  __proto__: null as never,
  a: "link", area: "link", article: "article", aside: "complementary", button: "button",
  blockquote: "blockquote", caption: "caption", code: "code", dd: "definition",
  details: "group", dialog: "dialog", dl: "list", dt: "term", fieldset: "group", figcaption: "Figcaption",
  figure: "figure", footer: "contentinfo", form: "form", h1: "heading", h2: "heading",
  h3: "heading", h4: "heading", h5: "heading", h6: "heading", header: "banner", hr: "separator",
  iframe: "Iframe", frame: "Iframe", img: "image", label: "LabelText", legend: "Legend", li: "listitem",
  main: "main", math: "MathMLMath", menu: "list", meter: "meter", nav: "navigation", object: "PluginObject",
  embed: "EmbeddedObject", ol: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
  pre: "Pre", progress: "progressbar", search: "search", section: "region", summary: "DisclosureTriangle",
  svg: "image", table: "table", tbody: "rowgroup", td: "cell", textarea: "textbox", tfoot: "rowgroup",
  th: "columnheader", thead: "rowgroup", tr: "row", ul: "list", video: "Video", audio: "Audio",
  canvas: "Canvas",
};

const INPUTS: Record<string, string> = {
  __proto__: null as never,
  button: "button", checkbox: "checkbox", color: "ColorWell", date: "Date", "datetime-local": "DateTime",
  email: "textbox", file: "button", image: "button", month: "Date", number: "spinbutton", password: "textbox",
  radio: "radio", range: "slider", reset: "button", search: "searchbox", submit: "button", tel: "textbox",
  text: "textbox", time: "InputTime", url: "textbox", week: "Date",
};

const CONTROLS =
  /^(link|button|checkbox|ColorWell|Date|DateTime|textbox|spinbutton|radio|slider|searchbox|InputTime|combobox|listbox|option|menuitem|menuitemcheckbox|menuitemradio|tab|switch|treeitem|DisclosureTriangle|scrollbar|gridcell)$/;

export function roleOf(el: Element): string {
  const explicit = dom.getAttribute(el, "role");
  if (explicit) {
    const token = /\S+/.exec(explicit.toLowerCase());
    if (token && token[0].length < 32 && token[0] !== "presentation" && token[0] !== "none")
      return token[0] === "img" ? "image" : token[0];
  }
  const name = dom.localName(el);
  if (name === "input") {
    const t = dom.type(el);
    if (dom.hasAttribute(el, "list")) return "combobox";
    return INPUTS[t] ?? "textbox";
  }
  if (name === "select") return dom.isListBox(el) ? "listbox" : "combobox";
  if (name === "a" || name === "area") return dom.hasAttribute(el, "href") ? "link" : "";
  return TAGS[name] ?? "";
}

export const isControl = (el: Element, role: string): boolean =>
  CONTROLS.test(role) ||
  dom.hasAttribute(el, "tabindex") ||
  dom.getAttribute(el, "contenteditable") === "true" ||
  dom.getAttribute(el, "contenteditable") === "";

const LIMIT = 2000;

// The part of the accessible name that attributes give: accname 1.2, steps
// 2B, 2D and 2I. Empty: the name comes from the content, if anything.
export function attributeName(el: Element): string {
  const refs = dom.getAttribute(el, "aria-labelledby");
  if (refs) {
    const parts: string[] = [];
    const ids = refs.split(/\s+/);
    for (let i = 0; i < ids.length && i < 20; i++) {
      const ref = ids[i] ? dom.byId(el, ids[i]!) : null;
      if (ref) parts[parts.length] = dom.getAttribute(ref, "aria-label") ?? dom.textContent(ref) ?? "";
    }
    if (parts.length) return parts.join(" ").slice(0, LIMIT);
  }
  const label = dom.getAttribute(el, "aria-label");
  if (label) return label.slice(0, LIMIT);
  const tag = dom.localName(el);
  if (tag === "input") {
    const own = dom.labels(el).map((l) => dom.textContent(l) ?? "");
    if (own.length) return own.join(" ").slice(0, LIMIT);
    if (/^(button|submit|reset)$/.test(dom.type(el))) return dom.value(el).slice(0, LIMIT);
  }
  const alt = tag === "img" || tag === "input" || tag === "area" ? dom.getAttribute(el, "alt") : null;
  return (alt ?? "").slice(0, LIMIT);
}

// Does it carry a string that the accessibility tree would serve?
export const carriesStrings = (el: Element): boolean =>
  dom.hasAttribute(el, "aria-label") ||
  dom.hasAttribute(el, "aria-labelledby") ||
  dom.hasAttribute(el, "title") ||
  dom.hasAttribute(el, "aria-description") ||
  dom.hasAttribute(el, "aria-describedby") ||
  dom.hasAttribute(el, "aria-roledescription");
