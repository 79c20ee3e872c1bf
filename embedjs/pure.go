package embedjs

import (
	_ "embed"
	"strings"
)

// pureRun is what calls a script, in any world: it uses syntax alone, as a page may
// have replaced all else, and s, the engine's JSON.stringify. What it returns is a
// letter and what belongs to it.
const pureRun = `((s) => ({__proto__: null, args: {__proto__: null}, ready() {}, run(thunk, call, id, max) {
try {
	const f = thunk();
	if (typeof f !== "function") return "f";
	const v = call(f, this.args[id]);
	if ((typeof v === "object" && v !== null || typeof v === "function") && typeof v.then === "function") return "p";
	if (typeof v === "string" && v.length > max) return "l";
	const j = s(v);
	return typeof j !== "string" ? "u" : j.length > max ? "l" : "v" + j;
} catch (e) {
	let n = "", m = "";
	if (typeof e === "object" && e !== null) { n = e.name; m = e.message; }
	return "t" + (typeof n === "string" ? n : "") + "\n" + (typeof m === "string" && m.length <= max ? m : "");
}
}}))`

//go:embed pure.js
var pureWorld string

// PureRun is a function expression that makes what runs scripts.
func PureRun() string { return pureRun }

// PureWorld readies an isolated world for scripts of an agent's: it declares name.
// Only isolated worlds have no custom elements: in any other it does nothing else.
func PureWorld(name string) string {
	return "const " + name + " = customElements !== null ? undefined : (" + strings.TrimSpace(pureWorld) + ")(" + pureRun + ")"
}
