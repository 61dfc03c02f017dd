package topology

import (
	"math"

	"github.com/readpref/readpref/core/internal/decimal"
)

// AppendMS appends nanoseconds ≥ 0 as decimal milliseconds: at most 6 decimals,
// no trailing zeros, no exponent.
func AppendMS(dst []byte, ns int64) []byte {
	dst = decimal.Append(dst, ns/1e6)
	frac := ns % 1e6
	if frac == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := int64(1e5); frac > 0; unit /= 10 {
		dst = append(dst, byte('0'+frac/unit))
		frac %= unit
	}
	return dst
}

// ParseMS reads a JSON number of milliseconds ≥ 0 into nanoseconds, exactly,
// rounding half-even. ok is false when it is negative or too large.
func ParseMS(text []byte) (ns int64, ok bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	mantissa, exponent := text, 0
	for i, c := range text {
		if c == 'e' || c == 'E' {
			mantissa = text[:i]
			exponent = parseExponent(text[i+1:])
			break
		}
	}
	point := len(mantissa)
	for i, c := range mantissa {
		if c == '.' {
			point = i
			break
		}
	}
	// The digit at position p, counted from the point (negative after it),
	// weighs 10^p ms; with the 6 places from ms to ns and the exponent, the
	// digits at p ≥ -6-exponent make the whole number.
	place := point - 1 + exponent + 6
	var v uint64
	var next byte      // the digit after the last place
	var rest, any bool // a digit behind that is not 0; any digit is not 0
	for i, c := range mantissa {
		if i == point {
			continue
		}
		digit := c - '0'
		any = any || digit != 0
		switch {
		case place >= 0:
			if digit != 0 && place > 19 || v > (math.MaxUint64-9)/10 {
				return 0, false
			}
			v = v*10 + uint64(digit)
		case place == -1:
			next = digit
		case digit != 0:
			rest = true
		}
		place--
	}
	if any && negative {
		return 0, false
	}
	for ; place >= 0 && v > 0; place-- {
		if v > (math.MaxUint64-9)/10 {
			return 0, false
		}
		v *= 10
	}
	if next > 5 || next == 5 && (rest || v&1 == 1) {
		v++
	}
	return int64(v), v <= math.MaxInt64
}

func parseExponent(text []byte) int {
	negative := text[0] == '-'
	if negative || text[0] == '+' {
		text = text[1:]
	}
	e := 0
	for _, c := range text {
		e = min(e*10+int(c-'0'), 1<<30) // a document is far shorter than that
	}
	if negative {
		return -e
	}
	return e
}
