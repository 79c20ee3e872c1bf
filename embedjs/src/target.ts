// What an act on an element would bring about: the facts of targets, for package
// policy. Derived events count: a press within a link follows it, one of a label
// presses its control, Enter in a field sends the form.
// https://html.spec.whatwg.org/multipage/interaction.html#activation
// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission

import * as dom from "./dom";
import { fromDOM } from "./geometry";
import { refOf } from "./refs";
import { roleOf } from "./role";

const FIELDS = 100;
const TEXT = 512;
const ADDRESS = 16384;

interface Field {
  tag: string;
  type: string;
  autocomplete: string;
  name: string;
  id: string;
  placeholder: string;
  label: string;
  role: string;
  inputMode: string;
  editable: boolean;
}

interface Form {
  action: string;
  method: string;
  fields: Field[];
  more: boolean;
  search: boolean;
}

export interface Target {
  tag: string;
  role: string;
  // The words on it.
  name: string;
  field: Field | null;
  link: string | null;
  download: boolean;
  form: Form | null;
  // A press sends the form; Enter in it does.
  submits: boolean;
  enter: boolean;
  covered: boolean;
  hidden: boolean;
  disabled: boolean;
  // It holds a document of its own, which is not looked into.
  frame: boolean;
}

const cut = (s: string | null, n: number): string => (s ?? "").slice(0, n);

// The elements in this document, null for what is none of it.
export const targets = (elements: unknown[]): (Target | null)[] => {
  const out: (Target | null)[] = [];
  for (const e of elements)
    out[out.length] = e && dom.isElement(e as Node) && dom.ownerDocument(e as Node) === document ? facts(e as Element) : null;
  return out;
};

// The elements that the upstream has given these names, by name.
export function named(refs: string[], property: string): [string, Target][] {
  const out: [string, Target][] = [];
  const wanted = new Set(refs);
  const visit = (n: Node): void => {
    if (dom.isElement(n)) {
      const ref = refOf(n, property);
      if (wanted.has(ref)) out[out.length] = [ref, facts(n)];
      const root = dom.shadowRoot(n);
      if (root) walk(root);
    }
  };
  // Without recursion: documents can be nested as deep as they like.
  const walk = (root: Node): void => {
    for (let n: Node | null = root; n; ) {
      visit(n);
      let next: Node | null = dom.firstChild(n);
      for (let up: Node | null = n; !next && up && up !== root; up = dom.parentNode(up)) next = dom.nextSibling(up);
      n = next;
    }
  };
  walk(document);
  return out;
}

// Where keys go in this document.
export function focus(): Target | null {
  const el = dom.focused(document);
  return el ? facts(el) : null;
}

// What a pointer meets there.
export function at(x: number, y: number): Target | null {
  const el = dom.hit(document, x, y);
  return el ? facts(el) : null;
}

// The element whose activation behaviour an event on el runs.
function acting(el: Element): Element {
  for (let n: Node | null = el; n; n = dom.composedParent(n)) {
    if (!dom.isElement(n)) continue;
    const tag = dom.localName(n);
    if (tag === "label" && dom.isHTML(n)) return dom.labelControl(n) ?? n;
    if ((tag === "a" || tag === "area") && (dom.hasAttribute(n, "href") || dom.hasAttribute(n, "xlink:href"))) return n;
    if (/^(button|input|select|textarea|summary|option)$/.test(tag)) return n;
    if (/^(button|link|menuitem|tab|option|switch|checkbox|radio)$/.test(dom.getAttribute(n, "role") ?? "")) return n;
    if (dom.editable(n)) return n;
  }
  return el;
}

const SENDS = /^(submit|image)$/;
// Types of inputs in which Enter sends the form.
const ENTER = /^(text|search|tel|url|email|password|date|month|week|time|datetime-local|number|checkbox|radio|range|color|file)$/;

function facts(el: Element): Target {
  // A pointer goes to the middle of the element, and to what is innermost there.
  const top = middle(el);
  const it = acting(top && within(top, el) ? top : el);
  const tag = dom.localName(it);
  const form = dom.formOf(it);
  const type = dom.controlType(it);
  const fillable = /^(input|select|textarea)$/.test(tag) || dom.editable(it) || /^(textbox|searchbox|combobox)$/.test(roleOf(it));
  // Browsers differ in whether a control within a link keeps the link from being
  // followed.
  let around: Node | null = it;
  while (around && !(dom.isElement(around) && linkOf(around) !== null)) around = dom.composedParent(around);
  const link = around ? linkOf(around as Element) : null;
  return {
    tag: cut(tag, 64),
    role: cut(roleOf(it), 64),
    name: cut(words(it), TEXT),
    field: fillable ? field(it) : null,
    link: link === null ? null : cut(link, ADDRESS),
    download: around !== null && dom.hasAttribute(around as Element, "download"),
    form: form ? formFacts(it, form) : null,
    submits: !!form && (tag === "button" || tag === "input") && SENDS.test(type),
    enter: !!form && tag === "input" && ENTER.test(type),
    covered: top !== null && covered(top, el, it),
    hidden: hidden(el) && hidden(it),
    disabled: dom.disabled(it) || dom.getAttribute(it, "aria-disabled") === "true",
    frame: /^(iframe|frame|object|embed)$/.test(tag),
  };
}

