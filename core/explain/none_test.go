package explain_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// 3.41: where a server is available the full criteria, else the servers' errors.
func TestNone(t *testing.T) {
	const (
		with    = topology.ReplicaSetWithPrimary
		without = topology.ReplicaSetNoPrimary
		down    = topology.ServerUnknown
	)
	servers := func(list ...topology.Server) []topology.Server { return list }
	ny := set("dc", "ny")
	for _, c := range []struct {
		rule    string
		r       *selection.Request
		cause   explain.Cause
		message string
	}{
		{"3.41 no servers", request(topology.Unknown, nil, mode(readpref.Primary)), explain.NoServerAvailable,
			"no server is available: the topology has no servers"},
		{"3.41 one error", request(without, servers(server("a", down, failed("connection refused"))), mode(readpref.Nearest)), explain.NoServerAvailable,
			"no server is available: connection refused"},
		{"3.41 the same error", request(without, servers(server("a", down, failed("refused")), server("b", down, failed("refused"))), mode(readpref.Nearest)), explain.NoServerAvailable,
			"no server is available: refused"},
		{"3.41 different errors", request(without, servers(server("a", down, failed("refused")), server("b", down), server("c", topology.PossiblePrimary, failed("timed out"))), mode(readpref.Nearest)), explain.NoServerAvailable,
			"no server is available: a: refused; c: timed out"},
		{"3.41 no error known", request(topology.Unknown, servers(server("a", down), server("b", down)), mode(readpref.Nearest), operation(selection.Write)), explain.NoServerAvailable,
			"no server is available"},
		{"3.41 many errors", request(topology.Sharded, servers(server("a", down, failed("1")), server("b", down, failed("2")), server("c", down, failed("3")), server("d", down, failed("4")),
			server("e", down, failed("5")), server("f", down, failed("6"))), mode(readpref.Primary)), explain.NoServerAvailable,
			"no server is available: a: 1; b: 2; c: 3; d: 4; e: 5; ..."},
		{"3.41 an error for a terminal", request(topology.Unknown, servers(server("a", down, failed("\x1b]0;x\x07"))), mode(readpref.Primary)), explain.NoServerAvailable,
			`no server is available: \u001b]0;x\u0007`},
		{"3.7 Unknown", request(topology.Unknown, servers(server("g", topology.RSGhost)), mode(readpref.Nearest)), explain.NoCandidate,
			"no suitable server for a read with read preference nearest: topology type Unknown serves nothing"},
		{"3.13 no primary", request(without, servers(secondary("s")), mode(readpref.Primary)), explain.NoCandidate,
			"no suitable server for a read with read preference primary: topology type ReplicaSetNoPrimary has no server in that role"},
		{"3.11 no primary", request(without, servers(secondary("s")), stale(readpref.Secondary, 120, ny), operation(selection.Write)), explain.NoCandidate,
			"no suitable server for a write: topology type ReplicaSetNoPrimary has no server in that role"},
		{"3.10 no mongos", request(topology.Sharded, servers(server("s", topology.Standalone)), mode(readpref.Primary)), explain.NoCandidate,
			"no suitable server for a read with read preference primary: topology type Sharded has no server in that role"},
		{"3.20 stale", request(without, servers(secondary("a"), secondary("s", undated)), stale(readpref.Secondary, 90), deprioritized(), keepOnly("s")), explain.CustomSelectorKeptNone,
			"no suitable server for a read with read preference secondary, maxStalenessSeconds 90: the custom selector kept none"},
		{"3.20 all stale", request(with, servers(primary("p"), secondary("s", written(80001)), secondary("t", undated)), stale(readpref.Secondary, 90, ny, tag.Set{})), explain.AllStale,
			"no suitable server for a read with read preference secondary, tags [{dc: ny}, {}], maxStalenessSeconds 90: every candidate is too stale, or of unknown staleness"},
		{"3.25 tags", request(with, servers(primary("p"), secondary("s")), mode(readpref.Nearest, set("dc", "ny", "rack", "1"))), explain.NoTagSetMatches,
			"no suitable server for a read with read preference nearest, tags [{dc: ny, rack: 1}]: no tag set matches a candidate"},
		{"3.17 the secondaries say most", request(with, servers(secondary("s")), mode(readpref.SecondaryPreferred, ny)), explain.NoTagSetMatches,
			"no suitable server for a read with read preference secondaryPreferred, tags [{dc: ny}]: no tag set matches a candidate"},
		{"3.29 the custom selector", request(with, servers(primary("p")), mode(readpref.Primary), keepOnly()), explain.CustomSelectorKeptNone,
			"no suitable server for a read with read preference primary: the custom selector kept none"},
		{"3.9 of a load balancer too", request(topology.LoadBalanced, servers(server("lb", down)), mode(readpref.Primary), keepOnly()), explain.CustomSelectorKeptNone,
			"no suitable server for a read with read preference primary: the custom selector kept none"},
		{"1.11 hedge is a criterion", request(without, servers(server("a", topology.RSArbiter)), readpref.Preference{Mode: readpref.Nearest, Hedge: readpref.HedgeEnabled}), explain.NoCandidate,
			"no suitable server for a read with read preference nearest, hedge: topology type ReplicaSetNoPrimary has no server in that role"},
		{"3.47 the effective preference", request(without, servers(secondary("s", wire(12))), mode(readpref.Secondary, ny), operation(selection.AggregateWithWriteStage)), explain.NoCandidate,
			"no suitable server for a read with read preference primary: topology type ReplicaSetNoPrimary has no server in that role"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e := explained(t, c.r, 0)
			assert.Equal(t, int32(-1), e.Chosen)
			assert.Equal(t, c.cause.String(), explain.WhyNone(c.r, e.Result).String())
			assert.Equal(t, c.message, string(explain.AppendNone(nil, c.r, e.Result)))
		})
	}
}

func TestCauseNames(t *testing.T) {
	assert.Equal(t, "noServerAvailable", explain.NoServerAvailable.String())
	assert.Equal(t, "noCandidate", explain.NoCandidate.String())
	assert.Equal(t, "allStale", explain.AllStale.String())
	assert.Equal(t, "noTagSetMatches", explain.NoTagSetMatches.String())
	assert.Equal(t, "customSelectorKeptNone", explain.CustomSelectorKeptNone.String())
	assert.Equal(t, "invalid", explain.Stage(9).String())
	assert.Equal(t, "selected", explain.Selected.String())
}
