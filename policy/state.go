package policy

import (
	"slices"
	"strings"
)

// State is what of the past a decision may depend on. It belongs to a browser
// context and its principal, not to a connection. The zero value is a session
// that has seen nothing. A State is never changed: [Next] makes another.
type State struct {
	// ReadWeb: something of an origin outside this machine was read.
	ReadWeb bool `json:"readWeb,omitempty"`
	// Private: something was read of an origin that knows the person, or of a private
	// network.
	Private []string `json:"private,omitempty"`
	// Visited are origins that the task has had to do with before it read anything
	// private.
	Visited []string `json:"visited,omitempty"`
	// Flagged are origins in whose content signs of an injection were read.
	Flagged []string `json:"flagged,omitempty"`
	// Named are hosts that were named in such content: what it may want the agent to
	// go to.
	Named []string `json:"named,omitempty"`
	// Agreed are what a person has allowed once and for all in this session, as
	// [Grant] names it.
	Agreed []string `json:"agreed,omitempty"`
	// Last is the digest of the last call, Run how many equal ones came in a row.
	Last string `json:"last,omitempty"`
	Run  int    `json:"run,omitempty"`
	// Recent are the times of the last minute's calls, in seconds.
	Recent []int64 `json:"recent,omitempty"`
	// Pages counts documents loaded by the agent, Out the bytes that it sent.
	Pages int   `json:"pages,omitempty"`
	Out   int64 `json:"out,omitempty"`
	// Away are those of Out that went to origins new to the task, after something
	// private was read.
	Away int64 `json:"away,omitempty"`
}

// Bounds of a state. Beyond them the state is as wary as it can be: an origin
// that is not remembered as visited is new, one that is not remembered as
// flagged makes all flagged (Everywhere).
const (
	maxOrigins = 4096
	maxAgreed  = 1024
	maxRecent  = 1024
)

// Everywhere stands for all origins in a list that is full.
const Everywhere = "*"

// EventKind is what an event tells; the list is closed.
type EventKind string

// Kinds of events.
const (
	// EventCall: a call was described. Facts are its facts, Time its time.
	EventCall EventKind = "call"
	// EventRead: something of Origin reached the agent. Signs: with signs of an
	// injection.
	EventRead EventKind = "read"
	// EventVisit: the agent was let to Origin.
	EventVisit EventKind = "visit"
	// EventSent: the agent sent Bytes to Origin; an empty one is new.
	EventSent EventKind = "sent"
	// EventAgree: a person allows Grant from now on.
	EventAgree EventKind = "agree"
	// EventClear: a person says that Origin is not deceiving; an empty one means all.
	EventClear EventKind = "clear"
)

// Event changes a state.
type Event struct {
	Kind EventKind `json:"kind"`
	// Time is in seconds of Unix time.
	Time   int64  `json:"time,omitempty"`
	Origin string `json:"origin,omitempty"`
	// Host is the class of the origin's host.
	Host HostClass `json:"host,omitempty"`
	// Call is the digest of a call, Collects as in [Facts].
	Call     string `json:"call,omitempty"`
	Collects bool   `json:"collects,omitempty"`
	// Credentialed: the origin knows the person.
	Credentialed bool `json:"credentialed,omitempty"`
	Signs        bool `json:"signs,omitempty"`
	// Names are the hosts that were named in what was read.
	Names []string `json:"names,omitempty"`
	Bytes int64    `json:"bytes,omitempty"`
	Grant string   `json:"grant,omitempty"`
}

// Next is the state after an event. It is pure and total: an event of an unknown
// kind changes nothing. States of a list of events are its fold
// (TestNextIsAFold).
func Next(s State, e Event) State {
	switch e.Kind {
	case EventCall:
		return nextCall(s, e)
	case EventRead:
		if e.Host != HostLoopback {
			s.ReadWeb = true
		}
		if e.Credentialed || e.Host == HostPrivate || e.Host == HostLinkLocal {
			s.Private = with(s.Private, e.Origin, maxOrigins, true)
		}
		if e.Signs {
			if !member(s.Flagged, e.Origin) { // what a person agreed to was without them
				s.Agreed = slices.DeleteFunc(slices.Clone(s.Agreed), func(g string) bool { return slices.Contains(strings.Fields(g), e.Origin) })
			}
			s.Flagged = with(s.Flagged, e.Origin, maxOrigins, true)
			for _, host := range e.Names {
				s.Named = with(s.Named, host, maxOrigins, true)
			}
		}
	case EventVisit:
		// After a private page was read, an agent that is taken over could make any
		// origin known by going there.
		if len(s.Private) == 0 {
			s.Visited = with(s.Visited, e.Origin, maxOrigins, false)
		}
		s.Pages++
	case EventSent:
		s.Out += max(e.Bytes, 0)
		if len(s.Private) > 0 && !member(s.Visited, e.Origin) {
			s.Away += max(e.Bytes, 0)
		}
	case EventAgree:
		s.Agreed = with(s.Agreed, e.Grant, maxAgreed, false)
	case EventClear:
		if e.Origin == "" {
			s.Flagged, s.Named = nil, nil
			break
		}
		s.Flagged = slices.DeleteFunc(slices.Clone(s.Flagged), func(o string) bool { return o == e.Origin })
		if len(s.Flagged) == 0 {
			s.Named = nil
		}
	}
	return s
}

// window is how long a call counts among the recent ones, in seconds.
const window = 60

func nextCall(s State, e Event) State {
	if e.Collects {
		return s
	}
	if e.Call != "" && e.Call == s.Last {
		s.Run++
	} else {
		s.Last, s.Run = e.Call, 1
	}
	recent := make([]int64, 0, len(s.Recent)+1)
	for _, t := range s.Recent {
		if t > e.Time-window && t <= e.Time {
			recent = append(recent, t)
		}
	}
	if recent = append(recent, e.Time); len(recent) > maxRecent {
		recent = recent[len(recent)-maxRecent:]
	}
	s.Recent = recent
	return s
}

// with adds to a sorted list without changing it. A wary list that is full
// stands for everything from then on.
func with(list []string, item string, limit int, wary bool) []string {
	i, found := slices.BinarySearch(list, item)
	switch {
	case item == "" || found || slices.Contains(list, Everywhere) && wary:
		return list
	case len(list) < limit:
		return slices.Insert(slices.Clone(list), i, item)
	case wary:
		return []string{Everywhere}
	}
	return list
}

// Sound reports that the state can be what [Next] has made: its lists are sorted and
// within their bounds. Looking into one that is not would miss what is in it.
func (s State) Sound() bool {
	lists := []struct {
		list  []string
		limit int
	}{{s.Private, maxOrigins}, {s.Visited, maxOrigins}, {s.Flagged, maxOrigins}, {s.Named, maxOrigins}, {s.Agreed, maxAgreed}}
	for _, l := range lists {
		if !slices.IsSorted(l.list) || len(l.list) > l.limit {
			return false
		}
	}
	return len(s.Recent) <= maxRecent && s.Run >= 0 && s.Pages >= 0 && s.Out >= 0 && s.Away >= 0
}

func member(list []string, item string) bool {
	_, found := slices.BinarySearch(list, item)
	return found || len(list) == 1 && list[0] == Everywhere
}
