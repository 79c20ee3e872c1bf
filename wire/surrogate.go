package wire

import "bytes"

// Mend replaces escapes that are half of a surrogate pair by \ufffd, in place,
// and reports whether there were any. Offsets stay: both are six bytes.
//
// JavaScript cuts strings between the halves of an emoji, and JSON.stringify
// then writes the half as an escape. Refusing the frame would let any page
// with an emoji at the wrong place take down the agent's snapshot; passing it
// on would let Go (which reads U+FFFD) and JavaScript (which reads the half)
// see different names. So nobody downstream ever sees the half, and names
// that become equal by it are refused as duplicates (TestMend).
func Mend(frame []byte) bool { return loneSurrogate(frame, []byte(`ufffd`)) }

// loneSurrogate looks for half pairs. It overwrites them if fix is given,
// and otherwise stops at the first.
func loneSurrogate(frame, fix []byte) bool {
	found := false
	for i := 0; i < len(frame); {
		n := bytes.IndexByte(frame[i:], '\\')
		if n < 0 {
			return found
		}
		i += n
		u, ok := unit(frame[i:])
		switch {
		case !ok:
			i += 2 // the backslash and what it escapes
		case u&0xfc00 == 0xd800 && lowFollows(frame[i+6:]):
			i += 12
		case u&0xf800 == 0xd800:
			found = true
			if fix == nil {
				return true
			}
			copy(frame[i+1:], fix)
			i += 6
		default:
			i += 6
		}
	}
	return found
}

func lowFollows(b []byte) bool {
	u, ok := unit(b)
	return ok && u&0xfc00 == 0xdc00
}

// unit reads the UTF-16 unit of an escape \uXXXX at the start of b.
func unit(b []byte) (uint16, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var u uint16
	for _, c := range b[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		u = u<<4 | uint16(c)
	}
	return u, true
}
