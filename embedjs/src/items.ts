// What a scan reports: a list of items in tree order, parents by their index.
// Package scan decodes it (scan/decode.go).

// Flags of an element item.
export const SHOWN = 1;
export const CONTROL = 2;
export const GRAPHIC = 4;
export const UNLISTED = 8; // not in the accessibility tree

// A run of text: parent, text, what of it is hidden, flags, block. Hidden is 0
// for nothing, a kind + 1 for all, or triples [from, to, kind + 1].
export type TextItem = [0, number, string, number | number[], number, number];
// An element: parent, role, name by attributes, flags and level << 4, and for a
// link [0, 0, address], for a field [why its value is not seen, the same for
// its hint, the hint]. Where the upstream keeps names of elements (refs.ts), its
// name of the element follows, "" for none.
export type ElementItem = [1, number, string, string, number, (number | string)[], string?];
// A document: parent, address, why nothing of it is seen, title. Without an
// address it is one that this scan can't enter; then follows what is around it,
// as JSON (frames.ts), for the scan that can.
export type FrameItem = [2, number, string, number, string, string?];
export type Item = TextItem | ElementItem | FrameItem;
