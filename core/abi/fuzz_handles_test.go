package abi_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/status"
)

// A program is a list of calls: the function, two handles, flags, and the length
// and bytes of a document. A handle below 16 is the n-th that was opened, any
// other is a number that nobody gave. capi/portable/fuzz runs the same programs
// on the C library.
type fuzzCall struct {
	function, a, b, flags byte
	document              string
}

func program(calls ...fuzzCall) []byte {
	var p []byte
	for _, c := range calls {
		p = append(p, c.function, c.a, c.b, c.flags)
		p = binary.LittleEndian.AppendUint16(p, uint16(len(c.document)))
		p = append(p, c.document...)
	}
	return p
}

const (
	fuzzOpen = iota
	fuzzReadpref
	fuzzUpdate
	fuzzHello
	fuzzError
	fuzzSRV
	fuzzShutdown
	fuzzDescribe
	fuzzEvents
	fuzzAck
	fuzzExplain
	fuzzCommand
	fuzzSelect
	fuzzSelectEx
	fuzzBatch
	fuzzAddress
	fuzzRelease
	fuzzGeneration
	fuzzClose
	fuzzFunctions
)

// runProgram runs a program and returns what every call returned and wrote.
func runProgram(t *testing.T, p []byte) (results []int32, documents []string) {
	table := new(abi.Table)
	c := abi.Context{Table: table}
	var open [16]uint32
	next := 0
	for len(p) >= 6 && len(results) < 64 {
		function, a, b, flags := p[0]%fuzzFunctions, p[1], p[2], uint32(p[3])
		n := min(int(binary.LittleEndian.Uint16(p[4:])), len(p)-6)
		in := p[6 : 6+n]
		p = p[6+n:]
		handle := func(x byte) uint32 {
			if x < 16 {
				return open[x]
			}
			return uint32(x) * 0x01010101
		}
		h, g := handle(a), handle(b)
		out := make([]byte, 1<<16)
		var ids [4]int32
		var r int32
		isDocument := true // a negative result is the length of an error document
		switch function {
		case fuzzOpen, fuzzReadpref:
			if function == fuzzOpen {
				r = c.TopologyOpenPointers(at(in), uint64(len(in)), at(out), uint64(len(out)))
			} else {
				r = c.ReadprefOpenPointers(at(in), uint64(len(in)), at(out), uint64(len(out)))
			}
			if r > 0 {
				open[next%16] = uint32(r)
				next++
			}
		case fuzzUpdate:
			r = c.TopologyUpdatePointers(h, at(in), uint64(len(in)), at(out), uint64(len(out)))
		case fuzzHello:
			r = c.TopologyHelloPointers(h, at(in), uint64(len(in)), at(out), uint64(len(out)))
		case fuzzError:
			r = c.TopologyErrorPointers(h, at(in), uint64(len(in)), at(out), uint64(len(out)))
		case fuzzSRV:
			r = c.TopologySRVPointers(h, at(in), uint64(len(in)), at(out), uint64(len(out)))
		case fuzzShutdown:
			r = c.TopologyShutdownPointers(h, at(in), uint64(len(in)), at(out), uint64(len(out)))
		case fuzzDescribe:
			r = c.TopologyDescribePointers(h, at(out), uint64(len(out)))
		case fuzzEvents:
			r = c.TopologyEventsPointers(h, at(out), uint64(len(out)))
		case fuzzExplain:
			r = c.ExplainPointers(h, g, at(in), uint64(len(in)), at(out), uint64(len(out)))
		case fuzzCommand:
			r = c.CommandPointers(h, g, flags, at(in), uint64(len(in)), at(out), uint64(len(out)))
		default:
			isDocument = false
			switch function {
			case fuzzAck:
				r = table.EventsAck(h, flags)
			case fuzzSelect:
				r = table.Select(h, g, flags)
			case fuzzSelectEx:
				r = c.SelectExPointers(h, g, flags, at(in), uint64(len(in)))
			case fuzzBatch:
				r = table.SelectBatch(h, g, flags, ids[:])
			case fuzzAddress:
				r = table.Address(h, flags, out)
			case fuzzRelease:
				r = table.Release(h, flags)
			case fuzzGeneration:
				r = int32(table.Generation(h))
			case fuzzClose:
				r = table.Close(h)
			}
		}
		document := ""
		switch size := max(r, -r); {
		case isDocument && r < 0 && int(size) <= len(out):
			requireErrorDocument(t, out[:size])
			document = string(out[:size])
		case isDocument && r > 0 && int(size) <= len(out) && function != fuzzOpen && function != fuzzReadpref:
			document = string(out[:size])
		case !isDocument && r < 0 && function != fuzzGeneration:
			require.NotEqual(t, int32(status.Internal), r)
			require.NotEmpty(t, status.Code(r).String())
		}
		results, documents = append(results, r), append(documents, document)
	}
	return results, documents
}

