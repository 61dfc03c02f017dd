// Package status holds readpref's stable error codes and the error value that
// carries one across every boundary.
//
// The table of codes is codes.json; from it `go generate` writes the Go, C,
// Python and TypeScript constants, so that one number means one thing in every
// runtime.
package status

//go:generate go run ./gen

// Code is a stable error code: negative, never reused, never renumbered.
// Zero is success.
type Code int32

// OK is the status of an answer.
const OK Code = 0

// String returns the camelCase name of the code, as error documents print it.
func (c Code) String() string {
	if i := -int(c); i > 0 && i < len(names) && names[i] != "" {
		return names[i]
	}
	if c == OK {
		return "ok"
	}
	return "unknown"
}

// Parse returns the code with the given camelCase name.
func Parse(name string) (Code, bool) {
	if name == "" {
		return OK, false
	}
	for i, n := range names {
		if n == name {
			return Code(-i), true
		}
	}
	return OK, false
}

// Error is an error with a stable code and the place in the caller's document
// it is about.
type Error struct {
	Code    Code
	Message string // English, without the path
	Path    string // "readPreference.tags[1].dc"; "" is the whole document

	// MinimumSeconds is the smallest maxStalenessSeconds this topology allows;
	// set for MaxStalenessTooSmall only.
	MinimumSeconds int64
}

// New returns an error. It is called in many places, and not inlined there: that
// is fewer bytes of WebAssembly.
//
//go:noinline
func New(code Code, path, message string) *Error {
	return &Error{Code: code, Message: message, Path: path}
}

// Error returns the message, with the path before it where there is one.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Is reports whether target is a *Error of the same code, so that
// errors.Is(err, &status.Error{Code: status.UnknownMode}) works.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code && t.Message == "" && t.Path == ""
}

// Warning is something the caller should know although the call succeeded.
type Warning struct {
	Code    string // a stable camelCase name, such as "hedgeDeprecated"
	Message string
	Path    string
}
