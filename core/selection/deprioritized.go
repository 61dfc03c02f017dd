package selection

import (
	"github.com/readpref/readpref/core/internal/heapsort"
	"github.com/readpref/readpref/core/topology"
)

// WithoutDeprioritized appends to dst the servers of view whose address is in
// none of the addresses. Only addresses are compared: what is known of the
// server may have changed since it failed.
//
// Server Selection specification, "Why does server deprioritization use only server addresses and not ServerDescription objects?".
func WithoutDeprioritized(t *topology.Description, addresses *AddressSet, view, dst []int32) []int32 {
	for _, i := range view {
		if !addresses.Contains(t.Servers[i].Address) {
			dst = append(dst, i)
		}
	}
	return dst
}

// AddressSet answers whether an address is in a list. The zero value is empty;
// it keeps its memory from one Reset to the next.
type AddressSet struct {
	list   []topology.AddressKey
	sorted bool
}

// Reset makes the set hold the given addresses; it keeps the text.
func (a *AddressSet) Reset(addresses []string) {
	a.list = a.list[:0]
	for _, s := range addresses {
		a.list = append(a.list, topology.KeyOfAddress(s))
	}
	a.sorted = len(addresses) >= sortAddressesFrom
	if a.sorted { // a long list against many servers would be quadratic
		list := a.list
		heapsort.Sort(len(list), func(i, j int) bool { return list[i].Compare(list[j]) < 0 }, func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

// Len returns the number of addresses given.
func (a *AddressSet) Len() int { return len(a.list) }

// Contains reports whether the address, in any spelling, is in the set.
func (a *AddressSet) Contains(address string) bool {
	if len(a.list) == 0 {
		return false
	}
	key := topology.KeyOfAddress(address)
	if a.sorted {
		from, to := 0, len(a.list) // the first that is not less lies in between
		for from < to {
			middle := int(uint(from+to) / 2)
			if a.list[middle].Compare(key) < 0 {
				from = middle + 1
			} else {
				to = middle
			}
		}
		return from < len(a.list) && a.list[from].Compare(key) == 0
	}
	for _, k := range a.list {
		if k.Compare(key) == 0 {
			return true
		}
	}
	return false
}

// KeepOnly is a CustomSelector that keeps the servers with the given addresses.
type KeepOnly struct{ AddressSet }

// SelectServers implements CustomSelector.
func (k *KeepOnly) SelectServers(t *topology.Description, suitable, dst []int32) []int32 {
	for _, i := range suitable {
		if k.Contains(t.Servers[i].Address) {
			dst = append(dst, i)
		}
	}
	return dst
}
