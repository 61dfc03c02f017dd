package readpref_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

func TestFromURIOptions(t *testing.T) {
	mode := func(m readpref.Mode, sets ...tag.Set) readpref.Preference {
		return readpref.Preference{Mode: m, TagSets: sets}
	}
	ny, nyRack, sf, empty := set("dc", "ny"), set("dc", "ny", "rack", "1"), set("dc", "sf"), tag.Set{}
	stale := func(seconds int64) readpref.Preference {
		return readpref.Preference{Mode: readpref.Secondary, MaxStaleness: readpref.MaxStalenessSeconds(seconds)}
	}
	for _, c := range []struct {
		rule     string
		query    string
		want     readpref.Preference
		problems string // their codes and paths
		warnings string
	}{
		{rule: "no options", query: ""},
		{rule: "2.12 a mode", query: "readPreference=secondaryPreferred", want: mode(readpref.SecondaryPreferred)},
		{rule: "2.12 a spelling that is none is ignored", query: "readPreference=Secondary", warnings: "invalidURIOptionValue readPreference"},
		{rule: "2.12 empty", query: "readPreference=", warnings: "invalidURIOptionValue readPreference"},
		{rule: "2.7 and the rest counts", query: "readPreference=wrong&readPreference=nearest", want: mode(readpref.Nearest),
			warnings: "invalidURIOptionValue readPreference, repeatedURIOption readPreference"},
		{rule: "2.6 names fold ASCII case", query: "READpreference=nearest&readpreferencetags=dc:ny&MAXSTALENESSSECONDS=120",
			want: readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{ny}, MaxStaleness: readpref.MaxStalenessSeconds(120)}},
		{rule: "2.6 and no other case", query: "readPreference=nearest&maxStalene\u017f\u017fSeconds=120", want: mode(readpref.Nearest),
			warnings: "unknownURIOption maxStalene\u017f\u017fSeconds"},
		{rule: "2.6 values keep theirs (2.13)", query: "readPreference=nearest&readPreferenceTags=DC:NY", want: mode(readpref.Nearest, set("DC", "NY"))},
		{rule: "2.6 a pair without =", query: "readPreference=nearest&readPreferenceTags", want: mode(readpref.Nearest),
			problems: "invalidURIOption readPreferenceTags"},
		{rule: "2.6 also of a foreign option", query: "tls", problems: "invalidURIOption "},
		{rule: "2.6 no name", query: "=nearest", problems: "invalidURIOption "},
		{rule: "2.6 the name ends at the first =", query: "readPreference=nearest&readPreferenceTags=a:b=c", want: mode(readpref.Nearest, set("a", "b=c"))},
		{rule: "2.6 percent-decoded", query: "read%50reference=near%65st", want: mode(readpref.Nearest)},
		{rule: "2.6 before splitting: %2C and %3A separate", query: "readPreference=nearest&readPreferenceTags=dc%3Any%2Crack%3A1", want: mode(readpref.Nearest, nyRack)},
		{rule: "2.6 a plus sign is one", query: "readPreference=nearest&readPreferenceTags=dc:a+b", want: mode(readpref.Nearest, set("dc", "a+b"))},
		{rule: "2.6 a broken escape", query: "readPreference=nearest&readPreferenceTags=dc:%4", want: mode(readpref.Nearest), problems: "invalidURIOption readPreferenceTags"},
		{rule: "2.6 a broken escape, no hex", query: "readPreference=%zz", problems: "invalidURIOption readPreference"},
		{rule: "2.6 a sign is no hex digit", query: "readPreference=%+1", problems: "invalidURIOption readPreference"},
		{rule: "2.7 unknown options are passed over", query: "retryWrites=true&w=majority&readPreference=secondary", want: mode(readpref.Secondary)},
		{rule: "2.8 a repeated option: the last", query: "readPreference=nearest&readPreference=secondary", want: mode(readpref.Secondary), warnings: "repeatedURIOption readPreference"},
		{rule: "2.8 repeated maxStalenessSeconds", query: "readPreference=secondary&maxStalenessSeconds=100&maxStalenessSeconds=120", want: stale(120),
			warnings: "repeatedURIOption maxStalenessSeconds"},
		{rule: "2.8 readPreferenceTags is a list", query: "readPreference=nearest&readPreferenceTags=dc:sf&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=",
			want: mode(readpref.Nearest, sf, nyRack, empty)},
		{rule: "2.11 the first colon separates", query: "readPreference=nearest&readPreferenceTags=dc:n:y", want: mode(readpref.Nearest, set("dc", "n:y"))},
		{rule: "2.11 an element without a colon spoils the option", query: "readPreference=nearest&readPreferenceTags=dc:ny,rack&readPreferenceTags=dc:sf", want: mode(readpref.Nearest, sf),
			warnings: "invalidURIOptionValue readPreferenceTags"},
		{rule: "2.11 so does an empty element", query: "readPreference=nearest&readPreferenceTags=dc:ny,", want: mode(readpref.Nearest), warnings: "invalidURIOptionValue readPreferenceTags"},
		{rule: "2.13 an empty value is {}", query: "readPreference=nearest&readPreferenceTags=", want: mode(readpref.Nearest, empty)},
		{rule: "2.13 an empty tag value", query: "readPreference=nearest&readPreferenceTags=dc:", want: mode(readpref.Nearest, set("dc", ""))},
		{rule: "2.13 invalid alone is a warning", query: "readPreferenceTags=invalid", warnings: "invalidURIOptionValue readPreferenceTags"},
		{rule: "2.13 a name twice in a set", query: "readPreference=nearest&readPreferenceTags=dc:ny,dc:sf", want: mode(readpref.Nearest), warnings: "invalidURIOptionValue readPreferenceTags"},
		{rule: "2.14 a maximum", query: "readPreference=secondary&maxStalenessSeconds=120", want: stale(120)},
		{rule: "2.14 -1 is none (1.5)", query: "maxStalenessSeconds=-1"},
		{rule: "2.14 -2", query: "readPreference=secondary&maxStalenessSeconds=-2", want: mode(readpref.Secondary), warnings: "invalidURIOptionValue maxStalenessSeconds"},
		{rule: "2.14 no number", query: "readPreference=secondary&maxStalenessSeconds=invalid", want: mode(readpref.Secondary), warnings: "invalidURIOptionValue maxStalenessSeconds"},
		{rule: "2.7 empty", query: "readPreference=secondary&maxStalenessSeconds=", want: mode(readpref.Secondary), warnings: "invalidURIOptionValue maxStalenessSeconds"},
		{rule: "2.14 a fraction", query: "readPreference=secondary&maxStalenessSeconds=120.0", want: mode(readpref.Secondary), warnings: "invalidURIOptionValue maxStalenessSeconds"},
		{rule: "2.14 too large", query: "readPreference=secondary&maxStalenessSeconds=9223372036854775808", want: mode(readpref.Secondary), warnings: "invalidURIOptionValue maxStalenessSeconds"},
		{rule: "2.14 0 to 89 are accepted (1.8)", query: "readPreference=secondary&maxStalenessSeconds=0", want: stale(0)},
		{rule: "2.15 primary with a maximum", query: "readPreference=primary&maxStalenessSeconds=120",
			want: readpref.Preference{MaxStaleness: readpref.MaxStalenessSeconds(120)}, problems: "maxStalenessWithPrimary maxStalenessSeconds"},
		{rule: "2.15 no mode with a maximum", query: "maxStalenessSeconds=120",
			want: readpref.Preference{MaxStaleness: readpref.MaxStalenessSeconds(120)}, problems: "maxStalenessWithPrimary maxStalenessSeconds"},
		{rule: "2.15 no mode with tags", query: "readPreferenceTags=dc:ny", want: mode(readpref.Primary, ny), problems: "tagsWithPrimary readPreferenceTags"},
		{rule: "2.15 primary with {}", query: "readPreferenceTags=", want: mode(readpref.Primary, empty)},
		{rule: "2.15 options in any order", query: "readPreferenceTags=dc:ny&maxStalenessSeconds=120&readPreferenceTags=&readPreference=secondary",
			want: readpref.Preference{Mode: readpref.Secondary, TagSets: []tag.Set{ny, empty}, MaxStaleness: readpref.MaxStalenessSeconds(120)}},
		{rule: "2.15 after a mode that is ignored", query: "readPreference=wrong&readPreferenceTags=dc:ny", want: mode(readpref.Primary, ny),
			problems: "tagsWithPrimary readPreferenceTags", warnings: "invalidURIOptionValue readPreference"},
		{rule: "a misspelt name", query: "maxStaleness=120&slaveOk=true", warnings: "unknownURIOption maxStaleness, unknownURIOption slaveOk"},
		{rule: "2.6 DEL is no upper-case underscore", query: "read\u007fpreference=nearest", warnings: "unknownURIOption read\u007fpreference"},
		{rule: "a whole URI", query: "mongodb://h/?readPreference=secondary", problems: "invalidURIOption "},
		{rule: "the question mark as well", query: "?readPreference=secondary", problems: "invalidURIOption "},
		{rule: "2.7 options of others", query: "replicaSet=rs&retryReads=true&readConcernLevel=local&maxPoolSize=5&maxConnecting=2&serverSelectionTimeoutMS=1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := readpref.FromURIOptions(c.query)
			assert.Equal(t, c.want, got.Preference)
			var problems, warnings []string
			for _, p := range got.Problems {
				problems = append(problems, p.Code.String()+" "+p.Path)
				assert.NotEmpty(t, p.Message)
			}
			for _, w := range got.Warnings {
				warnings = append(warnings, w.Code+" "+w.Path)
				assert.NotEmpty(t, w.Message)
			}
			assert.Equal(t, c.problems, strings.Join(problems, ", "))
			assert.Equal(t, c.warnings, strings.Join(warnings, ", "))
		})
	}
}

