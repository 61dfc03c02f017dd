package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// The members of a set of 2,000 list 4,000,000 addresses, 68 MB and more. That is
// too long for an event, and is not printed to find that out.
func TestEventOfLargeSet(t *testing.T) {
	changed := func(members int) *sdam.Event {
		hosts := make([]string, members)
		for i := range hosts {
			hosts[i] = fmt.Sprintf("h%d.example:27017", i)
		}
		d := &topology.Description{Type: topology.ReplicaSetNoPrimary, SetName: "rs"}
		for _, h := range hosts {
			d.Servers = append(d.Servers, topology.Server{Address: h, Type: topology.RSSecondary, SetName: "rs", Hosts: hosts})
		}
		return &sdam.Event{Kind: sdam.TopologyDescriptionChanged, NewTopology: d}
	}
	dst := wire.AppendChange(nil, 7, changed(2000), nil, topology.WireVersions{Min: 8, Max: 29})
	if want := `{"sequence":7,"event":"topologyDescriptionChanged","previousDescription":null,"newDescription":null}`; string(dst) != want {
		t.Errorf("%.300s", dst)
	}
	if cap(dst) > 1<<20 {
		t.Errorf("%d bytes of memory", cap(dst))
	}
	// 500² addresses of 20 bytes are 5 MB.
	dst = wire.AppendChange(nil, 7, changed(500), nil, topology.WireVersions{Min: 8, Max: 29})
	if n := strings.Count(string(dst), `"h0.example:27017"`); n != 501 {
		t.Errorf("%d times an address that 500 list", n)
	}
}
