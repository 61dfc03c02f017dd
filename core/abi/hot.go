package abi

import (
	"unsafe"

	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

// The flags of rp_select: an operation, and RP_CHECKOUT.
const (
	flagOperation = 3
	flagCheckout  = 4
)

func flags(f uint32) (op selection.Operation, checkout, ok bool) {
	op = selection.Operation(f & flagOperation)
	return op, f&flagCheckout != 0, f <= flagOperation|flagCheckout && op <= selection.AggregateWithWriteStage
}

// recovered turns a panic into the status of a function that has no document.
func recovered(result *int32) {
	if recover() != nil {
		*result = int32(status.Internal)
	}
}

func (t *Table) selectOne(topology, preference, f uint32) int32 {
	op, checkout, ok := flags(f)
	if !ok {
		return int32(status.Argument)
	}
	tp, p := t.topology(topology), t.preference(preference)
	if tp == nil || p == nil {
		return int32(status.Handle)
	}
	id, code := tp.Select(p, op, checkout)
	if code != status.OK {
		return int32(code)
	}
	return id
}

func (t *Table) selectBatch(topology, preference, f uint32, ids []int32) int32 {
	op, checkout, ok := flags(f)
	if !ok || len(ids) > wire.MaxBatch {
		return int32(status.Argument)
	}
	tp, p := t.topology(topology), t.preference(preference)
	if tp == nil || p == nil {
		return int32(status.Handle)
	}
	if code := tp.SelectInto(ids, p, op, checkout); code != status.OK {
		return int32(code)
	}
	return int32(len(ids))
}

// SelectBatchPointers is SelectBatch for hosts that pass a pointer and a number
// of ids.
func (t *Table) SelectBatchPointers(topology, preference, f uint32, ids unsafe.Pointer, n uint32) int32 {
	if ids == nil && n > 0 || n > wire.MaxBatch {
		return int32(status.Argument)
	}
	var list []int32
	if n > 0 {
		list = unsafe.Slice((*int32)(ids), n)
	}
	return t.SelectBatch(topology, preference, f, list)
}

// Address is rp_address: it writes the normalised address of a server and
// returns its length, or a negative status. More than len(out) means that
// nothing was written.
func (t *Table) Address(topology, id uint32, out []byte) int32 {
	tp := t.topology(topology)
	if tp == nil {
		return int32(status.Handle)
	}
	address, ok := tp.Address(int32(min(id, 1<<31-1)))
	if !ok {
		return int32(status.Argument)
	}
	if len(address) <= len(out) {
		copy(out, address)
	}
	return int32(len(address))
}

// AddressPointers is Address for hosts that pass a pointer and a capacity.
func (t *Table) AddressPointers(topology, id uint32, out unsafe.Pointer, outCap uint64) int32 {
	if out == nil && outCap > 0 {
		return int32(status.Argument)
	}
	return t.Address(topology, id, buffer(out, outCap))
}

// Release is rp_release: one operation on this server has ended.
func (t *Table) Release(topology, id uint32) int32 {
	tp := t.topology(topology)
	if tp == nil {
		return int32(status.Handle)
	}
	if !tp.Release(int32(min(id, 1<<31-1))) {
		return int32(status.Argument)
	}
	return 0
}

// Generation is rp_generation: it changes with every accepted description, and
// is 0 for a bad handle.
func (t *Table) Generation(topology uint32) uint32 {
	tp := t.topology(topology)
	if tp == nil {
		return 0
	}
	return tp.Generation()
}

func buffer(out unsafe.Pointer, outCap uint64) []byte {
	if out == nil || outCap == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(out), min(outCap, 1<<31-1))
}
