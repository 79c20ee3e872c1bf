package main

import (
	"image"
	"image/color"
	"math"
	"testing"
	"unicode/utf16"
)

// drawn makes pictures of a white ground with text at the given columns.
func drawn(ink color.NRGBA, moved bool, columns ...int) pictures {
	blank := func() *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, 100, 20))
		for i := range m.Pix {
			m.Pix[i] = 255
		}
		return m
	}
	p := pictures{blank(), blank(), blank()}
	for _, x := range columns {
		p.with.SetNRGBA(x, 5, ink)
		if !moved {
			p.again.SetNRGBA(x, 5, ink)
		}
	}
	return p
}

func TestJudge(t *testing.T) {
	black, faint := color.NRGBA{A: 255}, color.NRGBA{250, 250, 250, 255}
	word := box{10, 0, 10, 15}
	for _, c := range []struct {
		name   string
		p      pictures
		b      box
		others []box
		want   verdict
	}{
		{"letters", drawn(black, false, 11, 13, 15, 18), word, nil, seen},
		{"nothing", drawn(black, false), word, nil, unseen},
		{"too faint", drawn(faint, false, 11, 13, 15, 18), word, nil, unseen},
		{"a neighbour's edge", drawn(black, false, 7, 22), word, nil, unseen},
		{"moves by itself", drawn(black, true, 11, 13, 15, 18), word, nil, unseen},
		{"elsewhere", drawn(black, false, 31, 33, 35), word, nil, unseen},
		{"tiny", drawn(black, false, 11, 13, 15, 18), box{10, 3, 10, 4}, nil, unseen},
		{"off the screen", drawn(black, false, 1), box{-500, 0, 40, 15}, nil, unseen},
		{"mostly cut off", drawn(black, false, 98, 99), box{98, 0, 40, 15}, nil, unseen},
		{"half cut off", drawn(black, false, 11, 12, 13, 14), word, nil, unclear},
		{"under another text", drawn(black, false, 11, 13, 15, 18), word, []box{{0, 0, 50, 15}}, unclear},
		{"under most of another text", drawn(black, false, 11, 13, 15, 18), word, []box{{0, 0, 50, 12}}, unclear},
		{"under another text without ink", drawn(black, false), word, []box{{0, 0, 50, 15}}, unseen},
		{"hidden, beside another text", drawn(black, false, 11, 12, 13), word, []box{{0, 0, 14, 15}}, unseen},
		{"lines that touch", drawn(black, false, 11, 13, 15, 18), word, []box{{0, 12, 50, 15}}, seen},
	} {
		if got := c.p.judge(c.b, c.others, 4); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What is drawn under text that does not show varies, but adds no ink.
func TestJudgeOverPicture(t *testing.T) {
	p := drawn(color.NRGBA{A: 255}, false, 11, 13, 15, 17)
	p.without = p.with
	if p.judge(box{10, 0, 10, 15}, nil, 4) != unseen {
		t.Error("a picture's own pixels count as text")
	}
}

func TestWidths(t *testing.T) {
	if len(widths) != '~'-' '+1 || advance('A') != 667 || advance('a') != 556 || advance('~') != 584 {
		t.Error("the table of widths is out of step")
	}
}

func TestSlice(t *testing.T) {
	text := utf16.Encode([]rune("aaaa bbbb"))
	line := box{0, 0, 91, 10}
	a, b := slice(line, text, 0, 4, true), slice(line, text, 5, 9, true)
	if a.X != 0 || math.Abs(a.W-b.W) > 0.01 || math.Abs(b.X+b.W-91) > 0.01 || b.X <= a.X+a.W {
		t.Errorf("slices %v and %v of %v", a, b, line)
	}
	if down := slice(box{0, 0, 10, 91}, text, 5, 9, false); down.W != 10 || down.Y < 45 {
		t.Errorf("slice %v of a vertical line", down)
	}
}
