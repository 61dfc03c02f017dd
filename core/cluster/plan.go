package cluster

import (
	"unsafe"

	"github.com/readpref/readpref/core/internal/atomics"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// plan is what selection makes of one preference and operation on one snapshot.
type plan struct {
	preference *Preference
	operation  selection.Operation
	code       status.Code // OK, or why there is no window
	usual      bool        // there is a window, and LeastBusyOfTwo draws from it
	window     []*member
	two        selection.Two
}

// maxPlans bounds the plans of one snapshot: a host that makes a preference for
// every operation gets cold selections, not a growing heap.
const maxPlans = 1 << 14

// plans is a hash table of plans. A plan that is in it stays; a larger table takes
// its place when it is half full.
type plans struct {
	slots []atomics.Pointer[plan] // a power of two of them
	n     int                     // under Topology.mu
}

func hash(p *Preference, op selection.Operation) uint {
	return uint((uint64(uintptr(unsafe.Pointer(p)))>>3 + uint64(op)) * 0x9e3779b97f4a7c15 >> 32)
}

// first returns the plan if it stands where its hash says, as nearly all do, or
// nil. It is small enough to become part of its caller.
func (s *snapshot) first(p *Preference, op selection.Operation) *plan {
	table := s.plans.Load()
	if table == nil {
		return nil
	}
	found := table.slots[hash(p, op)&uint(len(table.slots)-1)].Load()
	if found == nil || found.preference != p || found.operation != op {
		return nil
	}
	return found
}

// find returns the plan, or nil.
func (s *snapshot) find(p *Preference, op selection.Operation) *plan {
	table := s.plans.Load()
	if table == nil {
		return nil
	}
	mask := uint(len(table.slots) - 1)
	for i := hash(p, op) & mask; ; i = (i + 1) & mask {
		if found := table.slots[i].Load(); found == nil || found.preference == p && found.operation == op {
			return found
		}
	}
}

// add publishes a plan. The Topology's mutex is held.
func (s *snapshot) add(p *plan) {
	table := s.plans.Load()
	if table == nil || table.n >= maxPlans {
		table = &plans{slots: make([]atomics.Pointer[plan], 8)}
	}
	if 2*(table.n+1) > len(table.slots) {
		table = table.grown()
	}
	table.put(p)
	s.plans.Store(table)
}

func (t *plans) grown() *plans {
	g := &plans{slots: make([]atomics.Pointer[plan], 2*len(t.slots))}
	for i := range t.slots {
		if kept := t.slots[i].Load(); kept != nil {
			g.put(kept)
		}
	}
	return g
}

func (t *plans) put(p *plan) {
	mask := uint(len(t.slots) - 1)
	i := hash(p.preference, p.operation) & mask
	for t.slots[i].Load() != nil {
		i = (i + 1) & mask
	}
	t.slots[i].Store(p)
	t.n++
}

// compile runs the selection and publishes its plan.
func (t *Topology) compile(s *snapshot, p *Preference, op selection.Operation) *plan {
	made := &plan{preference: p, operation: op}
	var selector selection.Selector
	res, err := selector.Select(&selection.Request{Topology: &s.description, Preference: p.p, Operation: op, Options: t.settings.Options})
	switch {
	case err != nil:
		made.code = codeOf(err)
	case len(res.InLatencyWindow) == 0:
		made.code = status.NoServer
	default:
		made.window = make([]*member, len(res.InLatencyWindow))
		for n, i := range res.InLatencyWindow {
			made.window[n] = s.members[i]
		}
		made.two = selection.NewTwo(len(made.window))
		made.usual = t.settings.Pick == selection.LeastBusyOfTwo
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if other := s.find(p, op); other != nil {
		return other // somebody was faster
	}
	s.add(made)
	return made
}

func codeOf(err error) status.Code {
	if e, ok := err.(*status.Error); ok { // errors.As would link reflection
		return e.Code
	}
	return status.Internal
}
