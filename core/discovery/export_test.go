package discovery

// SetLast lets the next change have the number behind n: tests do not wait for
// four thousand million of them.
func (d *Deployment) SetLast(n uint64) { d.queue.last, d.queue.told = n, n }
