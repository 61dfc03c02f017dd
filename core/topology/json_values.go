//go:build !wasip1 && !readpref_boundary

package topology

import (
	"strings"
	"time"

	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"

	"github.com/readpref/readpref/core/internal/ejson"
	"github.com/readpref/readpref/core/status"
)

// MarshalJSON prints decimal milliseconds with at most 6 decimals, null when
// unset.
func (r RTT) MarshalJSON() ([]byte, error) { return ejson.Marshal(r) }

// UnmarshalJSON reads decimal milliseconds ≥ 0 exactly, rounded half-even to the
// nanosecond; also $numberInt, $numberLong and $numberDouble. Null is unset.
func (r *RTT) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, r) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (r RTT) MarshalEasyJSON(w *jwriter.Writer) {
	if !r.ok {
		w.RawString("null")
		return
	}
	var text [32]byte
	w.Buffer.AppendBytes(AppendMS(text[:0], r.ns))
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (r *RTT) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*r = RTT{}
	if ejson.Null(l) {
		return
	}
	text := ejson.Decimal(l)
	if text == nil {
		return
	}
	ns, ok := ParseMS(text)
	if !ok {
		ejson.Fail(l, status.OutOfRange, "expected milliseconds from 0 to 9223372036854, found "+ejson.Quote(string(text)))
		return
	}
	*r = NewRTT(ns)
}

// MarshalJSON prints integer milliseconds since 1970, null when absent.
func (d Date) MarshalJSON() ([]byte, error) { return ejson.Marshal(d) }

// UnmarshalJSON reads integer milliseconds since 1970, {"$numberLong"}, or
// {"$date"} of either or of a string such as 2026-10-26T01:46:40.5Z. Null is absent.
func (d *Date) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, d) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (d Date) MarshalEasyJSON(w *jwriter.Writer) { Int{d.ms, d.ok}.MarshalEasyJSON(w) }

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (d *Date) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*d = Date{}
	switch {
	case ejson.Null(l):
	case l.IsDelim('{') && isDate(l):
		ejson.Sole(l, func(string) {
			if l.CurrentToken() == jlexer.TokenString {
				*d = parseDate(l, l.String())
			} else {
				*d = NewDate(ejson.Integer(l))
			}
		})
	default:
		*d = NewDate(ejson.Integer(l))
	}
}

// isDate looks ahead, with a lexer of its own, for the key $date.
func isDate(l *jlexer.Lexer) bool {
	look := jlexer.Lexer{Data: l.Data[l.GetPos():]}
	return !look.IsDelim('}') && look.String() == "$date"
}

// The offset of a time zone may lack its colon.
var dateLayouts = [...]string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700"}

func parseDate(l *jlexer.Lexer, s string) Date {
	for _, layout := range dateLayouts {
		t, err := time.Parse(layout, s)
		if err == nil && !strings.Contains(s, ",") { // which Go takes for a point
			return NewDate(t.UnixMilli())
		}
	}
	ejson.Fail(l, status.OutOfRange, "expected a date such as 2026-10-26T01:46:40Z, found "+ejson.Quote(s))
	return Date{}
}

// MarshalJSON prints the number, null when absent.
func (n Int) MarshalJSON() ([]byte, error) { return ejson.Marshal(n) }

// UnmarshalJSON reads an integer, {"$numberInt"} or {"$numberLong"}; null is
// absent.
func (n *Int) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, n) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (n Int) MarshalEasyJSON(w *jwriter.Writer) {
	if !n.ok {
		w.RawString("null")
		return
	}
	w.Int64(n.v)
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (n *Int) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*n = Int{}
	if !ejson.Null(l) {
		*n = NewInt(ejson.Integer(l))
	}
}

// MarshalJSON prints {"$oid": "24 hex digits"}, null when absent.
func (id ObjectID) MarshalJSON() ([]byte, error) { return ejson.Marshal(id) }

// UnmarshalJSON reads {"$oid": "24 hex digits"}; null is absent.
func (id *ObjectID) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, id) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (id ObjectID) MarshalEasyJSON(w *jwriter.Writer) {
	if !id.ok {
		w.RawString("null")
		return
	}
	var text [48]byte
	hex := id.AppendHex(append(text[:0], `{"$oid":"`...))
	w.Buffer.AppendBytes(append(hex, `"}`...))
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (id *ObjectID) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*id = ObjectID{}
	if ejson.Null(l) {
		return
	}
	ejson.Sole(l, func(key string) {
		if key != "$oid" {
			ejson.Unknown(l, key)
			return
		}
		s, ok := l.String(), false
		if *id, ok = ParseObjectID(s); l.Ok() && !ok {
			ejson.Fail(l, status.OutOfRange, "expected 24 hex digits, found "+ejson.Quote(s))
		}
	})
}

// MarshalJSON prints {"processId", "counter"}, null when absent.
func (v Version) MarshalJSON() ([]byte, error) { return ejson.Marshal(v) }

// UnmarshalJSON reads {"processId", "counter"}, both required; null is absent.
func (v *Version) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, v) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (v Version) MarshalEasyJSON(w *jwriter.Writer) {
	if !v.IsDefined() {
		w.RawString("null")
		return
	}
	w.RawString(`{"processId":`)
	v.ProcessID.MarshalEasyJSON(w)
	w.RawString(`,"counter":`)
	w.Int64(v.Counter)
	w.RawByte('}')
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (v *Version) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*v = Version{}
	if ejson.Null(l) {
		return
	}
	counted := false
	ejson.Object(l, func(key string) {
		switch key {
		case "processId":
			v.ProcessID.UnmarshalEasyJSON(l)
		case "counter":
			if !ejson.Null(l) {
				v.Counter, counted = ejson.Integer(l), true
			}
		default:
			ejson.Unknown(l, key)
		}
	})
	if l.Ok() && !(v.IsDefined() && counted) {
		ejson.Fail(l, status.MissingKey, `a topology version needs "processId" and "counter"`)
	}
}
