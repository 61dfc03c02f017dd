package wire

import (
	"unicode/utf8"

	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/suggest"
)

// quote returns a caller's string as a message shows it: in quotes, cut to a
// readable length.
func quote(s string) string { return string(plain.Append(nil, string(AppendString(nil, cut(s))))) }

func quoteByte(rest []byte) string {
	r, n := utf8.DecodeRune(rest)
	if r == utf8.RuneError && n <= 1 {
		return "a byte that is not UTF-8"
	}
	return quote(string(rest[:n]))
}

// cut shortens a string to maxQuotedBytes at a character's edge. What is quoted
// may be what was refused for not being UTF-8: U+FFFD stands for each run of
// such bytes.
func cut(s string) string {
	s = cutTo(s, maxQuotedBytes)
	if utf8.ValidString(s) {
		return s
	}
	valid := make([]byte, 0, len(s)+2)
	for broken := false; len(s) > 0; {
		r, n := utf8.DecodeRuneInString(s)
		again := broken
		if broken = r == utf8.RuneError && n == 1; !broken || !again {
			valid = utf8.AppendRune(valid, r)
		}
		s = s[n:]
	}
	return string(valid)
}

//go:noinline
func cutTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// didYouMean returns `; did you mean "x"?` for the closest of names, or "" when
// none is close.
func didYouMean(s string, names []string) string {
	closest := suggest.Closest(s, names)
	if closest == "" {
		return ""
	}
	return `; did you mean "` + closest + `"?`
}

// Unknown returns the message for a name that is none of names.
func Unknown(what, name string, names []string) string {
	return "unknown " + what + " " + quote(name) + hint(name, names)
}
