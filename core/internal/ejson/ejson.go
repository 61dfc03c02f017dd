//go:build !wasip1 && !readpref_boundary

// Package ejson is what the json methods of the public types share: easyjson's
// lexer and writer, set up as docs/json.md wants, and the number forms of
// Extended JSON.
//
// It stays out of GOOS=wasip1, where core/wire is the only codec: easyjson would
// add a megabyte to the WebAssembly module.
package ejson

import (
	"strconv"
	"unicode/utf8"

	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"

	"github.com/readpref/readpref/core/status"
)

// Marshaler is easyjson.Marshaler, whose own package would link net/http.
type Marshaler interface{ MarshalEasyJSON(w *jwriter.Writer) }

// Unmarshaler is easyjson.Unmarshaler.
type Unmarshaler interface{ UnmarshalEasyJSON(l *jlexer.Lexer) }

// Marshal is MarshalJSON for a type that has MarshalEasyJSON.
func Marshal(v Marshaler) ([]byte, error) {
	var w jwriter.Writer
	Configure(&w)
	v.MarshalEasyJSON(&w)
	return w.BuildBytes()
}

// Configure makes w print as core/wire does: an empty list as [], and < > & as
// they are.
func Configure(w *jwriter.Writer) {
	w.NoEscapeHTML = true
	w.Flags |= jwriter.NilSliceAsEmpty
}

// Unmarshal is UnmarshalJSON for a type that has UnmarshalEasyJSON.
func Unmarshal(data []byte, v Unmarshaler) error {
	if !utf8.Valid(data) {
		return &status.Error{Code: status.InvalidUTF8, Message: "the document is not UTF-8"}
	}
	l := jlexer.Lexer{Data: data}
	v.UnmarshalEasyJSON(&l)
	l.Consumed()
	return l.Error()
}

// Null reads a null and reports whether there was one.
func Null(l *jlexer.Lexer) bool {
	if !l.IsNull() {
		return false
	}
	l.Skip()
	return true
}

// Absent is the value of a key that must not be there, or be null.
type Absent struct{}

// IsDefined makes omitempty leave the key out.
func (Absent) IsDefined() bool { return false }

// MarshalEasyJSON implements easyjson.Marshaler.
func (Absent) MarshalEasyJSON(w *jwriter.Writer) { w.RawString("null") }

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (*Absent) UnmarshalEasyJSON(l *jlexer.Lexer) {
	if !Null(l) {
		Fail(l, status.UnknownKey, "a saved hello is no server description")
	}
}

// Object calls field for each key of an object; field reads the value. A key
// that comes a second time is an error.
func Object(l *jlexer.Lexer, field func(key string)) {
	var seen keySet
	l.Delim('{')
	for l.Ok() && !l.IsDelim('}') {
		key := l.String()
		l.WantColon()
		if !l.Ok() {
			return
		}
		if !seen.add(key) {
			Fail(l, status.DuplicateKey, "the key "+Quote(key)+" is there twice")
			return
		}
		field(key)
		l.WantComma()
	}
	l.Delim('}')
}

// keySet is a list while it is short, as nearly every object is.
type keySet struct {
	n    int
	few  [8]string
	many map[string]struct{}
}

// add reports whether the key is new.
func (s *keySet) add(key string) bool {
	for _, k := range s.few[:s.n] {
		if k == key {
			return false
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = key
		s.n++
		return true
	}
	if _, twice := s.many[key]; twice {
		return false
	}
	if s.many == nil {
		s.many = map[string]struct{}{}
	}
	s.many[key] = struct{}{}
	return true
}

// Fail stops the lexer with an error.
func Fail(l *jlexer.Lexer, code status.Code, message string) {
	l.AddError(&status.Error{Code: code, Message: message})
}

// Unknown fails at a key that an object does not have.
func Unknown(l *jlexer.Lexer, key string) {
	Fail(l, status.UnknownKey, "unknown key "+Quote(key))
}

// Quote shows a caller's string in a message, cut to a readable length.
func Quote(s string) string {
	const most = 64
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.Quote(s)
}
