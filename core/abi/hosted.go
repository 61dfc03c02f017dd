package abi

import (
	"unsafe"

	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// The functions in this file are for hosts that keep one instance of the
// WebAssembly module per topology, and the table of handles themselves: the
// portable C library. They are no part of the public ABI.

// Pick is Select on the topology that OpenAsPointers opened last. Such a host has
// looked at the topology's handle, so this does not; and all is in one function,
// since in a WebAssembly module a call costs as much as what it does.
func (t *Table) Pick(preference, f uint32) int32 {
	tp, p := t.hosted, t.find(preference)
	if tp == nil || p == nil || p.preference == nil || f > flagOperation|flagCheckout {
		return t.cannotPick(preference, f)
	}
	id, code := tp.topology.Select(p.preference, selection.Operation(f&flagOperation), f&flagCheckout != 0)
	if code != status.OK {
		return int32(code)
	}
	return id
}

// cannotPick says why, as Select would.
//
//go:noinline
func (t *Table) cannotPick(preference, f uint32) int32 {
	if t.hosted == nil {
		return t.selectOne(0, preference, f)
	}
	return t.selectOne(t.hosted.handle, preference, f)
}

// OpenAsPointers opens what rp_topology_open or rp_readpref_open would, under a
// handle that the host chose; the handle's kind says which. It returns 0, or
// minus the length of an error document. What had the handle before is closed.
func (c *Context) OpenAsPointers(handle uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.apply(in, inLen, out, outCap, func(document []byte) (uint32, *status.Error) {
		switch handle >> (slotBits + generationBits) {
		case kindTopology:
			e, err := c.newTopology(document)
			if err != nil {
				return 0, err
			}
			c.handles().place(handle, e)
		case kindPreference:
			p, err := c.newPreference(document)
			if err != nil {
				return 0, err
			}
			c.handles().place(handle, &entry{preference: p})
		default:
			return 0, badHandle("")
		}
		return 0, nil
	})
}

// place makes handle stand for the entry, whatever it stood for before.
func (t *Table) place(handle uint32, e *entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := int(handle % maxSlots)
	p := t.pages[i/pageSlots].Load()
	if p == nil {
		p = new(page)
		t.pages[i/pageSlots].Store(p)
	}
	e.handle = handle
	p[i%pageSlots].entry.Store(e)
	if e.topology != nil {
		t.hosted = e
	}
}

// Displace closes a handle that OpenAsPointers opened. Its slot is not given to
// open.
func (t *Table) Displace(handle uint32) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.find(handle) == nil {
		return int32(status.Handle)
	}
	i := int(handle % maxSlots)
	t.pages[i/pageSlots].Load()[i%pageSlots].entry.Store(nil)
	if t.hosted != nil && t.hosted.handle == handle {
		t.hosted = nil
	}
	return 0
}

// Reseed mixes entropy into the random state of a topology, in the child of a
// fork, so that it does not pick what its parent picks.
func (t *Table) Reseed(topology uint32, entropy uint64) int32 {
	switch e := t.find(topology); {
	case e == nil || e.topology == nil:
		return int32(status.Handle)
	case e.deployment != nil:
		e.deployment.Reseed(entropy)
	default:
		e.topology.Reseed(entropy)
	}
	return 0
}

// HandlesOfPointers returns the handles that a request of rp_call names: of its
// topology (or, for topology.update and close, its "handle") and of its preference; 0
// for none, and for a request that cannot be read: whoever runs it says why.
func (c *Context) HandlesOfPointers(method unsafe.Pointer, methodLen uint64, in unsafe.Pointer, inLen uint64) (topology, preference uint32) {
	defer func() {
		if recover() != nil {
			topology, preference = 0, 0
		}
	}()
	if checkPointers(method, methodLen, in, inLen, nil, 0) != nil || methodLen == 0 || inLen == 0 {
		return 0, 0
	}
	name := unsafe.String((*byte)(method), methodLen)
	if !str.HasPrefix(name, "topology.") && name != "close" || name == "topology.open" {
		return 0, 0
	}
	topology, preference, handle := c.decoder.HandlesOf(input(in, inLen))
	if name == "topology.update" {
		return handle, 0
	}
	return max(topology, handle), preference
}
