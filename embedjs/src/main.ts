// The entry of the bundle: `moire.scan(options, elements, closedRoots)`,
// `moire.stamp()`, `moire.renamed(nonce)`, and the facts of targets: `moire.targets(
// elements)`, `moire.named(refs, property)`, `moire.focus()` and `moire.at(x, y)`.
export { scan } from "./scan";
export { renamed } from "./refs";
export { stamp } from "./watch";
export { at, focus, named, targets } from "./target";
