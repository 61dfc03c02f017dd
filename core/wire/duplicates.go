package wire

import (
	"github.com/readpref/readpref/core/internal/heapsort"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

const (
	hashFrom = 5  // below, comparing each with each costs less than hashing all
	sortFrom = 24 // below, comparing the hashes of each with each costs less than sorting
)

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

// addressOrder is a server's address and its index, for sorting. Addresses are
// compared only where their hashes are equal.
type addressOrder struct {
	key   topology.AddressKey
	hash  uint64
	index int32
}

func (a *addressOrder) same(b *addressOrder) bool {
	return a.hash == b.hash && a.key.Compare(b.key) == 0
}

func (a *addressOrder) less(b *addressOrder) bool {
	if a.hash != b.hash {
		return a.hash < b.hash
	}
	c := a.key.Compare(b.key)
	return c < 0 || c == 0 && a.index < b.index
}

// duplicateAddress returns the index of the first server whose address an
// earlier server has, or -1. order is memory to reuse.
func duplicateAddress(servers []topology.Server, order []addressOrder) (int, []addressOrder) {
	order = order[:0]
	for i := range servers {
		a := addressOrder{key: topology.KeyOfAddress(servers[i].Address), index: int32(i)}
		if len(servers) >= hashFrom {
			a.hash = a.key.Hash()
		}
		order = append(order, a)
	}
	if len(order) < sortFrom {
		for i := range order {
			for j := range i {
				if order[i].same(&order[j]) {
					return i, order
				}
			}
		}
		return -1, order
	}
	heapsort.Sort(len(order), func(i, j int) bool { return order[i].less(&order[j]) },
		func(i, j int) { order[i], order[j] = order[j], order[i] })
	again := -1
	for i := 1; i < len(order); i++ {
		if order[i].same(&order[i-1]) && (again < 0 || int(order[i].index) < again) {
			again = int(order[i].index)
		}
	}
	return again, order
}
