//go:build !wasip1 && !readpref_boundary

package ejson

import (
	"math"
	"strconv"

	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"

	"github.com/readpref/readpref/core/status"
)

// Int64 is a whole number that is written plainly and read in each form that
// docs/json.md allows. The zero value stands for absent.
type Int64 int64

// IsDefined makes omitempty leave out a 0.
func (n Int64) IsDefined() bool { return n != 0 }

// MarshalEasyJSON implements easyjson.Marshaler.
func (n Int64) MarshalEasyJSON(w *jwriter.Writer) { w.Int64(int64(n)) }

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (n *Int64) UnmarshalEasyJSON(l *jlexer.Lexer) {
	if !Null(l) {
		*n = Int64(Integer(l))
	}
}

// Integer reads a JSON integer, {"$numberInt": "1"} or {"$numberLong": "1"}.
func Integer(l *jlexer.Lexer) int64 {
	if !l.IsDelim('{') {
		return parseInteger(l, string(l.Raw()), math.MinInt64, math.MaxInt64)
	}
	var v int64
	Sole(l, func(key string) {
		switch key {
		case "$numberInt":
			v = parseInteger(l, l.String(), math.MinInt32, math.MaxInt32)
		case "$numberLong":
			v = parseInteger(l, l.String(), math.MinInt64, math.MaxInt64)
		default:
			Unknown(l, key)
		}
	})
	return v
}

// Sole reads an object of exactly one key.
func Sole(l *jlexer.Lexer, field func(key string)) {
	n := 0
	Object(l, func(key string) {
		if n++; n > 1 {
			Unknown(l, key)
			return
		}
		field(key)
	})
	if n == 0 {
		Fail(l, status.WrongType, "an object without a key")
	}
}

func parseInteger(l *jlexer.Lexer, text string, least, most int64) int64 {
	if !l.Ok() {
		return 0
	}
	if whole, ok := number(text); !ok || !whole {
		Fail(l, status.WrongType, "expected an integer, found "+Quote(text))
		return 0
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < least || v > most {
		Fail(l, status.OutOfRange, "the integer "+Quote(text)+" is out of range")
		return 0
	}
	return v
}

// Decimal reads the text of a JSON number, also in the forms {"$numberInt"},
// {"$numberLong"} and {"$numberDouble"}. It is nil after an error.
func Decimal(l *jlexer.Lexer) []byte {
	var text string
	if l.IsDelim('{') {
		Sole(l, func(key string) {
			switch key {
			case "$numberInt", "$numberLong", "$numberDouble":
				text = l.String()
			default:
				Unknown(l, key)
			}
		})
	} else {
		text = string(l.Raw())
	}
	if !l.Ok() {
		return nil
	}
	if _, ok := number(text); !ok {
		Fail(l, status.WrongType, "expected a number, found "+Quote(text))
		return nil
	}
	return []byte(text)
}

// number reports whether s is a number as RFC 8259 writes them, and a whole
// one: easyjson's lexer also lets 01 and 1. pass.
func number(s string) (whole, ok bool) {
	digits := func() bool {
		n := 0
		for n < len(s) && s[n]-'0' <= 9 {
			n++
		}
		s = s[n:]
		return n > 0
	}
	next := func(set string) bool {
		for i := 0; i < len(set) && s != ""; i++ {
			if s[0] == set[i] {
				s = s[1:]
				return true
			}
		}
		return false
	}
	next("-")
	if !next("0") && !digits() {
		return false, false
	}
	whole = true
	if next(".") {
		if whole = false; !digits() {
			return false, false
		}
	}
	if next("eE") {
		next("+-")
		if whole = false; !digits() {
			return false, false
		}
	}
	return whole, s == ""
}
