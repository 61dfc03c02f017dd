package client

import (
	"context"
	"sync"
	"time"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Operation is what a server is wanted for. The zero value is a read.
type Operation struct {
	Kind selection.Operation
	// Deprioritized are the addresses that failed in earlier attempts of this
	// operation: they are avoided while anything else is suitable.
	Deprioritized []string
	// CustomSelector is the application's own filter, nil for none.
	CustomSelector selection.CustomSelector
	// Name and ID are of the command, for the log.
	Name string
	ID   int64
}

// Server is the answer of a selection.
type Server struct {
	ID      int32 // stable for the life of the Topology
	Address string
	// Description is what was known of the server when it was selected; its
	// MinRoundTripTime is the one to take from a deadline (timeoutMS). It is of
	// type Unknown where the topology changed in that moment. It must not be
	// changed.
	Description topology.Server
}

// Select returns a server for an operation, and waits for one where there is
// none: until the server selection timeout, or until ctx ends, whichever comes
// first. p is the prepared read preference; nil is that of
// the connection string, or primary.
//
// The error is a *TimeoutError, which says why no server was suitable; a
// *status.Error, at once, where waiting cannot help (a server of another wire
// version, a maxStalenessSeconds that is too small); or ErrClosed.
//
// Server Selection specification, "Multi-threaded or asynchronous server
// selection"; Client Side Operations Timeout specification, "Server Selection".
func (t *Topology) Select(ctx context.Context, p *cluster.Preference, o Operation) (Server, error) {
	return t.selectServer(ctx, p, &o, false)
}

// Checkout is Select, with the server's operation count one up until release is
// called, which is once, when the operation ended in whatever way. Further calls
// do nothing. release is never nil.
//
// Server Selection specification, "operationCount".
func (t *Topology) Checkout(ctx context.Context, p *cluster.Preference, o Operation) (s Server, release func(), err error) {
	s, err = t.selectServer(ctx, p, &o, true)
	if err != nil {
		return s, func() {}, err
	}
	return s, sync.OnceFunc(func() { t.deployment.Topology().Release(s.ID) }), nil
}

func (t *Topology) selectServer(ctx context.Context, p *cluster.Preference, o *Operation, checkout bool) (Server, error) {
	if p == nil {
		p = t.preference
	}
	log := t.log(ctx, p, o)
	log.started()
	s, err := t.wait(ctx, p, o, checkout, log)
	if err != nil {
		log.failed(err)
		return Server{}, err
	}
	log.succeeded(s.Address)
	return s, nil
}

// wait is the loop of the specification.
func (t *Topology) wait(ctx context.Context, p *cluster.Preference, o *Operation, checkout bool, log *selectionLog) (Server, error) {
	var timer *time.Timer
	began := time.Now()
	for {
		// Before looking: a change that comes in between must not be missed.
		changed, ok := t.change()
		if !ok {
			return Server{}, ErrClosed
		}
		s, code := t.once(p, o, checkout)
		switch code {
		case status.OK:
			return s, nil
		case status.NoServer:
		default:
			return Server{}, t.why(p, o, code)
		}
		if err := ctx.Err(); err != nil {
			return Server{}, t.timedOut(p, o, time.Since(began), err)
		}
		if timer == nil {
			if t.options.ServerSelectionTimeout < 0 {
				return Server{}, t.timedOut(p, o, 0, nil)
			}
			timer = time.NewTimer(t.options.ServerSelectionTimeout - time.Since(began))
			defer timer.Stop()
			log.waiting(t.remaining(ctx, began))
		}
		t.requestChecks()
		select {
		case <-changed:
		case <-ctx.Done():
			return Server{}, t.timedOut(p, o, time.Since(began), ctx.Err())
		case <-timer.C:
			return Server{}, t.timedOut(p, o, time.Since(began), nil)
		}
	}
}

// remaining is the time until the earlier of the two deadlines.
func (t *Topology) remaining(ctx context.Context, began time.Time) time.Duration {
	left := t.options.ServerSelectionTimeout - time.Since(began)
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(deadline))
	}
	return max(left, 0)
}

// once selects once. The description is of the same snapshot that was selected
// from, or tried again: who computes a deadline from it must not mix two.
func (t *Topology) once(p *cluster.Preference, o *Operation, checkout bool) (Server, status.Code) {
	const tries = 4
	topo := t.deployment.Topology()
	for try := 1; ; try++ {
		generation := topo.Generation()
		id, code := t.pick(p, o, checkout)
		if code != status.OK {
			return Server{}, code
		}
		address, _ := topo.Address(id)
		s := Server{ID: id, Address: address, Description: topology.Server{Address: address}}
		same := false
		topo.View(func(d *topology.Description, now uint32) {
			same = now == generation
			for i := range d.Servers {
				if d.Servers[i].Address == address { // which discovery has normalised
					s.Description = d.Servers[i]
					break
				}
			}
		})
		if same || try == tries {
			return s, status.OK
		}
		if checkout {
			topo.Release(id)
		}
	}
}

func (t *Topology) pick(p *cluster.Preference, o *Operation, checkout bool) (int32, status.Code) {
	topo := t.deployment.Topology()
	if len(o.Deprioritized) == 0 && o.CustomSelector == nil {
		return topo.Select(p, o.Kind, checkout)
	}
	var scratch cluster.Scratch
	return topo.SelectExcept(&scratch, p, o.Kind, o.Deprioritized, o.CustomSelector, checkout)
}

// requestChecks asks for an immediate check of all servers.
func (t *Topology) requestChecks() {
	if t.options.OnEffect == nil {
		return
	}
	var addresses []string
	t.View(func(d *topology.Description) {
		if d.Type == topology.LoadBalanced {
			return // which has no monitors
		}
		for i := range d.Servers {
			addresses = append(addresses, d.Servers[i].Address)
		}
	})
	t.mu.Lock()
	if t.checks == nil { // those that wait to be asked will be
		t.checks = addresses
	}
	t.mu.Unlock()
	t.tell()
}
