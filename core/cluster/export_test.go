package cluster

// MaxPlans is how many plans one description keeps.
const MaxPlans = maxPlans

// Plans counts the plans of the present description.
func (t *Topology) Plans() int {
	if table := t.current.Load().plans.Load(); table != nil {
		return table.n
	}
	return 0
}

// SetGeneration makes a Topology look as if it had seen many updates.
func (t *Topology) SetGeneration(g uint32) { t.current.Load().generation = g }
