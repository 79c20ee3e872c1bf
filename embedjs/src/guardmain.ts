// The entry of the guard's bundle: `moireGuard.stand(report)` and
// `moireGuard.guarded()`.
export { guarded, stand } from "./guard";
