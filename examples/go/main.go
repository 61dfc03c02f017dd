// Command go shows readpref in a Go program: it describes a deployment from
// saved hello replies, selects a server for a read, and prints the choice and
// why. It connects to nothing.
//
//	go run ./examples/go
//	go run ./examples/go 'readPreference=nearest&readPreferenceTags=dc:sf&readPreferenceTags='
//	go run ./examples/go readPreference=secondary reply1.json reply2.json
//
// The first argument holds the options of a connection string; the others are
// files with one reply each, in the form of the files in replies/.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

//go:embed replies/*.json
var saved embed.FS

func main() {
	if err := run(os.Stdout, os.Args[1:], rand.Uint64()); err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, args []string, seed uint64) error {
	options := "readPreference=secondaryPreferred&readPreferenceTags=dc:ny&readPreferenceTags=&maxStalenessSeconds=90"
	if len(args) > 0 {
		options, args = args[0], args[1:]
	}
	preference, err := preferenceOf(out, options)
	if err != nil {
		return err
	}
	replies, err := read(args)
	if err != nil {
		return err
	}
	description, err := describe(replies)
	if err != nil {
		return err
	}
	return choose(out, description, preference, seed)
}

// preferenceOf reads connection string options; what they say in vain is a
// warning.
func preferenceOf(out io.Writer, options string) (readpref.Preference, error) {
	r := readpref.FromURIOptions(options)
	for _, w := range r.Warnings {
		fmt.Fprintf(out, "warning: %s: %s\n", w.Path, w.Message)
	}
	var problems []error
	for i := range r.Problems {
		problems = append(problems, &r.Problems[i])
	}
	return r.Preference, errors.Join(problems...)
}

// read returns the given files, or the replies in this program.
func read(files []string) ([][]byte, error) {
	var list [][]byte
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	if len(files) > 0 {
		return list, nil
	}
	entries, err := saved.ReadDir("replies")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		b, err := saved.ReadFile("replies/" + e.Name())
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}

// describe turns replies into a description. Its strings are parts of the
// replies, which must not change.
func describe(replies [][]byte) (*topology.Description, error) {
	var d topology.Description
	for _, reply := range replies {
		var decoder wire.Decoder // one for each: strings with escapes live in it
		var r wire.HelloRequest
		if err := decoder.HelloRequest(&r, reply); err != nil {
			return nil, err
		}
		server := d.Grow()
		sdam.Describe(server, &r.Check, &r.Hello)
		if server.SetName != "" {
			d.SetName = server.SetName
		}
	}
	d.Type = topology.DeriveType(d.Servers)
	return &d, nil
}

// choose selects, picks and explains.
func choose(out io.Writer, d *topology.Description, p readpref.Preference, seed uint64) error {
	request := &selection.Request{Topology: d, Preference: p, Options: selection.DefaultOptions()}
	var selector selection.Selector
	result, err := selector.Select(request)
	var e *status.Error
	if errors.As(err, &e) && e.Code == status.MaxStalenessTooSmall {
		return fmt.Errorf("%w; use %d", err, e.MinimumSeconds)
	}
	if err != nil {
		return err
	}
	rng := selection.SplitMix64(seed)
	chosen := selection.LeastBusyOfTwo.Choose(d, result.InLatencyWindow, &rng, 0)

	var why explain.Explanation
	why.Explain(request, result, selection.LeastBusyOfTwo, chosen)
	if chosen >= 0 {
		fmt.Fprintf(out, "read from %s: %s\n\n", d.Servers[chosen].Address, why.AppendWhy(nil, int(chosen)))
	} else {
		fmt.Fprintf(out, "no server: %s\n\n", explain.AppendNone(nil, request, result))
	}
	_, err = out.Write(why.AppendText(nil))
	return err
}
