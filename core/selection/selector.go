package selection

import (
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/topology"
)

// Pass is one look at the servers for one role. A selection takes one to four:
// a preferred mode may fall back to its second role, and all of that is done
// again with the deprioritized servers where nothing else is suitable.
type Pass struct {
	Role Role
	// Deprioritized is true when deprioritized servers were left out.
	Deprioritized bool
	// TagSet is the index of the tag set that matched, -1 without tag sets, their
	// number when none matched.
	TagSet int

	View       []int32 // the servers looked at
	Candidates []int32 // those that play the role
	Fresh      []int32 // those that maxStalenessSeconds allows
	Tagged     []int32 // those that the tag sets allow
}

// Result shows every step of a selection. Its slices belong to the Selector and
// are valid until its next Select.
type Result struct {
	// Preference is what the operation really uses; see EffectivePreference.
	Preference readpref.Preference
	// Passes are the looks that were taken; the last one decided.
	Passes []Pass

	Candidates      []int32 // of the deciding pass
	Fresh           []int32
	Suitable        []int32 // after tag sets and the custom selector
	InLatencyWindow []int32

	Window Window
}

const maxPasses = 4

// Selector runs selections and owns their memory. The zero value is ready to
// use; it serves one goroutine at a time.
type Selector struct {
	passes        [maxPasses]Pass
	all, rest     []int32 // all: 0, 1, 2 and so on, as far as any selection needed it
	surveyed      []int32
	stage         [maxPasses][3][]int32
	custom, keep  []int32
	window        []int32
	marks         []bool
	deprioritized AddressSet
	result        Result
}

// Select runs all steps but the last: pick from result.InLatencyWindow with a
// Picker. An empty InLatencyWindow is a result, not an error: no server is
// suitable now.
//
// Errors are *status.Error: an invalid preference, a maxStalenessSeconds that is too small for
// a replica set, a server the client cannot talk to, options out of range.
//
// Server Selection specification, "Server Selection Algorithm", steps 2 to 5.
func (s *Selector) Select(r *Request) (*Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	t, res := r.Topology, &s.result
	res.Preference, res.Passes = r.Preference, s.passes[:0] // all else is set at the end
	if r.Operation == AggregateWithWriteStage {
		res.Preference = EffectivePreference(t, r.Operation, r.Preference)
	}
	first, second := Roles(t.Type, r.Operation, res.Preference.Mode)
	if !s.survey(t, r.Options.WireVersions, first) {
		if err := t.CheckCompatible(r.Options.WireVersions); err != nil {
			return nil, err
		}
	}
	if r.Operation != Write {
		if err := CheckMaxStaleness(t.Type, res.Preference.MaxStaleness, r.Options.HeartbeatFrequencyMS); err != nil {
			return nil, err
		}
	}

	full := s.everyone(len(t.Servers))
	found := false
	avoid := r.DeprioritizedSet
	if avoid == nil {
		avoid = &s.deprioritized
		avoid.Reset(r.Deprioritized)
	}
	if avoid.Len() > 0 {
		s.rest = WithoutDeprioritized(t, avoid, full, s.rest[:0])
		if len(s.rest) < len(full) {
			candidates := Candidates(t, first, s.rest, s.stage[0][0][:0])
			s.stage[0][0] = candidates
			found = s.pass(r, first, s.rest, candidates, true) || s.second(r, second, s.rest, true)
		}
	}
	if !found && !s.pass(r, first, full, s.surveyed, false) {
		s.second(r, second, full, false)
	}

	last := &res.Passes[len(res.Passes)-1]
	res.Candidates, res.Fresh, res.Suitable = last.Candidates, last.Fresh, last.Tagged
	if r.CustomSelector != nil && len(res.Suitable) > 0 {
		res.Suitable = s.runCustom(r, res.Suitable)
	}
	res.Window = NewWindow(t, r.Options.LocalThresholdNS, res.Suitable)
	s.window = LatencyWindow(t, res.Window, res.Suitable, s.window[:0])
	res.InLatencyWindow = s.window
	return res, nil
}

// survey lists the candidates for a role among all servers and reports whether
// the client speaks with all of them for sure. Most of a cold selection is to
// look at each server, so both questions are asked in one go.
func (s *Selector) survey(t *topology.Description, client topology.WireVersions, role Role) (speaks bool) {
	one, other, ok := role.types()
	if !ok {
		s.surveyed = Candidates(t, role, s.everyone(len(t.Servers)), s.surveyed[:0])
		return false
	}
	if cap(s.surveyed) < len(t.Servers) {
		s.surveyed = make([]int32, len(t.Servers))
	}
	list, n := s.surveyed[:len(t.Servers)], 0
	speaks = true
	for i := range t.Servers {
		server := &t.Servers[i]
		if !client.Speak(server) {
			speaks = false
		}
		if server.Type == one || server.Type == other {
			list[n] = int32(i)
			n++
		}
	}
	s.surveyed = list[:n]
	return speaks
}

// everyone returns the view of all n servers.
func (s *Selector) everyone(n int) []int32 {
	for i := len(s.all); i < n; i++ {
		s.all = append(s.all, int32(i))
	}
	return s.all[:n:n]
}

// second takes the pass for the second role, where there is one.
func (s *Selector) second(r *Request, role Role, view []int32, deprioritized bool) bool {
	if role == RoleNone {
		return false
	}
	buf := &s.stage[len(s.result.Passes)][0]
	*buf = Candidates(r.Topology, role, view, (*buf)[:0])
	return s.pass(r, role, view, *buf, deprioritized)
}

// pass filters the candidates for a role among the servers of a view, and
// reports whether that left any.
func (s *Selector) pass(r *Request, role Role, view, candidates []int32, deprioritized bool) bool {
	n := len(s.result.Passes)
	s.result.Passes = s.result.Passes[:n+1]
	p, buf := &s.result.Passes[n], &s.stage[n]
	t, pref := r.Topology, &s.result.Preference

	p.Role, p.Deprioritized, p.TagSet = role, deprioritized, -1
	p.View, p.Candidates, p.Fresh, p.Tagged = view, candidates, candidates, candidates
	if role.filtered() {
		if pref.MaxStaleness.IsDefined() {
			ref := NewStalenessReference(t)
			buf[1] = Fresh(t, &ref, pref.MaxStaleness, r.Options.HeartbeatFrequencyMS, p.Candidates, buf[1][:0])
			p.Fresh = buf[1]
		}
		buf[2], p.TagSet = MatchTagSets(t, pref.TagSets, p.Fresh, buf[2][:0])
		p.Tagged = buf[2]
	}
	return len(p.Tagged) > 0
}

// runCustom runs the application's selector and keeps, in order and once each,
// only servers that it was given.
func (s *Selector) runCustom(r *Request, suitable []int32) []int32 {
	s.custom = r.CustomSelector.SelectServers(r.Topology, suitable, s.custom[:0])
	n := len(r.Topology.Servers)
	if cap(s.marks) < n {
		s.marks = make([]bool, n)
	}
	marks := s.marks[:n]
	clear(marks)
	for _, i := range s.custom {
		if i >= 0 && int(i) < n {
			marks[i] = true
		}
	}
	s.keep = s.keep[:0]
	for _, i := range suitable {
		if marks[i] {
			s.keep = append(s.keep, i)
		}
	}
	return s.keep
}
