package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// driver is a small MongoDB driver: a goroutine for each server that it
// monitors, and operations from any goroutine. readpref knows what replies and
// errors mean, where an operation goes and what it carries; the driver opens
// connections, keeps time, and does what the effects say.
type driver struct {
	deployment *discovery.Deployment

	mu       sync.Mutex // of what follows
	changed  chan struct{}
	monitors map[string]*monitor
	pools    map[string][]*connection // idle ones
	cleared  map[string]int           // how often a pool was
}

func open(uri string) (*driver, error) {
	c, err := connstring.Parse(uri)
	if err != nil {
		return nil, err
	}
	settings := discovery.FromURI(c, nil)
	settings.Selection.Seed = rand.Uint64()
	d := &driver{changed: make(chan struct{}), monitors: map[string]*monitor{}, pools: map[string][]*connection{}, cleared: map[string]int{}}
	if d.deployment, err = discovery.Open(settings); err != nil {
		return nil, err
	}
	d.apply()
	return d, nil
}

// apply does what readpref wants done, and wakes whoever waits for a server.
// Listeners would be told the events here.
func (d *driver) apply() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.deployment.Changes() {
		if e := c.Effect; e != nil {
			d.do(e)
		}
		if err := d.deployment.Acknowledge(c.Sequence); err != nil {
			panic(err) // it was in the list
		}
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

func (d *driver) do(e *sdam.Effect) {
	switch m := d.monitors[e.Address]; e.Kind {
	case sdam.StartMonitor:
		d.monitors[e.Address] = startMonitor(d, e.Address)
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

// choose returns the id of the server for an operation, as soon as there is one.
func (d *driver) choose(ctx context.Context, p *cluster.Preference, op selection.Operation) (int32, error) {
	for {
		d.mu.Lock()
		changed := d.changed // before the look: a change that comes after it is not slept through
		d.mu.Unlock()
		id, code := d.deployment.Topology().Select(p, op, true)
		if code == status.OK {
			return id, nil
		}
		err := &status.Error{Code: code, Message: "no server"}
		if code != status.NoServer {
			return -1, err
		}
		d.mu.Lock()
		for _, m := range d.monitors {
			m.request()
		}
		d.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return -1, err
		}
	}
}

// run runs a read with a preference or a write, and once more where the server could
// not serve it. failed is told of such servers; the reply is nil where there was none.
//
// Retryable Reads and Retryable Writes specifications. (A real driver numbers its
// writes, so that none is done twice.)
func (d *driver) run(ctx context.Context, p *cluster.Preference, op selection.Operation, c bson.D, failed func(address string, reply bson.Raw)) (bson.Raw, error) {
	for retried := false; ; retried = true {
		id, err := d.choose(ctx, p, op)
		if err != nil {
			return nil, err
		}
		address, _ := d.deployment.Topology().Address(id)
		reply, again, err := d.attempt(address, d.decorate(c, address, p, op))
		d.deployment.Topology().Release(id)
		if err == nil || !again || retried {
			return reply, err
		}
		failed(address, reply)
	}
}

// decorate returns the command with what it must carry to this server.
func (d *driver) decorate(c bson.D, address string, p *cluster.Preference, op selection.Operation) bson.D {
	var carried command.Decoration
	d.deployment.Topology().View(func(t *topology.Description, _ uint32) {
		carried = command.Decorate(t, t.TypeOf(address), p.Document(), op, command.OpMsg)
	})
	if carried.Attach {
		c = append(c[:len(c):len(c)], bson.E{Key: "$readPreference", Value: document(&carried.Document)})
	}
	return c
}

// retryable are the codes of servers that are not, or no longer, what they were.
//
// Retryable Reads specification, "Terms".
var retryable = []int64{10107, 11600, 11602, 13435, 13436, 189, 91}

// attempt is one try on one server. What a failure says of the server, readpref
// knows afterwards; again says that another try may help.
func (d *driver) attempt(address string, c bson.D) (reply bson.Raw, again bool, err error) {
	failure := sdam.ApplicationError{Address: address, Kind: sdam.CommandError}
	reply, err = d.exchange(address, c)
	switch {
	case err != nil:
		failure.Kind, failure.Message, again = kindOf(err), err.Error(), true
	case reply.Lookup("ok").AsFloat64() == 1:
		return reply, false, nil
	default:
		failure.Reply = errorReply(reply)
		code, _ := failure.Reply.Code.Get()
		again = slices.Contains(retryable, code)
		err = fmt.Errorf("%s: %s", address, failure.Reply.Message)
	}
	if _, refused := d.deployment.Error(&failure); refused != nil {
		return nil, false, refused
	}
	d.apply()
	return reply, again, err
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

// reason returns the code of why there is no server now.
func (d *driver) reason(p *cluster.Preference, op selection.Operation) (code string) {
	d.deployment.Topology().View(func(t *topology.Description, _ uint32) {
		request := &selection.Request{Topology: t, Preference: p.Document(), Operation: op, Options: d.deployment.Settings().Selection.Options}
		var selector selection.Selector
		if result, err := selector.Select(request); err != nil {
			code = err.Error()
		} else {
			code = explain.WhyNone(request, result).String()
		}
	})
	return code
}

func (d *driver) close() error {
	_, err := d.deployment.Shutdown()
	d.apply()
	return err
}

// kindOf tells a timeout from other failures of a connection.
func kindOf(err error) sdam.ErrorKind {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return sdam.NetworkTimeout
	}
	return sdam.NetworkError
}
