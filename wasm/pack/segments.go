package main

import (
	"errors"
	"fmt"
)

// An active segment of memory 0 at a constant offset: all that Go makes.
const (
	kindActive   = 0
	opConstant   = 0x41
	opEnd        = 0x0b
	memoryLimit  = 64 << 20 // of data; Go's is a megabyte
	zerosToLeave = 8        // a run of zeros longer than this costs more than a segment's beginning
)

// image returns the memory that a data section makes.
func image(body []byte) ([]byte, error) {
	r := reader{b: body}
	var memory []byte
	for n := r.unsigned(); n > 0 && !r.short; n-- {
		if r.unsigned() != kindActive || r.byte() != opConstant {
			return nil, errors.New("a data segment is of a kind that Go does not make")
		}
		offset := r.signed()
		if r.byte() != opEnd {
			return nil, errors.New("a data segment's offset is no plain number")
		}
		data := r.take(r.unsigned())
		if offset < 0 || offset+int64(len(data)) > memoryLimit {
			return nil, fmt.Errorf("a data segment at %d", offset)
		}
		if more := int(offset) + len(data) - len(memory); more > 0 {
			memory = append(memory, make([]byte, more)...)
		}
		copy(memory[offset:], data)
	}
	if r.short {
		return nil, errShort
	}
	return memory, nil
}

// segments returns the data section that makes a memory. Memory is zero before.
func segments(memory []byte) []byte {
	var list []byte
	n := uint64(0)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end := at + 1 // behind the last byte that is not 0
		for i := end; i < len(memory) && i-end <= zerosToLeave; i++ {
			if memory[i] != 0 {
				end = i + 1
			}
		}
		list = appendSigned(append(list, kindActive, opConstant), int64(at))
		list = appendUnsigned(append(list, opEnd), uint64(end-at))
		list = append(list, memory[at:end]...)
		at = end
		n++
	}
	return append(appendUnsigned(nil, n), list...)
}
