package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Go's table of functions, as runtime/symtab.go reads it: type pcHeader, and from
// there the list of functions, each of type _func in runtime/runtime2.go. The
// module data, type moduledata, begins with the header's address.
var headerMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

const (
	headerFunctions = 8  // where the header has the number of functions,
	headerNames     = 32 // and where, from the header, the names begin,
	headerUnits     = 40 // the table of compilation units,
	headerFiles     = 48 // that of files,
	headerTables    = 56 // those over program counters,
	headerList      = 64 // and the list of functions
	headerBytes     = 72

	moduleNames = 8      // the address of the names again
	moduleData  = 40 * 8 // that of what functions have beside the tables

	funcName      = 4
	funcStack     = 16 // the table of stack depths
	funcFile      = 20 // of files
	funcLine      = 24 // of lines
	funcDataCount = 28 // the number of other tables, which stand behind the fixed part
	funcFirstLine = 36 // the line where the function begins
	funcID        = 40
	funcMore      = 43 // the number of what stands behind the other tables
	funcBytes     = 44

	// Of the other tables, by internal/abi/symtab.go: those of inlined calls and of
	// living arguments. What is beside the tables: the inlined calls, and the places of the arguments.
	tableInlined, tableLiving                   = 2, 3
	moreInlined, moreArguments, moreLiving, not = 3, 5, 6, 0xffffffff

	inlinedBytes = 16 // of an inlined call, type inlinedCall in runtime/symtabinl.go
)

var errNoFunctions = errors.New("no table of functions found as Go 1.26 makes it: has Go's linker changed?")

// dropTraces takes out what only the trace of a panic shows beside the names of
// functions: their files and lines, the calls that were inlined, and arguments.
// What the collector and the unwinder read stays. recover counts inlined calls too, but
// the compiler inlines no function that calls it.
func dropTraces(memory []byte) error {
	f, err := findFunctions(memory)
	if err != nil {
		return err
	}
	for k := range f.count {
		if err := f.strip(k); err != nil {
			return err
		}
	}
	for at := range f.kept {
		if at < uint64(len(f.gone)) && f.gone[at] {
			return errNoFunctions // inlined calls would be in the place of something else
		}
	}
	clearUnused(f.names, f.usedNames)
	clearUnused(f.tables, f.usedTables)
	clear(f.files)
	return nil
}

func clearUnused(b []byte, used []bool) {
	for i := range b {
		if !used[i] {
			b[i] = 0
		}
	}
}

// functions are the parts of Go's table.
type functions struct {
	count  uint64
	names  []byte
	files  []byte // with their compilation units
	tables []byte
	list   []byte
	beside []byte // what functions have beside the tables

	usedNames, usedTables []bool

	kept map[uint64]bool // what begins there beside the tables is needed
	gone []bool          // bytes beside the tables that are not
}

func findFunctions(memory []byte) (*functions, error) {
	start := bytes.Index(memory, headerMagic)
	if start < 0 || len(memory)-start < headerBytes || bytes.Contains(memory[start+1:], headerMagic) {
		return nil, errNoFunctions
	}
	h := memory[start:]
	field := func(i int) uint64 { return binary.LittleEndian.Uint64(h[i:]) }
	names, units, files, tables, list := field(headerNames), field(headerUnits), field(headerFiles), field(headerTables), field(headerList)
	if !(headerBytes <= names && names < units && units <= files && files <= tables && tables < list && list < uint64(len(h))) {
		return nil, errNoFunctions
	}
	module := binary.LittleEndian.AppendUint64(nil, uint64(start))
	module = binary.LittleEndian.AppendUint64(module, uint64(start)+names)
	at := bytes.Index(memory, module)
	if at < 0 || len(memory)-at < moduleData+8 || bytes.Contains(memory[at+1:], module) {
		return nil, errNoFunctions
	}
	beside := binary.LittleEndian.Uint64(memory[at+moduleData:])
	f := &functions{count: field(headerFunctions), names: h[names:units:units], files: h[units:tables:tables], tables: h[tables:list:list], list: h[list:]}
	if f.count > uint64(len(f.list))/8 || beside >= uint64(len(memory)) {
		return nil, errNoFunctions
	}
	f.beside = memory[beside:]
	f.kept, f.gone = map[uint64]bool{}, make([]bool, len(f.beside))
	f.usedNames, f.usedTables = make([]bool, len(f.names)), make([]bool, len(f.tables))
	f.usedTables[0] = true // table 0 means none
	return f, nil
}

