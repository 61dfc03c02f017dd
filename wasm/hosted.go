//go:build wasip1

package main

// Exports for hosts that keep the table of handles themselves and one instance
// per topology: the portable C library (capi/portable). They are no part of the
// public ABI and may change with any release; see core/abi/hosted.go.

//go:wasmexport rp_open_as
func rpOpenAs(handle, in, inLen, out, capacity uint32) int32 {
	return context.OpenAsPointers(handle, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_close_as
func rpCloseAs(handle uint32) int32 { return handles.Displace(handle) }

//go:wasmexport rp_pick
func rpPick(preference, flags uint32) int32 { return handles.Pick(preference, flags) }

//go:wasmexport rp_reseed
func rpReseed(topology, low, high uint32) int32 {
	return handles.Reseed(topology, uint64(high)<<32|uint64(low))
}

// rpHandlesOf returns the topology's handle in the high half, the preference's
// in the low half.
//
//go:wasmexport rp_handles_of
func rpHandlesOf(method, methodLen, in, inLen uint32) uint64 {
	t, p := context.HandlesOfPointers(input.borrow(method, methodLen, maxMethod), uint64(methodLen), document(in, inLen), uint64(inLen))
	return uint64(t)<<32 | uint64(p)
}
