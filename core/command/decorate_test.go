package command_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

func mode(m readpref.Mode, sets ...tag.Set) readpref.Preference {
	return readpref.Preference{Mode: m, TagSets: sets}
}

func stale(m readpref.Mode, seconds int64) readpref.Preference {
	return readpref.Preference{Mode: m, MaxStaleness: readpref.MaxStalenessSeconds(seconds)}
}

func hedged(m readpref.Mode, h readpref.Hedge) readpref.Preference {
	return readpref.Preference{Mode: m, Hedge: h}
}

// of is a topology with one server for each maxWireVersion.
func of(t topology.Type, server topology.ServerType, wire ...int64) *topology.Description {
	d := &topology.Description{Type: t}
	for _, w := range wire {
		d.Servers = append(d.Servers, topology.Server{Type: server, MaxWireVersion: topology.NewInt(w)})
	}
	return d
}

var ny = tag.Set{{Name: "dc", Value: "ny"}}

func TestDecorate(t *testing.T) {
	const (
		read  = selection.Read
		write = selection.Write
		merge = selection.AggregateWithWriteStage

		single   = topology.Single
		sharded  = topology.Sharded
		with     = topology.ReplicaSetWithPrimary
		without  = topology.ReplicaSetNoPrimary
		balanced = topology.LoadBalanced
		unknown  = topology.Unknown

		primary            = readpref.Primary
		primaryPreferred   = readpref.PrimaryPreferred
		secondary          = readpref.Secondary
		secondaryPreferred = readpref.SecondaryPreferred
		nearest            = readpref.Nearest
	)
	absent := (*readpref.Preference)(nil)
	sent := func(p readpref.Preference) *readpref.Preference { return &p }
	everything := readpref.Preference{Mode: primaryPreferred, TagSets: []tag.Set{ny, {}},
		MaxStaleness: readpref.MaxStalenessSeconds(120), Hedge: readpref.HedgeDisabled}

	for _, c := range []struct {
		rule   string
		t      topology.Type
		server topology.ServerType
		p      readpref.Preference
		op     selection.Operation
		opcode command.Opcode
		want   *readpref.Preference
		flag   bool
	}{
		{"4.1 a write to a replica set", with, topology.RSPrimary, mode(secondary), write, 0, absent, false},
		{"4.1 a write to a mongos", sharded, topology.Mongos, mode(nearest), write, 0, absent, false},
		{"4.1 a write through a direct connection", single, topology.RSSecondary, mode(secondary), write, 0, absent, false},
		{"4.1 a write through a load balancer", balanced, topology.LoadBalancer, mode(secondary), write, 0, absent, false},
		{"4.1 a standalone", single, topology.Standalone, mode(secondary, ny), read, 0, absent, false},
		{"4.1 a standalone, wherever", with, topology.Standalone, mode(secondary), read, 0, absent, false},

		{"4.2 mongos, primary", sharded, topology.Mongos, mode(primary), read, 0, absent, false},
		{"4.2 mongos, secondaryPreferred alone", sharded, topology.Mongos, mode(secondaryPreferred), read, 0, sent(mode(secondaryPreferred)), false},
		{"4.2 mongos, everything", sharded, topology.Mongos, everything, read, 0, sent(everything), false},
		{"4.2 a direct connection to a mongos, primary", single, topology.Mongos, mode(primary), read, 0, absent, false},
		{"4.2 a direct connection to a mongos", single, topology.Mongos, mode(secondary), read, 0, sent(mode(secondary)), false},
		{"4.2 load balancer, primary", balanced, topology.LoadBalancer, mode(primary), read, 0, absent, false},
		{"4.2 load balancer, secondaryPreferred alone", balanced, topology.LoadBalancer, mode(secondaryPreferred), read, 0, sent(mode(secondaryPreferred)), false},

		{"4.3 replica set, primary", with, topology.RSPrimary, mode(primary), read, 0, absent, false},
		{"4.3 replica set, the primary for primaryPreferred", with, topology.RSPrimary, mode(primaryPreferred), read, 0, sent(mode(primaryPreferred)), false},
		{"4.3 replica set without primary", without, topology.RSSecondary, everything, read, 0, sent(everything), false},
		{"4.3 replica set, a server gone meanwhile", with, topology.ServerUnknown, mode(secondary), read, 0, sent(mode(secondary)), false},

		{"4.4 direct connection to a secondary, no preference", single, topology.RSSecondary, mode(primary), read, 0, sent(mode(primaryPreferred)), false},
		{"4.4 direct connection to a primary", single, topology.RSPrimary, mode(primary), read, 0, sent(mode(primaryPreferred)), false},
		{"4.4 direct connection to an arbiter", single, topology.RSArbiter, mode(primary), read, 0, sent(mode(primaryPreferred)), false},
		{"4.4 direct connection to a hidden member", single, topology.RSOther, mode(primary), read, 0, sent(mode(primaryPreferred)), false},
		{"4.4 direct connection to a ghost", single, topology.RSGhost, mode(primary), read, 0, sent(mode(primaryPreferred)), false},
		{"4.4 direct connection to what is Unknown by now", single, topology.ServerUnknown, mode(primary), read, 0, sent(mode(primaryPreferred)), false},
		{"4.4 primary with an empty tag set", single, topology.RSSecondary, mode(primary, tag.Set{}), read, 0, sent(mode(primaryPreferred)), false},
		{"4.4 the user's own", single, topology.RSSecondary, mode(secondary, ny), read, 0, sent(mode(secondary, ny)), false},
		{"4.4 a write stage with mode primary", single, topology.RSPrimary, mode(primary), merge, 0, sent(mode(primaryPreferred)), false},

		{"4.7 mongos, primary", sharded, topology.Mongos, mode(primary), read, command.OpQuery, absent, false},
		{"4.7 mongos, primaryPreferred", sharded, topology.Mongos, mode(primaryPreferred), read, command.OpQuery, sent(mode(primaryPreferred)), true},
		{"4.7 mongos, secondary", sharded, topology.Mongos, mode(secondary), read, command.OpQuery, sent(mode(secondary)), true},
		{"4.7 mongos, nearest", sharded, topology.Mongos, mode(nearest), read, command.OpQuery, sent(mode(nearest)), true},
		{"4.7 mongos, secondaryPreferred alone", sharded, topology.Mongos, mode(secondaryPreferred), read, command.OpQuery, absent, true},
		{"4.7 mongos, secondaryPreferred with an empty tag set", sharded, topology.Mongos, mode(secondaryPreferred, tag.Set{}), read, command.OpQuery, absent, true},
		{"4.7 mongos, secondaryPreferred with an empty hedge", sharded, topology.Mongos, hedged(secondaryPreferred, readpref.HedgeEmpty), read, command.OpQuery, absent, true},
		{"4.7 mongos, secondaryPreferred with 0 seconds, which is not positive", sharded, topology.Mongos, stale(secondaryPreferred, 0), read, command.OpQuery, absent, true},
		{"4.7 mongos, secondaryPreferred with tags", sharded, topology.Mongos, mode(secondaryPreferred, ny, tag.Set{}), read, command.OpQuery, sent(mode(secondaryPreferred, ny, tag.Set{})), true},
		{"4.7 mongos, secondaryPreferred with a maximum", sharded, topology.Mongos, stale(secondaryPreferred, 90), read, command.OpQuery, sent(stale(secondaryPreferred, 90)), true},
		{"4.7 mongos, secondaryPreferred with hedge", sharded, topology.Mongos, hedged(secondaryPreferred, readpref.HedgeDisabled), read, command.OpQuery, sent(hedged(secondaryPreferred, readpref.HedgeDisabled)), true},
		{"4.7 load balancer", balanced, topology.LoadBalancer, mode(secondary), read, command.OpQuery, sent(mode(secondary)), true},
		{"4.7 replica set, primary", with, topology.RSPrimary, mode(primary), read, command.OpQuery, absent, false},
		{"4.7 replica set, the flag alone", with, topology.RSSecondary, mode(secondary, ny), read, command.OpQuery, absent, true},
		{"4.7 direct connection, primary", single, topology.RSSecondary, mode(primary), read, command.OpQuery, absent, true},
		{"4.7 direct connection", single, topology.RSArbiter, mode(nearest), read, command.OpQuery, absent, true},
		{"4.7 direct connection to a mongos, primary", single, topology.Mongos, mode(primary), read, command.OpQuery, absent, false},
		{"4.7 direct connection to a standalone", single, topology.Standalone, mode(nearest), read, command.OpQuery, absent, false},
		{"4.7 a write", sharded, topology.Mongos, mode(nearest), write, command.OpQuery, absent, false},
		{"4.7 a write through a direct connection", single, topology.RSSecondary, mode(nearest), write, command.OpQuery, absent, false},

		{"an unknown topology follows the mode", unknown, topology.ServerUnknown, mode(primary), read, 0, absent, false},
		{"an unknown topology follows the mode", unknown, topology.ServerUnknown, mode(nearest), read, 0, sent(mode(nearest)), false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			d := command.Decorate(of(c.t, c.server, 25), c.server, c.p, c.op, c.opcode)
			assert.Equal(t, c.p, d.Effective)
			assert.Equal(t, c.flag, d.SecondaryOk)
			require.Equal(t, c.want != nil, d.Attach)
			if c.want != nil {
				assert.Equal(t, *c.want, d.Document)
			} else {
				assert.Equal(t, readpref.Preference{}, d.Document)
			}
		})
	}
}

