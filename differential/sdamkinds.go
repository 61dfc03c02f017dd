package main

import "slices"

// sdamDifference is a sequence after whose last reply a driver holds another
// topology than readpref.
type sdamDifference struct {
	peer         string
	c            *sdamCase
	before       *step // that of both, nil at the first reply
	ours, theirs *step
	failed       string // what the driver threw, where it did
}

// calledStale reports whether the driver took a primary for stale whose reply
// counts here: its electionId is the greatest now.
func (d *sdamDifference) calledStale(r *reply) bool {
	return d.theirs != nil && d.theirs.Servers[r.Address] == "Unknown" && d.ours.MaxElectionID != nil && *d.ours.MaxElectionID == r.Hello.ElectionID.OID
}

// sdamKind is one way in which a driver's discovery leaves the specification.
type sdamKind struct {
	id, title string
	peers     []string
	spec, why string
	is        func(d *sdamDifference, r *reply) bool
}

func classifySDAM(d *sdamDifference) *sdamKind {
	r := &d.c.Replies[len(d.c.Replies)-1]
	for i := range sdamKinds {
		if k := &sdamKinds[i]; slices.Contains(k.peers, d.peer) && k.is(d, r) {
			return k
		}
	}
	return nil
}

var sdamKinds = []sdamKind{
	{
		id:    "arbiterStartsNothing",
		title: "an arbiter that answers first leaves the topology Unknown",
		peers: []string{node},
		spec:  "Server Discovery and Monitoring, TopologyType table: Unknown and RSArbiter",
		why: "A reply of an arbiter makes an Unknown topology a ReplicaSetNoPrimary and adds the hosts it names. A client whose only reachable seed is " +
			"an arbiter discovers nothing without it.",
		is: func(d *sdamDifference, r *reply) bool {
			unknown := d.before == nil || d.before.Type == "Unknown"
			return unknown && r.Hello.ArbiterOnly && d.theirs != nil && d.theirs.Type == "Unknown" && d.theirs.Servers[r.Address] == "RSArbiter" &&
				d.ours.Type == "ReplicaSetNoPrimary"
		},
	},
	{
		id:    "directWithoutName",
		title: "a direct connection with a set name takes a server that is of no set",
		peers: []string{node},
		spec:  "Server Discovery and Monitoring, TopologyType Single",
		why:   "Where the client was given a set name, a server whose setName is another, or that has none, must be Unknown.",
		is: func(d *sdamDifference, r *reply) bool {
			return d.c.DirectConnection && d.c.ReplicaSet != "" && r.Hello.OK == 1 && r.Hello.SetName == "" && d.theirs != nil &&
				d.ours.Servers[r.Address] == "Unknown" && d.theirs.Servers[r.Address] != "Unknown"
		},
	},
	{
		id:    "olderElectionOfNewerSet",
		title: "before MongoDB 6.0 (wire version 17): a primary of a newer setVersion with a lesser electionId is called stale",
		peers: []string{node},
		spec:  "Server Discovery and Monitoring, updateRSFromPrimary",
		why:   "For these servers the setVersion decides first, and the electionId only between equal ones: electionIds begin anew after a reconfiguration by force.",
		is: func(d *sdamDifference, r *reply) bool {
			h, b := &r.Hello, d.before
			return h.IsWritablePrimary && h.MaxWireVersion < 17 && b != nil && h.SetVersion != nil && h.ElectionID != nil && b.MaxSetVersion != nil &&
				b.MaxElectionID != nil && *h.SetVersion > *b.MaxSetVersion && h.ElectionID.OID < *b.MaxElectionID && d.calledStale(r)
		},
	},
	{
		id:    "primaryAppliedTwice",
		title: "before MongoDB 6.0: a first primary with an electionId is called stale by its own reply",
		peers: []string{node},
		spec:  "Server Discovery and Monitoring, updateRSFromPrimary",
		why: "A greater setVersion that came without an electionId makes no primary stale. The reply is applied a second time when the type has become " +
			"ReplicaSetWithPrimary, and its own electionId is the greatest then.",
		is: func(d *sdamDifference, r *reply) bool {
			h, b := &r.Hello, d.before
			return h.IsWritablePrimary && h.MaxWireVersion < 17 && b != nil && b.Type != "ReplicaSetWithPrimary" && h.SetVersion != nil &&
				h.ElectionID != nil && b.MaxSetVersion != nil && b.MaxElectionID == nil && *h.SetVersion < *b.MaxSetVersion && d.calledStale(r)
		},
	},
	{
		id:    "lastOfTheSeedsBecomesSingle",
		title: "of several seeds that are Standalones the last one is kept",
		peers: []string{node},
		spec:  "Server Discovery and Monitoring, updateUnknownWithStandalone",
		why:   "A Standalone makes the topology Single only where one seed was given; which of several servers was meant is not known. The count that is taken here is of those that are left.",
		is: func(d *sdamDifference, r *reply) bool {
			return len(d.c.Seeds) > 1 && d.before != nil && d.before.Type == "Unknown" && len(d.before.Servers) == 1 && d.theirs != nil &&
				d.theirs.Type == "Single" && d.ours.Type == "Unknown" && len(d.ours.Servers) == 0
		},
	},
}
