//go:build wasip1

package abi

// The functions of guard.go. A panic here ends the instance with a trap, which
// the host sees: the portable library answers RP_E_INTERNAL. To recover it in
// the module would take as long as the whole pick.

// Select is rp_select: the id of a server, or a negative status. It allocates
// nothing once the preference was used on this description.
func (t *Table) Select(topology, preference, f uint32) int32 {
	return t.selectOne(topology, preference, f)
}

// SelectBatch is rp_select_batch: it fills ids, all or none, and returns their
// number, or a negative status.
func (t *Table) SelectBatch(topology, preference, f uint32, ids []int32) int32 {
	return t.selectBatch(topology, preference, f, ids)
}
