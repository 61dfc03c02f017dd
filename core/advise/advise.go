// Package advise says what is unwise about the read preferences of workloads on
// a deployment, and what to do about it.
package advise

import (
	"math"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// Limits of a request.
const (
	// MaxComparisons bounds the tags that are asked for times the tags they are
	// compared with.
	MaxComparisons = 50_000_000
	// MaxFindings of a code are listed for a workload.
	MaxFindings = 10
)

// Request is what is to be judged.
type Request struct {
	workload.Question

	DirectConnection bool // the client connects to one member directly
	FlowControlOff   bool // enableFlowControl is false on the members
}

// Finding is something to think about.
type Finding struct {
	*Rule
	Workload int    // index; -1 where it is about the deployment
	Path     string // in a request of advise
	Message  string // what is the case
}

// Run judges. The error is a *status.Error: more tags than MaxComparisons allows.
func Run(r *Request) ([]Finding, error) {
	a := &advisor{r: r}
	for i := range r.Workloads {
		a.workload(i)
	}
	a.deployment()
	if a.compared > MaxComparisons {
		return nil, status.New(status.LimitExceeded, "workloads", "more than 50000000 comparisons of tags")
	}
	return a.findings, nil
}

type advisor struct {
	r        *Request
	findings []Finding
	compared int

	selector selection.Selector
	names    tagNames
	// The workload that is looked at.
	index int
	w     *workload.Workload
	p     *readpref.Preference
	found [ruleCount]int
}

// say adds a finding about a part of the workload.
func (a *advisor) say(rule int, part, message string) {
	if a.found[rule]++; a.found[rule] > MaxFindings {
		return
	}
	path := "workloads[" + decimal.String(int64(a.index)) + "]"
	if part != "" {
		path += "." + part
	}
	a.findings = append(a.findings, Finding{Rule: &Rules[rule], Workload: a.index, Path: path, Message: message})
}

func (a *advisor) workload(i int) {
	a.index, a.w, a.p, a.found = i, &a.r.Workloads[i], &a.r.Workloads[i].Preference, [ruleCount]int{}
	a.staleness()
	if a.w.Operation != selection.Write && a.r.Topology.Type.IsReplicaSet() {
		a.members()
		a.tagSets()
	}
	a.uses()
}

// selects selects for the workload with a preference; nil where that is an error.
func (a *advisor) selects(p readpref.Preference) *selection.Result {
	res, err := a.selector.Select(&selection.Request{Topology: a.r.Topology, Preference: p, Operation: a.w.Operation, Options: a.r.Options})
	if err != nil {
		return nil
	}
	return res
}

const maxStalenessPart = "readPreference.maxStalenessSeconds"

func (a *advisor) staleness() {
	seconds, limited := a.p.MaxStaleness.Seconds()
	if !limited {
		return
	}
	t := a.r.Topology
	switch {
	case a.w.Operation == selection.Write:
		a.say(maxStalenessWithoutEffect, maxStalenessPart, "a write goes to the primary, whatever the read preference")
	case t.Type == topology.Single || t.Type == topology.LoadBalanced:
		a.say(maxStalenessWithoutEffect, maxStalenessPart, "topology type "+t.Type.String()+" has one server, which serves however old it is")
	case t.Type.IsReplicaSet():
		if err := selection.CheckMaxStaleness(t.Type, a.p.MaxStaleness, a.r.Options.HeartbeatFrequencyMS); err != nil {
			a.say(maxStalenessTooSmall, maxStalenessPart, err.(*status.Error).Message)
		} else if a.count(topology.RSSecondary) == 0 {
			a.say(maxStalenessWithoutEffect, maxStalenessPart, "the replica set has no secondary, and only secondaries are stale")
		} else if seconds >= math.MaxInt64/1000 {
			a.say(maxStalenessWithoutEffect, maxStalenessPart, "no secondary is ever so stale")
		}
	}
}

func (a *advisor) count(of topology.ServerType) (n int) {
	for i := range a.r.Topology.Servers {
		if a.r.Topology.Servers[i].Type == of {
			n++
		}
	}
	return n
}

// members looks at which members serve the reads.
func (a *advisor) members() {
	mode := a.p.Mode
	if mode == readpref.Secondary && a.count(topology.RSSecondary) == 0 {
		a.say(noSecondary, "readPreference.mode", "the replica set has no secondary that answers: these reads fail")
		return
	}
	p := *a.p
	if a.found[maxStalenessTooSmall] > 0 {
		p.MaxStaleness = readpref.MaxStaleness{}
	}
	res := a.selects(p)
	if res == nil || len(res.Suitable) == 0 {
		return
	}
	n := len(res.Suitable)
	role := res.Passes[len(res.Passes)-1].Role
	if mode == readpref.Secondary && n == 1 {
		a.say(oneSecondary, "readPreference", "one secondary is suitable: when it is down these reads fail")
	}
	if mode == readpref.SecondaryPreferred && role == selection.RolePrimary {
		a.say(secondaryPreferredOnPrimary, "readPreference", "no secondary is suitable: these reads go to the primary")
	}
	if !a.p.MaxStaleness.IsDefined() && (role == selection.RoleSecondary || role == selection.RoleMember) {
		if name := a.spread(res.Suitable); name != "" {
			a.say(severalRegions, maxStalenessPart, "these reads go to members with different values of "+name+
				", and without maxStalenessSeconds to one that lags as gladly as to any")
		}
	}
	a.window(res)
}

// window looks at what the latency window does.
func (a *advisor) window(res *selection.Result) {
	n := len(res.Suitable)
	if n < 2 || !res.Window.Known {
		return
	}
	most := int64(0)
	for _, i := range res.InLatencyWindow {
		ns, _ := a.r.Topology.Servers[i].RoundTripTime.Nanoseconds()
		most = max(most, ns)
	}
	threshold := string(topology.AppendMS(str.Append(nil, "localThresholdMS "), a.r.Options.LocalThresholdNS))
	switch {
	case len(res.InLatencyWindow) == 1:
		a.say(windowTooNarrow, "", threshold+" leaves one of "+decimal.String(int64(n))+" suitable servers, which serves all")
	case len(res.InLatencyWindow) == n && most-res.Window.FastestNS > selection.DefaultLocalThresholdNS:
		a.say(windowTooWide, "", string(append(topology.AppendMS(str.Append(nil, threshold+" lets all suitable servers in, though the farthest is "),
			most-res.Window.FastestNS), " ms behind the fastest"...)))
	}
}

// uses looks at what is done with what is read, and at what there is between
// the client and the members.
func (a *advisor) uses() {
	t := a.r.Topology
	notPrimary := a.p.Mode != readpref.Primary
	if a.p.Hedge.IsDefined() {
		a.say(hedgeDeprecated, "readPreference.hedge", "hedge is deprecated since MongoDB server 8.0 and will be removed")
	}
	if a.w.Operation != selection.Write && notPrimary {
		if a.w.WritesBack {
			a.say(writesBackStaleReads, "readPreference.mode", "what a secondary answers may be older than what it is to replace: such a write undoes others")
		}
		if a.w.Transaction {
			a.say(transactionNotPrimary, "readPreference.mode", "in a transaction a read preference other than primary is an error")
		}
	}
	if !notPrimary || a.w.Operation == selection.Write {
		return
	}
	switch {
	case t.Type == topology.Sharded:
		sets := a.p.TagSets
		if len(sets) > 0 && len(sets[len(sets)-1]) > 0 {
			a.say(tagsOnSharded, "readPreference.tags", "mongos asks every shard, and the config servers, for members with these tags: where one has none the read fails")
		}
	case t.Type == topology.LoadBalanced:
		a.say(loadBalancedPreference, "readPreference", "behind a load balancer the read preference does not choose the server")
	case a.r.DirectConnection || t.Type == topology.Single && a.count(topology.Standalone) == 0:
		a.say(directConnectionPreference, "readPreference", "with a direct connection all operations go to the one server, whatever the mode")
	}
}

// deployment looks at what is no workload's.
func (a *advisor) deployment() {
	t := a.r.Topology
	say := func(rule int, path, message string) {
		a.findings = append(a.findings, Finding{Rule: &Rules[rule], Workload: -1, Path: path, Message: message})
	}
	if n := len(t.Servers); t.Type.IsReplicaSet() && n%2 == 0 {
		say(evenVotingMembers, "topology.servers", decimal.String(int64(n))+
			" members, if all vote: they survive the loss of no more than "+decimal.String(int64((n-1)/2))+", as "+decimal.String(int64(n-1))+" would")
	}
	if !a.r.FlowControlOff || !t.Type.IsReplicaSet() && t.Type != topology.Sharded {
		return
	}
	for i := range a.r.Workloads {
		w := &a.r.Workloads[i]
		if w.Operation != selection.Write && w.Preference.Mode != readpref.Primary {
			say(flowControlOff, "flowControl", "without flow control secondaries may lag without end while writes go on, and reads go there")
			return
		}
	}
}
