package sdam

import (
	"math"

	"github.com/readpref/readpref/core/internal/heapsort"
	"github.com/readpref/readpref/core/topology"
)

// Pool is the generation of a server's connection pool: how often it was
// cleared. Behind a load balancer each service has its own.
type Pool struct {
	Address    string
	Service    topology.ObjectID // absent: of the server itself
	Generation int64
}

// PoolGeneration returns the generation of a server's connection pool. With a
// service id it is that of one service behind a load balancer.
func (m *Machine) PoolGeneration(address string, service topology.ObjectID) int64 {
	s := m.servers[topology.NormalizeAddress(address)]
	switch {
	case s == nil:
		return 0
	case service.IsDefined():
		return s.services[service]
	}
	return s.generation
}

// Pools returns the pools of all servers, in their order, each server's before
// those of its services, which are in the order of their ids.
func (m *Machine) Pools() []Pool {
	pools := make([]Pool, 0, len(m.current.Servers))
	for i := range m.current.Servers {
		address := m.current.Servers[i].Address
		s := m.servers[address]
		pools = append(pools, Pool{Address: address, Generation: s.generation})
		first := len(pools)
		for id, generation := range s.services {
			pools = append(pools, Pool{address, id, generation})
		}
		sortServices(pools[first:])
	}
	return pools
}

func sortServices(pools []Pool) {
	heapsort.Sort(len(pools), func(i, j int) bool { return compareIDs(pools[i].Service, pools[j].Service) < 0 },
		func(i, j int) { pools[i], pools[j] = pools[j], pools[i] })
}

func (m *Machine) poolReady(address string, out *Changes) {
	if s := m.servers[address]; !s.ready {
		s.ready = true
		out.effect(Effect{Kind: PoolReady, Address: address})
	}
}

// clearPool adds one to the generation of a pool.
//
// SDAM specification, "Connection Pool Management"; Load Balancer specification,
// "Connection Pooling".
func (m *Machine) clearPool(address string, service topology.ObjectID, interrupt bool, out *Changes) {
	s := m.servers[address]
	e := Effect{Kind: PoolClear, Address: address, Service: service, InterruptInUse: interrupt}
	if service.IsDefined() {
		if s.services == nil {
			s.services = map[topology.ObjectID]int64{}
		}
		s.services[service] = next(s.services[service])
		e.Generation = s.services[service]
	} else {
		s.ready = false
		s.generation = next(s.generation)
		e.Generation = s.generation
	}
	out.effect(e)
}

// next stays at the greatest number, which only a description to resume from can
// have: a generation is never negative.
func next(generation int64) int64 {
	if generation == math.MaxInt64 {
		return generation
	}
	return generation + 1
}
