// The entry of the bundle: `moire.scan(options, elements, closedRoots)`,
// `moire.stamp()` and `moire.renamed(nonce)`.
export { scan } from "./scan";
export { renamed } from "./refs";
export { stamp } from "./watch";
