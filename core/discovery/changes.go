package discovery

import "github.com/readpref/readpref/core/status"

// Changes returns what waits to be acknowledged, in order. Whoever has it may act
// on it: see Deliver.
func (d *Deployment) Changes() []Change {
	var list []Change
	var last uint32
	d.Deliver(func(c Change) bool {
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
	}, func(int64) (uint32, bool) { return last, true })
	return list
}

// Deliver calls f for each change that waits, in order, until it returns false. f
// must keep no pointer of a change, and call no method of d. end, which is told how
// many events were lost since the last acknowledgement, returns up to which sequence
// number the changes were delivered (0: none) to somebody who may act on them; ok is
// false where none were, nor the number of the lost.
//
// A monitor may be started and stopped again without anybody noticing as long as
// nobody was told to start it. So no step comes between looking and delivering.
func (d *Deployment) Deliver(f func(Change) bool, end func(dropped int64) (last uint32, ok bool)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue.visit(f)
	if last, ok := end(d.queue.lost); ok {
		d.queue.delivered(last, d.queue.lost)
	}
}

// Acknowledge forgets the changes up to this sequence number. It fails for a
// number that was not given yet.
func (d *Deployment) Acknowledge(upto uint32) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.queue.acknowledge(upto) {
		return status.New(status.OutOfRange, "upto", "no change has this sequence number yet")
	}
	return nil
}
