package simulate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/topology"
)

func asked() *simulate.Request {
	web, lost := reads(readpref.Nearest), reads(readpref.Secondary)
	web.Name, web.Weight = "web|\n", 3
	lost.Preference.MaxStaleness = readpref.MaxStalenessSeconds(10)
	d := set(member("a.example", topology.RSPrimary, 2*ms, 0), member("b", topology.RSSecondary, 5*ms, 3), member("c", topology.RSSecondary, 9.5*ms, 0))
	d.SetName = "rs0"
	return request(d, web, writes(), lost)
}

// The shares are those of TestExactLeastBusyOfTwo, weighted as in TestTotals.
func TestText(t *testing.T) {
	r := asked()
	assert.Equal(t, strings.Join([]string{
		"topology  ReplicaSetWithPrimary rs0, 3 servers",
		"pick      leastBusyOfTwo",
		"shares    exact, for one client",
		"",
		"server     type         reads      writes     all",
		"a.example  RSPrimary     37.5000%  100.0000%   50.0000%",
		"b          RSSecondary    0.0000%    0.0000%    0.0000%",
		"c          RSSecondary   37.5000%    0.0000%   30.0000%",
		"no server                25.0000%    0.0000%   20.0000%",
		"",
		`workload    operation  weight  share      server     RTT ms`,
		`web|\u000a  read       3        50.0000%  a.example  2`,
		`web|\u000a  read       3         0.0000%  b          5`,
		`web|\u000a  read       3        50.0000%  c          9.5`,
		`workload 2  write      1       100.0000%  a.example  2`,
		`workload 3  read       1       100.0000%  none       -`,
		"",
		`web|\u000a  nearest: on average RTT 5.75 ms`,
		`workload 2  primary: on average RTT 2 ms`,
		`workload 3  secondary, maxStalenessSeconds 10: maxStalenessSeconds 10 is too small: this topology allows 90 or more (90, and heartbeatFrequencyMS 10000 + 10 s)`,
		"",
	}, "\n"), string(run(t, r).AppendText(nil, r)))
}

func TestMarkdown(t *testing.T) {
	r := asked()
	r.Workloads = r.Workloads[:1]
	r.Format, r.Picks, r.Clients, r.Seed = table.Markdown, 1, 1, 7
	r.Topology.Servers = r.Topology.Servers[:1]
	r.Topology.Servers[0].RoundTripTime = topology.RTT{}
	assert.Equal(t, strings.Join([]string{
		"- topology: ReplicaSetWithPrimary rs0, 1 server",
		"- pick: leastBusyOfTwo",
		"- shares: of 1 picks, seed 7, clients 1",
		"",
		"| server | type | reads | writes | all |",
		"| --- | --- | --- | --- | --- |",
		"| a.example | RSPrimary | 100.0000% |   0.0000% | 100.0000% |",
		"",
		"| workload | operation | weight | share | server | RTT ms |",
		"| --- | --- | --- | --- | --- | --- |",
		`| web\|\\u000a | read | 3 | 100.0000% | a.example | - |`,
		"",
		`- web\|\\u000a: nearest: no RTT is known`,
		"",
	}, "\n"), string(run(t, r).AppendText(nil, r)))
}
