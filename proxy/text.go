package proxy

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"moire/adapter"
	"moire/scan"
	"moire/wire"
)

// settleText judges the replies of an upstream of which nobody knows a grammar:
// each text by what it says, JSON at every depth. Pictures pass where the tool makes
// some; whatever else is in the reply does not.
func (p *Proxy) settleText(ctx context.Context, c *call, result []byte, isError bool) ([]byte, error) {
	v := p.spoken(ctx, c)
	v.Sentence = p.sentences(c, isError)
	if v.Own == nil {
		v.Own = scan.NewOwn("")
	}
	v.Own.Add(argumentTexts(c.args)...)
	var texts []*string
	for _, block := range gjson.GetBytes(result, "content").Array() {
		if block.Get("type").String() == "text" {
			s := block.Get("text").String()
			texts = append(texts, &s)
			v.lines(&s)
		}
	}
	v.settle()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = *s
	}
	return p.finishTexts(c, result, all, isError)
}

// finishTexts is finish for a result of several texts, which become one, as all
// others are emptied.
func (p *Proxy) finishTexts(c *call, result []byte, texts []string, isError bool) ([]byte, error) {
	out, err := sjson.SetRawBytes(result, "content", textsFirst(result))
	if err != nil {
		return nil, fmt.Errorf("ordering a reply: %w", err)
	}
	return p.finish(c, out, strings.Join(texts, "\n"), isError)
}

// textsFirst are the blocks of a result with one text in front, which is to hold all
// that passes, and the pictures.
func textsFirst(result []byte) []byte {
	out := []byte(`[{"type":"text","text":""}]`)
	for _, block := range gjson.GetBytes(result, "content").Array() {
		if block.Get("type").String() != "image" {
			continue
		}
		if next, err := sjson.SetRawBytes(out, "-1", []byte(block.Raw)); err == nil {
			out = next
		}
	}
	return out
}

// argumentTexts are the strings that the agent wrote in a call: the upstream may
// repeat them.
func argumentTexts(args []byte) []string {
	var out []string
	_ = wire.Walk(args, 0, func(l wire.Leaf) error { // args passed the gate
		if l.Kind == wire.LeafString {
			out = append(out, l.String())
		}
		return nil
	})
	return out
}

// settlePlain passes a reply that a person's own adapter declares harmless. Our
// brackets are escaped all the same.
func (p *Proxy) settlePlain(c *call, result []byte, isError bool) ([]byte, error) {
	c.q.Judged(scan.TrustAdapter)
	var all []string
	for _, block := range gjson.GetBytes(result, `content.#(type=="text")#.text`).Array() {
		all = append(all, adapter.EscapeLines(block.String()))
	}
	return p.finishTexts(c, result, all, isError)
}