// strip makes function k forget what only a trace shows, and marks what it needs.
func (f *functions) strip(k uint64) error {
	offset := uint64(binary.LittleEndian.Uint32(f.list[8*k+4:])) // behind that of its first counter
	if offset+funcBytes > uint64(len(f.list)) {
		return errNoFunctions
	}
	is := f.list[offset:]
	tables, more := uint64(binary.LittleEndian.Uint32(is[funcDataCount:])), uint64(is[funcMore])
	if funcBytes+4*(tables+more) > uint64(len(is)) {
		return errNoFunctions
	}
	name := uint64(binary.LittleEndian.Uint32(is[funcName:]))
	if name >= uint64(len(f.names)) {
		return errNoFunctions
	}
	for i := name; i < uint64(len(f.names)) && f.names[i] != 0; i++ {
		f.usedNames[i] = true
	}
	if err := f.keep(is[funcStack:]); err != nil {
		return err
	}
	clear(is[funcFile:funcDataCount])
	clear(is[funcFirstLine:funcID])
	calls := uint64(0)
	for i := range tables {
		table := is[funcBytes+4*i:]
		switch i {
		case tableInlined:
			most, err := f.most(table)
			if err != nil {
				return err
			}
			calls = uint64(most + 1)
			clear(table[:4])
		case tableLiving:
			clear(table[:4])
		default:
			if err := f.keep(table); err != nil {
				return err
			}
		}
	}
	for i := range more {
		data := is[funcBytes+4*(tables+i):]
		at := uint64(binary.LittleEndian.Uint32(data))
		if at == not {
			continue
		}
		switch i {
		case moreInlined:
			if at+calls*inlinedBytes > uint64(len(f.beside)) {
				return errNoFunctions
			}
			for b := range calls * inlinedBytes {
				f.beside[at+b], f.gone[at+b] = 0, true
			}
			fallthrough
		case moreArguments, moreLiving:
			binary.LittleEndian.PutUint32(data, not)
		default:
			f.kept[at] = true
		}
	}
	return nil
}

// keep marks the table whose offset is at the beginning of b.
func (f *functions) keep(b []byte) error {
	return f.walk(b, func(at int) { f.usedTables[at] = true }, func(int32) {})
}

// most returns the greatest value in a table, -1 where there is none.
func (f *functions) most(b []byte) (most int32, err error) {
	most = -1
	err = f.walk(b, func(int) {}, func(v int32) { most = max(most, v) })
	return most, err
}

// walk goes over a table: pairs of numbers, what to add to the value and how far
// it holds, until one begins with 0, but for the first.
func (f *functions) walk(b []byte, byteAt func(int), valueIs func(int32)) error {
	i := int(binary.LittleEndian.Uint32(b))
	value := int32(-1)
	for first := true; i != 0; first = false {
		if i >= len(f.tables) {
			return errNoFunctions
		}
		if f.tables[i] == 0 && !first {
			byteAt(i)
			return nil
		}
		for n := range 2 {
			var v uint32
			for shift, more := 0, true; more; shift += 7 {
				if i >= len(f.tables) {
					return errNoFunctions
				}
				byteAt(i)
				v |= uint32(f.tables[i]&0x7f) << shift
				more = f.tables[i] >= 0x80
				i++
			}
			if n == 0 {
				value += int32(-(v & 1) ^ v>>1)
				valueIs(value)
			}
		}
	}
	return nil
}
