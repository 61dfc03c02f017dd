// Command pack makes readpref.wasm from what Go's linker made: the same module
// in fewer bytes.
//
//	pack linked.wasm packed.wasm
//
// Go finds the function of a program counter by a table of 20 bytes for each
// 4096 counters. On WebAssembly each function has 65,536 counters, so the table
// says of every function 16 times that it is the next: half a megabyte of
// memory, and a data segment of its own for each entry, since the linker leaves
// out zeros. That is a tenth of the file. The packed module has a start function
// of a few instructions, which writes the table when the module is instantiated,
// before anything else runs; so hosts see no difference.
//
// What only the trace of a panic shows goes as well (traces.go): it then names
// functions, and not files, lines and inlined calls. The rest of the data is cut into segments
// anew. Where a table is not what Go 1.26 makes, pack fails.
package main

import (
	"bytes"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack linked.wasm packed.wasm")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	linked, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	packed, err := pack(linked)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, packed, 0o644)
}

// pack returns the module with the table written by a start function.
func pack(linked []byte) ([]byte, error) {
	m, err := parse(linked)
	if err != nil {
		return nil, err
	}
	memory, err := image(m.section(sectionData))
	if err != nil {
		return nil, err
	}
	t, found := findTable(memory)
	if !found {
		return nil, fmt.Errorf("no table of program counters found: has Go's linker changed?")
	}
	clear(memory[t.start:t.end()])
	if err := dropTraces(memory); err != nil {
		return nil, err
	}
	m.replace(sectionData, segments(memory))
	if err := m.startWith(t.code()); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	m.write(&out)
	return out.Bytes(), nil
}
