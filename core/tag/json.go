//go:build !wasip1 && !readpref_boundary

package tag

import (
	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"

	"github.com/readpref/readpref/core/internal/ejson"
)

// MarshalJSON prints the set as an object of strings, in its order: {"dc":"ny"}.
func (s Set) MarshalJSON() ([]byte, error) { return ejson.Marshal(s) }

// UnmarshalJSON reads an object of strings with distinct keys and keeps its
// order. It replaces the whole set.
func (s *Set) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, s) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (s Set) MarshalEasyJSON(w *jwriter.Writer) {
	w.RawByte('{')
	for i, t := range s {
		if i > 0 {
			w.RawByte(',')
		}
		w.String(t.Name)
		w.RawByte(':')
		w.String(t.Value)
	}
	w.RawByte('}')
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (s *Set) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*s = nil
	if ejson.Null(l) {
		return
	}
	set := Set{}
	ejson.Object(l, func(name string) {
		set = append(set, Tag{Name: name, Value: l.String()})
	})
	*s = set
}
