package client

import (
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/topology"
)

// Command returns what a command carries to a server that Select gave for these
// same arguments: $readPreference, or nothing. It is for OP_MSG; p is nil as in
// Select. The caller adds it to a copy of the command, beside $db.
//
// Server Selection specification, "Passing read preference to mongos and load
// balancers" and "Topology type: Single".
func (t *Topology) Command(s Server, p *cluster.Preference, o Operation) command.Decoration {
	if p == nil {
		p = t.preference
	}
	var d command.Decoration
	t.View(func(known *topology.Description) {
		// The type as it is now: a server that is gone is Unknown.
		d = command.Decorate(known, known.TypeOf(s.Address), p.Document(), o.Kind, command.OpMsg)
	})
	return d
}
