package explain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

func TestText(t *testing.T) {
	r := request(topology.ReplicaSetWithPrimary, []topology.Server{
		primary("a.example:27017", rtt(2_400_000), tags("dc", "ny"), busy(3)),
		secondary("b.example:27017", tags("dc", "ny"), rtt(5*ms)),
		secondary("c.example:27017", tags("dc", "ny"), rtt(25*ms)),
		secondary("délicat", tags("dc", "sf")),
		server("e.example:27017", topology.ServerUnknown, unmeasured, failed("connection refused")),
	}, mode(readpref.SecondaryPreferred, set("dc", "ny"), set()))
	r.Topology.SetName = "rs0"
	assert.Equal(t, strings.Join([]string{
		"topology    ReplicaSetWithPrimary rs0, 5 servers",
		"operation   read",
		"preference  secondaryPreferred, tags [{dc: ny}, {}]",
		"server      b.example:27017 (RSSecondary), the only one in the latency window",
		"window      5 ms to 20 ms",
		"",
		"address          type         RTT ms  stage          why",
		"a.example:27017  RSPrimary    2.4     mode           mode secondaryPreferred uses the secondaries",
		"b.example:27017  RSSecondary  5       selected       the only server in the latency window",
		"c.example:27017  RSSecondary  25      latencyWindow  RTT 25 ms, window ends at 20 ms",
		"délicat          RSSecondary  5       tagSets        tags[0] needs dc=ny, has dc=sf",
		"e.example:27017  Unknown      -       type           not available: connection refused",
		"",
	}, "\n"), string(explained(t, r, selection.LeastBusyOfTwo).AppendText(nil)))
}

func TestTextOfSeveral(t *testing.T) {
	r := request(topology.Sharded, []topology.Server{server("m1", topology.Mongos, rtt(0)), server("m2", topology.Mongos, unmeasured), server("m3", topology.Mongos, rtt(15*ms))},
		stale(readpref.Secondary, 120), deprioritized("m9"))
	assert.Equal(t, strings.Join([]string{
		"before topology    Sharded, 3 servers",
		"operation   read",
		"preference  secondary, maxStalenessSeconds 120",
		"server      m1 (Mongos), one of 2 in the latency window",
		"window      0 ms to 15 ms",
		"",
		"address  type    RTT ms  stage            why",
		"m1       Mongos  0       selected         picked by random",
		"m2       Mongos  -       latencyWindow    RTT not measured, window ends at 15 ms",
		"m3       Mongos  15      inLatencyWindow  in the latency window, not picked",
		"",
		"note: topology type Sharded: the read preference does not choose the server; it is sent to it where it has a meaning there",
		"note: a server whose round-trip time is not measured is outside the latency window",
		"",
	}, "\n"), string(explained(t, r, selection.Random).AppendText([]byte("before "))))
}

func TestTextWithoutServers(t *testing.T) {
	r := request(topology.Unknown, nil, mode(readpref.Primary), operation(selection.Write))
	assert.Equal(t, "topology    Unknown, 0 servers\noperation   write\npreference  primary\n"+
		"server      none: no server is available: the topology has no servers\n", string(explained(t, r, 0).AppendText(nil)))
}

// One server, unmeasured: no window to tell, and the singular.
func TestTextWithoutWindow(t *testing.T) {
	r := request(topology.ReplicaSetNoPrimary, []topology.Server{secondary("s", unmeasured)}, mode(readpref.PrimaryPreferred))
	r.Topology.SetName = "rs\x1b"
	assert.Equal(t, strings.Join([]string{
		`topology    ReplicaSetNoPrimary rs\u001b, 1 server`,
		"operation   read",
		"preference  primaryPreferred",
		"server      s (RSSecondary), the only one in the latency window",
		"",
		"address  type         RTT ms  stage     why",
		"s        RSSecondary  -       selected  the only server in the latency window",
		"",
		"note: no suitable server's round-trip time is measured, so all are in the latency window",
		"",
	}, "\n"), string(explained(t, r, 0).AppendText(nil)))
}