// 3.47: an aggregate with $out or $merge on servers before 5.0 uses primary, for
// selection and here, where nothing is attached.
func TestDecorateWriteStage(t *testing.T) {
	p := mode(readpref.Secondary, ny)
	for _, c := range []struct {
		name   string
		t      *topology.Description
		server topology.ServerType
		falls  bool
	}{
		{"all are 5.0", of(topology.ReplicaSetWithPrimary, topology.RSSecondary, 13, 25), topology.RSSecondary, false},
		{"one is older", of(topology.ReplicaSetWithPrimary, topology.RSSecondary, 13, 12), topology.RSPrimary, true},
		{"an older one has not answered", of(topology.ReplicaSetNoPrimary, topology.ServerUnknown, 12), topology.ServerUnknown, false},
		{"an older mongos", of(topology.Sharded, topology.Mongos, 12), topology.Mongos, true},
		{"a direct connection to an older member", of(topology.Single, topology.RSSecondary, 9), topology.RSSecondary, true},
		{"a load balancer, whatever it says", of(topology.LoadBalanced, topology.LoadBalancer, 9), topology.LoadBalancer, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := command.Decorate(c.t, c.server, p, selection.AggregateWithWriteStage, command.OpMsg)
			if c.falls {
				assert.Equal(t, command.Decoration{}, d, "as with mode primary")
			} else {
				assert.Equal(t, command.Decoration{Attach: true, Document: p, Effective: p}, d)
			}
			// A read on the same servers is as ever.
			assert.True(t, command.Decorate(c.t, c.server, p, selection.Read, command.OpMsg).Attach)
		})
	}
}

