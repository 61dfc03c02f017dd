package cluster

import (
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Select picks a server and returns its id, which is stable for the life of the
// Topology. With checkout the server's operation count goes up by one; Release
// takes it back. code is status.OK, status.NoServer when none is suitable now,
// or the code of the error that selection.Selector.Select would return.
//
// Server Selection specification, "Server Selection Algorithm" and
// "operationCount".
func (t *Topology) Select(p *Preference, op selection.Operation, checkout bool) (id int32, code status.Code) {
	made := t.current.Load().first(p, op)
	if made == nil || !made.usual {
		return t.selectOther(p, op, checkout)
	}
	// What follows is pick and draw for the usual case: in a WebAssembly module
	// each call would cost as much as what it does.
	var m *member
	if len(made.window) == 1 {
		m = made.window[0]
	} else {
		i, j, ok := made.two.Of(selection.Mix(t.state.Add(selection.Gamma)))
		if !ok {
			return t.pick(made.window, &made.two, checkout), status.OK
		}
		m = made.window[i]
		if other := made.window[j]; other.operations.Load() < m.operations.Load() {
			m = other
		}
	}
	if checkout {
		m.checkout()
	}
	return m.id, status.OK
}

// selectOther is Select for all cases.
func (t *Topology) selectOther(p *Preference, op selection.Operation, checkout bool) (id int32, code status.Code) {
	made, code := t.plan(p, op)
	if code != status.OK {
		return -1, code
	}
	return t.pick(made.window, &made.two, checkout), status.OK
}

// SelectInto picks a server for each element of ids, or for none of them.
func (t *Topology) SelectInto(ids []int32, p *Preference, op selection.Operation, checkout bool) status.Code {
	made, code := t.plan(p, op)
	if code != status.OK {
		return code
	}
	for i := range ids {
		ids[i] = t.pick(made.window, &made.two, checkout)
	}
	return status.OK
}

func (t *Topology) plan(p *Preference, op selection.Operation) (*plan, status.Code) {
	s := t.current.Load()
	made := s.find(p, op)
	if made == nil {
		if op > selection.AggregateWithWriteStage {
			return nil, status.Argument
		}
		made = t.compile(s, p, op)
	}
	return made, made.code
}

// pick draws from a window that is not empty.
func (t *Topology) pick(window []*member, two *selection.Two, checkout bool) int32 {
	m := window[0]
	if t.settings.Pick == selection.RoundRobin {
		m = window[(t.state.Add(1)-1)%uint64(len(window))]
	} else if len(window) > 1 {
		m = t.draw(window, two)
	}
	if checkout {
		m.checkout()
	}
	return m.id
}

func (m *member) checkout() {
	if m.operations.Add(1) < 0 {
		m.operations.Add(-1) // a description may give a count of 2^63-1
	}
}

func (t *Topology) draw(window []*member, two *selection.Two) *member {
	for {
		i, j, ok := two.Of(selection.Mix(t.state.Add(selection.Gamma)))
		switch {
		case !ok:
			continue // a draw that would be unfair
		case t.settings.Pick == selection.Random:
			return window[i]
		}
		a, b := window[i], window[j]
		if b.operations.Load() < a.operations.Load() {
			return b
		}
		return a
	}
}

// Scratch is the memory of selections that no plan can serve; the zero value is
// ready to use, by one goroutine at a time.
type Scratch struct {
	selector selection.Selector
	request  selection.Request
	window   []*member
}

// SelectExcept is Select with deprioritized addresses and an application's own
// selector (nil for none). It looks at every server, and allocates nothing.
func (t *Topology) SelectExcept(scratch *Scratch, p *Preference, op selection.Operation, deprioritized []string, custom selection.CustomSelector, checkout bool) (id int32, code status.Code) {
	if op > selection.AggregateWithWriteStage {
		return -1, status.Argument
	}
	s := t.current.Load()
	scratch.request = selection.Request{Topology: &s.description, Preference: p.p, Operation: op,
		Deprioritized: deprioritized, CustomSelector: custom, Options: t.settings.Options}
	res, err := scratch.selector.Select(&scratch.request)
	if err != nil {
		return -1, codeOf(err)
	}
	if len(res.InLatencyWindow) == 0 {
		return -1, status.NoServer
	}
	scratch.window = scratch.window[:0]
	for _, i := range res.InLatencyWindow {
		scratch.window = append(scratch.window, s.members[i])
	}
	two := selection.NewTwo(len(scratch.window))
	return t.pick(scratch.window, &two, checkout), status.OK
}

// View calls f with the current description, which f must neither change nor
// keep, and its generation.
func (t *Topology) View(f func(d *topology.Description, generation uint32)) {
	s := t.current.Load()
	f(&s.description, s.generation)
}
