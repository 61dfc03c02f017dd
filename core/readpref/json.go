//go:build !wasip1 && !readpref_boundary

package readpref

import (
	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"

	"github.com/readpref/readpref/core/internal/ejson"
	"github.com/readpref/readpref/core/status"
)

//go:generate go tool easyjson -build_tags !wasip1,!readpref_boundary -no_std_marshalers -disallow_unknown_fields json.go
//go:generate go run ../internal/ejson/trim json_easyjson.go

// preferenceJSON is a Preference as its generated code sees it.
//
//easyjson:json
type preferenceJSON Preference

// MarshalJSON prints the normal form of the preference, byte for byte as
// readpref's other runtimes do, but that U+2028, U+2029 and the control
// characters \b and \f come out as \u escapes. (json.Marshal itself escapes < > &
// behind this.)
func (p Preference) MarshalJSON() ([]byte, error) { return ejson.Marshal(p) }

// UnmarshalJSON reads a $readPreference document and replaces the whole
// preference. Unknown keys are errors. It does not call Validate, and accepts a
// key of the preference that comes twice: the last one counts.
func (p *Preference) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, p) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (p Preference) MarshalEasyJSON(w *jwriter.Writer) {
	ejson.Configure(w)
	if p.Mode == Primary {
		p.TagSets = nil // sets that ask for nothing, and are never sent
	}
	preferenceJSON(p).MarshalEasyJSON(w)
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (p *Preference) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*p = Preference{}
	(*preferenceJSON)(p).UnmarshalEasyJSON(l)
}

// MarshalText returns the wire's spelling of the mode; a value that is no mode
// is an error.
func (m Mode) MarshalText() ([]byte, error) {
	if int(m) >= len(ModeNames) {
		return nil, &status.Error{Code: status.UnknownMode, Message: "the mode is none of the five"}
	}
	return []byte(ModeNames[m]), nil
}

// UnmarshalText reads the wire's spelling of a mode.
func (m *Mode) UnmarshalText(text []byte) error {
	v, ok := ParseMode(string(text))
	if !ok {
		return &status.Error{Code: status.UnknownMode, Message: "unknown read preference mode " + ejson.Quote(string(text))}
	}
	*m = v
	return nil
}

// MarshalJSON prints the number of seconds, null for no maximum.
func (m MaxStaleness) MarshalJSON() ([]byte, error) { return ejson.Marshal(m) }

// UnmarshalJSON reads a number of seconds; -1 and null are no maximum.
func (m *MaxStaleness) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, m) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (m MaxStaleness) MarshalEasyJSON(w *jwriter.Writer) {
	if !m.ok {
		w.RawString("null")
		return
	}
	w.Int64(m.seconds)
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (m *MaxStaleness) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*m = MaxStaleness{}
	if !ejson.Null(l) {
		*m = MaxStalenessSeconds(ejson.Integer(l))
	}
}

// MarshalJSON prints the hedge document, null when it is absent.
func (h Hedge) MarshalJSON() ([]byte, error) { return ejson.Marshal(h) }

// UnmarshalJSON reads {} or {"enabled": boolean}; null is absent.
func (h *Hedge) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, h) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (h Hedge) MarshalEasyJSON(w *jwriter.Writer) {
	switch h {
	case HedgeEmpty:
		w.RawString("{}")
	case HedgeEnabled:
		w.RawString(`{"enabled":true}`)
	case HedgeDisabled:
		w.RawString(`{"enabled":false}`)
	default:
		w.RawString("null")
	}
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (h *Hedge) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*h = HedgeAbsent
	if ejson.Null(l) {
		return
	}
	*h = HedgeEmpty
	ejson.Object(l, func(key string) {
		switch {
		case key != "enabled":
			ejson.Unknown(l, key)
		case ejson.Null(l):
		case l.Bool():
			*h = HedgeEnabled
		default:
			*h = HedgeDisabled
		}
	})
}
