package explain_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// Every text was written by hand from the rule.
func TestWhy(t *testing.T) {
	const (
		with    = topology.ReplicaSetWithPrimary
		without = topology.ReplicaSetNoPrimary
		two     = selection.LeastBusyOfTwo
	)
	servers := func(list ...topology.Server) []topology.Server { return list }
	ny := set("dc", "ny")
	for _, c := range []struct {
		rule string
		r    *selection.Request
		pick selection.Pick
		want []string
	}{
		{"3.14", request(with, servers(primary("p"), secondary("s")), mode(readpref.Secondary)), two, []string{
			"p mode: mode secondary uses the secondaries", "s selected: the only server in the latency window"}},
		{"3.13", request(with, servers(primary("p"), secondary("s")), mode(readpref.Primary)), two, []string{
			"p selected: the only server in the latency window", "s mode: mode primary uses the primary"}},
		{"3.16", request(with, servers(primary("p"), secondary("s")), mode(readpref.PrimaryPreferred)), two, []string{
			"p selected: the only server in the latency window", "s mode: mode primaryPreferred uses the primary"}},
		{"3.17", request(with, servers(primary("p"), secondary("s")), mode(readpref.SecondaryPreferred)), two, []string{
			"p mode: mode secondaryPreferred uses the secondaries", "s selected: the only server in the latency window"}},
		{"3.14, no secondary", request(with, servers(primary("p")), mode(readpref.Secondary)), two, []string{
			"p mode: mode secondary never uses the primary"}},
		{"3.13, no primary", request(without, servers(secondary("s")), mode(readpref.Primary)), two, []string{
			"s mode: mode primary never uses a secondary"}},
		{"3.18, a primary that the topology denies", request(without, servers(primary("p"), secondary("s")), mode(readpref.Nearest)), two, []string{
			"p mode: the topology has no primary", "s selected: the only server in the latency window"}},
		{"3.29, secondaryPreferred and a custom selector that kept none", request(with, servers(primary("p"), secondary("s")), mode(readpref.SecondaryPreferred), keepOnly()), two, []string{
			"p mode: mode secondaryPreferred uses the secondaries", "s customSelector: dropped by the custom selector"}},
		{"3.29, primaryPreferred and a custom selector that kept none", request(with, servers(primary("p"), secondary("s")), mode(readpref.PrimaryPreferred), keepOnly("s")), two, []string{
			"p customSelector: dropped by the custom selector", "s mode: mode primaryPreferred uses the primary"}},
		{"3.11", request(with, servers(primary("p"), secondary("s")), mode(readpref.Nearest), operation(selection.Write)), two, []string{
			"p selected: the only server in the latency window", "s mode: a write goes to the primary only"}},
		{"3.11, no primary", request(without, servers(secondary("s")), mode(readpref.Nearest), operation(selection.Write)), two, []string{
			"s mode: a write goes to the primary only"}},
		{"3.12", request(with, servers(primary("p"), server("a", topology.RSArbiter), server("o", topology.RSOther), server("g", topology.RSGhost),
			server("u", topology.ServerUnknown, failed("connection refused")), server("v", topology.PossiblePrimary)), mode(readpref.Nearest)), two, []string{
			"p selected: the only server in the latency window",
			"a type: RSArbiter serves nothing in topology type ReplicaSetWithPrimary", "o type: RSOther serves nothing in topology type ReplicaSetWithPrimary",
			"g type: RSGhost serves nothing in topology type ReplicaSetWithPrimary",
			"u type: not available: connection refused", "v type: not available"}},
		{"3.7", request(topology.Unknown, servers(server("g", topology.RSGhost), server("u", topology.ServerUnknown)), mode(readpref.Nearest)), two, []string{
			"g type: the topology type is Unknown: nothing can be selected yet", "u type: the topology type is Unknown: nothing can be selected yet"}},
		{"3.10", request(topology.Sharded, servers(server("s", topology.Standalone), server("m", topology.Mongos, rtt(1*ms)), server("n", topology.Mongos, rtt(16*ms)), server("o", topology.Mongos, rtt(16*ms+1))), mode(readpref.Primary)), selection.RoundRobin, []string{
			"s type: Standalone serves nothing in topology type Sharded", "m selected: picked by roundRobin",
			"n inLatencyWindow: in the latency window, not picked", "o latencyWindow: RTT 16.000001 ms, window ends at 16 ms"}},
		{"3.8", request(topology.Single, servers(server("s", topology.ServerUnknown)), mode(readpref.Primary)), two, []string{"s type: not available"}},
		{"3.9", request(topology.LoadBalanced, servers(server("lb", topology.LoadBalancer)), mode(readpref.Primary)), two, []string{
			"lb selected: the only server in the latency window"}},
		{"3.27", request(with, servers(primary("p"), secondary("s"), secondary("d"), server("a", topology.RSArbiter)), mode(readpref.Secondary), deprioritized("D:27017", "a")), two, []string{
			"p mode: mode secondary uses the secondaries", "s selected: the only server in the latency window",
			"d deprioritized: deprioritized, and others are suitable", "a deprioritized: deprioritized, and others are suitable"}},
		{"3.27, the fallback", request(with, servers(secondary("d"), secondary("s", tags("dc", "sf"))), mode(readpref.Secondary, set("dc", "la")), deprioritized("d")), two, []string{
			"d tagSets: tags[0] needs dc=la, has no dc", "s tagSets: tags[0] needs dc=la, has dc=sf"}},
		{"3.20", request(with, servers(primary("p"), secondary("s", written(83100)), secondary("t", written(80001)), secondary("u", undated), secondary("v", written(80000))), stale(readpref.Secondary, 90)), two, []string{
			"p mode: mode secondary uses the secondaries",
			"s maxStaleness: stale by 3.1 s over maxStalenessSeconds 90", "t maxStaleness: stale by 0.001 s over maxStalenessSeconds 90",
			"u maxStaleness: staleness unknown: no lastWriteDate, maxStalenessSeconds 90", "v selected: the only server in the latency window"}},
		{"3.17, the secondaries are stale", request(with, servers(primary("p"), secondary("s", written(1_234_567))), stale(readpref.SecondaryPreferred, 90)), two, []string{
			"p selected: the only server in the latency window", "s maxStaleness: stale by 1154.567 s over maxStalenessSeconds 90"}},
		{"3.21, beyond any figure", request(with, servers(primary("p"), secondary("s", func(s *topology.Server) { s.LastWriteDate = topology.NewDate(math.MinInt64) })), stale(readpref.Secondary, 1<<49)), two, []string{
			"p mode: mode secondary never uses the primary", "s maxStaleness: stale over maxStalenessSeconds 562949953421312"}},
		{"3.25", request(with, servers(primary("p", tags("dc", "ny")), secondary("s", tags("dc", "sf")), secondary("bare")), mode(readpref.Nearest, set("dc", "ny", "disk", "ssd"), ny)), two, []string{
			"p selected: the only server in the latency window",
			"s tagSets: tags[0] needs dc=ny, has dc=sf; tags[1] needs dc=ny, has dc=sf",
			"bare tagSets: tags[0] needs dc=ny, has no dc; tags[1] needs dc=ny, has no dc"}},
		{"3.25, the first tag that is missing", request(with, servers(primary("p", tags("dc", "ny"))), mode(readpref.Nearest, set("dc", "ny", "disk", "ssd"))), two, []string{
			"p tagSets: tags[0] needs disk=ssd, has no disk"}},
		{"3.25, an earlier set matched others", request(with, servers(primary("p", tags("dc", "ny")), secondary("s", tags("dc", "sf"))), mode(readpref.Nearest, ny, tag.Set{})), two, []string{
			"p selected: the only server in the latency window", "s tagSets: tags[0] needs dc=ny, has dc=sf"}},
		{"3.25, nine tag sets", request(without, servers(secondary("s")), mode(readpref.Nearest, ny, ny, ny, ny, ny, ny, ny, ny, ny)), two, []string{
			"s tagSets: tags[0] needs dc=ny, has no dc; tags[1] needs dc=ny, has no dc; tags[2] needs dc=ny, has no dc; tags[3] needs dc=ny, has no dc; " +
				"tags[4] needs dc=ny, has no dc; tags[5] needs dc=ny, has no dc; tags[6] needs dc=ny, has no dc; tags[7] needs dc=ny, has no dc; ..."}},
		{"3.36", request(with, servers(primary("p"), secondary("s")), mode(readpref.Nearest), keepOnly("S:27017")), two, []string{
			"p customSelector: dropped by the custom selector", "s selected: the only server in the latency window"}},
		{"3.31", request(with, servers(primary("p", rtt(5*ms)), secondary("s", rtt(20*ms), busy(3)), secondary("t", rtt(20*ms+500_000)), secondary("u", unmeasured)), mode(readpref.Nearest)), two, []string{
			"p selected: picked by leastBusyOfTwo (operationCount 0)", "s inLatencyWindow: in the latency window, not picked (operationCount 3)",
			"t latencyWindow: RTT 20.5 ms, window ends at 20 ms", "u latencyWindow: RTT not measured, window ends at 20 ms"}},
		{"3.35", request(with, servers(primary("p", busy(9)), secondary("s")), mode(readpref.Nearest)), selection.Random, []string{
			"p selected: picked by random", "s inLatencyWindow: in the latency window, not picked"}},
		{"3.47", request(with, servers(primary("p"), secondary("s", wire(12))), mode(readpref.Secondary), operation(selection.AggregateWithWriteStage)), two, []string{
			"p selected: the only server in the latency window", "s mode: mode primary uses the primary"}},
		{"hostile names", request(with, servers(server("u", topology.ServerUnknown, failed("\x1b[31mred\n\u202e")), secondary("s", tags("a\nb", "\x07"))), mode(readpref.Secondary, set("a\nb", "\u2028"))), two, []string{
			`u type: not available: \u001b[31mred\u000a\u202e`, `s tagSets: tags[0] needs a\u000ab=\u2028, has a\u000ab=\u0007`}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			assert.Equal(t, c.want, verdicts(explained(t, c.r, c.pick)))
		})
	}
}

