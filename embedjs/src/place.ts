// A document in the walk, and what of it waits to be judged.

import type { Kind } from "./evidence.gen";
import type * as dom from "./dom";
import type { Context } from "./context";
import type { Framed } from "./frames";
import type { Unit } from "./order";
import type { Canvas } from "./paint";
import type { Ink } from "./text";

export interface Waiting {
  node: Node;
  text: string;
  item: number;
  c: Context;
  ink: Ink;
  unit: Unit;
  offset: number;
  first?: boolean;
}

// Its texts wait until every painted box is known, in it and around it.
export interface Place {
  doc: Document;
  dark: boolean;
  canvas: Canvas;
  texts: Waiting[];
  boxes: { el: Element; item: number; c: Context; s: dom.Style; role: string }[];
  pending: { el: Element; c: Context; ink: Ink; item: number; bad: Kind | -1 }[];
  frames: { frame: Framed; inner: Place | null }[];
}
