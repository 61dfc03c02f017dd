package selection

import (
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// MatchTagSets appends to dst the servers of view that match the first tag set
// that matches any of them, and returns that set's index. No tag sets match
// everything, with index -1; tag sets that match nothing append nothing, with
// index len(sets).
//
// Server Selection specification, "tag_sets".
func MatchTagSets(t *topology.Description, sets []tag.Set, view, dst []int32) (matched []int32, set int) {
	if len(sets) == 0 {
		return append(dst, view...), -1
	}
	n := len(dst)
	for k := range sets {
		for _, i := range view {
			if sets[k].Matches(t.Servers[i].Tags) {
				dst = append(dst, i)
			}
		}
		if len(dst) > n {
			return dst, k
		}
	}
	return dst, len(sets)
}
