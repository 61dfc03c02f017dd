// Package abi is the boundary of readpref: the method registry and the one
// function behind rp_call, shared by the C library and the WebAssembly module,
// and open to Go programs that want documents in and documents out.
package abi

import (
	"math"
	"unsafe"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

//go:generate go run ./gen

// The ABI version. Hosts check a range: the same major, at least the minor they
// were written for.
const (
	Major = 1
	Minor = 0
)

// Version is what rp_abi_version returns.
const Version uint32 = Major<<16 | Minor

// Context holds the scratch memory of one caller; the zero value is ready to
// use. A Context serves one call at a time. In steady state a call of select
// allocates nothing.
type Context struct {
	// Table is what the handles of calls are looked up in; set it once, before
	// the first call. nil becomes a table of the Context's own.
	Table *Table

	decoder       wire.Decoder
	request       wire.Request
	selection     selection.Request
	selector      selection.Selector
	keepOnly      selection.KeepOnly
	deprioritized selection.AddressSet
	explanation   explain.Explanation
	hello         wire.HelloRequest
	validation    wire.Validation
	uri           wire.URIRequest
	srv           wire.SRVRequest
	rtt           wire.RTTRequest
	command       wire.CommandRequest
	effective     wire.EffectiveRequest
	open          wire.TopologyRequest
	extras        wire.Extras
	byHandle      wire.HandleRequest
	observation   wire.Observation
	failure       wire.Failure
	scan          wire.Scan
	scratch       cluster.Scratch
	answer        []byte
	room          int // for the answer of the call that runs
}

// Call runs a method on a document and writes its answer into out. It returns
// the answer's length, or minus the length of the error document; where that is
// more than len(out), nothing was written.
//
// A method that opens or changes something does nothing, and answers with the
// error status.Buffer, when its answer might not fit into out.
func (c *Context) Call(method string, in, out []byte) int32 {
	answer, ok := c.run(method, in, len(out))
	return deliver(answer, ok, out)
}

// Answer runs a method on a document and returns its answer, or its error
// document when ok is false. The bytes belong to the Context until its next
// call.
func (c *Context) Answer(method string, in []byte) (answer []byte, ok bool) {
	return c.run(method, in, math.MaxInt32)
}

// run runs a method for an answer buffer of a size.
func (c *Context) run(method string, in []byte, room int) (answer []byte, ok bool) {
	c.room = room
	defer func() {
		if p := recover(); p != nil {
			answer, ok = c.refuse(status.New(status.Internal, "", "a fault inside readpref"+panicText(p)))
		}
	}()
	if len(method) > maxMethodBytes {
		return c.refuse(longMethod())
	}
	for i := range registry {
		if registry[i].name == method {
			if registry[i].changes && room < MinBuffer {
				return c.refuse(smallBuffer(MinBuffer))
			}
			answer, err := registry[i].run(c, c.answer[:0], in)
			if err != nil {
				return c.refuse(err)
			}
			c.answer = answer
			return answer, true
		}
	}
	return c.refuse(unknownMethod(method))
}

// refuse makes an error document.
//
//go:noinline
func (c *Context) refuse(err *status.Error) ([]byte, bool) {
	c.answer = wire.AppendError(c.answer[:0], err)
	return c.answer, false
}

// panicText tells what is known of a panic without fmt.
func panicText(p any) string {
	switch v := p.(type) {
	case error:
		return ": " + v.Error()
	case string:
		return ": " + v
	}
	return ""
}

//go:noinline
func deliver(answer []byte, ok bool, out []byte) int32 {
	if len(answer) <= len(out) {
		copy(out, answer)
	}
	if !ok {
		return -int32(len(answer))
	}
	return int32(len(answer))
}

const maxMethodBytes = 64

func longMethod() *status.Error {
	return status.New(status.UnknownMethod, "", "a method name has at most 64 bytes")
}

// CallPointers is Call for hosts that pass pointers and lengths, which it checks
// first. A length of 0 needs no pointer: pass nil there, since Go may not be
// given an address that is none (Rust's empty slices have address 1).
func (c *Context) CallPointers(method unsafe.Pointer, methodLen uint64, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	room := buffer(out, outCap)
	if err := checkPointers(method, methodLen, in, inLen, out, outCap); err != nil {
		answer, _ := c.refuse(err)
		return deliver(answer, false, room)
	}
	name := ""
	if methodLen > 0 {
		name = unsafe.String((*byte)(method), methodLen)
	}
	return c.Call(name, input(in, inLen), room)
}

// checkPointers looks at no memory: a length that is absurd must not be read.
func checkPointers(method unsafe.Pointer, methodLen uint64, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) *status.Error {
	switch {
	case method == nil && methodLen > 0:
		return nullPointer("method")
	case in == nil && inLen > 0:
		return nullPointer("in")
	case out == nil && outCap > 0:
		return nullPointer("out")
	case methodLen > maxMethodBytes:
		return longMethod()
	}
	return checkInput(in, inLen)
}

//go:noinline
func nullPointer(name string) *status.Error {
	return status.New(status.Argument, name, name+" is null but has a length")
}

func checkInput(in unsafe.Pointer, inLen uint64) *status.Error {
	switch {
	case in == nil && inLen > 0:
		return nullPointer("in")
	case inLen > wire.MaxDocumentBytes:
		return status.New(status.DocumentTooLarge, "", "the document is larger than 16 MiB")
	}
	return nil
}

func input(in unsafe.Pointer, inLen uint64) []byte {
	if inLen == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(in), inLen)
}

// inTopology moves an error of a selection into the shard it is about.
func inTopology(e error, shard string, sharded bool) *status.Error {
	err := *e.(*status.Error)
	if rest, ok := str.CutPrefix(err.Path, "topology"); ok && sharded {
		err.Path = wire.ShardPath(shard) + rest
	}
	return &err
}
