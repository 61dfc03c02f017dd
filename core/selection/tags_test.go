package selection_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

func TestTagSets(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary,
		primary("p", tags("dc", "ny", "rack", "1")), secondary("a", tags("dc", "sf")), secondary("b", tags("dc", "ny")), secondary("bare"))
	ny, sf, la := set("dc", "ny"), set("dc", "sf"), set("dc", "la")
	for _, c := range []struct {
		rule string
		sets []tag.Set
		want string
		set  int // that matched
	}{
		{"3.25 an empty list matches all", nil, "p a b bare", -1},
		{"3.25 so does []", []tag.Set{}, "p a b bare", -1},
		{"3.24 {} matches all, also without tags", []tag.Set{{}}, "p a b bare", 0},
		{"3.24 a subset", []tag.Set{ny}, "p b", 0},
		{"3.24 two tags", []tag.Set{set("rack", "1", "dc", "ny")}, "p", 0},
		{"3.24 case counts in values", []tag.Set{set("dc", "NY")}, "", 1},
		{"3.24 and in names", []tag.Set{set("DC", "ny")}, "", 1},
		{"3.25 the first set that matches wins", []tag.Set{sf, ny}, "a", 0},
		{"3.25 later sets are tried in order", []tag.Set{la, ny, sf}, "p b", 1},
		{"3.25 x, else anything", []tag.Set{la, {}}, "p a b bare", 1},
		{"3.25 x, and not anything", []tag.Set{sf, {}}, "a", 0},
		{"3.25 none matches", []tag.Set{la, set("dc", "")}, "", 2},
	} {
		t.Run(c.rule, func(t *testing.T) {
			res := selected(t, request(d, mode(readpref.Nearest, c.sets...)))
			assert.Equal(t, c.want, names(d, res.Suitable))
			assert.Equal(t, c.set, res.Passes[0].TagSet)
		})
	}
}

// 3.4: staleness before tags: a stale match of the first set does not block the
// second.
func TestTagSetsFollowStaleness(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p"),
		secondary("old", tags("dc", "ny"), written(80001)), secondary("new", tags("dc", "sf")))
	res := selected(t, request(d, stale(readpref.Secondary, 90, set("dc", "ny"), set("dc", "sf"))))
	assert.Equal(t, "old new", names(d, res.Candidates))
	assert.Equal(t, "new", names(d, res.Fresh))
	assert.Equal(t, "new", names(d, res.Suitable))
}

// MatchTagSets appends: what dst holds already does not count as a match.
func TestMatchTagSetsAppends(t *testing.T) {
	d := with(topology.ReplicaSetNoPrimary, secondary("a"), secondary("b", tags("dc", "ny")))
	got, k := selection.MatchTagSets(d, []tag.Set{set("dc", "la"), set("dc", "ny")}, []int32{0, 1}, []int32{7})
	assert.Equal(t, []int32{7, 1}, got)
	assert.Equal(t, 1, k)
	got, k = selection.MatchTagSets(d, nil, []int32{1}, []int32{7})
	assert.Equal(t, []int32{7, 1}, got)
	assert.Equal(t, -1, k)
}
