package main

import (
	"slices"
	"strings"
)

const (
	pymongo = "pymongo"
	node    = "node"
	goPeer  = "go"
	java    = "java"
)

// selectKinds are the known kinds, those with the narrowest condition first.
var selectKinds = []kind{
	{
		id:    "emptyTagSetsRefused",
		title: "`tags: []` is refused",
		peers: []string{pymongo},
		spec:  "Server Selection, tag_sets",
		why:   "The list may be empty; that is the same as its default `[{}]`, which matches every server, with every mode.",
		refuses: func(c *selectCase, message string) bool {
			t := c.ReadPreference.Tags
			return t != nil && len(*t) == 0 && (strings.Contains(message, "Tag sets [] invalid") || strings.Contains(message, "cannot be combined with tags"))
		},
	},
	{
		id:    "emptyTagSetWithPrimaryRefused",
		title: "mode primary with tag sets that ask for nothing is refused",
		peers: []string{node, pymongo, goPeer, java},
		spec:  "Server Selection, tag_sets",
		why:   "Only a tag set that asks for something cannot stand with mode primary; `[{}]` is the default of every mode. (PyMongo takes `[{}]`, not `[{}, {}]`; Go refuses `[]`, too.)",
		refuses: func(c *selectCase, message string) bool {
			t := c.ReadPreference.Tags
			asks := func(set map[string]string) bool { return len(set) > 0 }
			refused := strings.Contains(message, "cannot be combined with tags") || strings.Contains(message, "can not specify tags") ||
				strings.Contains(message, "can not also specify tag sets")
			return t != nil && !slices.ContainsFunc(*t, asks) && c.ReadPreference.Mode == "primary" && refused
		},
	},
	{
		id:    "minusOneRefused",
		title: "`maxStalenessSeconds: -1` is refused",
		peers: []string{node, goPeer},
		spec:  "Server Selection, maxStalenessSeconds; Max Staleness, API",
		why:   "-1 says that there is no maximum, with every mode.",
		refuses: func(c *selectCase, message string) bool {
			return c.ReadPreference.MaxStalenessSeconds != nil && c.maxStaleness() == -1
		},
	},
	{
		id:    "zeroRefusedEverywhere",
		title: "`maxStalenessSeconds: 0` is refused before the topology is looked at",
		peers: []string{pymongo, node},
		spec:  "Max Staleness, smallest allowed value for maxStalenessSeconds",
		why:   "A value that is too small is an error of selection on a replica set; other topologies ignore it.",
		refuses: func(c *selectCase, message string) bool {
			return c.maxStaleness() == 0 && strings.Contains(message, "must be a positive integer")
		},
	},
	{
		id:    "windowEndInFloatingPoint",
		title: "servers exactly at the end of the latency window are lost to floating point",
		peers: []string{pymongo, node},
		spec:  "Server Selection, Selecting servers within the latency window",
		why: "Both ends are inside the window. Decimal milliseconds have no exact binary fraction, so a sum or a difference of two " +
			"misses the equality by a rounding.",
		mistaken: func(c *selectCase, ours *answer) []*selectCase {
			end := c.atWindowEnd(ours)
			return []*selectCase{c.edit(func(s *serverDoc) {
				if slices.Contains(end, s.Address) {
					later := *s.RoundTripTime + 1
					s.RoundTripTime = &later
				}
			})}
		},
	},
	{
		id:    "stalenessLimitInFloatingPoint",
		title: "secondaries exactly at maxStalenessSeconds are lost to floating point",
		peers: []string{pymongo},
		spec:  "Max Staleness, Client",
		why:   "A staleness equal to maxStalenessSeconds is eligible. Seconds since 1970 with milliseconds behind the point are not exact in a float.",
		mistaken: func(c *selectCase, _ *answer) (list []*selectCase) {
			// Each date rounds for itself, so some may be lost and others not.
			for _, lost := range subsets(c.atStalenessLimit()) {
				list = append(list, c.edit(func(s *serverDoc) {
					if slices.Contains(lost, s.Address) {
						earlier := *s.LastWriteDate - 1
						s.LastWriteDate = &earlier
					}
				}))
			}
			return list
		},
	},
	{
		id:    "tooSmallUnderPrimary",
		title: "a maxStalenessSeconds that is too small is accepted while a primary serves",
		peers: []string{pymongo, node},
		spec:  "Max Staleness, smallest allowed value for maxStalenessSeconds",
		why:   "The client must raise an error on a replica set; these look at the value only when they come to the secondaries.",
		accepts: func(c *selectCase, window []string) bool {
			p := c.primary()
			return c.tooSmall() && c.ReadPreference.Mode == "primaryPreferred" && p != nil && slices.Equal(window, []string{p.Address})
		},
	},
	{
		id:    "heartbeatOfTheFirstServer",
		title: "a maxStalenessSeconds less than heartbeatFrequencyMS + 10 s is accepted while the first server is Unknown",
		peers: []string{goPeer},
		spec:  "Max Staleness, smallest allowed value for maxStalenessSeconds",
		why: "The interval is the client's. Here it is read from the first server of the topology, which has none until it answers; and of a topology without servers " +
			"nothing is checked. Secondaries are then measured with that very limit.",
		mistaken: func(c *selectCase, _ *answer) []*selectCase {
			if !c.tooSmall() || c.maxStaleness() < 90 || len(c.Topology.Servers) > 0 && c.Topology.Servers[0].known() {
				return nil
			}
			// What it estimates has the true interval in it. A case with an interval of 80 s, of which every limit
			// from 90 s on is large enough, and with dates earlier by the difference, asks the same.
			newest, moved := c.newestSecondary(), c.HeartbeatFrequencyMS-80_000
			n := c.edit(func(s *serverDoc) {
				switch {
				case s.Type != "RSSecondary" || s.LastWriteDate == nil:
				case c.primary() == nil && c.HeartbeatFrequencyMS > c.maxStaleness()*1000:
					s.Type = "RSOther" // not even the newest is fresh
				case c.primary() != nil || *s.LastWriteDate < newest:
					earlier := *s.LastWriteDate - moved
					s.LastWriteDate = &earlier
				}
			})
			n.HeartbeatFrequencyMS = 80_000
			return []*selectCase{n}
		},
	},
	{
		id:    "referenceWithoutDeprioritized",
		title: "staleness is measured from the servers that are not deprioritized",
		peers: []string{pymongo, goPeer, java},
		spec:  "Max Staleness, Client; Server Selection, Deprioritized servers",
		why: "A deprioritized server is no candidate of this operation; that it is the primary, or has the newest write, is still known of the topology. " +
			"The specification does not say it; readpref measures from the whole topology.",
		mistaken: func(c *selectCase, _ *answer) []*selectCase {
			if c.maxStaleness() < 0 || !c.isReplicaSet() || len(c.Deprioritized) == 0 {
				return nil
			}
			n := c.without(slices.DeleteFunc(slices.Clone(c.Deprioritized), func(a string) bool { return c.server(a) == nil || !c.server(a).known() }))
			n.Deprioritized = nil
			// Where that leaves none, the deprioritized are in again.
			if a, err := ourSelect(n.document()); err == nil && a.Error == "" && len(a.suitable) == 0 {
				n = c.clone()
				n.Deprioritized = nil
			}
			return []*selectCase{n}
		},
	},
	{
		id:    "tagsBeforeDeprioritized",
		title: "a tag set that only deprioritized servers match is not passed over",
		peers: []string{node},
		spec:  "Server Selection, Deprioritized servers",
		why:   "Deprioritized servers are filtered first, so a later tag set that another server matches decides.",
		mistaken: func(c *selectCase, _ *answer) (list []*selectCase) {
			if t := c.ReadPreference.Tags; t != nil && len(*t) > 1 && len(c.Deprioritized) > 0 {
				for _, set := range *t {
					n := c.clone()
					n.ReadPreference.Tags = &[]map[string]string{set}
					list = append(list, n)
				}
			}
			return list
		},
	},
	{
		id:    "deprioritizedBesideUnknown",
		title: "no mongos is found where all that are known are deprioritized and another is Unknown",
		peers: []string{node},
		spec:  "Server Selection, Deprioritized servers; Sharded",
		why: "Where deprioritization leaves no suitable server, the deprioritized are used. The Unknown server counts as one that was left, and is then " +
			"filtered away, so nothing is selected until it answers.",
		mistaken: func(c *selectCase, _ *answer) []*selectCase {
			if c.Topology.Type != "Sharded" || len(c.Deprioritized) == 0 {
				return nil
			}
			n := c.without(c.Deprioritized)
			if len(n.Topology.Servers) == 0 {
				return nil
			}
			return []*selectCase{n}
		},
	},
	{
		id:    "writeStageChecksFirst",
		title: "an aggregate with $out or $merge that falls back to primary still refuses a maxStalenessSeconds that is too small",
		peers: []string{goPeer},
		spec:  "Server Selection, Read preference: aggregates with write stages; Max Staleness",
		why:   "With a server older than 5.0 the operation behaves as with mode primary, which has no maxStalenessSeconds. The specification does not say which rule comes first.",
		refuses: func(c *selectCase, message string) bool {
			n := c.clone()
			n.Operation = ""
			return c.Operation == "aggregateWithWriteStage" && n.tooSmall() && c.olderThanFive() && strings.Contains(message, "max staleness")
		},
	},
	{
		id:    "writeStageWithoutDeprioritized",
		title: "whether an aggregate with $out or $merge falls back to primary is asked of the servers that are not deprioritized",
		peers: []string{java, goPeer},
		spec:  "Server Selection, Read preference: aggregates with write stages",
		why:   "The fallback is for a topology with an available server older than 5.0, deprioritized or not.",
		mistaken: func(c *selectCase, _ *answer) []*selectCase {
			if c.Operation != "aggregateWithWriteStage" || len(c.Deprioritized) == 0 || !c.olderThanFive() {
				return nil
			}
			n := c.without(c.Deprioritized)
			n.Deprioritized = nil
			return []*selectCase{n}
		},
	},
	{
		id:    "writeStageBeforeDiscovery",
		title: "an aggregate with $out or $merge uses primary while no server has answered",
		peers: []string{node},
		spec:  "Server Selection, Read preference: aggregates with write stages",
		why:   "Only an available server that is older than 5.0 replaces the preference. Here it shows in errors of the preference that are not raised.",
		mistaken: func(c *selectCase, _ *answer) []*selectCase {
			if c.Operation != "aggregateWithWriteStage" || slices.ContainsFunc(c.Topology.Servers, func(s serverDoc) bool { return s.known() }) {
				return nil
			}
			n := c.clone()
			n.Operation, n.ReadPreference = "", preferenceDoc{Mode: "primary"}
			return []*selectCase{n}
		},
	},
	{
		id:    "missingDateRefused",
		title: "a member whose lastWriteDate is not known makes the selection fail",
		peers: []string{pymongo, java},
		spec:  "Max Staleness, Client; lastWriteDate",
		why: "A server of every supported version says it, but a topology may hold a member that has not. The specification does not say what then; " +
			"in readpref its staleness is unknown, so it is not eligible, and the others are.",
		refuses: func(c *selectCase, message string) bool { return c.lacksDates() },
	},
	{
		id:    "missingDateIsFresh",
		title: "a member whose lastWriteDate is not known is counted as fresh",
		peers: []string{goPeer},
		spec:  "Max Staleness, Client; lastWriteDate",
		why:   "As above. The difference of a time and no time is the greatest duration, and adding the interval to it overflows to a negative staleness; where it is the primary's, all are fresh.",
		mistaken: func(c *selectCase, _ *answer) []*selectCase {
			if !c.lacksDates() {
				return nil
			}
			p := c.primary()
			if p != nil && p.LastWriteDate == nil {
				n := c.edit(func(s *serverDoc) {
					// The least duration less the interval overflows in the other direction.
					if s.LastWriteDate != nil && *s.LastWriteDate-*s.LastUpdateTimeMS > c.HeartbeatFrequencyMS && s.Type == "RSSecondary" {
						s.Type = "RSOther"
					}
				})
				n.ReadPreference.MaxStalenessSeconds = nil
				return []*selectCase{n}
			}
			return []*selectCase{c.edit(func(s *serverDoc) {
				if s.Type != "RSSecondary" || s.LastWriteDate != nil {
					return
				}
				fresh := max(c.newestSecondary(), 0)
				if p != nil {
					fresh = *s.LastUpdateTimeMS - (*p.LastUpdateTimeMS - *p.LastWriteDate)
				}
				s.LastWriteDate = &fresh
			})}
		},
	},
	{
		id:    "missingDateIsTheEpoch",
		title: "a lastWriteDate that is not known is taken for 1970",
		peers: []string{node},
		spec:  "Max Staleness, Client; lastWriteDate",
		why:   "As above. Where all lack it, or the primary does, members of unknown staleness are counted as fresh.",
		mistaken: func(c *selectCase, _ *answer) []*selectCase {
			if !c.lacksDates() {
				return nil
			}
			return []*selectCase{c.edit(func(s *serverDoc) {
				if s.LastWriteDate == nil {
					s.LastWriteDate = new(int64)
				}
			})}
		},
	},
}
