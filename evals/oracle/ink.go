package main

import (
	"image"
	"math"
)

// What counts as seen. A word is seen where its text changes the picture: the
// page is drawn with its text, without it, and with it again. One picture
// alone would do for text on a flat ground, but a photograph, a border or a
// gradient under invisible text varies just as text does; the difference has
// only what the letters add, whatever lies below. The third picture takes out
// what moves by itself.
const (
	// inkDelta is the least change of a channel, of 255: #ebebeb on white is
	// the faintest letter that counts, about 1.2:1. Dithering and the
	// compositor's rounding stay below 3.
	inkDelta = 20
	// inkColumns is the least share of a word's columns with a changed pixel.
	// Words of the test fonts have 0.6 to 0.95, a lone "l" 0.3; a neighbour's
	// overhang into a hidden word's box stays below 0.2.
	inkColumns = 0.25
	// inkBearing is what may be blank of a word at its ends, in pixels, besides
	// half a letter. If more is, the word is cut off or half covered, and
	// whether a person reads it is a matter of taste.
	inkBearing = 2
	// inkFree is the least share of a word's columns that must be free, for the
	// most part, of other texts' boxes: their ink can't be told from its own.
	inkFree = 0.5
	// inkShift is by how many pixels to each side the box of a word may be off,
	// as letters' widths are estimated (slice).
	inkShift = 3
	// legible is the least height of a box in pixels: below it a font has
	// under four pixels, and nobody reads that.
	legible = 5
)

// box is a rectangle in pixels of the screen.
type box struct{ X, Y, W, H float64 }

func (b box) intersect(c box) box {
	x, y := math.Max(b.X, c.X), math.Max(b.Y, c.Y)
	right, bottom := math.Min(b.X+b.W, c.X+c.W), math.Min(b.Y+b.H, c.Y+c.H)
	return box{x, y, math.Max(0, right-x), math.Max(0, bottom-y)}
}

func (b box) area() float64 { return b.W * b.H }

// widened is where the letters of an estimated box may be.
func (b box) widened() box { return box{b.X - inkShift, b.Y, b.W + 2*inkShift, b.H} }

// pixels is the box in whole pixels, at least one each way.
func (b box) pixels() image.Rectangle {
	x, y := int(math.Round(b.X)), int(math.Round(b.Y))
	return image.Rect(x, y, max(x+1, int(math.Round(b.X+b.W))), max(y+1, int(math.Round(b.Y+b.H))))
}

// pictures are three drawings of one viewport: with text, without, with.
type pictures struct{ with, without, again *image.NRGBA }

// judge tells whether the text of a box shows. Pixels in the boxes of other
// texts do not count; letters is the word's length.
func (p pictures) judge(b box, others []box, letters int) verdict {
	if b.H < legible || b.W < 1 {
		return unseen
	}
	width := b.W
	whole := b.widened().pixels()
	free, inked, masked, first, last := 0, 0, false, -1, -1
	for x := whole.Min.X; x < whole.Max.X; x++ {
		open, ink := 0, false
		for y := whole.Min.Y; y < whole.Max.Y; y++ {
			at := image.Pt(x, y)
			changed := at.In(p.with.Rect) && p.changed(at)
			if within(at, others) {
				masked = masked || changed
				continue
			}
			open++
			ink = ink || changed
		}
		if 2*open > whole.Dy() {
			free++
		}
		if ink {
			inked++
			if first < 0 {
				first = x
			}
			last = x
		}
	}
	switch part := math.Min(width, float64(free)); {
	case float64(free) < inkFree*float64(whole.Dx()):
		if masked || inked > 0 {
			return unclear
		}
		return unseen
	case float64(inked) < inkColumns*part:
		return unseen
	case letters > 1 && part-float64(last-first+1) > part/float64(2*letters)+inkBearing:
		return unclear
	}
	return seen
}

func within(at image.Point, boxes []box) bool {
	for _, b := range boxes {
		x, y := float64(at.X)+0.5-b.X, float64(at.Y)+0.5-b.Y
		if x >= 0 && x < b.W && y >= 0 && y < b.H {
			return true
		}
	}
	return false
}

// changed reports whether the text changes a pixel, and nothing else does.
func (p pictures) changed(at image.Point) bool {
	i := p.with.PixOffset(at.X, at.Y)
	with := p.with.Pix[i:]
	return differ(with, p.without.Pix[i:], inkDelta) && !differ(with, p.again.Pix[i:], inkDelta)
}

// differ compares the three colours of a pixel.
func differ(a, b []uint8, delta int) bool {
	for c := range 3 {
		if d := int(a[c]) - int(b[c]); d >= delta || -d >= delta {
			return true
		}
	}
	return false
}

// slice is the part of a line's box that holds the units [from, to) of its
// text, which is what DevTools gives no box for. Lines run along the longer
// side, left to right or down.
func slice(line box, text []uint16, from, to int, mono bool) box {
	var before, own, all float64
	for i, u := range text {
		a := 1.0
		if !mono {
			a = advance(u)
		}
		all += a
		switch {
		case i < from:
			before += a
		case i < to:
			own += a
		}
	}
	if all == 0 {
		return line
	}
	if line.H > line.W && len(text) > 2 {
		return box{line.X, line.Y + line.H*before/all, line.W, line.H * own / all}
	}
	return box{line.X + line.W*before/all, line.Y, line.W * own / all, line.H}
}

// widths are the advances of the letters from space to tilde in Helvetica, in
// thousandths of its size: the Core 14 metrics of
// Adobe, Helvetica.afm. Other proportional fonts stretch them about alike.
var widths = [...]float64{278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584}

// advance is a letter's width.
func advance(u uint16) float64 {
	switch {
	case u >= ' ' && int(u-' ') < len(widths):
		return widths[u-' ']
	case u >= 0x2e80: // the ideographs and what stands among them
		return 1000
	}
	return 556
}
