// The entry of the bundle: `moire.scan(options, elements, closedRoots)` and
// `moire.stamp()`.
export { scan } from "./scan";
export { stamp } from "./watch";
