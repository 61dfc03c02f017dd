//go:build !wasip1 && !readpref_boundary

package topology

import (
	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"

	"github.com/readpref/readpref/core/internal/ejson"
	"github.com/readpref/readpref/core/status"
)

//go:generate go tool easyjson -build_tags !wasip1,!readpref_boundary -no_std_marshalers -disallow_unknown_fields json.go
//go:generate go run ../internal/ejson/trim json_easyjson.go

// The types below are what the generated code sees: the same fields without the
// methods of the public types, which add what a struct tag cannot say.

//easyjson:json
type descriptionJSON Description

// descriptionInput reads a Description. What it has besides follows from the
// servers, and is passed over.
//
//easyjson:json
type descriptionInput struct {
	descriptionJSON
	Compatible         *bool   `json:"compatible,omitempty"`
	CompatibilityError *string `json:"compatibilityError,omitempty"`
}

//easyjson:json
type serverJSON Server

// serverInput reads a Server. Its own fields hide those of the same name that are plain
// integers in a Server, to read Extended JSON.
//
//easyjson:json
type serverInput struct {
	serverJSON
	LastUpdateTimeMS ejson.Int64 `json:"lastUpdateTimeMS,omitempty"`
	OperationCount   ejson.Int64 `json:"operationCount,omitempty"`
	// The keys of a saved hello, which has no place here: only null is accepted.
	Hello ejson.Absent `json:"hello,omitempty"`
	NowMS ejson.Absent `json:"nowMS,omitempty"`
}

const (
	absentType       = Type(255)
	absentServerType = ServerType(255)
)

// MarshalJSON prints the description byte for byte as readpref's other runtimes
// do, but that U+2028, U+2029 and the control characters \b and \f come out as
// \u escapes. (json.Marshal itself escapes < > & behind this.)
func (d Description) MarshalJSON() ([]byte, error) { return ejson.Marshal(d) }

// UnmarshalJSON reads a topology description, as docs/json.md describes it, and
// replaces the whole of d. An absent type is derived from the servers. Unknown
// keys are errors.
//
// It is more lenient than the JSON ABI: a key of the description or of a server
// that comes twice is accepted (the last one counts), as is null in a list of
// strings, a lone surrogate (it becomes U+FFFD), two servers with the same
// address, a number outside the key's range, and more than the documented
// limits. It does not take a saved hello in place of a server's description.
func (d *Description) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, d) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (d Description) MarshalEasyJSON(w *jwriter.Writer) {
	ejson.Configure(w)
	descriptionJSON(d).MarshalEasyJSON(w)
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (d *Description) UnmarshalEasyJSON(l *jlexer.Lexer) {
	in := descriptionInput{descriptionJSON: descriptionJSON{Type: absentType}}
	in.UnmarshalEasyJSON(l)
	*d = Description(in.descriptionJSON)
	if l.Ok() && d.Servers == nil {
		ejson.Fail(l, status.MissingKey, `a topology description needs "servers"`)
	}
	for i := range d.Servers {
		if l.Ok() && d.Servers[i].Address == "" { // null
			ejson.Fail(l, status.WrongType, "a server description must be an object")
		}
	}
	if d.Type == absentType {
		d.Derive()
	}
}

// MarshalJSON prints the description byte for byte as readpref's other runtimes
// do; see Description.MarshalJSON.
func (s Server) MarshalJSON() ([]byte, error) { return ejson.Marshal(s) }

// UnmarshalJSON reads a server description and replaces the whole of s; see
// Description.UnmarshalJSON.
func (s *Server) UnmarshalJSON(data []byte) error { return ejson.Unmarshal(data, s) }

// MarshalEasyJSON implements easyjson.Marshaler.
func (s Server) MarshalEasyJSON(w *jwriter.Writer) {
	ejson.Configure(w)
	serverJSON(s).MarshalEasyJSON(w)
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (s *Server) UnmarshalEasyJSON(l *jlexer.Lexer) {
	in := serverInput{serverJSON: serverJSON{Type: absentServerType}}
	in.UnmarshalEasyJSON(l)
	*s = Server(in.serverJSON)
	s.LastUpdateTimeMS, s.OperationCount = int64(in.LastUpdateTimeMS), int64(in.OperationCount)
	if s.Type == absentServerType {
		s.Type = ServerUnknown
		if l.Ok() {
			ejson.Fail(l, status.MissingKey, `a server description needs "type"`)
		}
	}
	if l.Ok() && s.Address == "" {
		ejson.Fail(l, status.MissingKey, `a server description needs "address"`)
	}
}

// MarshalText returns the specification's name of the type; a value that is no
// type is an error.
func (t Type) MarshalText() ([]byte, error) {
	return marshalName(TypeNames[:], int(t), "topology type")
}

// UnmarshalText reads the specification's name of a type.
func (t *Type) UnmarshalText(text []byte) error {
	i, err := unmarshalName(TypeNames[:], text, "topology type")
	if err == nil {
		*t = Type(i)
	}
	return err
}

// MarshalText returns the specification's name of the type; a value that is no
// type is an error.
func (t ServerType) MarshalText() ([]byte, error) {
	return marshalName(ServerTypeNames[:], int(t), "server type")
}

// UnmarshalText reads the specification's name of a type.
func (t *ServerType) UnmarshalText(text []byte) error {
	i, err := unmarshalName(ServerTypeNames[:], text, "server type")
	if err == nil {
		*t = ServerType(i)
	}
	return err
}

func marshalName(names []string, i int, what string) ([]byte, error) {
	if i >= len(names) {
		return nil, &status.Error{Code: status.UnknownValue, Message: "a value that is no " + what}
	}
	return []byte(names[i]), nil
}

func unmarshalName(names []string, text []byte, what string) (int, error) {
	i, ok := indexOf(names, string(text))
	if !ok {
		return 0, &status.Error{Code: status.UnknownValue, Message: "unknown " + what + " " + ejson.Quote(string(text))}
	}
	return i, nil
}
