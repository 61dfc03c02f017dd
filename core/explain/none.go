package explain

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// Cause is the step that left no server.
type Cause uint8

// The causes.
const (
	NoServerAvailable Cause = iota // no server has answered
	NoCandidate                    // none plays a role that the mode or operation wants
	AllStale                       // maxStalenessSeconds dropped all candidates
	NoTagSetMatches                // the tag sets did
	CustomSelectorKeptNone
)

// CauseNames lists the names of the causes, in the order of their values.
var CauseNames = [...]string{"noServerAvailable", "noCandidate", "allStale", "noTagSetMatches", "customSelectorKeptNone"}

// String returns the documents' name of the cause.
func (c Cause) String() string { return CauseNames[c] }

// WhyNone returns the step that left no server; it has a meaning only for a
// result without suitable servers.
func WhyNone(r *selection.Request, res *selection.Result) Cause {
	last := &res.Passes[len(res.Passes)-1]
	if len(last.Tagged) > 0 {
		return CustomSelectorKeptNone
	}
	// Of several passes the furthest says most: a secondaryPreferred read without a
	// primary fails because its secondaries are stale.
	cause := NoServerAvailable
	for i := range r.Topology.Servers {
		if r.Topology.Servers[i].Type.IsAvailable() {
			cause = NoCandidate
			break
		}
	}
	for i := range res.Passes {
		p := &res.Passes[i]
		switch {
		case len(p.Fresh) > 0:
			cause = max(cause, NoTagSetMatches)
		case len(p.Candidates) > 0:
			cause = max(cause, AllStale)
		}
	}
	return cause
}

const maxErrorsShown = 5

// AppendNone appends why no server is suitable, with the full criteria, or with
// the servers' errors when none is available.
//
// Server Selection specification, "Server Selection Errors".
func AppendNone(dst []byte, r *selection.Request, res *selection.Result) []byte {
	cause := WhyNone(r, res)
	if cause == NoServerAvailable {
		return appendErrors(dst, r.Topology)
	}
	dst = str.Append(dst, "no suitable server for ")
	switch r.Operation {
	case selection.Write:
		dst = str.Append(dst, "a write")
	default:
		dst = str.Append(dst, "a read with read preference ")
		dst = AppendPreference(dst, &res.Preference)
	}
	dst = str.Append(dst, ": ")
	switch cause {
	case NoCandidate:
		dst = str.Append(dst, "topology type ")
		dst = str.Append(dst, r.Topology.Type.String())
		if r.Topology.Type == topology.Unknown {
			return str.Append(dst, " serves nothing")
		}
		return str.Append(dst, " has no server in that role")
	case AllStale:
		return str.Append(dst, "every candidate is too stale, or of unknown staleness")
	case NoTagSetMatches:
		return str.Append(dst, "no tag set matches a candidate")
	}
	return str.Append(dst, "the custom selector kept none")
}

// appendErrors appends the one error that all servers have, or each server's.
func appendErrors(dst []byte, t *topology.Description) []byte {
	dst = str.Append(dst, "no server is available")
	if len(t.Servers) == 0 {
		return str.Append(dst, ": the topology has no servers")
	}
	same := true
	for i := range t.Servers {
		same = same && t.Servers[i].Error == t.Servers[0].Error
	}
	if same {
		if t.Servers[0].Error != "" {
			dst = str.Append(dst, ": ")
			dst = plain.Append(dst, t.Servers[0].Error)
		}
		return dst
	}
	shown := 0
	for i := range t.Servers {
		s := &t.Servers[i]
		if s.Error == "" {
			continue
		}
		if shown == maxErrorsShown {
			return str.Append(dst, "; ...")
		}
		if shown == 0 {
			dst = str.Append(dst, ": ")
		} else {
			dst = str.Append(dst, "; ")
		}
		shown++
		dst = plain.Append(dst, s.Address)
		dst = str.Append(dst, ": ")
		dst = plain.Append(dst, s.Error)
	}
	return dst
}

func appendCount(dst []byte, n int, one, many string) []byte {
	dst = decimal.Append(dst, int64(n))
	if n == 1 {
		return append(dst, one...)
	}
	return append(dst, many...)
}
