// Package tag holds replica set member tags and the tag sets a read preference
// asks for, and the one rule that joins them.
package tag

// Tag is one name and value. Neither means anything to a client; both match
// exactly, case included.
type Tag struct {
	Name, Value string
}

// Set is an ordered list of tags with distinct names: either what a server
// carries or what a read preference asks for. The empty Set as a request
// matches every server, also one without tags.
type Set []Tag

// Get returns the value of the tag with this name.
func (s Set) Get(name string) (value string, ok bool) {
	for i := range s {
		if s[i].Name == name {
			return s[i].Value, true
		}
	}
	return "", false
}

// Matches reports whether a server with the given tags matches the request s:
// whether s is a subset of the server's tags.
//
// Server Selection specification, "tag_sets".
func (s Set) Matches(server Set) bool {
	_, missing := s.Missing(server)
	return !missing
}

// Missing returns the first tag of the request s that the server does not
// carry; ok is false when there is none and the server matches.
func (s Set) Missing(server Set) (t Tag, ok bool) {
	if len(s)*len(server) >= indexFrom {
		return s.missingIndexed(server)
	}
	for i := range s {
		if !server.has(i, s[i]) {
			return s[i], true
		}
	}
	return Tag{}, false
}

func (s Set) missingIndexed(server Set) (t Tag, ok bool) {
	var x Index
	x.Reset(server)
	return x.Missing(s)
}

// has looks for t, first at the index it had in the request: tag sets and
// server tags are usually written in the same order.
func (s Set) has(hint int, t Tag) bool {
	if hint < len(s) && s[hint] == t {
		return true
	}
	for i := range s {
		if s[i].Name == t.Name {
			return s[i].Value == t.Value
		}
	}
	return false
}

// Equal reports whether two sets hold the same tags, in any order.
func (s Set) Equal(other Set) bool {
	return len(s) == len(other) && s.Matches(other)
}
