package whatif

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// Limits of a request.
const (
	MaxEvents = 100
	MaxAtOnce = 3
	// MaxOutcomes bounds the scenarios times the workloads, and MaxDescriptions the
	// scenarios times the servers.
	MaxOutcomes     = 10_000
	MaxDescriptions = 500_000
)

// Request is what is asked.
type Request struct {
	workload.Question

	Events []Event
	AtOnce int // how many of Events happen together at most, 1 to MaxAtOnce
	// EverySingle and EveryPair add the loss of each available server, and of each two.
	EverySingle, EveryPair bool
}

// Scenario is what may be the case after some events.
type Scenario struct {
	Events []Event // that happened
	// Phase says what became of the primary.
	Phase Phase
	// Primary is the index of the primary, -1 for none. Servers that were added are
	// counted behind those of the topology.
	Primary  int
	Outcomes []Outcome // for each workload
}

// Address returns the address of a server by its index.
func (s *Scenario) Address(r *Request, i int) string {
	n := len(r.Topology.Servers)
	if i < n {
		return r.Topology.Servers[i].Address
	}
	for k := range s.Events {
		if s.Events[k].Kind == MemberAdded {
			if i == n {
				return s.Events[k].Server.Address
			}
			n++
		}
	}
	return ""
}

// Phase is what the events did to the primary of a replica set.
type Phase uint8

// The phases.
const (
	AsBefore   Phase = iota // there is the same primary, or none as before
	NoPrimary               // the primary is lost, and none is elected yet
	NoMajority              // nor can one be: not enough members are left to elect one
	Elected                 // one of the others was elected
)

// PhaseNames lists the documents' names of the phases, in the order of their values.
var PhaseNames = [...]string{"asBefore", "noPrimary", "noMajority", "elected"}

// Status is what becomes of the operations of a workload.
type Status uint8

// The statuses.
const (
	Served   Status = iota // as well as before
	Degraded               // not so well; Why says how
	Fails
)

// StatusNames lists the documents' names of the statuses, in the order of their values.
var StatusNames = [...]string{"served", "degraded", "fails"}

// Why is how operations are served less well, as bits.
type Why uint8

// The ways.
const (
	Fallback     Why = 1 << iota // by the mode's other role
	LaterTagSet                  // by a tag set behind the one before
	FewerServers                 // by fewer servers in the latency window
	Slower                       // the fastest server is farther away
)

// WhyNames lists the documents' names of the ways, in the order of their bits.
var WhyNames = [...]string{"fallback", "laterTagSet", "fewerServers", "slower"}

// Outcome is what becomes of the operations of one workload.
type Outcome struct {
	workload.Outcome
	Status Status
	Why    Why
}

// Result is the answer.
type Result struct {
	Before    []workload.Outcome // without any event
	Scenarios []Scenario
}

// Run answers. The error is a *status.Error: an event that is impossible, two
// that exclude each other, more scenarios than MaxOutcomes allows.
func Run(r *Request) (*Result, error) {
	u := &run{r: r, result: &Result{}}
	var passives []string
	for i := range r.Topology.Servers {
		passives = append(passives, r.Topology.Servers[i].Passives...)
	}
	u.passive.Reset(passives)
	for i := range r.Workloads {
		u.result.Before = append(u.result.Before, u.selector.Outcome(r.Topology, &r.Workloads[i], r.Options))
	}
	for n := 1; n <= max(r.AtOnce, 1); n++ {
		if err := u.combine(nil, 0, n); err != nil {
			return nil, err
		}
	}
	if r.EverySingle {
		if err := u.lose(1); err != nil {
			return nil, err
		}
	}
	if r.EveryPair {
		if err := u.lose(2); err != nil {
			return nil, err
		}
	}
	return u.result, nil
}

type run struct {
	r        *Request
	result   *Result
	selector workload.Selector
	passive  selection.AddressSet // members that cannot be elected
	scratch  [2][]topology.Server
}

