package discovery

import (
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
)

// Rescan is what a scan of the SRV records changed.
type Rescan struct {
	Generation uint32
	// Polled is false where the topology is of no type that is scanned; then
	// nothing changed, and there is no next scan.
	Polled bool
	connstring.Rescan
}

// Polls reports whether the SRV records are scanned again.
func (d *Deployment) polls() bool {
	return d.settings.SRV != nil && !d.machine.Closed() && d.settings.SRV.Polls(d.machine.Description().Type)
}

// scanSRV asks for the next scan.
func (d *Deployment) scanSRV(afterMS int64) {
	if d.polls() {
		d.queue.effect(&sdam.Effect{Kind: sdam.ScanSRV, AfterMS: afterMS})
	}
}

// SRV takes the answer of a scan of the SRV records; none is a DNS error. The
// error is a *status.Error; nothing changed then.
//
// Polling SRV Records specification, "Implementation".
func (d *Deployment) SRV(records []connstring.SRVRecord) (Rescan, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.settings.SRV == nil {
		return Rescan{}, status.New(status.Argument, "topology", "this topology was not opened from a mongodb+srv:// connection string")
	}
	if !d.polls() {
		return Rescan{Generation: d.topology.Generation()}, nil
	}
	known := d.machine.Description()
	current := make([]string, len(known.Servers))
	for i := range known.Servers {
		current[i] = known.Servers[i].Address
	}
	random := d.random
	r := d.settings.SRV.Poll(current, records, d.settings.Selection.Options.HeartbeatFrequencyMS, random.Next)
	if len(r.Added) > d.topology.Room() {
		return Rescan{}, status.New(status.LimitExceeded, "srv", "more than 1048576 addresses in the life of a topology")
	}
	if len(r.Added)+len(r.Removed) > 0 {
		if err := d.machine.Rescan(r.Added, r.Removed, &d.changes); err != nil {
			return Rescan{}, err
		}
		if _, err := d.end("", true); err != nil {
			return Rescan{}, err
		}
	}
	d.random = random
	d.scanSRV(r.NextMS)
	return Rescan{d.topology.Generation(), true, r}, nil
}
