//go:build !wasip1

package abi

// Select is rp_select: the id of a server, or a negative status. It allocates
// nothing once the preference was used on this description.
func (t *Table) Select(topology, preference, f uint32) (result int32) {
	defer recovered(&result)
	return t.selectOne(topology, preference, f)
}

// SelectBatch is rp_select_batch: it fills ids, all or none, and returns their
// number, or a negative status.
func (t *Table) SelectBatch(topology, preference, f uint32, ids []int32) (result int32) {
	defer recovered(&result)
	return t.selectBatch(topology, preference, f, ids)
}
