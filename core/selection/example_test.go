package selection_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// cluster is a replica set in two data centres; c is far away, d lags behind.
func cluster() *topology.Description {
	ny, sf := tag.Set{{Name: "dc", Value: "ny"}}, tag.Set{{Name: "dc", Value: "sf"}}
	member := func(address string, of topology.ServerType, ms int64, tags tag.Set, written int64) topology.Server {
		return topology.Server{Address: address, Type: of, RoundTripTime: topology.NewRTT(ms * 1_000_000), Tags: tags,
			LastWriteDate: topology.NewDate(written), LastUpdateTimeMS: 1793000000950}
	}
	return &topology.Description{Type: topology.ReplicaSetWithPrimary, SetName: "rs0", Servers: []topology.Server{
		member("a.example:27017", topology.RSPrimary, 2, ny, 1793000000000),
		member("b.example:27017", topology.RSSecondary, 5, ny, 1793000000000),
		member("c.example:27017", topology.RSSecondary, 70, sf, 1793000000000),
		member("d.example:27017", topology.RSSecondary, 3, ny, 1792999800000),
	}}
}

// From a description and a preference to a server.
func Example() {
	description := cluster()
	var s selection.Selector // reuses its memory: keep one per goroutine
	result, err := s.Select(&selection.Request{
		Topology:   description,
		Preference: readpref.Preference{Mode: readpref.SecondaryPreferred, TagSets: []tag.Set{{{Name: "dc", Value: "ny"}}, {}}},
		Options:    selection.DefaultOptions(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range result.InLatencyWindow {
		fmt.Println("in the latency window:", description.Servers[i].Address)
	}
	rng := selection.SplitMix64(42) // seed it at random, and use it again
	if i := selection.LeastBusyOfTwo.Choose(description, result.InLatencyWindow, &rng, 0); i >= 0 {
		fmt.Println("chosen:", description.Servers[i].Address)
	}
	// Output:
	// in the latency window: b.example:27017
	// in the latency window: d.example:27017
	// chosen: d.example:27017
}

// No server is an answer, not an error.
func ExampleSelector_Select_noServer() {
	description := &topology.Description{Type: topology.ReplicaSetNoPrimary, Servers: cluster().Servers[1:]}
	r := &selection.Request{Topology: description, Options: selection.DefaultOptions()} // mode primary
	var s selection.Selector
	result, err := s.Select(r)
	fmt.Println(len(result.InLatencyWindow), err)
	fmt.Println(string(explain.AppendNone(nil, r, result)))
	// Output:
	// 0 <nil>
	// no suitable server for a read with read preference primary: topology type ReplicaSetNoPrimary has no server in that role
}

// maxStalenessSeconds leaves out members that lag, and must not be too small.
func ExampleSelector_Select_staleness() {
	r := &selection.Request{
		Topology:   cluster(),
		Preference: readpref.Preference{Mode: readpref.Secondary, MaxStaleness: readpref.MaxStalenessSeconds(120)},
		Options:    selection.DefaultOptions(),
	}
	var s selection.Selector
	result, err := s.Select(r)
	fmt.Println(err)
	for _, i := range result.Candidates {
		ms, _ := (&explain.Explanation{Request: r, Result: result, Reference: selection.NewStalenessReference(r.Topology)}).StalenessMS(&r.Topology.Servers[i])
		fmt.Println(r.Topology.Servers[i].Address, ms)
	}
	fmt.Println(len(result.Fresh), "of them are fresh enough")

	r.Preference.MaxStaleness = readpref.MaxStalenessSeconds(30)
	_, err = s.Select(r)
	var e *status.Error
	fmt.Println(errors.As(err, &e), e.Code, e.MinimumSeconds)
	// Output:
	// <nil>
	// b.example:27017 10000
	// c.example:27017 10000
	// d.example:27017 210000
	// 2 of them are fresh enough
	// true maxStalenessTooSmall 90
}

// The application's own filter runs before the latency window.
func ExampleCustomSelector() {
	description := cluster()
	r := &selection.Request{
		Topology:   description,
		Preference: readpref.Preference{Mode: readpref.Nearest},
		CustomSelector: selection.CustomSelectorFunc(func(t *topology.Description, suitable, dst []int32) []int32 {
			for _, i := range suitable {
				if !strings.HasPrefix(t.Servers[i].Address, "a.") && !strings.HasPrefix(t.Servers[i].Address, "d.") {
					dst = append(dst, i)
				}
			}
			return dst
		}),
		Options: selection.DefaultOptions(),
	}
	r.Options.LocalThresholdNS = 100_000_000
	var s selection.Selector
	result, _ := s.Select(r)
	for _, i := range result.InLatencyWindow {
		fmt.Println(description.Servers[i].Address)
	}
	// Output:
	// b.example:27017
	// c.example:27017
}

// A retry avoids the server that failed, while another one can serve.
func ExampleRequest_deprioritized() {
	description := cluster()
	r := &selection.Request{Topology: description, Preference: readpref.Preference{Mode: readpref.SecondaryPreferred},
		Deprioritized: []string{"B.example", "d.example:27017"}, Options: selection.DefaultOptions()}
	var s selection.Selector
	result, _ := s.Select(r)
	fmt.Println(description.Servers[result.InLatencyWindow[0]].Address)

	r.Preference.Mode = readpref.Primary
	r.Deprioritized = []string{"a.example"} // the only primary serves nevertheless
	result, _ = s.Select(r)
	fmt.Println(description.Servers[result.InLatencyWindow[0]].Address)
	// Output:
	// c.example:27017
	// a.example:27017
}

// Each step is also a function of its own.
func ExampleMatchTagSets() {
	description := cluster()
	view := selection.Candidates(description, selection.RoleSecondary, []int32{0, 1, 2, 3}, nil)
	matched, set := selection.MatchTagSets(description, []tag.Set{{{Name: "dc", Value: "la"}}, {{Name: "dc", Value: "sf"}}}, view, nil)
	fmt.Println("tag set", set, "matches server", matched)
	// Output: tag set 1 matches server [2]
}
