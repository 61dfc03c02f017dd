package selection

import (
	"slices"

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
	list   []string
	sorted bool
}

// Reset makes the set hold the given addresses, which it copies.
func (a *AddressSet) Reset(addresses []string) {
	a.list = append(a.list[:0], addresses...)
	a.sorted = len(addresses) >= sortAddressesFrom
	if a.sorted { // a long list against many servers would be quadratic
		slices.SortFunc(a.list, topology.CompareAddress)
	}
}

// Len returns the number of addresses given.
func (a *AddressSet) Len() int { return len(a.list) }

// Contains reports whether the address, in any spelling, is in the set.
func (a *AddressSet) Contains(address string) bool {
	if a.sorted {
		_, found := slices.BinarySearchFunc(a.list, address, topology.CompareAddress)
		return found
	}
	for _, s := range a.list {
		if topology.SameAddress(s, address) {
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
