// Package decimal reads and writes whole numbers in base 10. It stands in for
// strconv in what readpref.wasm links, whose floating-point formats and quoting
// come along with any use of it.
package decimal

import "math"

const maxDigits = 20 // of a uint64, or of an int64 and its sign

// Append appends v.
func Append(dst []byte, v int64) []byte {
	if v < 0 {
		return AppendUint(append(dst, '-'), -uint64(v))
	}
	return AppendUint(dst, uint64(v))
}

// AppendUint appends v.
func AppendUint(dst []byte, v uint64) []byte {
	if v < 10 {
		return append(dst, byte('0'+v))
	}
	var digits [maxDigits]byte
	at := maxDigits
	for v > 0 {
		at--
		digits[at] = byte('0' + v%10)
		v /= 10
	}
	return append(dst, digits[at:]...)
}

// String returns v as text.
//
//go:noinline
func String(v int64) string {
	var b [maxDigits]byte
	return string(Append(b[:0], v))
}

// Parse reads a whole number: digits, after a sign or none. ok is false for any
// other text and for what int64 does not hold.
func Parse(text string) (v int64, ok bool) {
	negative := false
	if text != "" && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if text == "" {
		return 0, false
	}
	var u uint64
	for i := 0; i < len(text); i++ {
		digit := text[i] - '0'
		if digit > 9 || u > math.MaxInt64/10 {
			return 0, false
		}
		u = u*10 + uint64(digit) // at most 2^63+1: it fits
	}
	if negative {
		return int64(-u), u <= 1<<63
	}
	return int64(u), u <= math.MaxInt64
}
