package selection

import (
	"github.com/readpref/readpref/core/internal/heapsort"
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
	asked := 0
	for k := range sets {
		asked += len(sets[k])
	}
	if asked > manyTags {
		return matchMany(t, sets, view, dst)
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

// manyTags is how many tags a preference may ask for before they are numbered:
// comparing each with each would let a hostile document take minutes. Real
// preferences ask for a few.
const manyTags = 64

// matchMany is MatchTagSets for many tags: each different tag that is asked for
// gets a number, each server the bits of the tags it has, so that a tag set
// costs a bit test a tag. It allocates.
func matchMany(t *topology.Description, sets []tag.Set, view, dst []int32) ([]int32, int) {
	asked := numberTags(sets)
	first := len(sets) // the first set that matches a server so far
	n := len(dst)
	for _, i := range view {
		asked.mark(t.Servers[i].Tags)
		for k := 0; k <= first && k < len(sets); k++ {
			if !asked.marked(k) {
				continue
			}
			if k < first { // the servers so far match a later set only
				first, dst = k, dst[:n]
			}
			dst = append(dst, i)
			break
		}
	}
	return dst, first
}

// numberedTags are the different tags of a list of tag sets.
type numberedTags struct {
	tags []tag.Tag // sorted, each once; a tag's number is its index
	sets [][]int32 // the numbers of each set's tags
	has  []bool    // which tags the marked server has
}

func numberTags(sets []tag.Set) *numberedTags {
	var all []tag.Tag
	for _, set := range sets {
		all = append(all, set...)
	}
	heapsort.Sort(len(all), func(i, j int) bool { return less(all[i], all[j]) }, func(i, j int) { all[i], all[j] = all[j], all[i] })
	n := &numberedTags{sets: make([][]int32, len(sets))}
	for i, t := range all {
		if i == 0 || t != all[i-1] {
			n.tags = append(n.tags, t)
		}
	}
	for k, set := range sets {
		for _, t := range set {
			number, _ := n.number(t)
			n.sets[k] = append(n.sets[k], int32(number))
		}
	}
	n.has = make([]bool, len(n.tags))
	return n
}

func less(a, b tag.Tag) bool { return a.Name < b.Name || a.Name == b.Name && a.Value < b.Value }

func (n *numberedTags) number(t tag.Tag) (int, bool) {
	from, to := 0, len(n.tags)
	for from < to {
		if middle := (from + to) / 2; less(n.tags[middle], t) {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from, from < len(n.tags) && n.tags[from] == t
}

// mark notes which of the tags a server has.
func (n *numberedTags) mark(server tag.Set) {
	clear(n.has)
	for _, t := range server {
		if number, ok := n.number(t); ok {
			n.has[number] = true
		}
	}
}

// marked reports whether the marked server has every tag of set k.
func (n *numberedTags) marked(k int) bool {
	for _, number := range n.sets[k] {
		if !n.has[number] {
			return false
		}
	}
	return true
}
