// Package str holds the few functions of package strings that the engine needs,
// under the same names and with the same results. It stands in for strings in
// what readpref.wasm links, which brings Unicode's tables, iterators, readers and
// locks along. Names and markers are searched here, never documents, so each is
// the plain loop. Append and AppendBool are calls where append would be repeated
// everywhere.
package str

import "unsafe"

// HasPrefix reports whether s begins with prefix.
//
//go:noinline
func HasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// HasSuffix reports whether s ends with suffix.
func HasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

// TrimPrefix returns s without prefix, if it begins so.
func TrimPrefix(s, prefix string) string {
	s, _ = CutPrefix(s, prefix)
	return s
}

// TrimSuffix returns s without suffix, if it ends so.
func TrimSuffix(s, suffix string) string {
	if HasSuffix(s, suffix) {
		return s[:len(s)-len(suffix)]
	}
	return s
}

// CutPrefix is TrimPrefix, and reports whether s began so.
//
//go:noinline
func CutPrefix(s, prefix string) (after string, found bool) {
	if !HasPrefix(s, prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// Cut returns what is before and behind the first sep, or all of s and "".
//
//go:noinline
func Cut(s, sep string) (before, after string, found bool) {
	if i := Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Index returns where sep is in s for the first time, or -1.
//
//go:noinline
func Index(s, sep string) int {
	for i := 0; i+len(sep) <= len(s); i++ {
		if s[i:i+len(sep)] == sep {
			return i
		}
	}
	return -1
}

// Contains reports whether sep is in s.
func Contains(s, sep string) bool { return Index(s, sep) >= 0 }

// IndexByte returns where c is in s for the first time, or -1.
//
//go:noinline
func IndexByte(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// LastIndexByte returns where c is in s for the last time, or -1.
func LastIndexByte(s string, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// IndexAny returns where the first of s that is one of chars is, or -1. chars
// are ASCII.
func IndexAny(s, chars string) int {
	for i := 0; i < len(s); i++ {
		if IndexByte(chars, s[i]) >= 0 {
			return i
		}
	}
	return -1
}

// ContainsAny reports whether one of chars, which are ASCII, is in s.
func ContainsAny(s, chars string) bool { return IndexAny(s, chars) >= 0 }

// Count returns how often c is in s.
func Count(s string, c byte) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			n++
		}
	}
	return n
}

// SplitN returns the parts of s between each sep, n of them at most: the last
// then holds the rest. n is 1 or more, and sep not empty.
func SplitN(s, sep string, n int) []string {
	var parts []string
	for len(parts) < n-1 {
		before, after, found := Cut(s, sep)
		if !found {
			break
		}
		parts, s = append(parts, before), after
	}
	return append(parts, s)
}

// Clone returns s in memory of its own.
//
//go:noinline
func Clone(s string) string {
	if s == "" {
		return ""
	}
	b := make([]byte, len(s))
	copy(b, s)
	return unsafe.String(&b[0], len(b))
}

// LowerASCII returns s with A to Z in lower case.
func LowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// AppendBool appends true or false.
//
//go:noinline
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return Append(dst, "true")
	}
	return Append(dst, "false")
}
