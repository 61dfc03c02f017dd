package plain_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/plain"
)

func TestAppend(t *testing.T) {
	for s, want := range map[string]string{
		"":                                       "",
		"a.example:27017":                        "a.example:27017",
		"Zürich 日本 😀":                            "Zürich 日本 😀",
		"\x00\x1b\n\r\t":                         `\u0000\u001b\u000a\u000d\u0009`,
		"\x7f\u0080\u009b\u009f\u00a0":           `\u007f\u0080\u009b\u009f` + "\u00a0",
		"\u061c\u200b\u200e\u200f\u2010":         `\u061c\u200b\u200e\u200f` + "\u2010",
		"\u2027\u2028\u2029\u202a\u202e\u202f":   "\u2027" + `\u2028\u2029\u202a\u202e` + "\u202f",
		"\u2060\u2066\u2069\u206a\ufeff":         `\u2060\u2066\u2069` + "\u206a" + `\ufeff`,
		"bad \xff":                               "bad \ufffd",
		"\u00ad\u180e\ufff9\U000e0041\U000e0080": `\u00ad\u180e\ufff9\U000e0041` + "\U000e0080",
	} {
		assert.Equal(t, "x"+want, string(plain.Append([]byte("x"), s)), "%q", s)
	}
	assert.Equal(t, strings.Repeat("x", 200), string(plain.Append(nil, strings.Repeat("x", 200))))
	assert.Equal(t, strings.Repeat("x", 201)+"...", string(plain.Append(nil, strings.Repeat("x", 10_000))))
}

// Whatever the string, the text is short UTF-8 that no terminal obeys.
func TestAppendIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.StringOf(rapid.RuneFrom(nil, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp))).Draw(t, "s")
		got := string(plain.Append(nil, s))
		require.True(t, utf8.ValidString(got))
		require.LessOrEqual(t, len(got), 210)
		for _, r := range got {
			require.False(t, unicode.IsControl(r), "%q", got)
			require.False(t, unicode.Is(unicode.Bidi_Control, r), "%q", got)
			require.False(t, unicode.In(r, unicode.Zl, unicode.Zp), "%q", got)
		}
	})
}
