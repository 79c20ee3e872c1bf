package scan

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"moire/evidence"
)

// maxItems bounds what one scan may report.
const maxItems = 400_000

// errResult: the answer is not what the scanner writes. Over the evaluate
// channel the page can write it, so nothing of it is quoted or trusted.
var errResult = errors.New("scan result does not have the scanner's form")

// decode reads the answer of one scan strictly: unknown members, types, kinds
// or out-of-range indices refuse the whole.
func decode(raw []byte, nonce string) (*Page, error) {
	d := decoder{d: jsontext.NewDecoder(bytes.NewReader(raw))}
	// Items are arrays in an array: an upper bound of their number.
	p := &Page{Items: make([]Item, 0, min(bytes.Count(raw, []byte("],["))+1, maxItems))}
	var version int
	var got string
	d.object(func(key string) {
		switch key {
		case "v":
			version = d.integer()
		case "n":
			got = d.text()
		case "b":
			p.Exhausted = d.text()
		case "o":
			p.Opaque = d.integer()
		case "i":
			d.array(func() { d.item(p) })
		case "r":
			d.array(func() { p.Rank = append(p.Rank, d.integer()) })
		case "a":
			d.array(func() { p.Marks = append(p.Marks, d.integer()) })
		default:
			d.fail()
		}
	})
	if d.err != nil || version != 1 || len(p.Items) == 0 {
		return nil, errResult
	}
	if got != nonce {
		return nil, fmt.Errorf("%w: it answers another call", errResult)
	}
	if !p.link() {
		return nil, errResult
	}
	return p, nil
}

type decoder struct {
	d   *jsontext.Decoder
	err error
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errResult
	}
}

func (d *decoder) token(want jsontext.Kind) jsontext.Token {
	if d.err != nil {
		return jsontext.Null
	}
	t, err := d.d.ReadToken()
	if err != nil || t.Kind() != want {
		d.fail()
		return jsontext.Null
	}
	return t
}

func (d *decoder) text() string {
	t := d.token('"')
	if d.err != nil {
		return ""
	}
	return t.String()
}

func (d *decoder) integer() int {
	t := d.token('0')
	if d.err != nil {
		return 0
	}
	f, err := t.Float()
	if err != nil || f != float64(int(f)) || f < -1 || f > 1e9 {
		d.fail()
		return 0
	}
	return int(f)
}

func (d *decoder) object(member func(key string)) {
	d.token('{')
	for d.err == nil && d.d.PeekKind() != '}' {
		member(d.text())
	}
	d.token('}')
}

func (d *decoder) array(element func()) {
	d.token('[')
	for d.err == nil && d.d.PeekKind() != ']' {
		element()
	}
	d.token(']')
}

func (d *decoder) item(p *Page) {
	if len(p.Items) >= maxItems {
		d.fail()
		return
	}
	d.token('[')
	it := Item{Kind: ItemKind(d.integer()), Parent: d.integer()}
	switch it.Kind {
	case TextItem:
		it.Text = d.text()
		d.hidden(&it)
		it.Unlisted = d.integer()&flagUnlisted != 0
		it.Block = d.integer()
	case ElementItem:
		it.Role = d.text()
		it.Name = d.text()
		it.flags(d.integer())
		d.control(&it)
		if d.err == nil && d.d.PeekKind() == '"' {
			it.Ref = d.text()
		}
	case FrameItem:
		it.URL = d.text()
		it.Gone = d.kind()
		it.Text = d.text()
		if d.err == nil && d.d.PeekKind() == '"' {
			it.Around = d.text()
		}
	default:
		d.fail()
	}
	d.token(']')
	p.Items = append(p.Items, it)
}

// kind reads a kind by its wire number; 0 means none.
func (d *decoder) kind() evidence.Kind {
	n := d.integer()
	if n < 0 || n > int(evidence.KindCount) {
		d.fail()
		return 0
	}
	return evidence.Kind(n)
}

// hidden reads 0 (all seen), a kind (nothing seen), or triples from, to, kind
// in UTF-16 units, which become byte offsets.
func (d *decoder) hidden(it *Item) {
	if d.err == nil && d.d.PeekKind() == '0' {
		if k := d.kind(); k != 0 {
			it.Hidden = []Span{{0, len(it.Text), k}}
		}
		return
	}
	var n []int
	d.array(func() { n = append(n, d.integer()) })
	if len(n)%3 != 0 {
		d.fail()
		return
	}
	at := utf16Offsets(it.Text)
	last := 0
	for i := 0; i+2 < len(n) && d.err == nil; i += 3 {
		from, to, k := n[i], n[i+1], n[i+2]
		if from < last || to <= from || to >= len(at) || k < 1 || k > int(evidence.KindCount) {
			d.fail()
			return
		}
		last = to
		it.Hidden = append(it.Hidden, Span{at[from], at[to], evidence.Kind(k)})
	}
}

// control reads what a form control draws itself: [], [value] or
// [value, placeholder, text]; for a link the text is its address.
func (d *decoder) control(it *Item) {
	i := 0
	d.array(func() {
		switch i {
		case 0:
			it.Value = d.kind()
			it.HasValue = true
		case 1:
			it.HintKind = d.kind()
		case 2:
			it.Hint = d.text()
		default:
			d.fail()
		}
		i++
	})
	if i == 2 {
		d.fail()
	}
	if it.Role == "link" && i == 3 {
		it.HasValue, it.URL, it.Hint = false, it.Hint, ""
	}
}

// utf16Offsets maps UTF-16 offsets, as scripts count, to byte offsets; its
// length is the number of units plus one.
func utf16Offsets(s string) []int {
	at := make([]int, 0, len(s)+1)
	for i, r := range s {
		at = append(at, i)
		if r >= 0x10000 {
			at = append(at, i)
		}
	}
	return append(at, len(s))
}
