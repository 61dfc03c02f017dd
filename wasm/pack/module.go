package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Sections of a module, by the WebAssembly core specification, "Binary Format".
const (
	sectionCustom   = 0
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionStart    = 8
	sectionElement  = 9
	sectionCode     = 10
	sectionData     = 11
)

var preamble = []byte("\x00asm\x01\x00\x00\x00")

type section struct {
	id   byte
	body []byte
}

// module is a module's sections, in order.
type module struct{ sections []section }

func parse(b []byte) (*module, error) {
	if !bytes.HasPrefix(b, preamble) {
		return nil, errors.New("not a WebAssembly module")
	}
	m := &module{}
	r := reader{b: b[len(preamble):]}
	for len(r.b) > 0 && !r.short {
		id := r.byte()
		m.sections = append(m.sections, section{id, r.take(r.unsigned())})
	}
	if r.short {
		return nil, errShort
	}
	return m, nil
}

func (m *module) write(out *bytes.Buffer) {
	out.Write(preamble)
	for _, s := range m.sections {
		out.WriteByte(s.id)
		out.Write(appendUnsigned(nil, uint64(len(s.body))))
		out.Write(s.body)
	}
}

// section returns a section's body, nil where there is none.
func (m *module) section(id byte) []byte {
	for _, s := range m.sections {
		if s.id == id {
			return s.body
		}
	}
	return nil
}

func (m *module) replace(id byte, body []byte) {
	for i := range m.sections {
		if m.sections[i].id == id {
			m.sections[i].body = body
		}
	}
}

// startWith adds a function without parameters and results, which runs when the
// module is instantiated. It comes behind all others, so no other function's
// number changes.
func (m *module) startWith(code []byte) error {
	if m.section(sectionStart) != nil {
		return errors.New("the module has a start function already")
	}
	imported, err := importedFunctions(m.section(sectionImport))
	if err != nil {
		return err
	}
	noParameters := []byte{0x60, 0, 0}
	types, err := vectorLength(m.section(sectionType))
	if err != nil {
		return err
	}
	own, err := vectorLength(m.section(sectionFunction))
	if err != nil {
		return err
	}
	for _, add := range []struct {
		to   byte
		item []byte
	}{
		{sectionType, noParameters},
		{sectionFunction, appendUnsigned(nil, types)},
		{sectionCode, append(appendUnsigned(nil, uint64(len(code))), code...)},
	} {
		longer, err := appendItem(m.section(add.to), add.item)
		if err != nil {
			return err
		}
		m.replace(add.to, longer)
	}
	at := slices.IndexFunc(m.sections, func(s section) bool { return s.id >= sectionElement })
	if at < 0 {
		return errors.New("the module has no code")
	}
	m.sections = slices.Insert(m.sections, at, section{sectionStart, appendUnsigned(nil, imported+own)})
	return nil
}

// importedFunctions counts the imports, which are all functions in what Go makes.
func importedFunctions(body []byte) (uint64, error) {
	if body == nil {
		return 0, nil
	}
	r := reader{b: body}
	n := r.unsigned()
	for i := uint64(0); i < n && !r.short; i++ {
		r.take(r.unsigned()) // module
		r.take(r.unsigned()) // name
		if kind := r.byte(); kind != 0 {
			return 0, fmt.Errorf("import %d is no function", i)
		}
		r.unsigned() // type
	}
	if r.short {
		return 0, errShort
	}
	return n, nil
}

func vectorLength(body []byte) (uint64, error) {
	r := reader{b: body}
	n := r.unsigned()
	if r.short {
		return 0, errShort
	}
	return n, nil
}

// appendItem returns a vector with one more item.
func appendItem(body, item []byte) ([]byte, error) {
	r := reader{b: body}
	n := r.unsigned()
	if r.short {
		return nil, errShort
	}
	longer := append(appendUnsigned(nil, n+1), r.b...)
	return append(longer, item...), nil
}
