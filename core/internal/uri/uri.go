// Package uri is what every reader of connection string options shares: pairs,
// percent-encoding, and the name that somebody meant.
//
// Specification: Connection String, "Connection Options".
package uri

import (
	"unicode/utf8"

	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/suggest"
)

// MaxListed bounds the warnings and problems that a reader lists: a hostile URI
// can hold millions.
const MaxListed = 100

// Pair is one name=value of a query, both decoded.
type Pair struct {
	Name, Value string
	// Problem says why the pair cannot be read; "" where it can. Name is then
	// what could be read of it.
	Problem string
}

// Next cuts the first pair off a query.
func Next(query string) (p Pair, rest string) {
	text, rest, _ := str.Cut(query, "&")
	rawName, rawValue, ok := str.Cut(text, "=")
	name, nameOK := Decode(rawName)
	p.Name = name
	if !ok || rawName == "" {
		p.Problem = `"` + Shorten(text) + `" is not name=value`
		return p, rest
	}
	value, valueOK := Decode(rawValue)
	p.Value = value
	if !nameOK || !valueOK {
		p.Problem = BadEscape
	}
	return p, rest
}

// BadEscape is the message of what Decode refuses.
const BadEscape = "% must be followed by two hex digits, and escapes must make UTF-8"

// Decode decodes %XX. It returns s and false where two hex digits do not
// follow, or where the escapes make what is no UTF-8. A plus sign stands for
// itself.
func Decode(s string) (decoded string, ok bool) {
	if str.IndexByte(s, '%') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if i+2 >= len(s) {
				return s, false
			}
			high, low := hexDigit(s[i+1]), hexDigit(s[i+2])
			if high|low > 15 {
				return s, false
			}
			c = high<<4 | low
			i += 2
		}
		b = append(b, c)
	}
	if !utf8.Valid(b) {
		return s, false
	}
	return string(b), true
}

// hexDigit returns the value of a digit, more than 15 where it is none.
func hexDigit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return (c | 0x20) - 'a' + 10
	}
	return 0xff
}

// AppendEncoded appends s with all but unreserved characters, colons and commas
// percent-encoded: what the value of an option may hold.
func AppendEncoded(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || str.IndexByte("-._~:,", c) >= 0 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// EqualFold compares ignoring the case of A to Z only: str.EqualFold would
// take the Kelvin sign for a k.
//
//go:noinline
func EqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		x, y := a[i], b[i]
		if x != y && (x|0x20 != y|0x20 || x|0x20-'a' >= 26) {
			return false
		}
	}
	return true
}

// Find returns the index of a name, in whatever case, or -1.
func Find(names []string, name string) int {
	for i, n := range names {
		if EqualFold(n, name) {
			return i
		}
	}
	return -1
}

// otherNames are names that people write for an option, those of older drivers
// among them, and that are not close to its own.
var otherNames = [...][2]string{
	{"slaveok", "readPreference"},
	{"j", "journal"},
	{"readpreferencetagsets", "readPreferenceTags"},
	{"acceptablelatencyms", "localThresholdMS"},
	{"secondaryacceptablelatencyms", "localThresholdMS"},
}

// Meant returns the option that an unknown name was probably meant to be, one
// of names or of an older driver's; "" where there is none.
func Meant(name string, names []string) string {
	for _, o := range otherNames {
		if EqualFold(name, o[0]) {
			return o[1]
		}
	}
	if len(name) < 3 {
		return "" // w is close to every letter
	}
	return suggest.Closest(name, names)
}

// Shorten makes a foreign text fit for a message.
func Shorten(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}
