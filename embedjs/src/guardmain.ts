// The entry of the guard's bundle: `moireGuard.guard(report)`.
export { guard } from "./guard";