// The figures that explain prints beside the texts.
func TestFigures(t *testing.T) {
	list := []topology.Server{primary("p"), secondary("s", written(83100)), secondary("u", undated)}
	e := explained(t, request(topology.ReplicaSetWithPrimary, list, stale(readpref.Nearest, 90)), 0)
	over, ok := e.OverMS(&list[1])
	assert.True(t, ok)
	assert.Equal(t, int64(3100), over)
	staleness, ok := e.StalenessMS(&list[1])
	assert.True(t, ok)
	assert.Equal(t, int64(93100), staleness)
	for _, s := range []*topology.Server{&list[0], &list[2]} {
		_, ok = e.StalenessMS(s)
		assert.False(t, ok, "3.19, 3.23: %s has no staleness", s.Address)
		_, ok = e.OverMS(s)
		assert.False(t, ok)
	}
	e = explained(t, request(topology.ReplicaSetWithPrimary, list, mode(readpref.Nearest)), 0)
	_, ok = e.OverMS(&list[1])
	assert.False(t, ok, "there is no maximum")
}

func TestMisses(t *testing.T) {
	list := []topology.Server{secondary("s", tags("dc", "sf"))}
	e := explained(t, request(topology.ReplicaSetNoPrimary, list, mode(readpref.Secondary, set("dc", "ny"), set("dc", "sf", "disk", "ssd"))), 0)
	var got []explain.Miss
	assert.False(t, e.Misses(&list[0], func(m explain.Miss) { got = append(got, m) }))
	assert.Equal(t, []explain.Miss{
		{Set: 0, Needs: tag.Tag{Name: "dc", Value: "ny"}, Has: "sf"},
		{Set: 1, Needs: tag.Tag{Name: "disk", Value: "ssd"}, Bare: true},
	}, got)
}
