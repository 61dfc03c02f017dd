package main

import (
	"slices"
	"strings"
)

// difference is a case to which a driver and readpref give different answers.
type difference struct {
	peer         string
	c            *selectCase
	ours, theirs *answer
}

// kind is one way in which drivers leave the specification. A kind never just
// resembles a difference: it predicts the driver's answer. One of mistaken says
// which case the driver in effect answered, and the specification's answer to
// that case has to be the driver's; refuses says which valid case the driver
// refuses, accepts which invalid one it answers, and how.
type kind struct {
	id, title string
	peers     []string
	spec      string // the section that decides
	why       string
	mistaken  func(c *selectCase, ours *answer) []*selectCase
	refuses   func(c *selectCase, message string) bool
	accepts   func(c *selectCase, window []string) bool
}

// classify returns the kinds that together account for d, as few as possible; of
// those equally few the first in the list. It returns nil if none do.
func classify(d *difference) []*kind {
	type reading struct {
		c     *selectCase
		kinds []*kind
	}
	readings := []reading{{c: d.c}}
	for range 3 {
		var next []reading
		for _, r := range readings {
			ours, err := ourSelect(r.c.document())
			if err != nil {
				return nil
			}
			for i := range selectKinds {
				k := &selectKinds[i]
				if !slices.Contains(k.peers, d.peer) || slices.Contains(r.kinds, k) {
					continue
				}
				kinds := append(slices.Clone(r.kinds), k)
				switch {
				case k.mistaken != nil:
					for _, c := range k.mistaken(r.c, ours) {
						if a, err := ourSelect(c.document()); err == nil && a.same(d.theirs) {
							return kinds
						}
						next = append(next, reading{c, kinds})
					}
				case k.refuses != nil:
					if d.theirs.Error != "" && ours.Error == "" && k.refuses(r.c, d.theirs.Error) {
						return kinds
					}
				default:
					if d.theirs.Error == "" && ours.Error != "" && k.accepts(r.c, d.theirs.Window) {
						return kinds
					}
				}
			}
		}
		readings = next
	}
	return nil
}

func idsOf(kinds []*kind) string {
	var ids []string
	for _, k := range kinds {
		ids = append(ids, k.id)
	}
	return strings.Join(ids, " + ")
}