// 100 tag sets are read, one more is an error; so it is told once.
func TestURIOptionsLimits(t *testing.T) {
	const one = "&readPreferenceTags="
	r := readpref.FromURIOptions("readPreference=nearest" + strings.Repeat(one, 100))
	assert.Empty(t, r.Problems)
	assert.Len(t, r.Preference.TagSets, 100)
	r = readpref.FromURIOptions("readPreference=nearest" + strings.Repeat(one, 200))
	require.Len(t, r.Problems, 1)
	assert.Equal(t, "readPreferenceTags: more than 100 tag sets", r.Problems[0].Error())
	assert.Len(t, r.Preference.TagSets, 100)

	var tags []string
	for i := range 100 {
		tags = append(tags, fmt.Sprintf("t%d:v", i))
	}
	r = readpref.FromURIOptions("readPreference=nearest" + one + strings.Join(tags, ","))
	require.Len(t, r.Preference.TagSets, 1)
	assert.Len(t, r.Preference.TagSets[0], 100)
	r = readpref.FromURIOptions("readPreference=nearest" + one + strings.Join(tags, ",") + ",more:v")
	assert.Empty(t, r.Preference.TagSets)
	require.Len(t, r.Warnings, 1)

	// A hostile URI cannot make the lists long.
	r = readpref.FromURIOptions(strings.Repeat("x&", 5000) + strings.Repeat("readPref=1&", 5000))
	assert.LessOrEqual(t, len(r.Problems), 100)
	assert.LessOrEqual(t, len(r.Warnings), 100)
}

