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

// Calls report with each event as JSON; see package browser for the form.
export function guard(report: (text: string) => void): void {
  for (const type of POINTER.concat(KEYS)) dom.onWindow(type, (e) => seen(type, e, report));
}

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
