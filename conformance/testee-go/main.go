// Command testee-go answers conformance requests with the Go engine in its own
// process: the raw ABI, and the typed API that Go programs use. The protocol is
// described in docs/testee.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"unsafe"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testee-go:", err)
		os.Exit(1)
	}
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	In     string          `json:"in"`
	InB64  []byte          `json:"in_b64"`
	Via    string          `json:"via"`
	Probe  string          `json:"probe"`
}

type response struct {
	ID     json.RawMessage `json:"id"`
	Status int32           `json:"status"`
	Out    string          `json:"out"`
}

func serve(r io.Reader, w io.Writer) error {
	in, out := bufio.NewReaderSize(r, 1<<16), bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	var c abi.Context
	open := newOpened()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err == io.EOF {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		var req request
		if err := json.Unmarshal(line, &req); err != nil {
			return fmt.Errorf("a line that is no request: %w", err)
		}
		document := req.InB64
		if document == nil {
			document = []byte(req.In)
		}
		res := response{ID: req.ID}
		switch {
		case req.Probe != "":
			res.Status, res.Out = probe(&c, req.Probe)
		case req.Via == "typed":
			res.Status, res.Out = typed(open, req.Method, document)
		default:
			answer, ok := c.Answer(req.Method, document)
			res.Status, res.Out = statusOf(answer, ok), string(answer)
		}
		if err := encoder.Encode(&res); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// statusOf reads the status back from an error document.
func statusOf(answer []byte, ok bool) int32 {
	if ok {
		return 0
	}
	var e struct {
		Error struct {
			Status int32 `json:"status"`
		} `json:"error"`
	}
	if json.Unmarshal(answer, &e) != nil {
		return int32(status.Internal)
	}
	return e.Error.Status
}

// probe makes the calls of a careless host.
func probe(c *abi.Context, name string) (int32, string) {
	const method = "build_info"
	out := make([]byte, 4096)
	m, empty := unsafe.Pointer(unsafe.StringData(method)), []byte("{}")
	in, o := unsafe.Pointer(&empty[0]), unsafe.Pointer(&out[0])
	var n int32
	switch name {
	case "nullMethod":
		n = c.CallPointers(nil, 6, in, 2, o, 4096)
	case "nullIn":
		n = c.CallPointers(m, uint64(len(method)), nil, 2, o, 4096)
	case "nullOut":
		n = c.CallPointers(m, uint64(len(method)), in, 2, nil, 4096)
		if n >= 0 { // an error document, which cannot be written anywhere
			return int32(status.Internal), "a null buffer with a capacity was accepted"
		}
		return 0, "ok"
	case "absurdLength":
		n = c.CallPointers(m, uint64(len(method)), in, wire.MaxDocumentBytes+1, o, 4096)
	case "emptyIn":
		n = c.CallPointers(unsafe.Pointer(unsafe.StringData("select")), 6, in, 0, o, 4096)
	case "shortOut", "askLength":
		return kept(c, m, uint64(len(method)), in, out, name == "askLength")
	default:
		return int32(status.Argument), "unknown probe"
	}
	if n >= 0 {
		return 0, string(out[:n])
	}
	return statusOf(out[:-n], false), string(out[:-n])
}

// kept checks that an answer that does not fit is not written, and that its
// length comes back either way.
func kept(c *abi.Context, m unsafe.Pointer, mLen uint64, in unsafe.Pointer, out []byte, ask bool) (int32, string) {
	whole := c.CallPointers(m, mLen, in, 2, unsafe.Pointer(&out[0]), uint64(len(out)))
	clear(out)
	var again int32
	if ask {
		again = c.CallPointers(m, mLen, in, 2, nil, 0)
	} else {
		again = c.CallPointers(m, mLen, in, 2, unsafe.Pointer(&out[0]), uint64(whole-1))
	}
	for _, b := range out {
		if b != 0 {
			return int32(status.Internal), "an answer that does not fit was written"
		}
	}
	if whole <= 0 || again != whole {
		return int32(status.Internal), "the length did not come back"
	}
	return 0, "ok"
}
