package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"time"
)

//go:embed page.js
var pageScript string

const (
	// settleTime is what a page gets after its load event, here and before the
	// upstream's snapshot: scripts that build the page are done by then.
	settleTime = 700 * time.Millisecond
	// scrollTime is what a page gets after scrolling.
	scrollTime = 80 * time.Millisecond
	// maxPasses bounds the viewports of one page; a longer one is not measured.
	maxPasses = 120
)

// still stops what would move between two pictures.
const still = `*,*::before,*::after{transition:none!important;animation-play-state:paused!important;` +
	`caret-color:transparent!important}`

// textless draws a page without its text. The fill of letters is set and not
// the colour, from which borders, icons and underlines take theirs; it is
// inherited into shadow trees and controls, where pages hardly ever set it.
const textless = still + `*,*::before,*::after,*::first-letter,*::first-line,*::placeholder{` +
	`-webkit-text-fill-color:transparent!important;-webkit-text-stroke-color:transparent!important;` +
	`text-shadow:none!important}` +
	`text,tspan,textPath{fill:transparent!important;stroke:transparent!important}`

// verdict is what the pictures say of a word; the greater one holds.
type verdict int

const (
	unseen verdict = iota
	// unclear: its box has ink that may be another text's, or a part of the
	// word shows and a part does not.
	unclear
	seen
)

// place names a word over several captures of one page.
type place struct {
	Backend, From int
	Text          string
}

// sight is what a person can see of a page by scrolling: First is the page at
// rest, Runs its texts, Words what became of each word of them.
type sight struct {
	First *capture
	Runs  []run
	Words map[place]verdict
}

// count is how many words of a run are seen, unclear and in all.
func (s *sight) count(r run) (clear, doubtful, all int) {
	for _, w := range split(r.Text) {
		all++
		switch s.Words[place{r.Backend, w.From, w.Text}] {
		case seen:
			clear++
		case unclear:
			doubtful++
		}
	}
	return clear, doubtful, all
}

// looker drives one browser over pages.
type looker struct {
	d      *devtools
	world  int
	sheets []string
}

var errTooLong = errors.New("the page has too many viewports")

// look opens a page and scrolls through all of it.
func (l *looker) look(ctx context.Context, url string) (*sight, error) {
	if err := l.d.navigate(ctx, url); err != nil {
		return nil, err
	}
	time.Sleep(settleTime)
	if err := l.prepare(ctx); err != nil {
		return nil, err
	}
	s := &sight{Words: map[place]verdict{}}
	passes := 0
	for at := 0; ; at++ {
		// Pages grow while they are scrolled.
		positions, err := l.number(ctx, "moireOracle.positions()")
		if err != nil || at >= positions {
			return s, err
		}
		places, err := l.number(ctx, fmt.Sprintf("moireOracle.at(%d)", at))
		if err != nil {
			return nil, err
		}
		if passes += places; passes > maxPasses {
			return nil, errTooLong
		}
		for k := range places {
			if k > 0 {
				if _, err := l.number(ctx, fmt.Sprintf("moireOracle.place(%d)", k)); err != nil {
					return nil, err
				}
			}
			time.Sleep(scrollTime)
			if err := l.pass(ctx, s); err != nil {
				return nil, err
			}
		}
	}
}

// prepare makes the script's world and a style sheet in every frame. A sheet
// of DevTools changes no node and no page can refuse it.
func (l *looker) prepare(ctx context.Context) error {
	type frames struct {
		Frame       struct{ ID string }
		ChildFrames []*frames
	}
	var tree struct{ FrameTree frames }
	if err := l.d.call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return err
	}
	var world struct{ ExecutionContextID int }
	err := l.d.call(ctx, "Page.createIsolatedWorld",
		map[string]any{"frameId": tree.FrameTree.Frame.ID}, &world)
	if err != nil {
		return err
	}
	l.world, l.sheets = world.ExecutionContextID, nil
	var visit func(f *frames) error
	visit = func(f *frames) error {
		var sheet struct{ StyleSheetID string }
		err := l.d.call(ctx, "CSS.createStyleSheet", map[string]any{"frameId": f.Frame.ID}, &sheet)
		if err != nil {
			return err
		}
		l.sheets = append(l.sheets, sheet.StyleSheetID)
		for _, c := range f.ChildFrames {
			if err := visit(c); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(&tree.FrameTree); err != nil {
		return err
	}
	if err := l.style(ctx, still); err != nil {
		return err
	}
	_, err = l.number(ctx, pageScript)
	return err
}

func (l *looker) style(ctx context.Context, text string) error {
	for _, id := range l.sheets {
		args := map[string]any{"styleSheetId": id, "text": text}
		if err := l.d.call(ctx, "CSS.setStyleSheetText", args, nil); err != nil {
			return err
		}
	}
	return nil
}

// number evaluates in the oracle's world; what is no number counts as 0.
func (l *looker) number(ctx context.Context, expression string) (int, error) {
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	err := l.d.call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "contextId": l.world,
		"returnByValue": true}, &out)
	if err != nil {
		return 0, err
	}
	if out.ExceptionDetails != nil {
		return 0, errors.New("scrolling: the oracle's script failed")
	}
	n, _ := out.Result.Value.(float64)
	return int(n), nil
}

// pass judges what one viewport shows.
func (l *looker) pass(ctx context.Context, s *sight) error {
	styles := frameStyles
	if s.First == nil {
		styles = causeStyles
	}
	c, err := take(ctx, l.d, styles)
	if err != nil {
		return err
	}
	runs := c.runs()
	if s.First == nil {
		s.First, s.Runs = c, runs
	}
	var p pictures
	for _, shot := range []struct {
		sheet string
		to    **image.NRGBA
	}{{"", &p.with}, {textless, &p.without}, {still, &p.again}} {
		if shot.sheet != "" {
			if err := l.style(ctx, shot.sheet); err != nil {
				return err
			}
		}
		if *shot.to, err = l.picture(ctx); err != nil {
			return err
		}
	}
	s.judge(runs, p)
	return nil
}

func (l *looker) picture(ctx context.Context) (*image.NRGBA, error) {
	var shot struct{ Data []byte }
	err := l.d.call(ctx, "Page.captureScreenshot",
		map[string]any{"format": "png", "optimizeForSpeed": true}, &shot)
	if err != nil {
		return nil, err
	}
	m, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		return nil, fmt.Errorf("decoding a picture: %w", err)
	}
	if n, ok := m.(*image.NRGBA); ok {
		return n, nil
	}
	n := image.NewNRGBA(m.Bounds())
	draw.Draw(n, n.Rect, m, m.Bounds().Min, draw.Src)
	return n, nil
}