// FuzzHandles runs programs of calls on handles: those that were opened, those
// that were closed, of the other kind, and numbers that nobody gave. Nothing
// crashes, errors are error documents, and the same program has the same results
// again.
func FuzzHandles(f *testing.F) {
	for _, p := range handlePrograms {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		results, documents := runProgram(t, p)
		again, documentsAgain := runProgram(t, p)
		require.Equal(t, results, again)
		require.Equal(t, documents, documentsAgain)
	})
}

// handlePrograms are the seeds.
var handlePrograms = [][]byte{
	program(fuzzCall{fuzzOpen, 0, 0, 0, twoMongoses}, fuzzCall{fuzzReadpref, 0, 0, 0, nearest}, fuzzCall{fuzzSelect, 0, 1, 4, ""},
		fuzzCall{fuzzBatch, 0, 1, 0, ""}, fuzzCall{fuzzAddress, 0, 0, 0, ""}, fuzzCall{fuzzRelease, 0, 0, 0, ""}, fuzzCall{fuzzExplain, 0, 1, 0, "{}"},
		fuzzCall{fuzzCommand, 0, 1, 0, "{}"}, fuzzCall{fuzzDescribe, 0, 0, 0, ""}, fuzzCall{fuzzClose, 0, 0, 0, ""}, fuzzCall{fuzzSelect, 0, 1, 0, ""}),
	program(fuzzCall{fuzzOpen, 0, 0, 0, twoMongoses}, fuzzCall{fuzzReadpref, 0, 0, 0, tooSmall}, fuzzCall{fuzzUpdate, 0, 0, 0, `{"topology":{"servers":[]}}`},
		fuzzCall{fuzzSelect, 0, 1, 0, ""}, fuzzCall{fuzzSelect, 1, 0, 0, ""}, fuzzCall{fuzzSelectEx, 0, 1, 0, `{"deprioritized":["a"]}`}, fuzzCall{fuzzClose, 255, 0, 0, ""}),
	program(fuzzCall{fuzzOpen, 0, 0, 0, discovered}, fuzzCall{fuzzHello, 0, 0, 0, `{"address":"a.example","hello":{"ok":1,"isWritablePrimary":true,"setName":"rs0","hosts":["a.example"],"maxWireVersion":25},"roundTripTimeMS":1}`},
		fuzzCall{fuzzEvents, 0, 0, 0, ""}, fuzzCall{fuzzAck, 0, 0, 3, ""}, fuzzCall{fuzzError, 0, 0, 0, `{"address":"a.example","kind":"network"}`},
		fuzzCall{fuzzDescribe, 0, 0, 0, ""}, fuzzCall{fuzzShutdown, 0, 0, 0, "{}"}, fuzzCall{fuzzGeneration, 0, 0, 0, ""}),
	program(fuzzCall{fuzzSelect, 16, 32, 255, ""}, fuzzCall{fuzzDescribe, 99, 0, 0, ""}, fuzzCall{fuzzSRV, 200, 0, 0, `{"srv":[]}`}),
}

// What the fuzzer starts from does reach open handles.
func TestHandlePrograms(t *testing.T) {
	results, _ := runProgram(t, handlePrograms[0])
	require.Len(t, results, 11)
	for i, r := range results[:10] {
		require.GreaterOrEqual(t, r, int32(0), i)
	}
	require.Equal(t, int32(status.Handle), results[10], "a closed topology")
}