// combine adds the combinations of n more events, from the given one on.
func (u *run) combine(chosen []int, from, n int) error {
	if n > 0 {
		for i := from; i+n <= len(u.r.Events); i++ {
			if err := u.combine(append(chosen[:len(chosen):len(chosen)], i), i+1, n-1); err != nil {
				return err
			}
		}
		return nil
	}
	events := make([]Event, len(chosen))
	for k, i := range chosen {
		events[k] = u.r.Events[i]
	}
	at, message := u.happen(events)
	switch {
	case message == "":
		return nil
	case at < 0:
		return status.New(status.LimitExceeded, "events", message)
	case at > 0:
		message = "cannot happen together with the events before: " + message
	}
	return status.New(status.OutOfRange, "events["+decimal.String(int64(chosen[at]))+"]", message)
}

// lose adds the loss of each available server, or of each two.
func (u *run) lose(n int) error {
	t := u.r.Topology
	if t.Type == topology.LoadBalanced {
		return nil
	}
	lose := func(servers ...int) error {
		events := make([]Event, len(servers))
		for k, i := range servers {
			events[k] = Event{Kind: MemberDown, Address: t.Servers[i].Address}
		}
		if _, message := u.happen(events); message != "" {
			path := "everySingle"
			if n == 2 {
				path = "everyPair"
			}
			return status.New(status.LimitExceeded, path, message)
		}
		return nil
	}
	for i := range t.Servers {
		if !t.Servers[i].Type.IsAvailable() {
			continue
		}
		if n == 1 {
			if err := lose(i); err != nil {
				return err
			}
			continue
		}
		for j := i + 1; j < len(t.Servers); j++ {
			if !t.Servers[j].Type.IsAvailable() {
				continue
			}
			if err := lose(i, j); err != nil {
				return err
			}
		}
	}
	return nil
}

// happen adds the scenarios after some events. message says why the event at an
// index is impossible; at is -1 where there would be too many scenarios.
func (u *run) happen(events []Event) (at int, message string) {
	t := *u.r.Topology
	u.scratch[0] = append(u.scratch[0][:0], t.Servers...)
	t.Servers = u.scratch[0]
	for i := range events {
		if message := events[i].apply(&t); message != "" {
			return i, message
		}
	}
	ok := true
	u.elections(&t, func(phase Phase, t *topology.Description) {
		n := len(u.result.Scenarios) + 1
		if ok = ok && n*len(u.r.Workloads) <= MaxOutcomes && n*len(t.Servers) <= MaxDescriptions; !ok {
			return
		}
		s := Scenario{Events: events, Phase: phase, Primary: t.Primary()}
		for i := range u.r.Workloads {
			o := Outcome{Outcome: u.selector.Outcome(t, &u.r.Workloads[i], u.r.Options)}
			o.compare(&u.result.Before[i], &u.r.Workloads[i])
			s.Outcomes = append(s.Outcomes, o)
		}
		u.result.Scenarios = append(u.result.Scenarios, s)
	})
	if !ok {
		return -1, "more than 10000 scenarios times workloads, or 500000 times servers"
	}
	return 0, ""
}

// compare finds out how well operations are served, for those before.
func (o *Outcome) compare(before *workload.Outcome, w *workload.Workload) {
	if o.Code != "" {
		o.Status = Fails
		return
	}
	if before.Code != "" {
		return // they failed before: that is better
	}
	add := func(is bool, why Why) {
		if is {
			o.Why, o.Status = o.Why|why, Degraded
		}
	}
	first, _ := selection.Roles(topology.ReplicaSetWithPrimary, w.Operation, w.Preference.Mode)
	add(before.Role == first && o.Role != first && first != selection.RoleMember, Fallback)
	add(o.Role == before.Role && o.TagSet > before.TagSet, LaterTagSet)
	add(len(o.Window) < len(before.Window), FewerServers)
	add(o.Span.Known && before.Span.Known && o.Span.FastestNS > before.Span.FastestNS, Slower)
}
