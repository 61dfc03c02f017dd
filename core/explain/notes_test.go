package explain_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

func TestNotes(t *testing.T) {
	const (
		with    = topology.ReplicaSetWithPrimary
		without = topology.ReplicaSetNoPrimary
	)
	servers := func(list ...topology.Server) []topology.Server { return list }
	ny := set("dc", "ny")
	mongos := servers(server("m", topology.Mongos))
	for _, c := range []struct {
		rule string
		r    *selection.Request
		want []string
	}{
		{"nothing to note", request(with, servers(primary("p"), secondary("s")), stale(readpref.Nearest, 90)), nil},
		{"3.10", request(topology.Sharded, mongos, mode(readpref.Secondary)), []string{
			"readPreferenceIgnoredForSelection: topology type Sharded: the read preference does not choose the server; it is sent to it where it has a meaning there"}},
		{"3.10, primary", request(topology.Sharded, mongos, mode(readpref.Primary)), nil},
		{"3.10, primary with {}", request(topology.Sharded, mongos, mode(readpref.Primary, tag.Set{})), nil},
		{"3.7", request(topology.Unknown, nil, mode(readpref.Secondary)), nil},
		{"3.11", request(with, servers(primary("p")), mode(readpref.Secondary), operation(selection.Write)), []string{
			"readPreferenceIgnoredForWrite: a write goes to the primary, whatever the read preference"}},
		{"3.11, primary", request(with, servers(primary("p")), mode(readpref.Primary, tag.Set{}), operation(selection.Write)), nil},
		{"3.47", request(with, servers(primary("p", wire(12))), mode(readpref.Secondary), operation(selection.AggregateWithWriteStage)), []string{
			"writeStageUsesPrimary: $out and $merge run on the primary while an available server is older than MongoDB 5.0 (wire version 13)"}},
		{"3.47, primary anyway", request(with, servers(primary("p", wire(12))), mode(readpref.Primary, tag.Set{}), operation(selection.AggregateWithWriteStage)), nil},
		{"3.47, all new", request(with, servers(primary("p", wire(13)), secondary("s")), mode(readpref.Secondary), operation(selection.AggregateWithWriteStage)), nil},
		{"3.16", request(with, servers(primary("p", tags("dc", "sf"))), mode(readpref.PrimaryPreferred, ny)), []string{
			"primaryNotFiltered: tag sets and maxStalenessSeconds do not filter the primary in mode primaryPreferred"}},
		{"3.17", request(with, servers(primary("p"), secondary("s")), mode(readpref.SecondaryPreferred, ny)), []string{
			"primaryNotFiltered: tag sets and maxStalenessSeconds do not filter the primary in mode secondaryPreferred"}},
		{"3.17, a secondary matched", request(with, servers(primary("p"), secondary("s", tags("dc", "ny"))), mode(readpref.SecondaryPreferred, ny)), nil},
		{"3.23", request(with, servers(primary("p"), secondary("s"), secondary("t", undated), secondary("u", undated)), stale(readpref.Secondary, 90)), []string{
			"lastWriteDateMissing: lastWriteDate missing on t, u: of unknown staleness, so not eligible"}},
		{"3.23, of many", request(without, servers(secondary("a", undated), secondary("b", undated), secondary("c", undated), secondary("d", undated), secondary("e", undated), secondary("f", undated)), stale(readpref.Secondary, 90)), []string{
			"lastWriteDateMissing: lastWriteDate missing on a, b, c, d, e, ...: of unknown staleness, so not eligible"}},
		{"3.23, without a maximum", request(with, servers(primary("p"), secondary("t", undated)), mode(readpref.Secondary)), nil},
		{"3.23, on the primary", request(with, servers(primary("p", undated), secondary("s")), stale(readpref.Secondary, 90)), []string{
			"primaryLastWriteDateMissing: lastWriteDate missing on the primary p: secondaries are measured against the freshest of them"}},
		{"3.27", request(with, servers(primary("p")), mode(readpref.Primary), deprioritized("p")), []string{
			"deprioritizedConsidered: without the deprioritized servers nothing is suitable, so they were considered too"}},
		{"3.27, others serve", request(with, servers(primary("p"), secondary("s")), mode(readpref.Nearest), deprioritized("p")), nil},
		{"3.27, a stranger", request(with, servers(primary("p")), mode(readpref.Primary), deprioritized("z")), nil},
		{"3.27, mongoses", request(topology.Sharded, mongos, mode(readpref.Primary), deprioritized("m")), []string{
			"deprioritizedConsidered: without the deprioritized servers nothing is suitable, so they were considered too"}},
		{"3.32, mongoses", request(topology.Sharded, servers(server("m", topology.Mongos), server("n", topology.Mongos, unmeasured)), mode(readpref.Primary)), []string{
			"roundTripTimeMissing: a server whose round-trip time is not measured is outside the latency window"}},
		{"3.9, 3.32: a load balancer needs none", request(topology.LoadBalanced, servers(server("lb", topology.LoadBalancer, unmeasured)), mode(readpref.Primary)), nil},
		{"3.8, 3.32: nor does a single server", request(topology.Single, servers(server("s", topology.Standalone, unmeasured)), mode(readpref.Primary)), nil},
		{"3.32", request(with, servers(primary("p", unmeasured), secondary("s")), mode(readpref.Nearest)), []string{
			"roundTripTimeMissing: a server whose round-trip time is not measured is outside the latency window"}},
		{"3.32, none", request(with, servers(primary("p", unmeasured)), mode(readpref.Nearest)), []string{
			"roundTripTimeMissing: no suitable server's round-trip time is measured, so all are in the latency window"}},
		{"3.32, of a server that is not suitable", request(with, servers(primary("p", unmeasured), secondary("s")), mode(readpref.Secondary)), nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for _, n := range explained(t, c.r, 0).Notes(nil) {
				got = append(got, fmt.Sprint(n.Code, ": ", n.Message))
			}
			assert.Equal(t, c.want, got)
		})
	}
}
