package simulate

import (
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// pick fills the outcomes by simulating operations, one after the other.
//
// Without clients an operation ends before the next begins, so the operation
// counts stay as they are. With clients each has one operation in progress, which
// ends its server's round-trip time and service time after it began. The client
// whose operation ends first is the next to begin one, at that time; of equal ones
// the one whose operation began first. An operation that finds no server takes no
// time.
func (res *Result) pick(r *Request) error {
	run := newRun(r, res)
	if r.State != "" {
		if err := run.restore(r.State); err != nil {
			return err
		}
	}
	run.enter()
	for range r.Picks {
		run.step()
	}
	run.leave()
	res.State = run.save()
	for i := range res.Workloads {
		o := &res.Workloads[i]
		picks := make([]uint64, 0, len(o.Picks)+1)
		for _, n := range o.Picks {
			picks = append(picks, uint64(n))
			res.Picks += n
		}
		res.Picks += o.Failed
		shares := apportion(append(picks, uint64(o.Failed)))
		o.SharesPPM, o.FailedPPM = shares[:len(picks)], shares[len(picks)]
		o.RoundTripTime = average(r.Topology, o.Window, picks)
	}
	return nil
}

// run is a simulation that runs.
type run struct {
	r       *Request
	out     []Outcome
	weights uint64 // their sum, less than 2^32
	rng     selection.SplitMix64
	turn    uint64  // of roundRobin
	takes   []int64 // how long an operation takes on each server, in nanoseconds
	counts  []int64 // the operation counts that the topology had
	clients []client
	began   uint64 // how many operations
}

// client is a user of the deployment; those of a run are a heap, the next first.
type client struct {
	ends   int64  // when its operation ends, in nanoseconds since the call began
	began  uint64 // the number of its operation
	server int32  // where that is, -1 for nowhere
}

func (a *client) before(b *client) bool {
	return a.ends < b.ends || a.ends == b.ends && a.began < b.began
}

func newRun(r *Request, res *Result) *run {
	u := &run{r: r, out: res.Workloads, rng: selection.SplitMix64(r.Seed), turn: r.Seed}
	for i := range r.Workloads {
		u.weights += uint64(r.Workloads[i].Weight)
		u.out[i].Picks = make([]int64, len(u.out[i].Window))
	}
	for i := range r.Topology.Servers {
		takes := int64(0)
		if ns, ok := r.Topology.Servers[i].RoundTripTime.Nanoseconds(); ok {
			takes = min(ns, MaxServiceTimeNS) // so that no call's time overflows
		}
		if i < len(r.ServiceTimesNS) {
			takes += r.ServiceTimesNS[i]
		}
		u.takes = append(u.takes, takes)
	}
	for i := range r.Clients {
		u.clients = append(u.clients, client{began: uint64(i), server: -1})
	}
	u.began = uint64(r.Clients)
	return u
}

// enter and leave add what is in progress to the topology's operation counts,
// and take it away.
func (u *run) enter() {
	for i := range u.r.Topology.Servers {
		s := &u.r.Topology.Servers[i]
		u.counts = append(u.counts, s.OperationCount)
		s.OperationCount = min(s.OperationCount, 1<<62) // more will be in progress
	}
	for i := range u.clients {
		if server := u.clients[i].server; server >= 0 {
			u.r.Topology.Servers[server].OperationCount++
		}
	}
}

func (u *run) leave() {
	for i, n := range u.counts {
		u.r.Topology.Servers[i].OperationCount = n
	}
}

// step makes one pick.
func (u *run) step() {
	var c *client
	if len(u.clients) > 0 {
		c = &u.clients[0]
		if c.server >= 0 {
			u.r.Topology.Servers[c.server].OperationCount--
		}
	}
	o := &u.out[0]
	if len(u.out) > 1 {
		o = &u.out[u.draw()]
	}
	server := int32(-1)
	if len(o.Window) == 0 {
		o.Failed++
	} else {
		server = u.r.Pick.Choose(u.r.Topology, o.Window, &u.rng, u.turn)
		u.turn++
		o.Picks[position(o.Window, server)]++
	}
	if c == nil {
		return
	}
	if c.server = server; server >= 0 {
		u.r.Topology.Servers[server].OperationCount++
		c.ends += u.takes[server]
	}
	c.began = u.began
	u.began++
	u.down(0)
}

// draw chooses a workload, each in proportion to its weight: the high half of an
// output times the sum of the weights, divided by 2^32; outputs that would make
// some more likely are passed over, as in the pick.
func (u *run) draw() int {
	for {
		product := u.rng.Next() >> 32 * u.weights
		if uint32(product) < -uint32(u.weights)%uint32(u.weights) {
			continue
		}
		at := product >> 32
		for i := range u.r.Workloads {
			w := uint64(u.r.Workloads[i].Weight)
			if at < w {
				return i
			}
			at -= w
		}
	}
}

// position finds a server in a window, which is in ascending order.
func position(window []int32, server int32) int {
	from, to := 0, len(window)
	for from < to {
		if middle := (from + to) / 2; window[middle] < server {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// down moves a client behind those that are next before it.
func (u *run) down(i int) {
	h := u.clients
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// fingerprint is a hash of what a State goes on with: all of the request but the
// number of picks.
func (u *run) fingerprint() uint64 {
	h := u.r.Seed
	h = mix(h, uint64(u.r.Pick))
	h = mix(h, uint64(len(u.clients)))
	for i := range u.r.Topology.Servers {
		key := topology.KeyOfAddress(u.r.Topology.Servers[i].Address)
		h = mix(h, key.Hash())
		h = mix(h, uint64(u.r.Topology.Servers[i].OperationCount))
		h = mix(h, uint64(u.takes[i]))
	}
	for i := range u.out {
		h = mix(h, uint64(u.r.Workloads[i].Weight))
		h = mix(h, uint64(len(u.out[i].Window)))
		for _, server := range u.out[i].Window {
			h = mix(h, uint64(server))
		}
	}
	return h
}

//go:noinline
func mix(h, v uint64) uint64 { return selection.Mix(h + selection.Gamma + v) }
