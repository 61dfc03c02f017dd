package discovery_test

import (
	"fmt"

	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// host does what effects say, as a driver would, and notes what makes no sense.
type host struct {
	monitors    map[string]bool
	generations map[string]int64 // of pools, as the host was told
	ready       map[string]bool
	scan        int64 // afterMS of the scan that is due; -1: none
	last        uint32
	wrong       []string
}

func newHost() *host {
	return &host{monitors: map[string]bool{}, generations: map[string]int64{}, ready: map[string]bool{}, scan: -1}
}

// do acts on changes that are new to it.
func (h *host) do(changes []discovery.Change) {
	for _, c := range changes {
		if c.Sequence <= h.last {
			continue
		}
		h.last = c.Sequence
		if c.Effect != nil {
			h.effect(c.Effect)
		}
	}
}

func (h *host) effect(e *sdam.Effect) {
	a := e.Address
	switch e.Kind {
	case sdam.StartMonitor:
		if h.monitors[a] {
			h.wrong = append(h.wrong, "started twice: "+a)
		}
		h.monitors[a], h.generations[a], h.ready[a] = true, 0, false
	case sdam.StopMonitor:
		if !h.monitors[a] {
			h.wrong = append(h.wrong, "stopped, but never started: "+a)
		}
		delete(h.monitors, a)
		delete(h.generations, a)
		delete(h.ready, a)
	case sdam.ScanSRV:
		h.scan = e.AfterMS
	default:
		if !h.monitors[a] {
			h.wrong = append(h.wrong, fmt.Sprintf("%s of a server without a monitor: %s", e.Kind, a))
		}
		switch e.Kind {
		case sdam.PoolReady:
			h.ready[a] = true
		case sdam.PoolClear:
			h.generations[a], h.ready[a] = e.Generation, false
		}
	}
}

// is returns how the host differs from a machine's pools, "" where it does not.
func (h *host) is(pools []sdam.Pool) string {
	if len(h.monitors) != len(pools) {
		return fmt.Sprintf("%d monitors for %d servers", len(h.monitors), len(pools))
	}
	for _, p := range pools {
		if !h.monitors[p.Address] {
			return "no monitor for " + p.Address
		}
		if h.generations[p.Address] != p.Generation {
			return fmt.Sprintf("pool of %s: generation %d, not %d", p.Address, h.generations[p.Address], p.Generation)
		}
	}
	return ""
}

func settings(seeds ...string) discovery.Settings { return discovery.DefaultSettings(seeds...) }

// reply makes a hello of a replica set's member.
func reply(address, role string, hosts ...string) *sdam.Reply {
	h := &sdam.Hello{OK: true, SetName: "rs", Hosts: hosts, MaxWireVersion: topology.NewInt(25)}
	switch role {
	case "primary":
		h.IsWritablePrimary, h.HasIsWritablePrimary = true, true
	case "secondary":
		h.Secondary = true
	case "mongos":
		h.Message, h.SetName, h.Hosts = "isdbgrid", "", nil
	case "failed":
		return &sdam.Reply{Address: address, RTTNS: -1, Network: true, Error: "refused"}
	}
	return &sdam.Reply{Address: address, Hello: h, RTTNS: 1_000_000}
}
