// Command testee-wazero is the conformance testee of readpref.wasm under
// wazero; docs/testee.md describes what it speaks on its standard streams.
//
// The module is $READPREF_WASM, else readpref.wasm beside this program, else
// build/readpref.wasm. Compiled code is kept in $READPREF_WASM_CACHE, else in
// the user's cache directory.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/readpref/readpref/wasm/host"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	In     string          `json:"in"`
	InB64  []byte          `json:"in_b64"`
	Via    string          `json:"via"`
	Probe  string          `json:"probe"`
}

type answer struct {
	ID     json.RawMessage `json:"id"`
	Status int32           `json:"status"`
	Out    string          `json:"out"`
}

func main() {
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testee-wazero:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer) error {
	module, err := readModule()
	if err != nil {
		return err
	}
	h, err := host.Open(ctx, module, host.Options{CacheDir: cacheDir()})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	lines := bufio.NewReaderSize(in, 1<<16)
	encoder := json.NewEncoder(out) // one write, hence one flush, per line
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		a, err := serve(ctx, h, line)
		if err != nil {
			return err
		}
		if err := encoder.Encode(a); err != nil {
			return err
		}
	}
}

func serve(ctx context.Context, h *host.Host, line []byte) (answer, error) {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return answer{}, fmt.Errorf("request: %w", err)
	}
	var document host.Answer
	var err error
	switch {
	case r.Probe != "":
		document, err = probe(ctx, h, r.Probe)
	case r.Via != "" && r.Via != "raw":
		err = fmt.Errorf("via %q: this runtime has the raw call only", r.Via)
	case r.InB64 != nil:
		document, err = h.Call(ctx, r.Method, r.InB64)
	default:
		document, err = h.Call(ctx, r.Method, []byte(r.In))
	}
	if err != nil {
		return answer{}, err
	}
	status, err := statusOf(document)
	return answer{ID: r.ID, Status: status, Out: string(document.Document)}, err
}

// statusOf is the number that an error document carries, 0 for an answer.
func statusOf(a host.Answer) (int32, error) {
	if !a.IsError {
		return 0, nil
	}
	var document struct {
		Error struct{ Status int32 }
	}
	err := json.Unmarshal(a.Document, &document)
	return document.Error.Status, err
}
