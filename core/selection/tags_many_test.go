package selection_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// 3.25 holds for preferences of many tags, which are matched server by server.
func TestManyTagSetsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, most int) tag.Set {
			var s tag.Set
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 9), 0, most, rapid.ID[int]).Draw(t, name) {
				s = append(s, tag.Tag{Name: fmt.Sprint(n), Value: "v"})
			}
			return s
		}
		d := &topology.Description{}
		var view []int32
		for i := range rapid.IntRange(0, 5).Draw(t, "servers") {
			d.Servers = append(d.Servers, topology.Server{Tags: draw("tags", 9)})
			view = append(view, int32(i))
		}
		var sets []tag.Set
		for range rapid.IntRange(1, 30).Draw(t, "sets") {
			sets = append(sets, draw("set", 9))
		}
		// The rule, set by set; padded with sets that match nobody, so that there are many.
		want, at := []int32{}, len(sets)
		for k := 0; k < len(sets) && len(want) == 0; k++ {
			for _, i := range view {
				if sets[k].Matches(d.Servers[i].Tags) {
					want, at = append(want, i), k
				}
			}
		}
		none := tag.Set{}
		for i := range 70 {
			none = append(none, tag.Tag{Name: fmt.Sprint("none", i), Value: "v"})
		}
		got, k := selection.MatchTagSets(d, append(sets, none), view, []int32{})
		require.Equal(t, want, got)
		if len(want) > 0 {
			require.Equal(t, at, k)
		} else {
			require.Equal(t, len(sets)+1, k)
		}
	})
}

// A server's tag that sorts behind every tag that is asked for is none of them.
func TestManyTagSetsAndATagBehindAll(t *testing.T) {
	var sets []tag.Set
	for i := range 70 {
		sets = append(sets, tag.Set{{Name: "dc", Value: fmt.Sprint(i)}})
	}
	d := &topology.Description{Servers: []topology.Server{{Tags: tag.Set{{Name: "zone", Value: "1"}}}, {Tags: tag.Set{{Name: "dc", Value: "69"}, {Name: "zone", Value: "1"}}}}}
	matched, at := selection.MatchTagSets(d, sets, []int32{0, 1}, nil)
	require.Equal(t, []int32{1}, matched)
	require.Equal(t, 69, at)
}
