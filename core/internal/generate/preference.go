package generate

import (
	"math"

	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

// Tags draws up to most tags with distinct names, from so few names and values
// that sets often match.
func Tags(t *rapid.T, most int) tag.Set {
	names := rapid.Permutation([]string{"dc", "rack", "DC"}).Draw(t, "tagNames")
	set := tag.Set{}
	for _, name := range names[:rapid.IntRange(0, most).Draw(t, "tags")] {
		set = append(set, tag.Tag{Name: name, Value: rapid.SampledFrom([]string{"ny", "ny", "sf", "NY", ""}).Draw(t, "tag")})
	}
	return set
}

// Preference draws a preference; one in twenty or so is invalid.
func Preference(t *rapid.T, heartbeatMS int64) readpref.Preference {
	p := readpref.Preference{Mode: readpref.Mode(rapid.IntRange(0, 4).Draw(t, "mode"))}
	if p.Mode == readpref.Primary && rapid.IntRange(0, 5).Draw(t, "plainPrimary") > 0 {
		return p
	}
	for range rapid.SampledFrom([]int{0, 0, 1, 2, 3}).Draw(t, "tagSets") {
		p.TagSets = append(p.TagSets, Tags(t, 2))
	}
	if rapid.Bool().Draw(t, "limited") {
		p.MaxStaleness = readpref.MaxStalenessSeconds(maxStaleness(t, heartbeatMS))
	}
	if rapid.IntRange(0, 9).Draw(t, "hedged") == 0 {
		p.Hedge = readpref.Hedge(rapid.IntRange(0, 3).Draw(t, "hedge"))
	}
	if rapid.IntRange(0, 99).Draw(t, "noMode") == 0 {
		p.Mode = 5
	}
	return p
}

func maxStaleness(t *rapid.T, heartbeatMS int64) int64 {
	least := heartbeatMS/1000 + 10 // rounded down, so one less than allowed or just allowed
	return rapid.SampledFrom([]int64{
		90, 90, 90, 91, 120, 120, 600, max(90, least+1), max(90, least+1),
		least - 1, least, least + 1, -1, 0, 1, 89, -2, math.MinInt64,
		1<<48 - 1, 1 << 48, math.MaxInt64 / 1000, math.MaxInt64/1000 + 1, math.MaxInt64,
	}).Draw(t, "maxStaleness")
}
