package wire

import (
	"unicode/utf8"
	"unsafe"

	"github.com/readpref/readpref/core/status"
)

// Decoder reads one document at a time and owns the memory behind it. The zero
// value is ready to use.
type Decoder struct {
	in    []byte
	pos   int
	depth int
	first [MaxDepth + 2]bool // the next key or element at this depth is the first
	key   int                // where the last key began

	arena []byte // strings that had escapes
	keys  []seenKey

	counted []bool // which servers have an operationCount, for updates

	failed  bool
	collect bool // go on after problems that are not about syntax
	fault   fault
	found   []fault
}

// fault is an error before its path is known.
type fault struct {
	code    status.Code
	off     int
	below   string // appended to the path: a key that is not there, an element
	message string
}

// start begins a document and checks what needs no structure.
func (d *Decoder) start(in []byte) {
	*d = Decoder{in: in, arena: d.arena[:0], keys: d.keys[:0], counted: d.counted[:0], found: d.found[:0]}
	switch {
	case len(in) > MaxDocumentBytes:
		d.in = in[:0]
		d.fail(status.DocumentTooLarge, 0, "the document is larger than 16 MiB")
	case len(in) == 0:
		d.fail(status.InvalidJSON, 0, "the document is empty")
	case !utf8.Valid(in):
		d.fail(status.InvalidUTF8, invalidUTF8Offset(in), "the document is not UTF-8")
	}
}

