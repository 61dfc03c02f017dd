//go:build wasip1

package main

import "unsafe"

// The functions on handles. Inputs are read from buffer 0, answers and ids are
// written into buffer 1; see main.go and readpref.h.

//go:wasmexport rp_topology_open
func rpTopologyOpen(in, inLen, out, capacity uint32) int32 {
	return context.TopologyOpenPointers(document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_update
func rpTopologyUpdate(topology, in, inLen, out, capacity uint32) int32 {
	return context.TopologyUpdatePointers(topology, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_describe
func rpTopologyDescribe(topology, out, capacity uint32) int32 {
	return context.TopologyDescribePointers(topology, output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_hello
func rpTopologyHello(topology, in, inLen, out, capacity uint32) int32 {
	return context.TopologyHelloPointers(topology, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_error
func rpTopologyError(topology, in, inLen, out, capacity uint32) int32 {
	return context.TopologyErrorPointers(topology, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_srv
func rpTopologySRV(topology, in, inLen, out, capacity uint32) int32 {
	return context.TopologySRVPointers(topology, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_shutdown
func rpTopologyShutdown(topology, in, inLen, out, capacity uint32) int32 {
	return context.TopologyShutdownPointers(topology, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_events
func rpTopologyEvents(topology, out, capacity uint32) int32 {
	return context.TopologyEventsPointers(topology, output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_topology_events_ack
func rpTopologyEventsAck(topology, upto uint32) int32 { return handles.EventsAck(topology, upto) }

//go:wasmexport rp_readpref_open
func rpReadprefOpen(in, inLen, out, capacity uint32) int32 {
	return context.ReadprefOpenPointers(document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_select
func rpSelect(topology, preference, flags uint32) int32 {
	return handles.Select(topology, preference, flags)
}

//go:wasmexport rp_select_ex
func rpSelectEx(topology, preference, flags, in, inLen uint32) int32 {
	return context.SelectExPointers(topology, preference, flags, document(in, inLen), uint64(inLen))
}

//go:wasmexport rp_select_batch
func rpSelectBatch(topology, preference, flags, ids, n uint32) int32 {
	bytes := uint64(n) * 4
	if ids%4 != 0 || bytes > maxAnswer {
		ids, bytes = 0, 4 // as null: refused
	}
	return handles.SelectBatchPointers(topology, preference, flags, output.at(ids, uint32(bytes)), n)
}

//go:wasmexport rp_explain
func rpExplain(topology, preference, in, inLen, out, capacity uint32) int32 {
	return context.ExplainPointers(topology, preference, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_command
func rpCommand(topology, preference, id, in, inLen, out, capacity uint32) int32 {
	return context.CommandPointers(topology, preference, id, document(in, inLen), uint64(inLen), output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_address
func rpAddress(topology, id, out, capacity uint32) int32 {
	return handles.AddressPointers(topology, id, output.at(out, capacity), uint64(capacity))
}

//go:wasmexport rp_release
func rpRelease(topology, id uint32) int32 { return handles.Release(topology, id) }

//go:wasmexport rp_generation
func rpGeneration(topology uint32) uint32 { return handles.Generation(topology) }

//go:wasmexport rp_close
func rpClose(handle uint32) int32 { return handles.Close(handle) }

func document(in, inLen uint32) unsafe.Pointer { return input.borrow(in, inLen, maxDocument) }
