package discovery

// SetLast lets the next change have the number behind n: tests do not wait for
// four thousand million of them.
func (d *Deployment) SetLast(n uint64) { d.queue.last, d.queue.told = n, n }

// Delivered is the end of Deliver, for tests that looked by Visit.
func (d *Deployment) Delivered(last uint32, dropped int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue.delivered(last, dropped)
}

// Visit calls f for each change that waits, in order, until it returns false, and
// delivers none.
func (d *Deployment) Visit(f func(Change) bool) (dropped int64) {
	d.Deliver(f, func(lost int64) (uint32, bool) { dropped = lost; return 0, false })
	return dropped
}