func invalidUTF8Offset(in []byte) int {
	for i := 0; i < len(in); {
		r, n := utf8.DecodeRune(in[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(in)
}

// end checks that nothing follows the document and returns its error.
func (d *Decoder) end() *status.Error {
	if !d.failed {
		if d.space(); d.pos < len(d.in) {
			d.fail(status.InvalidJSON, d.pos, "text after the document")
		}
	}
	if !d.failed {
		return nil
	}
	return d.fault.error(&pathFinder{in: d.in})
}

// error turns a fault into an error with its path.
func (f *fault) error(find *pathFinder) *status.Error {
	return &status.Error{Code: f.code, Message: f.message, Path: string(find.appendPath(nil, f.off, f.below))}
}

// fail stops the decoder: nothing after a syntax error can be trusted.
//
//go:noinline
func (d *Decoder) fail(code status.Code, off int, message string) {
	if !d.failed {
		d.failed = true
		d.fault = fault{code: code, off: off, message: message}
	}
}

// full reports whether no further problem will be listed.
func (d *Decoder) full() bool { return len(d.found) == maxProblems }

// report records a problem with a value that was read or skipped. Unless
// problems are collected it stops the decoder.
//
//go:noinline
func (d *Decoder) report(code status.Code, off int, below, message string) {
	f := fault{code, off, below, message}
	switch {
	case d.failed:
	case d.collect && d.full():
	case d.collect:
		d.found = append(d.found, f)
	default:
		d.failed, d.fault = true, f
	}
}

const isSpace uint64 = 1<<' ' | 1<<'\n' | 1<<'\t' | 1<<'\r'

func (d *Decoder) space() {
	for d.pos < len(d.in) && d.in[d.pos] <= ' ' && isSpace>>d.in[d.pos]&1 != 0 {
		d.pos++
	}
}

// peek returns the first byte of the next token, 0 at the end or after a
// failure.
//
//go:noinline
func (d *Decoder) peek() byte { return d.look() }

// look is peek for those who are called for every value: it is inlined there.
func (d *Decoder) look() byte {
	if d.failed {
		return 0
	}
	d.space()
	if d.pos == len(d.in) {
		return 0
	}
	return d.in[d.pos]
}

// unexpected fails at the current position.
func (d *Decoder) unexpected(wanted string) {
	if d.pos >= len(d.in) {
		d.fail(status.InvalidJSON, len(d.in), "the document ends where "+wanted+" is expected")
		return
	}
	d.fail(status.InvalidJSON, d.pos, "expected "+wanted+", found "+quoteByte(d.in[d.pos:]))
}

// open enters an object or array whose bracket is next.
func (d *Decoder) open() {
	d.pos++
	d.depth++
	if d.depth > MaxDepth {
		d.fail(status.NestingTooDeep, d.pos-1, "more than 64 levels of nesting")
		return
	}
	d.first[d.depth] = true
}

// list enters the list that should be next.
//
//go:noinline
func (d *Decoder) list(what string) bool {
	if d.look() != '[' {
		d.wrongType("a list of " + what)
		return false
	}
	d.open()
	return true
}

// room fails where a list, or an object, has no room for the element that is next.
//
//go:noinline
func (d *Decoder) room(n, most int, message string) bool {
	if d.look(); n >= most {
		d.fail(status.LimitExceeded, d.pos, message)
	}
	return n < most
}

// more moves to the next key or element and reports whether there is one; it
// leaves the container at its closing bracket.
func (d *Decoder) more(closing byte) bool {
	c := d.look()
	if d.failed {
		return false
	}
	if c == closing {
		d.pos++
		d.depth--
		return false
	}
	if d.first[d.depth] {
		d.first[d.depth] = false
		return true
	}
	if c != ',' {
		if closing == '}' {
			d.unexpected("a comma or }")
		} else {
			d.unexpected("a comma or ]")
		}
		return false
	}
	d.pos++
	if d.look() == closing {
		d.fail(status.InvalidJSON, d.pos, "a comma before the closing bracket")
	}
	return !d.failed
}

// nextKey reads the next key of an object and its colon.
func (d *Decoder) nextKey() (key string, ok bool) {
	switch next := d.in[min(d.pos, len(d.in)):]; {
	case d.failed:
		return "", false
	case len(next) > 1 && next[0] == ',' && next[1] == '"' && !d.first[d.depth]: // without white space, as most are
		d.pos++
	case !d.more('}'):
		return "", false
	case d.look() != '"':
		d.unexpected("a key in quotes")
		return "", false
	}
	d.key = d.pos
	key = d.scanString()
	if d.pos < len(d.in) && d.in[d.pos] == ':' && !d.failed {
		d.pos++
		return key, true
	}
	if d.look() != ':' {
		d.unexpected("a colon")
		return "", false
	}
	d.pos++
	return key, true
}

// scanString reads a string whose quote is next.
func (d *Decoder) scanString() string {
	d.pos++
	from := d.pos
	if i := plainUntil(d.in, from); i < len(d.in) {
		switch d.in[i] {
		case '"':
			d.pos = i + 1
			return alias(d.in[from:i])
		case '\\':
			return d.scanEscaped(from, i)
		}
		d.fail(status.InvalidJSON, i, "a control character in a string must be escaped")
		return ""
	}
	d.fail(status.InvalidJSON, len(d.in), "the document ends inside a string")
	return ""
}

func (d *Decoder) scanEscaped(from, i int) string {
	n := len(d.arena)
	d.arena = append(d.arena, d.in[from:i]...)
	for i < len(d.in) {
		c := d.in[i]
		switch {
		case c == '"':
			d.pos = i + 1
			return alias(d.arena[n:len(d.arena):len(d.arena)])
		case c < 0x20:
			d.fail(status.InvalidJSON, i, "a control character in a string must be escaped")
			return ""
		case c != '\\':
			d.arena = append(d.arena, c)
			i++
			continue
		}
		var size int
		if d.arena, size = d.unescape(d.arena, i); size == 0 {
			return ""
		}
		i += size
	}
	d.fail(status.InvalidJSON, len(d.in), "the document ends inside a string")
	return ""
}

// unescape appends what the escape at i stands for and returns its length in
// the input, 0 after failing.
func (d *Decoder) unescape(dst []byte, i int) ([]byte, int) {
	if i+1 >= len(d.in) {
		d.fail(status.InvalidJSON, len(d.in), "the document ends inside a string")
		return dst, 0
	}
	switch c := d.in[i+1]; c {
	case '"', '\\', '/':
		return append(dst, c), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'n':
		return append(dst, '\n'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'u':
		return d.unescapeUnicode(dst, i)
	}
	d.fail(status.InvalidJSON, i, "an escape that JSON does not have")
	return dst, 0
}

func (d *Decoder) unescapeUnicode(dst []byte, i int) ([]byte, int) {
	r, ok := hex4(d.in[i+2:])
	if !ok {
		d.fail(status.InvalidJSON, i, `\u needs four hex digits`)
		return dst, 0
	}
	if r < 0xd800 || r > 0xdfff {
		return utf8.AppendRune(dst, r), 6
	}
	if r < 0xdc00 && len(d.in) > i+7 && d.in[i+6] == '\\' && d.in[i+7] == 'u' {
		if low, ok := hex4(d.in[i+8:]); ok && low >= 0xdc00 && low <= 0xdfff {
			return utf8.AppendRune(dst, (r-0xd800)<<10+(low-0xdc00)+0x10000), 12
		}
	}
	d.fail(status.InvalidUTF8, i, "half of a surrogate pair stands alone")
	return dst, 0
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// alias views bytes as a string without copying; see the package comment for
// how long that is valid.
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// scanNumber reads a number token as text.
func (d *Decoder) scanNumber() (text []byte, integer bool) {
	from, i := d.pos, d.pos
	digits := func() bool {
		n := i
		for i < len(d.in) && d.in[i]-'0' <= 9 {
			i++
		}
		return i > n
	}
	at := func(c byte) bool { return i < len(d.in) && d.in[i] == c }
	bad := func() ([]byte, bool) {
		d.fail(status.InvalidJSON, from, "a number that is not JSON")
		return nil, false
	}
	if at('-') {
		i++
	}
	if at('0') {
		i++
	} else if !digits() {
		return bad()
	}
	integer = true
	if at('.') {
		i++
		if integer = false; !digits() {
			return bad()
		}
	}
	if at('e') || at('E') {
		i++
		if at('+') || at('-') {
			i++
		}
		if integer = false; !digits() {
			return bad()
		}
	}
	if i < len(d.in) && wordByte(d.in[i]) {
		return bad()
	}
	d.pos = i
	return d.in[from:i], integer
}

func wordByte(c byte) bool {
	return c-'0' <= 9 || c|0x20-'a' < 26 || c == '.' || c == '+' || c == '-' || c == '_'
}

// scanWord reads true, false or null.
func (d *Decoder) scanWord(word string) {
	end := d.pos + len(word)
	if end > len(d.in) || string(d.in[d.pos:end]) != word || end < len(d.in) && wordByte(d.in[end]) {
		d.fail(status.InvalidJSON, d.pos, "a word that JSON does not have")
		return
	}
	d.pos = end
}

// seenKey is a key of an object that is being skipped.
type seenKey struct {
	key string
	off int
}

// skip reads any value and keeps nothing, but refuses duplicate keys.
func (d *Decoder) skip() {
	switch c := d.look(); {
	case d.failed:
	case c == '{':
		d.open()
		mark := len(d.keys)
		for {
			key, ok := d.nextKey()
			if !ok {
				break
			}
			d.keys = append(d.keys, seenKey{key, d.key})
			d.skip()
		}
		d.checkDuplicates(d.keys[mark:])
		d.keys = d.keys[:mark]
	case c == '[':
		d.open()
		for d.more(']') {
			d.skip()
		}
	case c == '"':
		d.scanString()
	case c == 't':
		d.scanWord("true")
	case c == 'f':
		d.scanWord("false")
	case c == 'n':
		d.scanWord("null")
	case c == '-' || c-'0' <= 9:
		d.scanNumber()
	default:
		d.unexpected("a value")
	}
}
