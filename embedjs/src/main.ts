// The entry of the bundle: `moire.scan(options, elements)`.
export { scan } from "./scan";
