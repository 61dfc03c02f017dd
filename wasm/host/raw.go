package host

import "context"

// The module's functions as they are: for hosts that lay out memory themselves,
// and for tests of what a careless host might pass. Every error is a *TrapError
// but for ErrRefused.

// ABIVersion is rp_abi_version: major<<16 | minor.
func (i *Instance) ABIVersion(ctx context.Context) (uint32, error) {
	r, err := i.invoke(ctx, i.abiVersion.Call)
	return uint32(r), err
}

// Buffer is rp_buffer: the address of buffer 0 (in) or 1 (out) with room for n
// bytes, or ErrRefused. It invalidates the buffer's earlier address.
func (i *Instance) Buffer(ctx context.Context, which, n uint32) (uint32, error) {
	r, err := i.invoke(ctx, i.buffer.Call, uint64(which), uint64(n))
	if err == nil && r == 0 {
		err = ErrRefused
	}
	return uint32(r), err
}

// RawCall is rp_call: the length of the answer, or minus the length of the
// error document. More than capacity means that nothing was written.
func (i *Instance) RawCall(ctx context.Context, method, methodLen, in, inLen, out, capacity uint32) (int32, error) {
	r, err := i.invoke(ctx, i.call.Call,
		uint64(method), uint64(methodLen), uint64(in), uint64(inLen), uint64(out), uint64(capacity))
	return int32(r), err
}

// Read copies n bytes at an address out of the module's memory, and reports
// whether they were in it.
func (i *Instance) Read(address, n uint32) ([]byte, bool) {
	view, ok := i.memory.Read(address, n)
	return append([]byte(nil), view...), ok
}

// Write copies bytes into the module's memory, and reports whether they fitted.
func (i *Instance) Write(address uint32, b []byte) bool { return i.memory.Write(address, b) }

// MemorySize is the size of the module's memory in bytes. It never shrinks.
func (i *Instance) MemorySize() uint32 { return i.memory.Size() }

func (i *Instance) invoke(ctx context.Context, call func(context.Context, ...uint64) ([]uint64, error), args ...uint64) (uint64, error) {
	if i.trapped != nil {
		return 0, i.trapped // Go's runtime inside is in an unknown state
	}
	results, err := call(ctx, args...)
	if err != nil {
		i.trapped = &TrapError{Stderr: i.stderr.String(), cause: err}
		return 0, i.trapped
	}
	return results[0], nil
}
