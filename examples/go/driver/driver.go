package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/readpref/readpref/bindings/go/client"
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// driver is a small MongoDB driver: a goroutine for each server that it
// monitors, and operations from any goroutine. readpref knows what replies and
// errors mean, where an operation goes and what it carries; the driver opens
// connections, keeps time, and does what the effects say.
type driver struct {
	topology *client.Topology

	mu       sync.Mutex // of what follows
	monitors map[string]*monitor
	pools    map[string][]*connection // idle ones
	cleared  map[string]int           // how often a pool was
}

func open(uri string) (*driver, error) {
	d := &driver{monitors: map[string]*monitor{}, pools: map[string][]*connection{}, cleared: map[string]int{}}
	opened := make(chan struct{}) // monitors report to d.topology
	defer close(opened)
	var err error
	d.topology, err = client.Open(uri, client.Options{ServerSelectionTimeout: selectionTimeout, OnEffect: func(e sdam.Effect) { d.do(e, opened) }})
	return d, err
}

// do brings an effect about. CancelCheck is left out: a check ends within five
// seconds by itself.
func (d *driver) do(e sdam.Effect, opened <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch m := d.monitors[e.Address]; e.Kind {
	case sdam.StartMonitor:
		d.monitors[e.Address] = startMonitor(d, e.Address, opened)
	case sdam.StopMonitor:
		m.stop()
		delete(d.monitors, e.Address)
		d.clear(e.Address)
	case sdam.RequestCheck:
		if m != nil {
			m.request()
		}
	case sdam.PoolClear:
		d.clear(e.Address)
	}
}

func (d *driver) clear(address string) {
	for _, c := range d.pools[address] {
		_ = c.Close()
	}
	delete(d.pools, address)
	d.cleared[address]++
}

// run runs a read with a preference or a write, and once more where the server could
// not serve it. failed is told of such servers; the reply is nil where there was none.
//
// Retryable Reads and Retryable Writes specifications. (A real driver numbers its
// writes, so that none is done twice.)
func (d *driver) run(ctx context.Context, p *cluster.Preference, op selection.Operation, c bson.D, failed func(address string, reply bson.Raw)) (bson.Raw, error) {
	operation := client.Operation{Kind: op, Name: c[0].Key}
	for retried := false; ; retried = true {
		server, release, err := d.topology.Checkout(ctx, p, operation)
		if err != nil {
			return nil, err
		}
		reply, failure, again := d.attempt(server.Address, d.decorate(c, server, p, operation))
		release()
		if failure == nil {
			return reply, nil
		}
		known, err := d.topology.Error(*failure)
		if err != nil || !again || retried {
			return reply, errors.Join(fmt.Errorf("%s: %s%s", server.Address, failure.Message, failure.Reply.Message), err)
		}
		if known.Deprioritize {
			operation.Deprioritized = append(operation.Deprioritized, server.Address)
		}
		failed(server.Address, reply)
	}
}

// decorate returns the command with what it must carry to this server.
func (d *driver) decorate(c bson.D, s client.Server, p *cluster.Preference, o client.Operation) bson.D {
	if carried := d.topology.Command(s, p, o); carried.Attach {
		c = append(c[:len(c):len(c)], bson.E{Key: "$readPreference", Value: document(&carried.Document)})
	}
	return c
}

// retryable are the codes of servers that are not, or no longer, what they were.
//
// Retryable Reads specification, "Terms".
var retryable = []int64{10107, 11600, 11602, 13435, 13436, 189, 91}

// attempt is one try on one server: the reply, or what failed, and whether another
// try may help.
func (d *driver) attempt(address string, c bson.D) (reply bson.Raw, failure *sdam.ApplicationError, again bool) {
	reply, err := d.exchange(address, c)
	switch {
	case err != nil:
		return nil, &sdam.ApplicationError{Address: address, Kind: kindOf(err), Message: err.Error()}, true
	case reply.Lookup("ok").AsFloat64() == 1:
		return reply, nil, false
	}
	failure = &sdam.ApplicationError{Address: address, Kind: sdam.CommandError, Reply: errorReply(reply)}
	code, _ := failure.Reply.Code.Get()
	return reply, failure, slices.Contains(retryable, code)
}

// exchange runs a command over an idle connection, or a new one.
func (d *driver) exchange(address string, c bson.D) (bson.Raw, error) {
	d.mu.Lock()
	var to *connection
	cleared := d.cleared[address]
	if idle := d.pools[address]; len(idle) > 0 {
		to, d.pools[address] = idle[len(idle)-1], idle[:len(idle)-1]
	}
	d.mu.Unlock()
	if to == nil {
		var err error
		if to, err = dial(address); err != nil {
			return nil, err
		}
	}
	reply, err := to.run(c)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil || d.cleared[address] != cleared {
		_ = to.Close()
	} else {
		d.pools[address] = append(d.pools[address], to)
	}
	return reply, err
}

// heartbeat has every server checked now, and waits for it: as if a heartbeat had
// gone by.
func (d *driver) heartbeat() {
	var checks sync.WaitGroup
	d.mu.Lock()
	for _, m := range d.monitors {
		checks.Go(m.checkNow)
	}
	d.mu.Unlock()
	checks.Wait()
}

// kindOf tells a timeout from other failures of a connection.
func kindOf(err error) sdam.ErrorKind {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return sdam.NetworkTimeout
	}
	return sdam.NetworkError
}
