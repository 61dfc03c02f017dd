package abi

import (
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/internal/atomics"
	"github.com/readpref/readpref/core/status"
)

// A handle is 0 | kind 2 bits | generation 13 | slot 16: positive in int32, and
// never 0. A slot's generation goes up when its handle is closed, so that a
// stale handle is known as one; a slot whose generations are used up is
// retired.
const (
	slotBits       = 16
	generationBits = 13
	maxSlots       = 1 << slotBits
	pageSlots      = 256

	kindTopology   = 1
	kindPreference = 2
)

// Table is the handles of one binary: of a process, or of a WebAssembly
// instance. The zero value is ready to use, from any goroutine.
type Table struct {
	pages [maxSlots / pageSlots]atomics.Pointer[page]

	mu   atomics.Mutex
	free []uint16 // closed slots, to use again
	next int      // slots that were never used begin here

	hosted *entry // the topology of a host that has one for each instance: hosted.go
}

type page [pageSlots]slot

type slot struct {
	entry      atomics.Pointer[entry]
	generation uint16 // of the next handle; under Table.mu
}

// entry is what an open handle stands for: a topology, which may be that of a
// deployment, or a preference.
type entry struct {
	handle     uint32
	topology   *cluster.Topology
	preference *cluster.Preference
	deployment *discovery.Deployment
}

// open makes the entry's handle; ok is false when all slots are taken or retired.
func (t *Table) open(e *entry) (handle uint32, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var i int
	switch n := len(t.free); {
	case n > 0:
		i = int(t.free[n-1])
		t.free = t.free[:n-1]
	case t.next < maxSlots:
		i = t.next
		t.next++
	default:
		return 0, false
	}
	p := t.pages[i/pageSlots].Load()
	if p == nil {
		p = new(page)
		t.pages[i/pageSlots].Store(p)
	}
	s := &p[i%pageSlots]
	kind := uint32(kindPreference)
	if e.topology != nil {
		kind = kindTopology
	}
	handle = kind<<(slotBits+generationBits) | uint32(s.generation)<<slotBits | uint32(i)
	e.handle = handle
	s.entry.Store(e)
	return handle, true
}

// find returns what an open handle stands for, or nil. It takes no lock.
func (t *Table) find(handle uint32) *entry {
	p := t.pages[handle%maxSlots/pageSlots].Load()
	if p == nil {
		return nil
	}
	e := p[handle%pageSlots].entry.Load()
	if e == nil || e.handle != handle {
		return nil
	}
	return e
}

func (t *Table) topology(handle uint32) *cluster.Topology {
	if e := t.find(handle); e != nil {
		return e.topology
	}
	return nil
}

func (t *Table) preference(handle uint32) *cluster.Preference {
	if e := t.find(handle); e != nil {
		return e.preference
	}
	return nil
}

// Close is rp_close: it closes a handle of either kind. Calls that are using it go on
// unharmed; later ones get status.Handle.
func (t *Table) Close(handle uint32) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.find(handle) == nil {
		return int32(status.Handle)
	}
	i := int(handle % maxSlots)
	s := &t.pages[i/pageSlots].Load()[i%pageSlots]
	s.entry.Store(nil)
	if s.generation++; s.generation < 1<<generationBits {
		t.free = append(t.free, uint16(i))
	}
	return 0
}
