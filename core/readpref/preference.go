// Package readpref is the read preference: its model, its validation, and its
// normal form.
//
// Specification: Server Selection, "Components of a read preference"; Max
// Staleness.
package readpref

import (
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

// Preference is a read preference. The zero value is mode primary.
//
// A Preference is a plain value: build it as a literal or read it from a
// document, then call Validate. Whoever shares one must not modify TagSets.
type Preference struct {
	Mode Mode `json:"mode"`
	// TagSets are tried in order; the first that matches a member wins. Empty
	// means every member matches.
	TagSets      []tag.Set    `json:"tags,omitempty"`
	MaxStaleness MaxStaleness `json:"maxStalenessSeconds,omitempty"`
	// Hedge is deprecated since MongoDB server 8.0 and sent only when set.
	Hedge Hedge `json:"hedge,omitempty"`
}

// NoMaxStaleness is how documents and URIs spell "no maximum".
const NoMaxStaleness = -1

// SmallestMaxStalenessSeconds is the smallest maximum any replica set allows.
//
// Max Staleness specification, "Smallest allowed value for maxStalenessSeconds".
const SmallestMaxStalenessSeconds = 90

// Limits of a preference, far above any real one, that keep the work of one
// selection bounded for hostile input.
const (
	MaxTagSets = 100 // tag sets in a preference
	MaxTags    = 100 // tags in a tag set, and on a server
)

// IdleWritePeriodMS is how often an idle primary writes a no-op, in milliseconds.
const IdleWritePeriodMS = 10000

// MaxStaleness is maxStalenessSeconds, or no maximum (the zero value).
type MaxStaleness struct {
	seconds int64
	ok      bool
}

// MaxStalenessSeconds returns a maximum; NoMaxStaleness gives none. Validate
// refuses values below that.
func MaxStalenessSeconds(seconds int64) MaxStaleness {
	if seconds == NoMaxStaleness {
		return MaxStaleness{}
	}
	return MaxStaleness{seconds, true}
}

// Seconds returns the maximum; ok is false when there is none.
func (m MaxStaleness) Seconds() (seconds int64, ok bool) { return m.seconds, m.ok }

// IsDefined reports whether there is a maximum.
func (m MaxStaleness) IsDefined() bool { return m.ok }

// Hedge is the deprecated hedge document. The zero value is absent.
type Hedge uint8

// The hedge documents there are.
const (
	HedgeAbsent   Hedge = iota
	HedgeEmpty          // {}: enabled, by default
	HedgeEnabled        // {enabled: true}
	HedgeDisabled       // {enabled: false}
)

// IsDefined reports whether the document is there.
func (h Hedge) IsDefined() bool { return h != HedgeAbsent }

// Part names the part of a preference that a problem is about, so that each
// front end (document, URI, mongosh arguments) can say where it stands.
type Part uint8

// The parts.
const (
	PartMode Part = iota
	PartTags
	PartMaxStaleness
	PartHedge
)

// partPaths are the paths of the parts in a $readPreference document.
var partPaths = [...]string{"mode", "tags", "maxStalenessSeconds", "hedge"}

// Problem is one reason why a preference is invalid.
type Problem struct {
	Code    status.Code
	Part    Part
	Message string
}

// Problem returns the n-th problem of the preference, counting from 0; ok is
// false past the last.
//
// Server Selection specification, "tag_sets", "maxStalenessSeconds", "hedge".
func (p *Preference) Problem(n int) (problem Problem, ok bool) {
	next := func(is bool) bool {
		if is {
			n--
		}
		return n < 0
	}
	seconds, limited := p.MaxStaleness.Seconds()
	switch {
	case next(p.Mode > Nearest):
		return Problem{status.UnknownMode, PartMode, "the mode is none of the five"}, true
	case next(p.Mode == Primary && !matchesAll(p.TagSets)):
		return Problem{status.TagsWithPrimary, PartTags, "tag sets cannot be combined with mode primary"}, true
	case next(limited && seconds < NoMaxStaleness):
		return Problem{status.InvalidMaxStaleness, PartMaxStaleness, "maxStalenessSeconds must be -1 (no maximum) or a positive number"}, true
	case next(p.Mode == Primary && limited && seconds >= 0):
		return Problem{status.MaxStalenessWithPrimary, PartMaxStaleness, "maxStalenessSeconds cannot be combined with mode primary"}, true
	case next(p.Mode == Primary && p.Hedge.IsDefined()):
		return Problem{status.HedgeWithPrimary, PartHedge, "hedge cannot be combined with mode primary"}, true
	}
	return Problem{}, false
}

// Validate returns nil, or the first problem as a *status.Error whose path is
// that of the $readPreference document, such as "tags".
//
// A maxStalenessSeconds of 0 to 89 passes, as the specification wants; selection on a
// replica set refuses it.
func (p *Preference) Validate() error {
	if p.Mode <= Nearest && len(p.TagSets) == 0 && !p.MaxStaleness.ok && p.Hedge == HedgeAbsent {
		return nil // a mode alone, as most preferences are
	}
	if pr, ok := p.Problem(0); ok {
		return status.New(pr.Code, partPaths[pr.Part], pr.Message)
	}
	return nil
}

// matchesAll reports whether no tag set asks for anything: [], [{}].
func matchesAll(sets []tag.Set) bool {
	for _, set := range sets {
		if len(set) > 0 {
			return false
		}
	}
	return true
}

// Equal reports whether two preferences mean the same in every respect but the order of
// tags inside a set.
func (p *Preference) Equal(q *Preference) bool {
	if p.Mode != q.Mode || p.MaxStaleness != q.MaxStaleness || p.Hedge != q.Hedge || len(p.TagSets) != len(q.TagSets) {
		return false
	}
	for i := range p.TagSets {
		if !p.TagSets[i].Equal(q.TagSets[i]) {
			return false
		}
	}
	return true
}

// SmallestMaxStaleness returns the smallest maxStalenessSeconds that selection on a
// replica set allows at this heartbeat: at least 90, and at least the heartbeat plus the
// idle write period.
//
// Max Staleness specification, "Smallest allowed value for maxStalenessSeconds".
func SmallestMaxStaleness(heartbeatFrequencyMS int64) int64 {
	s := heartbeatFrequencyMS/1000 + IdleWritePeriodMS/1000
	if heartbeatFrequencyMS%1000 > 0 {
		s++
	}
	return max(s, SmallestMaxStalenessSeconds)
}
