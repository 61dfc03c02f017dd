package advise

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/heapsort"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// tagSets looks at the tag sets of the workload's preference.
func (a *advisor) tagSets() {
	sets := a.p.TagSets
	if len(sets) == 0 {
		return
	}
	a.names.gather(a.r.Topology)
	analytics, fallback := -1, false
	for k, set := range sets {
		fallback = fallback || len(set) == 0
		if len(set) == 0 {
			continue
		}
		part := "readPreference.tags[" + decimal.String(int64(k)) + "]"
		if analytics < 0 && !fallback && meansAnalytics(set) {
			analytics = k
		}
		if wider := a.wider(k); wider >= 0 {
			a.say(tagSetUnreachable, part, "tags["+decimal.String(int64(wider))+"] matches whatever this tag set matches, and comes first")
		} else if name, like := a.names.unknown(set); name != "" {
			message := "no member has a tag " + quoted(name)
			if like != "" {
				message += "; some have " + quoted(like) + ", in another case"
			}
			a.say(tagKeyUnknown, part, message)
		} else if !a.matchesSomebody(set) {
			a.say(tagSetMatchesNobody, part, "no primary or secondary has these tags")
		}
	}
	if a.p.Mode == readpref.PrimaryPreferred && !onlyEmpty(sets) {
		a.say(primaryPreferredTags, "readPreference.tags", "the primary serves these reads whatever its tags; they only choose among secondaries while there is no primary")
	}
	switch {
	case fallback && analytics >= 0:
		a.say(analyticsFallback, "readPreference.tags", "when no member matches tags["+decimal.String(int64(analytics))+
			"], {} sends these reads to any member, and nobody is told")
	case !fallback && a.p.Mode != readpref.SecondaryPreferred:
		a.say(noTagSetFallback, "readPreference.tags", "these reads fail while no member matches, since no tag set is {}")
	}
}

func onlyEmpty(sets []tag.Set) bool {
	for _, set := range sets {
		if len(set) > 0 {
			return false
		}
	}
	return true
}

// wider returns the first tag set before the k-th that asks for no tag that the
// k-th does not ask for, or -1.
func (a *advisor) wider(k int) int {
	sets := a.p.TagSets
	for i := range k {
		if !a.spend(len(sets[i]), len(sets[k])) {
			return -1
		}
		if sets[i].Matches(sets[k]) {
			return i
		}
	}
	return -1
}

func (a *advisor) matchesSomebody(set tag.Set) bool {
	for i := range a.r.Topology.Servers {
		s := &a.r.Topology.Servers[i]
		if s.Type != topology.RSPrimary && s.Type != topology.RSSecondary {
			continue
		}
		if !a.spend(len(set), len(s.Tags)) || set.Matches(s.Tags) {
			return true
		}
	}
	return false
}

// spend counts comparisons, and reports whether there may be more.
func (a *advisor) spend(m, n int) bool {
	a.compared += m*n + 1
	return a.compared <= MaxComparisons
}

// regionTags are the names, in lower case, that people give to the tag which
// says where a member is. Atlas has region.
var regionTags = [...]string{"region", "dc", "datacenter", "data_center", "data-center"}

// spread returns the name of a tag that says where members are, and differs
// among these; "" where there is none.
func (a *advisor) spread(servers []int32) string {
	for _, want := range regionTags {
		first, known := "", false
		for _, i := range servers {
			for _, t := range a.r.Topology.Servers[i].Tags {
				if len(t.Name) != len(want) || str.LowerASCII(t.Name) != want {
					continue
				}
				if known && t.Value != first {
					return want
				}
				first, known = t.Value, true
			}
		}
	}
	return ""
}

// analyticsWords are values, in lower case, of tags of members that are kept
// apart for analytics. Atlas has nodeType: ANALYTICS.
var analyticsWords = [...]string{"analytics", "reporting", "reports", "batch", "olap", "etl", "bi"}

func meansAnalytics(set tag.Set) bool {
	for _, t := range set {
		for _, word := range analyticsWords {
			if len(t.Value) == len(word) && str.LowerASCII(t.Value) == word {
				return true
			}
		}
	}
	return false
}

// tagNames are the names of the tags that members have.
type tagNames struct {
	names    []string // sorted by their lower case, then as they are
	gathered bool
}

func (n *tagNames) gather(t *topology.Description) {
	if n.gathered {
		return
	}
	n.gathered = true
	for i := range t.Servers {
		for _, tag := range t.Servers[i].Tags {
			n.names = append(n.names, tag.Name)
		}
	}
	list := n.names
	heapsort.Sort(len(list), func(i, j int) bool {
		c := compareFolded(list[i], list[j])
		return c < 0 || c == 0 && list[i] < list[j]
	}, func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// unknown returns the first name of a tag set that no member has, and one that
// differs from it in case only.
func (n *tagNames) unknown(set tag.Set) (name, like string) {
	for _, t := range set {
		from, to := 0, len(n.names)
		for from < to {
			if middle := (from + to) / 2; compareFolded(n.names[middle], t.Name) < 0 {
				from = middle + 1
			} else {
				to = middle
			}
		}
		known := false
		for ; from < len(n.names) && compareFolded(n.names[from], t.Name) == 0 && !known; from++ {
			like = n.names[from]
			known = like == t.Name
		}
		if !known {
			return t.Name, like
		}
		like = ""
	}
	return "", ""
}

// compareFolded orders names ignoring ASCII case.
func compareFolded(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

func quoted(s string) string { return `"` + string(plain.Append(nil, s)) + `"` }
