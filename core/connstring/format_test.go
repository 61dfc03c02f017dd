package connstring_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

func TestFormatPreference(t *testing.T) {
	set := func(pairs ...string) (s tag.Set) {
		s = tag.Set{}
		for i := 0; i < len(pairs); i += 2 {
			s = append(s, tag.Tag{Name: pairs[i], Value: pairs[i+1]})
		}
		return s
	}
	for _, c := range []struct {
		p          readpref.Preference
		want, code string
	}{
		{p: readpref.Preference{}, want: "readPreference=primary"},
		{p: readpref.Preference{TagSets: []tag.Set{{}}}, want: "readPreference=primary&readPreferenceTags="},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("dc", "ny", "rack", "1"), set("dc", "sf"), {}}, MaxStaleness: readpref.MaxStalenessSeconds(120)},
			want: "readPreference=nearest&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=dc:sf&readPreferenceTags=&maxStalenessSeconds=120"},
		{p: readpref.Preference{Mode: readpref.Nearest, MaxStaleness: readpref.MaxStalenessSeconds(0)}, want: "readPreference=nearest&maxStalenessSeconds=0"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("a&b=", "%41+ #?/é")}},
			want: "readPreference=nearest&readPreferenceTags=a%26b%3D:%2541%2B%20%23%3F%2F%C3%A9"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("svc", "http:8080"), set("", "")}},
			want: "readPreference=nearest&readPreferenceTags=svc:http:8080&readPreferenceTags=:"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{{}, set("dc", "a,b")}}, code: "invalidURIOption tags[1]"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("dc", "a,b:c")}}, code: "invalidURIOption tags[0]"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("a,b", "c")}}, code: "invalidURIOption tags[0]"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("a:b", "c")}}, code: "invalidURIOption tags[0]"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("a", "b", "a", "b")}}, code: "invalidURIOption tags[0]"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("a", "\xff")}}, code: "invalidURIOption tags[0]"},
		{p: readpref.Preference{Mode: readpref.Nearest, TagSets: make([]tag.Set, 101)}, code: "limitExceeded tags"},
		{p: readpref.Preference{Mode: readpref.Nearest, Hedge: readpref.HedgeEnabled}, code: "invalidURIOption hedge"},
		{p: readpref.Preference{TagSets: []tag.Set{set("dc", "ny")}}, code: "tagsWithPrimary tags"},
		{p: readpref.Preference{Mode: readpref.Nearest + 1}, code: "unknownMode mode"},
	} {
		got, err := connstring.FormatPreference(c.p)
		assert.Equal(t, c.code, codeOf(err), "%v", c.p)
		assert.Equal(t, c.want, got)
		if err == nil {
			readsBack(t, got, &c.p)
		}
	}
}

type testing2 interface {
	require.TestingT
	Helper()
}

func readsBack(t testing2, query string, p *readpref.Preference) {
	t.Helper()
	c, err := connstring.Parse("mongodb://h/?" + query)
	require.NoError(t, err)
	require.Empty(t, c.Warnings)
	require.True(t, p.Equal(&c.Preference), "%q: %v", query, c.Preference)
}

// Whatever can be written reads back as it was; what cannot is an error, and
// only then.
func TestFormatPreferenceRoundTrip(t *testing.T) {
	text := rapid.StringOfN(rapid.OneOf(rapid.SampledFrom([]rune(`,:&=%+ #?/@"é😀`+"\x00\x7f")), rapid.Rune()), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		p := generate.Preference(t, 10000)
		for i := range p.TagSets {
			for j := range p.TagSets[i] {
				if rapid.IntRange(0, 3).Draw(t, "odd") == 0 {
					p.TagSets[i][j] = tag.Tag{Name: text.Draw(t, "name"), Value: text.Draw(t, "value")}
				}
			}
		}
		possible := p.Validate() == nil && !p.Hedge.IsDefined()
		for _, s := range p.TagSets {
			names := map[string]bool{}
			for _, x := range s {
				possible = possible && !strings.ContainsAny(x.Name, ",:") && !strings.Contains(x.Value, ",") && !names[x.Name]
				names[x.Name] = true
			}
		}
		query, err := connstring.FormatPreference(p)
		if !possible {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		for i := range len(query) {
			require.True(t, query[i] > ' ' && query[i] < 0x7f, "%q", query)
		}
		readsBack(t, query, &p)
	})
}
