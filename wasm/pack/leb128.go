package main

import "errors"

var errShort = errors.New("the module ends too early")

// reader reads a module's numbers and bytes. Behind the end it returns zeros and
// remembers that it was short.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.short = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.short = true
		r.b = nil
		return nil
	}
	taken := r.b[:n:n]
	r.b = r.b[n:]
	return taken
}

// unsigned reads an unsigned LEB128 number.
func (r *reader) unsigned() uint64 {
	v, _ := r.number()
	return v
}

// signed reads a signed LEB128 number.
func (r *reader) signed() int64 {
	v, bits := r.number()
	if bits < 64 && v>>(bits-1) != 0 {
		v |= ^uint64(0) << bits
	}
	return int64(v)
}

func (r *reader) number() (v uint64, bits uint) {
	for {
		c := r.byte()
		v |= uint64(c&0x7f) << bits
		bits += 7
		if c < 0x80 {
			return v, bits
		}
		if bits > 63 {
			r.short = true
			return 0, bits
		}
	}
}

func appendUnsigned(dst []byte, v uint64) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

func appendSigned(dst []byte, v int64) []byte {
	for v < -64 || v >= 64 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v)&0x7f)
}
