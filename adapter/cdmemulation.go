package adapter

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// settingWords are the words that a setting can have. Source: the schema of
// chrome-devtools-mcp's emulate.
var settingWords = map[string][]string{
	"networkConditions":    {"Offline", "Slow 3G", "Fast 3G", "Slow 4G", "Fast 4G"},
	"colorScheme":          {"dark", "light"},
	"forcedColors":         {"active", "none"},
	"prefersContrast":      {"more", "less", "custom", "no-preference"},
	"prefersReducedMotion": {"reduce", "no-preference"},
}

// settingMembers are the members of a setting that is an object; each is a
// number or a boolean.
var settingMembers = map[string][]string{
	"geolocation": {"latitude", "longitude"},
	"viewport":    {"width", "height", "deviceScaleFactor", "isMobile", "hasTouch", "isLandscape"},
}

// setting reads an emulated condition. It fails for a key that is none and for
// a value outside the key's grammar: no page's words fit in.
func (p *parser) setting(key string) Setting {
	s := Setting{Key: key}
	switch {
	case key == "userAgent":
		s.Text = p.str()
	case settingWords[key] != nil:
		s.Text = p.str()
		if !slices.Contains(settingWords[key], s.Text) {
			p.fail()
		}
	case key == "navigationTimeout" || key == "cpuThrottlingRate":
		s.JSON = p.number()
	case settingMembers[key] != nil:
		s.JSON = p.raw()
		p.flat(s.JSON, settingMembers[key])
	default:
		p.fail()
	}
	return s
}

func (p *parser) number() string {
	if p.err == nil && p.d.PeekKind() != '0' {
		p.fail()
	}
	return p.raw()
}

// flat fails unless raw is an object whose keys are among members and whose
// values are numbers or booleans.
func (p *parser) flat(raw string, members []string) {
	if p.err != nil {
		return
	}
	in := parser{d: jsontext.NewDecoder(strings.NewReader(raw))}
	in.object(func(key string) {
		if k := in.d.PeekKind(); !slices.Contains(members, key) || k != '0' && k != 't' && k != 'f' {
			in.fail()
		}
		in.raw()
	})
	if in.err != nil {
		p.fail()
	}
}

// printEmulation prints what the agent set by an emulate call. The user agent is
// printed as it is: the caller judged and escaped it.
func (r *Reply) printEmulation(out []string) []string {
	for _, s := range r.Emulation {
		text := s.Text + s.JSON
		switch s.Key {
		case "networkConditions":
			out = append(out, "Emulating network conditions: "+text)
		case "navigationTimeout":
			out = append(out, "Default navigation timeout set to "+text+" ms")
		case "geolocation":
			if m := coordinates.FindStringSubmatch(text); m != nil {
				text = "latitude=" + m[1] + ", longitude=" + m[2]
			}
			out = append(out, "Emulating geolocation: "+text)
		case "viewport":
			out = append(out, "Emulating viewport: "+text)
		case "userAgent":
			out = append(out, "Emulating user agent: "+text)
		case "cpuThrottlingRate":
			out = append(out, "Emulating CPU throttling: "+text+"x slowdown")
		case "colorScheme":
			out = append(out, "Emulating color scheme: "+text)
		case "forcedColors":
			out = append(out, "Emulating forced-colors: "+text)
		case "prefersContrast":
			out = append(out, "Emulating prefers-contrast: "+text)
		case "prefersReducedMotion":
			out = append(out, "Emulating prefers-reduced-motion: "+text)
		}
	}
	return out
}

var coordinates = regexp.MustCompile(`^\{"latitude":([^,]+),"longitude":([^,}]+)\}$`)
