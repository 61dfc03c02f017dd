package discovery

import "github.com/readpref/readpref/core/status"

// Changes returns what waits to be acknowledged, in order.
func (d *Deployment) Changes() []Change {
	var list []Change
	var last uint32
	dropped := d.Visit(func(c Change) bool {
		event, effect := c.Event, c.Effect // which the queue may reuse
		if event != nil {
			e := *event
			c.Event = &e
		} else {
			e := *effect
			c.Effect = &e
		}
		list = append(list, c)
		last = c.Sequence
		return true
	})
	d.Delivered(last, dropped)
	return list
}

// Visit calls f for each change that waits, in order, until it returns false. f
// must keep no pointer of a change, and call no method of d. dropped is how many
// events were lost since the last acknowledgement.
func (d *Deployment) Visit(f func(Change) bool) (dropped int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue.visit(f)
	return d.queue.lost
}

// Delivered says that whoever acts on changes has them up to this sequence number
// (0: none), and knows of as many that were lost. Until then a monitor may be
// started and stopped again without anybody noticing. Changes calls it.
func (d *Deployment) Delivered(last uint32, dropped int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue.delivered(last, dropped)
}

// Acknowledge forgets the changes up to this sequence number. It fails for a
// number that was not given yet.
func (d *Deployment) Acknowledge(upto uint32) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.queue.acknowledge(upto) {
		return &status.Error{Code: status.OutOfRange, Message: "no change has this sequence number yet", Path: "upto"}
	}
	return nil
}