function linkOf(el: Element): string | null {
  const tag = dom.localName(el);
  if (tag === "a" && !dom.isHTML(el)) {
    const raw = dom.getAttribute(el, "href") ?? dom.getAttribute(el, "xlink:href");
    try {
      return raw === null ? null : new URL(raw, dom.documentURL(document)).href;
    } catch {
      return raw;
    }
  }
  if ((tag !== "a" && tag !== "area") || !dom.hasAttribute(el, "href")) return null;
  return tag === "area" ? dom.areaHref(el) : dom.href(el);
}

function formFacts(el: Element, form: Element): Form {
  const list = dom.formFields(form, FIELDS);
  const fields: Field[] = [];
  for (let i = 0; i < list.length && i < FIELDS; i++) {
    const type = dom.controlType(list[i]!);
    if (!/^(button|submit|reset|image)$/.test(type) && dom.localName(list[i]!) !== "fieldset") fields[fields.length] = field(list[i]!);
  }
  return {
    action: cut(dom.pressAction(el, form), ADDRESS),
    method: cut(dom.pressMethod(el, form), 16),
    fields,
    more: list.length > FIELDS,
    search: dom.getAttribute(form, "role") === "search",
  };
}

function field(el: Element): Field {
  let label = "";
  for (const l of dom.labels(el)) label += " " + cut(dom.textContent(l), TEXT);
  const by = dom.getAttribute(el, "aria-labelledby");
  if (by)
    for (const id of by.slice(0, 512).split(/\s+/)) {
      const named = id ? dom.byId(el, id) : null;
      if (named) label += " " + cut(dom.textContent(named), TEXT);
    }
  label += " " + cut(dom.getAttribute(el, "aria-label"), TEXT) + " " + cut(dom.getAttribute(el, "title"), TEXT);
  return {
    tag: cut(dom.localName(el), 64),
    type: cut(dom.type(el), 32),
    autocomplete: cut(dom.getAttribute(el, "autocomplete"), TEXT),
    name: cut(dom.getAttribute(el, "name"), TEXT),
    id: cut(dom.getAttribute(el, "id"), TEXT),
    placeholder: cut(dom.getAttribute(el, "placeholder"), TEXT),
    label: cut(label.trim(), 4 * TEXT),
    role: cut(roleOf(el), 64),
    inputMode: cut(dom.getAttribute(el, "inputmode"), 32),
    editable: dom.editable(el),
  };
}

// What stands on the control; without text, what names it.
function words(el: Element): string {
  const type = dom.controlType(el);
  const tag = dom.localName(el);
  if (tag === "input") return /^(button|submit|reset)$/.test(type) ? dom.value(el) || dom.getAttribute(el, "value") || "" : dom.getAttribute(el, "alt") ?? "";
  const text = (dom.textContent(el) ?? "").slice(0, 4 * TEXT).replace(/\s+/g, " ").trim();
  return text || dom.getAttribute(el, "aria-label") || dom.getAttribute(el, "title") || "";
}

function hidden(el: Element): boolean {
  const r = fromDOM(dom.boundingRect(el));
  return !dom.rendered(el) || dom.style(el)("visibility") !== "visible" || (r.r <= r.l && r.b <= r.t);
}

// What a pointer meets in the middle of what shows of the element; null if it is
// out of view: what lies there then is seen when the upstream scrolls.
function middle(el: Element): Element | null {
  const r = fromDOM(dom.boundingRect(el));
  const v = dom.viewport(document);
  if (r.r <= r.l || r.b <= r.t || r.r <= 0 || r.b <= 0 || r.l >= v.width || r.t >= v.height) return null;
  return dom.hit(document, (Math.max(r.l, 0) + Math.min(r.r, v.width)) / 2, (Math.max(r.t, 0) + Math.min(r.b, v.height)) / 2);
}

// Is what lies on top another thing than the element and what it acts by?
function covered(top: Element, el: Element, it: Element): boolean {
  if (within(top, el) || within(top, it) || (within(el, top) && acting(top) === acting(el))) return false;
  for (const l of dom.labels(it)) if (within(top, l)) return false;
  return true;
}

function within(n: Node, outer: Element): boolean {
  for (let at: Node | null = n; at; at = dom.composedParent(at)) if (at === outer) return true;
  return false;
}