// Section 4 by its own order, topology type by topology type, for every
// combination there is.
func TestDecorateAgreesWithTheSpecification(t *testing.T) {
	preferences := []readpref.Preference{{}, mode(readpref.Primary, tag.Set{})}
	for m := readpref.PrimaryPreferred; m <= readpref.Nearest; m++ {
		preferences = append(preferences, mode(m), mode(m, tag.Set{}), mode(m, ny), mode(m, tag.Set{}, ny), stale(m, 0), stale(m, 1), stale(m, math.MaxInt64),
			hedged(m, readpref.HedgeEmpty), hedged(m, readpref.HedgeEnabled), hedged(m, readpref.HedgeDisabled))
	}
	count := 0
	for tt := topology.Unknown; tt <= topology.LoadBalanced; tt++ {
		for server := topology.ServerUnknown; server <= topology.LoadBalancer; server++ {
			for _, p := range preferences {
				for op := selection.Read; op <= selection.AggregateWithWriteStage; op++ {
					for _, wire := range []int64{12, 13} {
						for opcode := command.OpMsg; opcode <= command.OpQuery; opcode++ {
							require.NoError(t, p.Validate())
							got := command.Decorate(of(tt, server, wire), server, p, op, opcode)
							want := bySpecification(tt, server, p, op, wire, opcode)
							require.Equal(t, want, got, "%v %v %+v %v %v %v", tt, server, p, op, wire, opcode)
							count++
						}
					}
				}
			}
		}
	}
	assert.Equal(t, 6*10*(2+4*10)*3*2*2, count)
}

func bySpecification(tt topology.Type, server topology.ServerType, p readpref.Preference, op selection.Operation, wire int64, opcode command.Opcode) (d command.Decoration) {
	available := server != topology.ServerUnknown && server != topology.PossiblePrimary
	gaveWay := op == selection.AggregateWithWriteStage && tt != topology.LoadBalanced && available && wire < 13
	d.Effective = p
	if gaveWay {
		d.Effective = readpref.Preference{}
	}
	if op == selection.Write || server == topology.Standalone {
		return d
	}
	use := d.Effective
	toRouter := server == topology.Mongos || server == topology.LoadBalancer || tt == topology.LoadBalanced
	nonPrimary := use.Mode != readpref.Primary
	if opcode == command.OpMsg {
		switch {
		case toRouter, tt != topology.Single:
			d.Attach = nonPrimary
			if nonPrimary {
				d.Document = use
			}
		case gaveWay && p.Mode != readpref.Primary:
		case nonPrimary:
			d.Attach, d.Document = true, use
		default:
			d.Attach, d.Document.Mode = true, readpref.PrimaryPreferred
		}
		return d
	}
	d.SecondaryOk = nonPrimary || tt == topology.Single && !toRouter
	switch {
	case !toRouter:
	case use.Mode == readpref.PrimaryPreferred, use.Mode == readpref.Secondary, use.Mode == readpref.Nearest:
		d.Attach = true
	case use.Mode == readpref.SecondaryPreferred:
		for _, set := range use.TagSets {
			d.Attach = d.Attach || len(set) > 0
		}
		seconds, limited := use.MaxStaleness.Seconds()
		d.Attach = d.Attach || limited && seconds > 0 || use.Hedge > readpref.HedgeEmpty
	}
	if d.Attach {
		d.Document = use
	}
	return d
}

func TestOpcodeNames(t *testing.T) {
	assert.Equal(t, "OP_MSG", command.OpMsg.String())
	assert.Equal(t, "OP_QUERY", command.OpQuery.String())
	assert.Equal(t, "invalid", command.Opcode(2).String())
}
