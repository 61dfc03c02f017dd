package explain_test

import (
	"fmt"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// Why a selection came out as it did, server by server.
func Example() {
	description := &topology.Description{Type: topology.ReplicaSetWithPrimary, SetName: "rs0", Servers: []topology.Server{
		{Address: "a.example:27017", Type: topology.RSPrimary, RoundTripTime: topology.NewRTT(2_000_000)},
		{Address: "b.example:27017", Type: topology.RSSecondary, RoundTripTime: topology.NewRTT(5_000_000)},
		{Address: "c.example:27017", Type: topology.RSSecondary, RoundTripTime: topology.NewRTT(20_500_000)},
	}}
	request := &selection.Request{Topology: description, Preference: readpref.Preference{Mode: readpref.Secondary}, Options: selection.DefaultOptions()}
	var s selection.Selector
	result, err := s.Select(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := selection.SplitMix64(42)
	chosen := selection.LeastBusyOfTwo.Choose(description, result.InLatencyWindow, &rng, 0)

	var e explain.Explanation
	e.Explain(request, result, selection.LeastBusyOfTwo, chosen)
	fmt.Print(string(e.AppendText(nil)))
	// Output:
	// topology    ReplicaSetWithPrimary rs0, 3 servers
	// operation   read
	// preference  secondary
	// server      b.example:27017 (RSSecondary), the only one in the latency window
	// window      5 ms to 20 ms
	//
	// address          type         RTT ms  stage          why
	// a.example:27017  RSPrimary    2       mode           mode secondary uses the secondaries
	// b.example:27017  RSSecondary  5       selected       the only server in the latency window
	// c.example:27017  RSSecondary  20.5    latencyWindow  RTT 20.5 ms, window ends at 20 ms
}
