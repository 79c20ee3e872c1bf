package tamper

import "slices"

// Pages lists all pages by what they attack.
func Pages() []*Page {
	return slices.Concat(builtins(), clobbers(), shadows(), frames(), timing(), reuse(), load(), blocking())
}
