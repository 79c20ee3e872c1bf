// The guard stands in an isolated world of every document from its start and
// reports trusted events, with the true target's facts, before any listener of
// the page has run: capture listeners on the window are called in the order in
// which they were added, and this one was added first.
// https://dom.spec.whatwg.org/#concept-event-dispatch
//
// It only observes. What keys write is not told, only which kind of key it was.

import * as dom from "./dom";
import { roleOf } from "./role";

const POINTER = ["pointerdown", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "dragstart", "drop"];
const KEYS = ["keydown", "beforeinput", "input", "change", "submit", "reset", "paste", "cut"];

const listeners: [string, (e: Event) => void][] = [];
const since = new WeakMap<Document, string>();

// Calls report with each event as JSON; see package browser for the form. It
// has to be called for each document: the window of a first, empty document can
// be taken over by the next, without its listeners. The same function is not
// added twice.
export function stand(report: (text: string) => void): void {
  if (!listeners.length)
    for (const type of POINTER.concat(KEYS)) listeners[listeners.length] = [type, (e) => seen(type, e, report)];
  for (const [type, f] of listeners) dom.onWindow(type, f);
  if (!since.has(document)) since.set(document, dom.documentElement(document) ? "late" : "start");
}

// Since when the guard stands in this document: "start", "late", or "".
export const guarded = (): string => since.get(document) ?? "";

function seen(type: string, e: Event, report: (text: string) => void): void {
  if (!dom.trusted(e)) return;
  const node = dom.eventTarget(e);
  const el = node && dom.nodeType(node) === 1 ? (node as Element) : null;
  const [x, y] = dom.eventPoint(e);
  report(JSON.stringify({ type, x, y, key: keyKind(dom.eventKey(e)), ...(el ? facts(el) : {}) }));
}

function facts(el: Element): object {
  const form = dom.formOf(el);
  return {
    tag: dom.localName(el).slice(0, 64),
    role: roleOf(el),
    field: dom.type(el),
    link: dom.linkAround(el).slice(0, 4096),
    action: form ? dom.formAction(form).slice(0, 4096) : "",
    method: form ? dom.formMethod(form) : "",
    editable: dom.editable(el),
  };
}

const keyKind = (key: string): string =>
  key === "" ? "" : key.length === 1 ? (key === " " ? "Space" : "character") : /^[A-Z][A-Za-z0-9]{1,24}$/.test(key) ? key : "other";
