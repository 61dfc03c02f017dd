package wire

import (
	"math"
	"unsafe"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// kind names the type of the next value, for messages.
func (d *Decoder) kind() string {
	switch c := d.look(); {
	case c == '{':
		return "an object"
	case c == '[':
		return "a list"
	case c == '"':
		return "a string"
	case c == 't' || c == 'f':
		return "a boolean"
	case c == 'n':
		return "null"
	case c == '-' || c-'0' <= 9:
		return "a number"
	}
	return "no value"
}

// wrongType reports that the next value should be something else, and skips it.
func (d *Decoder) wrongType(wanted string) {
	if d.look(); d.failed {
		return
	}
	off, kind := d.pos, d.kind()
	if d.skip(); d.failed {
		return
	}
	d.report(status.WrongType, off, "", "expected "+wanted+", found "+kind)
}

// integer reads a whole number between least and most: a JSON integer, or
// Extended JSON's $numberInt or $numberLong.
func (d *Decoder) integer(least, most int64) (v int64, ok bool) {
	if v, end := d.digits(d.pos, 18); end > 0 && d.ends(end) && v >= least && v <= most {
		d.pos = end
		return v, true
	}
	switch c := d.look(); {
	case d.failed:
		return 0, false
	case c == '{':
		return d.extendedInteger(least, most)
	case c != '-' && c-'0' > 9:
		d.wrongType("an integer")
		return 0, false
	}
	off := d.pos
	text, whole := d.scanNumber()
	if d.failed {
		return 0, false
	}
	if !whole {
		d.report(status.WrongType, off, "", "expected an integer, found "+quoteNumber(text))
		return 0, false
	}
	return d.inRange(off, text, least, most)
}

// digits reads the whole number ≥ 0 at a position, of at most so many digits, up
// to 18, as nearly all numbers are. end is behind it, and in the document; it is
// 0 for what needs a closer look.
func (d *Decoder) digits(from, most int) (v int64, end int) {
	i := from
	for i < len(d.in) && d.in[i]-'0' <= 9 && i-from <= most {
		v = v*10 + int64(d.in[i]-'0')
		i++
	}
	if n := i - from; n == 0 || n > most || n > 1 && d.in[from] == '0' || i == len(d.in) || d.failed {
		return 0, 0
	}
	return v, i
}

// nanoseconds reads up to six decimals of milliseconds and adds them.
func (d *Decoder) nanoseconds(ns int64, from int) (sum int64, end int) {
	i := from
	for unit := int64(1e5); i < len(d.in) && d.in[i]-'0' <= 9; unit /= 10 {
		if unit == 0 {
			return 0, 0 // to be rounded
		}
		ns += int64(d.in[i]-'0') * unit
		i++
	}
	if i == from || i == len(d.in) {
		return 0, 0
	}
	return ns, i
}

// ends reports whether what stands at a position, which is in the document, ends
// a number.
func (d *Decoder) ends(at int) bool {
	c := d.in[at]
	return c == ',' || c == '}' || c == ']' || c <= ' ' && isSpace>>c&1 != 0
}

func quoteNumber(text []byte) string { return cut(string(text)) }

func (d *Decoder) inRange(off int, text []byte, least, most int64) (int64, bool) {
	v, ok := decimal.Parse(alias(text))
	if !ok || v < least || v > most {
		d.report(status.OutOfRange, off, "", "expected an integer from "+decimal.String(least)+" to "+
			decimal.String(most)+", found "+quoteNumber(text))
		return 0, false
	}
	return v, true
}

// extendedInteger reads {"$numberInt": "1"}, {"$numberLong": "1"}.
func (d *Decoder) extendedInteger(least, most int64) (v int64, ok bool) {
	start := d.pos
	d.open()
	key, more := d.nextKey()
	if d.failed {
		return 0, false
	}
	if !more || key != "$numberInt" && key != "$numberLong" {
		d.report(status.WrongType, start, "", "expected an integer, found an object")
		if more {
			d.leaveObject(key, true)
		}
		return 0, false
	}
	if d.look() != '"' {
		d.wrongType("a string of digits")
		d.leaveObject(key, false)
		return 0, false
	}
	off := d.pos
	text := d.scanString()
	if d.failed {
		return 0, false
	}
	if key == "$numberInt" {
		least, most = max(least, math.MinInt32), min(most, math.MaxInt32)
	}
	if integerText(text) {
		v, ok = d.inRange(off, []byte(text), least, most)
	} else {
		d.report(status.WrongType, off, "", "expected a string of digits, found "+quote(text))
	}
	d.leaveObject(key, false)
	return v, ok && !d.failed
}

// leaveObject skips what is left of an object that should have had one key,
// which began at Decoder.key. If value is true, the value of that key is still to
// come.
func (d *Decoder) leaveObject(key string, value bool) {
	if d.failed {
		return
	}
	mark := len(d.keys)
	d.keys = append(d.keys, seenKey{key, d.key})
	if value {
		d.skip()
	}
	for n := 0; ; n++ {
		other, more := d.nextKey()
		if !more {
			break
		}
		if n == 0 {
			d.report(status.UnknownKey, d.key, "", "no other key may stand here")
		}
		d.keys = append(d.keys, seenKey{other, d.key})
		d.skip()
	}
	d.checkDuplicates(d.keys[mark:])
	d.keys = d.keys[:mark]
}

// integerText reports whether s is a decimal integer as JSON writes them.
func integerText(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	if s == "" || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return true
}

// decimalMS reads decimal milliseconds ≥ 0 into nanoseconds, exactly, rounding
// half-even.
func (d *Decoder) decimalMS() (ns int64, ok bool) {
	if ms, end := d.digits(d.pos, 12); end > 0 {
		ns = ms * 1e6
		if d.in[end] == '.' {
			ns, end = d.nanoseconds(ns, end+1)
		}
		if end > 0 && d.ends(end) {
			d.pos = end
			return ns, true
		}
	}
	text, off, ok := d.numberText()
	if !ok {
		return 0, false
	}
	if ns, ok = topology.ParseMS(text); !ok {
		d.report(status.OutOfRange, off, "", "expected milliseconds from 0 to 9223372036854, found "+quoteNumber(text))
	}
	return ns, ok
}

// numberText reads a number of any form as text, and where that stands. Extended JSON's $numberInt,
// $numberLong and $numberDouble are accepted, since saved replies and drivers
// write them.
func (d *Decoder) numberText() (text []byte, off int, ok bool) {
	switch c := d.look(); {
	case d.failed:
		return nil, 0, false
	case c == '{':
		return d.extendedNumber()
	case c != '-' && c-'0' > 9:
		d.wrongType("a number")
		return nil, 0, false
	}
	off = d.pos
	text, _ = d.scanNumber()
	return text, off, !d.failed
}

func (d *Decoder) extendedNumber() (text []byte, off int, ok bool) {
	start := d.pos
	d.open()
	key, more := d.nextKey()
	if d.failed {
		return nil, 0, false
	}
	if !more || key != "$numberInt" && key != "$numberLong" && key != "$numberDouble" {
		d.report(status.WrongType, start, "", "expected a number, found an object")
		if more {
			d.leaveObject(key, true)
		}
		return nil, 0, false
	}
	if d.look() != '"' {
		d.wrongType("a number in quotes")
		d.leaveObject(key, false)
		return nil, 0, false
	}
	off = d.pos
	s := d.scanString()
	inner := Decoder{in: unsafe.Slice(unsafe.StringData(s), len(s))} // only read
	text, whole := inner.scanNumber()
	if inner.failed || inner.pos != len(s) || !whole && key != "$numberDouble" {
		d.report(status.WrongType, off, "", "expected a number in quotes, found "+quote(s))
		d.leaveObject(key, false)
		return nil, 0, false
	}
	d.leaveObject(key, false)
	return text, off, !d.failed
}

// boolean reads true or false.
func (d *Decoder) boolean() (v, ok bool) {
	switch d.look() {
	case 't':
		d.scanWord("true")
		return true, !d.failed
	case 'f':
		d.scanWord("false")
		return false, !d.failed
	}
	d.wrongType("a boolean")
	return false, false
}

// text reads a string.
func (d *Decoder) text() (s string, ok bool) {
	if d.look() != '"' {
		d.wrongType("a string")
		return "", false
	}
	s = d.scanString()
	return s, !d.failed
}

// texts reads a list of text.
func (d *Decoder) texts(dst []string) []string {
	if !d.list("strings") {
		return dst
	}
	for d.more(']') {
		if s, ok := d.text(); ok {
			dst = append(dst, s)
		}
	}
	return dst
}
