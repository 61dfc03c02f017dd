package main

import "encoding/binary"

// Go's runtime.findfunctab: the entry of 4096 program counters is the number of
// their first function, and 16 bytes that say how many functions further each 256
// counters are. See runtime/symtab.go, type findfuncbucket.
const (
	entryBytes         = 20
	entriesPerFunction = 65536 / 4096
	leastEntries       = 1000 * entriesPerFunction // Go's runtime alone has more functions
)

// table is the place of entries of which number k is k/entriesPerFunction, and 0
// in its other bytes.
type table struct{ start, entries int }

func (t table) end() int { return t.start + t.entries*entryBytes }

// findTable returns the longest such table, if it is as long as a module of Go's
// has it.
func findTable(memory []byte) (longest table, found bool) {
	// A table begins with zeros, as the memory before it may; so the search is for
	// its first entry that is 1.
	for at := entriesPerFunction * entryBytes; at+entryBytes <= len(memory); at += 4 {
		if binary.LittleEndian.Uint32(memory[at:]) != 1 {
			continue
		}
		t := table{start: at - entriesPerFunction*entryBytes}
		for t.holds(memory) {
			t.entries++
		}
		if t.entries > longest.entries {
			longest = t
		}
	}
	return longest, longest.entries >= leastEntries
}

// holds reports whether the entry behind the table continues it.
func (t table) holds(memory []byte) bool {
	at := t.end()
	if at+entryBytes > len(memory) {
		return false
	}
	entry := memory[at : at+entryBytes]
	for _, b := range entry[4:] {
		if b != 0 {
			return false
		}
	}
	return binary.LittleEndian.Uint32(entry) == uint32(t.entries/entriesPerFunction)
}

// code is the body of a function without parameters that writes the table:
//
//	for k := 0; k != entries; k++ { memory32[start+20*k] = k / 16 }
func (t table) code() []byte {
	const (
		i32, empty              = 0x7f, 0x40
		loop, branchIf, end     = 0x03, 0x0d, 0x0b
		get, set, tee           = 0x20, 0x21, 0x22
		store, constant         = 0x36, 0x41
		add, mul, shift, differ = 0x6a, 0x6c, 0x76, 0x47
		alignOf4, local         = 2, 0
	)
	b := []byte{1, 1, i32, loop, empty} // one local variable: k
	b = append(b, get, local, constant, entryBytes, mul)
	b = append(b, get, local, constant, 4, shift)
	b = appendUnsigned(append(b, store, alignOf4), uint64(t.start))
	b = append(b, get, local, constant, 1, add, tee, local)
	b = appendSigned(append(b, constant), int64(t.entries))
	return append(b, differ, branchIf, 0, end, end)
}
