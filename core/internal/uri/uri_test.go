package uri

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/tag"
)

// What net/url escapes or unescapes, this package reads alike, but for bytes
// that are not UTF-8.
func TestDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("%%%%0123456789abcdefABCDEFgG+é/ "))).Draw(t, "s")
		want, err := url.PathUnescape(s)
		ok := err == nil && (utf8.ValidString(want) || !strings.Contains(s, "%"))
		got, gotOK := Decode(s)
		if gotOK != ok || ok && got != want {
			t.Fatalf("Decode(%q) = %q, %t, want %q, %t", s, got, gotOK, want, ok)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		encoded := string(AppendEncoded(nil, s))
		if got, ok := Decode(encoded); !ok || got != s {
			t.Fatalf("%q became %q, then %q", s, encoded, got)
		}
		if got, err := url.PathUnescape(encoded); err != nil || got != s {
			t.Fatalf("net/url reads %q as %q", encoded, got)
		}
		if strings.Trim(encoded, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:,%") != "" {
			t.Fatalf("%q is not encoded", encoded)
		}
	})
}

func TestNext(t *testing.T) {
	for query, want := range map[string][4]string{
		"a=b&c=d":   {"a", "b", "", "c=d"},
		"a=b=c":     {"a", "b=c", "", ""},
		"%61=%62&":  {"a", "b", "", ""},
		"a=":        {"a", "", "", ""},
		"a&b=c":     {"a", "", `"a" is not name=value`, "b=c"},
		"=a":        {"", "", `"=a" is not name=value`, ""},
		"&":         {"", "", `"" is not name=value`, ""},
		"a=%&b":     {"a", "%", BadEscape, "b"},
		"a%=b":      {"a%", "b", BadEscape, ""},
		"a=%c3%28":  {"a", "%c3%28", BadEscape, ""},
		"a=%C3%A9+": {"a", "é+", "", ""},
	} {
		p, rest := Next(query)
		if got := [4]string{p.Name, p.Value, p.Problem, rest}; got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

func TestTags(t *testing.T) {
	set, ok := Tags("a:b:c,:,d:", 3)
	if !ok || !set.Equal(tag.Set{{Name: "a", Value: "b:c"}, {}, {Name: "d"}}) {
		t.Error(set, ok)
	}
	for _, value := range []string{"", "a", "a:b,", ",a:b", "a:b,a:c", "a:1,b:2,c:3,d:4"} {
		if set, ok := Tags(value, 3); ok {
			t.Errorf("%q: %v", value, set)
		}
	}
}

func TestNames(t *testing.T) {
	names := []string{"readPreference", "w"}
	for name, want := range map[string]int{"READPREFERENCE": 0, "W": 1, "readPreferences": -1, "": -1, "readPreferen\u0063e": 0, "\u212a": -1} {
		if got := Find(names, name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
	if EqualFold("k", "\u212a") || EqualFold("[", "{") || !EqualFold("[K", "[k") {
		t.Error("only the case of A to Z is ignored")
	}
	for name, want := range map[string]string{"SlaveOK": "readPreference", "J": "journal", "x": "", "readPrefrence": "readPreference"} {
		if got := Meant(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for s, want := range map[string]string{
		strings.Repeat("x", 64):       strings.Repeat("x", 64),
		strings.Repeat("x", 65):       strings.Repeat("x", 64) + "...",
		"x" + strings.Repeat("é", 40): "x" + strings.Repeat("é", 31) + "...",
	} {
		if got := Shorten(s); got != want {
			t.Errorf("%q", got)
		}
	}
}
