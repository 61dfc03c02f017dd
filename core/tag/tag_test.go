package tag_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/tag"
)

func set(pairs ...string) tag.Set {
	s := tag.Set{}
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, tag.Tag{Name: pairs[i], Value: pairs[i+1]})
	}
	return s
}

func TestMatches(t *testing.T) {
	server := set("dc", "ny", "rack", "1")
	for _, c := range []struct {
		rule    string
		asked   tag.Set
		server  tag.Set
		missing string // the first tag that the server lacks, "" when it matches
	}{
		{"3.24 {} matches any server", set(), server, ""},
		{"3.24 {} matches a server without tags", nil, nil, ""},
		{"3.24 a subset", set("dc", "ny"), server, ""},
		{"3.24 all", set("dc", "ny", "rack", "1"), server, ""},
		{"3.24 in another order", set("rack", "1", "dc", "ny"), server, ""},
		{"3.24 another value", set("dc", "sf"), server, "dc=sf"},
		{"3.24 another name", set("region", "ny"), server, "region=ny"},
		{"3.24 more than the server has", set("dc", "ny", "disk", "ssd"), server, "disk=ssd"},
		{"3.24 the first that is missing is named", set("x", "1", "y", "2"), server, "x=1"},
		{"3.24 a server without tags", set("dc", "ny"), nil, "dc=ny"},
		{"1.9 values match exactly", set("dc", "NY"), server, "dc=NY"},
		{"1.9 names match exactly", set("DC", "ny"), server, "DC=ny"},
		{"1.9 an empty value is a value", set("dc", ""), server, "dc="},
		{"1.9 and matches itself", set("dc", ""), set("dc", ""), ""},
		{"1.9 so does an empty name", set("", "x"), set("", "x"), ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			assert.Equal(t, c.missing == "", c.asked.Matches(c.server))
			missing, ok := c.asked.Missing(c.server)
			assert.Equal(t, c.missing != "", ok)
			if ok {
				assert.Equal(t, c.missing, missing.Name+"="+missing.Value)
			}
		})
	}
}

// draw draws a set from so few tags that sets often match.
func draw(t *rapid.T, label string) tag.Set {
	s := tag.Set{}
	for _, name := range rapid.Permutation([]string{"a", "b", "c"}).Draw(t, label)[:rapid.IntRange(0, 3).Draw(t, label+"Size")] {
		s = append(s, tag.Tag{Name: name, Value: rapid.SampledFrom([]string{"1", "2"}).Draw(t, label+"Value")})
	}
	return s
}

// 3.24: T matches S iff T ⊆ S.
func TestMatchesIsSubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asked, server := draw(t, "asked"), draw(t, "server")
		subset := true
		for _, want := range asked {
			subset = subset && slices.Contains(server, want)
		}
		require.Equal(t, subset, asked.Matches(server))
		require.Equal(t, subset && len(asked) == len(server), asked.Equal(server))
		require.Equal(t, asked.Equal(server), server.Equal(asked))
		for _, have := range server {
			v, ok := server.Get(have.Name)
			require.True(t, ok)
			require.Equal(t, have.Value, v)
		}
	})
}

func TestGet(t *testing.T) {
	v, ok := set("dc", "ny", "rack", "").Get("rack")
	assert.True(t, ok, "an empty value is there")
	assert.Empty(t, v)
	_, ok = set("dc", "ny").Get("DC")
	assert.False(t, ok)
}

func TestEqual(t *testing.T) {
	assert.True(t, set("a", "1", "b", "2").Equal(set("b", "2", "a", "1")))
	assert.True(t, tag.Set(nil).Equal(set()))
	assert.False(t, set("a", "1").Equal(set("a", "1", "b", "2")))
	assert.False(t, set("a", "1", "b", "2").Equal(set("a", "1")))
	assert.False(t, set("a", "1").Equal(set("a", "2")))
}
