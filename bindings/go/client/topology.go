package client

import (
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// ErrClosed is the error of a Select on a Topology that is closed.
var ErrClosed = errors.New("readpref: the topology is closed")

// Topology is a deployment that is being discovered, to select servers from.
type Topology struct {
	deployment *discovery.Deployment
	preference *cluster.Preference // of a Select without one
	options    Options
	opened     time.Time // of the clock that replies are dated by

	mu      sync.Mutex
	changed chan struct{} // closed when the description changed
	closed  bool

	checks    []string // addresses to ask checks of, that a Select waits for
	telling   bool     // by some goroutine
	tellAgain bool
}

// Open makes a Topology of a connection string, whose read preference is that of
// a Select without one. Its warnings are connstring.Parse's. One of mongodb+srv:// needs DNS
// answers: parse it, resolve it, and use OpenSettings.
func Open(uri string, o Options) (*Topology, error) {
	c, err := connstring.Parse(uri)
	if err != nil {
		return nil, err
	}
	if c.SRV {
		return nil, &status.Error{Code: status.InvalidURI, Path: "uri",
			Message: "mongodb+srv:// needs the answers of DNS: use connstring.Parse, Resolve and discovery.FromURI"}
	}
	if o.ServerSelectionTimeout == 0 && c.ServerSelectionTimeoutMS.Set {
		o.ServerSelectionTimeout = milliseconds(c.ServerSelectionTimeoutMS.Value)
	}
	return openWith(discovery.FromURI(c, nil), c.Preference, o)
}

// milliseconds makes 0, which waits for nothing, a duration that does not mean
// the default.
func milliseconds(ms int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	if ms <= 0 {
		return -1
	}
	return time.Duration(min(ms, most)) * time.Millisecond
}

// OpenSettings makes a Topology of settings, such as discovery.FromURI and
// discovery.DefaultSettings return.
//
// The preference of a Select without one is that of s.SRV, or primary.
func OpenSettings(s discovery.Settings, o Options) (*Topology, error) {
	var p readpref.Preference
	if s.SRV != nil {
		p = s.SRV.Preference
	}
	return openWith(s, p, o)
}

func openWith(s discovery.Settings, p readpref.Preference, o Options) (*Topology, error) {
	preference, err := cluster.NewPreference(p)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Seed != 0:
		s.Selection.Seed = o.Seed
	case s.Selection.Seed == 0:
		s.Selection.Seed = rand.Uint64()
	}
	d, err := discovery.Open(s)
	if err != nil {
		return nil, err
	}
	if o.ServerSelectionTimeout == 0 {
		o.ServerSelectionTimeout = DefaultServerSelectionTimeout
	}
	t := &Topology{deployment: d, preference: preference, options: o, opened: time.Now(), changed: make(chan struct{})}
	t.tell()
	return t, nil
}

// NowMS is the clock that replies are dated by: milliseconds since Open, which
// no change of the machine's time moves.
func (t *Topology) NowMS() int64 { return time.Since(t.opened).Milliseconds() }

// Reply is the outcome of a check of a server, or of an application connection's
// handshake.
type Reply struct {
	Address string
	// Hello is the server's reply; nil for a failed check. ParseHello reads one.
	Hello *sdam.Hello
	// RoundTripTime is the time the check took; 0 is a sample as any other.
	RoundTripTime time.Duration
	// Streamed marks a reply that the server pushed: it measures no time.
	Streamed bool
	// Err is why the check failed.
	Err error
	// Timeout and Network say how it failed.
	Timeout, Network bool
}

// Hello takes a reply. Accepted is false where it did not count: the server is
// not in the topology, or what it says is older than what is known.
//
// SDAM specification, "Parsing a hello or legacy hello response".
func (t *Topology) Hello(r Reply) (accepted bool, err error) {
	reply := sdam.Reply{Address: r.Address, Hello: r.Hello, RTTNS: r.RoundTripTime.Nanoseconds(), NowMS: t.NowMS(), Timeout: r.Timeout, Network: r.Network}
	if r.Streamed || r.Hello == nil {
		reply.RTTNS = -1
	}
	if r.Err != nil {
		reply.Error = r.Err.Error()
	}
	o, err := t.deployment.Hello(&reply)
	t.after(o.Accepted)
	return o.Accepted, err
}

// RoundTrip takes a sample of a dedicated probe of the round-trip time.
//
// Server Monitoring specification, "Measuring RTT".
func (t *Topology) RoundTrip(address string, d time.Duration) error {
	o, err := t.deployment.RoundTrip(address, d.Nanoseconds())
	t.after(o.Accepted)
	return err
}

// Error takes an error that an operation met, whose NowMS it fills in. Of the
// outcome, Deprioritize says that a retry should avoid the server.
//
// SDAM specification, "Application errors".
func (t *Topology) Error(e sdam.ApplicationError) (discovery.Outcome, error) {
	e.NowMS = t.NowMS()
	o, err := t.deployment.Error(&e)
	t.after(o.Accepted)
	return o, err
}

// SRV takes the answer of a scan of the SRV records; none is a DNS error.
//
// Polling SRV Records specification, "Implementation".
func (t *Topology) SRV(records []connstring.SRVRecord) (discovery.Rescan, error) {
	r, err := t.deployment.SRV(records)
	t.after(len(r.Added)+len(r.Removed) > 0)
	return r, err
}

// View calls f with the current description, which f must neither change nor
// keep.
func (t *Topology) View(f func(d *topology.Description)) {
	t.deployment.Topology().View(func(d *topology.Description, _ uint32) { f(d) })
}

// Deployment returns what is behind: to describe it, and to read its settings.
// Changes that are made there wake no Select.
func (t *Topology) Deployment() *discovery.Deployment { return t.deployment }

// Close ends discovery, tells the closing events, and makes every Select fail
// with ErrClosed, also those that wait. A second one does nothing.
func (t *Topology) Close() error {
	_, err := t.deployment.Shutdown()
	t.mu.Lock()
	if !t.closed {
		t.closed = true
		close(t.changed)
		t.changed = nil
	}
	t.mu.Unlock()
	t.tell()
	return err
}

// after wakes whoever waits, and tells.
func (t *Topology) after(changed bool) {
	if changed {
		t.mu.Lock()
		if !t.closed {
			close(t.changed)
			t.changed = make(chan struct{})
		}
		t.mu.Unlock()
	}
	t.tell()
}

// change returns a channel that is closed by the next change; ok is false for a
// closed Topology.
func (t *Topology) change() (c <-chan struct{}, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed, !t.closed
}
