package wire

import (
	"github.com/readpref/readpref/core/internal/heapsort"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

const sortFrom = 24 // below, comparing each with each is faster than sorting

// checkDuplicates fails at the first key that an object names a second time. It
// reorders keys.
func (d *Decoder) checkDuplicates(keys []seenKey) {
	if d.failed {
		return
	}
	again := -1
	if len(keys) < sortFrom {
		for i := 1; i < len(keys) && again < 0; i++ {
			for j := range keys[:i] {
				if keys[i].key == keys[j].key {
					again = keys[i].off
					break
				}
			}
		}
	} else {
		heapsort.Sort(len(keys), func(i, j int) bool {
			a, b := &keys[i], &keys[j]
			return a.key < b.key || a.key == b.key && a.off < b.off
		}, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		for i := 1; i < len(keys); i++ {
			if keys[i].key == keys[i-1].key && (again < 0 || keys[i].off < again) {
				again = keys[i].off
			}
		}
	}
	if again >= 0 {
		d.fail(status.DuplicateKey, again, "this key is there twice")
	}
}

// addressOrder is a server's address and its index, for sorting.
type addressOrder struct {
	key   topology.AddressKey
	index int32
}

// duplicateAddress returns the index of the first server whose address an
// earlier server has, or -1. order is memory to reuse.
func duplicateAddress(servers []topology.Server, order []addressOrder) (int, []addressOrder) {
	ascending := true
	for i := 1; i < len(servers) && ascending; i++ {
		ascending = topology.CompareAddress(servers[i-1].Address, servers[i].Address) < 0
	}
	if ascending {
		return -1, order
	}
	if len(servers) < sortFrom {
		for i := 1; i < len(servers); i++ {
			for j := range servers[:i] {
				if topology.SameAddress(servers[i].Address, servers[j].Address) {
					return i, order
				}
			}
		}
		return -1, order
	}
	order = order[:0]
	for i := range servers {
		order = append(order, addressOrder{topology.KeyOfAddress(servers[i].Address), int32(i)})
	}
	heapsort.Sort(len(order), func(i, j int) bool {
		c := order[i].key.Compare(order[j].key)
		return c < 0 || c == 0 && order[i].index < order[j].index
	}, func(i, j int) { order[i], order[j] = order[j], order[i] })
	again := -1
	for i := 1; i < len(order); i++ {
		if order[i].key.Compare(order[i-1].key) == 0 && (again < 0 || int(order[i].index) < again) {
			again = int(order[i].index)
		}
	}
	return again, order
}
