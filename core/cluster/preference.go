package cluster

import (
	"slices"

	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

// Preference is a validated read preference to select with. It never changes,
// works with every Topology, and is compared by identity: keep it.
type Preference struct{ p readpref.Preference }

// NewPreference validates a preference and copies it. The error is a
// *status.Error whose path is that of the $readPreference document.
func NewPreference(p readpref.Preference) (*Preference, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	sets := make([]tag.Set, len(p.TagSets))
	for i, set := range p.TagSets {
		sets[i] = cloneTags(set)
	}
	p.TagSets = sets
	return &Preference{p}, nil
}

// Document returns the preference. Its tag sets must not be changed.
func (p *Preference) Document() readpref.Preference { return p.p }

func cloneTags(set tag.Set) tag.Set {
	if len(set) == 0 {
		return nil
	}
	c := make(tag.Set, len(set))
	for i, t := range set {
		c[i] = tag.Tag{Name: str.Clone(t.Name), Value: str.Clone(t.Value)}
	}
	return c
}

func cloneStrings(list []string) []string {
	c := slices.Clone(list)
	for i := range c {
		c[i] = str.Clone(c[i])
	}
	return c
}
