package wire

import (
	"unsafe"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
)

// AppendString appends s as a JSON string. Escapes are the shortest that RFC
// 8259 needs, so that there is one spelling of every string.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	first := plainUntil(unsafe.Slice(unsafe.StringData(s), len(s)), 0) // only read
	from := 0
	for i := first; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// appendNamed appends a key, as it is written, and a string. Such pairs are many,
// and one call of less for each is many bytes of WebAssembly.
//
//go:noinline
func appendNamed(dst []byte, key, s string) []byte { return AppendString(str.Append(dst, key), s) }

// appendCounted appends a key, as it is written, and a number.
//
//go:noinline
func appendCounted(dst []byte, key string, v int64) []byte {
	return decimal.Append(str.Append(dst, key), v)
}

//go:noinline
func appendInt(dst []byte, v int64) []byte { return decimal.Append(dst, v) }

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}
