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
