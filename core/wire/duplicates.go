package wire

import (
	"cmp"
	"slices"

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
		slices.SortFunc(keys, func(a, b seenKey) int {
			if c := cmp.Compare(a.key, b.key); c != 0 {
				return c
			}
			return a.off - b.off
		})
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

// duplicateAddress returns the index of the first server whose address an
// earlier server has, or -1. order is memory to reuse.
func duplicateAddress(servers []topology.Server, order []int32) (int, []int32) {
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
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := topology.CompareAddress(servers[a].Address, servers[b].Address); c != 0 {
			return c
		}
		return int(a - b)
	})
	again := -1
	for i := 1; i < len(order); i++ {
		if topology.SameAddress(servers[order[i]].Address, servers[order[i-1]].Address) && (again < 0 || int(order[i]) < again) {
			again = int(order[i])
		}
	}
	return again, order
}