// What is shown of a long value is short, and ends between characters.
func TestURIOptionsShorten(t *testing.T) {
	for _, long := range []string{strings.Repeat("x", 1000), strings.Repeat("é", 500), "x" + strings.Repeat("日", 500), strings.Repeat("😀", 300)} {
		for _, query := range []string{"readPreference=" + long, long, long + "=%", "readPreferenceTags=" + url.QueryEscape(long), "maxStalenessSeconds=" + long} {
			r := readpref.FromURIOptions(query)
			shown := ""
			for _, p := range r.Problems {
				shown += p.Message + p.Path
			}
			for _, w := range r.Warnings {
				shown += w.Message + w.Path
			}
			assert.NotEmpty(t, shown)
			assert.Less(t, len(shown), 300)
			assert.True(t, utf8.ValidString(shown), shown)
		}
	}
}

// A valid preference written as options reads back as it was.
func TestURIOptionsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := generate.Preference(t, 10000)
		p.Hedge = readpref.HedgeAbsent // no option has it
		if p.Validate() != nil {
			p = readpref.Preference{Mode: readpref.Nearest}
		}
		pairs := []string{"readPreference=" + p.Mode.String()}
		var tags []string
		for _, s := range p.TagSets {
			var parts []string
			for _, x := range s {
				parts = append(parts, x.Name+":"+x.Value)
			}
			tags = append(tags, "readPreferenceTags="+url.QueryEscape(strings.Join(parts, ",")))
		}
		if seconds, ok := p.MaxStaleness.Seconds(); ok {
			pairs = append(pairs, fmt.Sprintf("maxStalenessSeconds=%d", seconds))
		}
		// Tags keep their order among each other; the others may stand anywhere.
		for _, pair := range pairs {
			at := rapid.IntRange(0, len(tags)).Draw(t, "at")
			tags = append(tags[:at:at], append([]string{pair}, tags[at:]...)...)
		}
		r := readpref.FromURIOptions(strings.Join(tags, "&"))
		require.Empty(t, r.Problems)
		require.Empty(t, r.Warnings)
		require.True(t, p.Equal(&r.Preference), "%v %v", p, r.Preference)
	})
}

// Whatever the bytes, the answer is made, and says something where it is short.
func FuzzFromURIOptions(f *testing.F) {
	for _, seed := range []string{"", "&", "=", "%", "readPreference=nearest&readPreferenceTags=dc:ny,rack:1&maxStalenessSeconds=120", "readPreferenceTags=%ff:%00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := readpref.FromURIOptions(query)
		if len(r.Problems) == 0 {
			require.NoError(t, r.Preference.Validate())
		}
		require.LessOrEqual(t, len(r.Preference.TagSets), readpref.MaxTagSets)
		for _, s := range r.Preference.TagSets {
			require.LessOrEqual(t, len(s), readpref.MaxTags)
			if utf8.ValidString(query) {
				for _, x := range s {
					require.True(t, utf8.ValidString(x.Name+x.Value))
				}
			}
		}
	})
}

// What is cut at an unescaped & may be a part of a password.
func TestURIOptionsKeepSecrets(t *testing.T) {
	for _, query := range []string{"tlsCertificateKeyFilePassword=hunter&2nd-secret", "x=a&secret=%zz", "secret"} {
		r := readpref.FromURIOptions(query)
		require.Len(t, r.Problems, 1, query)
		assert.NotContains(t, r.Problems[0].Error(), "secret", query)
		assert.Equal(t, status.InvalidURIOption, r.Problems[0].Code, query)
	}
}
