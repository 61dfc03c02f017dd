package selection_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// A replica set with one member of every kind.
func everyMember(of topology.Type) *topology.Description {
	d := with(of)
	for _, t := range []topology.ServerType{topology.RSSecondary, topology.RSPrimary, topology.RSArbiter, topology.RSOther, topology.RSGhost,
		topology.ServerUnknown, topology.PossiblePrimary, topology.Standalone, topology.Mongos, topology.LoadBalancer} {
		d.Servers = append(d.Servers, server(t.String(), t))
	}
	return d
}

func withoutPrimary() *topology.Description {
	d := everyMember(topology.ReplicaSetNoPrimary)
	d.Servers = append(d.Servers[:1], d.Servers[2:]...)
	return d
}

var secondaryDC = set("dc", "ny")

func TestTopologyTypes(t *testing.T) {
	const (
		read  = selection.Read
		write = selection.Write
		merge = selection.AggregateWithWriteStage
	)
	everything := mode(readpref.Nearest)
	for _, c := range []struct {
		rule string
		d    *topology.Description
		op   selection.Operation
		p    readpref.Preference
		want string
	}{
		{"3.7 Unknown serves no read", everyMember(topology.Unknown), read, everything, ""},
		{"3.7 Unknown serves no write", everyMember(topology.Unknown), write, everything, ""},
		{"3.7 a ghost does not help", with(topology.Unknown, server("g", topology.RSGhost)), read, everything, ""},

		{"3.8 Single: mode secondary selects the primary", with(topology.Single, primary("p")), read, mode(readpref.Secondary), "p"},
		{"3.8 Single: a standalone, whatever the tags", with(topology.Single, server("s", topology.Standalone)), read, mode(readpref.Secondary, secondaryDC), "s"},
		{"3.8 Single: no refusal of a write to a secondary", with(topology.Single, secondary("s")), write, mode(readpref.Primary), "s"},
		{"3.8 Single: even 1 s of staleness is not checked", with(topology.Single, secondary("s", undated)), read, stale(readpref.Nearest, 1), "s"},
		{"3.8 Single: an arbiter is available", with(topology.Single, server("a", topology.RSArbiter)), read, mode(readpref.Primary), "a"},
		{"3.8 Single: a ghost is available", with(topology.Single, server("g", topology.RSGhost)), read, mode(readpref.Primary), "g"},
		{"3.8 Single: an Unknown server is not", with(topology.Single, server("u", topology.ServerUnknown)), read, mode(readpref.Primary), ""},
		{"3.8 Single: a PossiblePrimary is not", with(topology.Single, server("u", topology.PossiblePrimary)), write, mode(readpref.Primary), ""},
		{"3.8 Single without servers", with(topology.Single), read, mode(readpref.Primary), ""},

		{"3.9 LoadBalanced: a read", with(topology.LoadBalanced, server("lb", topology.LoadBalancer, unmeasured)), read, mode(readpref.Secondary, secondaryDC), "lb"},
		{"3.9 LoadBalanced: a write", with(topology.LoadBalanced, server("lb", topology.LoadBalancer, unmeasured)), write, mode(readpref.Primary), "lb"},
		{"3.9 LoadBalanced: always, also unknown", with(topology.LoadBalanced, server("lb", topology.ServerUnknown, unmeasured)), read, mode(readpref.Primary), "lb"},
		{"3.9 LoadBalanced: any wire version", with(topology.LoadBalanced, server("lb", topology.LoadBalancer, wire(0, 1))), read, mode(readpref.Primary), "lb"},

		{"3.10 Sharded: every mongos for a read", with(topology.Sharded, server("m1", topology.Mongos), server("m2", topology.Mongos)), read, stale(readpref.Secondary, 1, secondaryDC), "m1 m2"},
		{"3.10 Sharded: and for a write", with(topology.Sharded, server("m1", topology.Mongos), server("m2", topology.Mongos)), write, mode(readpref.Primary), "m1 m2"},
		{"3.10 Sharded: only a mongos", everyMember(topology.Sharded), read, everything, "Mongos"},
		{"3.10 Sharded: no Unknown server", with(topology.Sharded, server("u", topology.ServerUnknown), server("m", topology.Mongos)), read, everything, "m"},

		{"3.11 a write goes to the primary", everyMember(topology.ReplicaSetWithPrimary), write, mode(readpref.Secondary, secondaryDC), "RSPrimary"},
		{"3.11 whatever maxStalenessSeconds (3.6)", everyMember(topology.ReplicaSetWithPrimary), write, stale(readpref.Secondary, 1), "RSPrimary"},
		{"3.11 without a primary it goes nowhere", withoutPrimary(), write, everything, ""},
		{"3.11 also where one is listed", everyMember(topology.ReplicaSetNoPrimary), write, everything, ""},

		{"3.12 only primary and secondary", everyMember(topology.ReplicaSetWithPrimary), read, everything, "RSSecondary RSPrimary"},
		{"3.13 primary", everyMember(topology.ReplicaSetWithPrimary), read, mode(readpref.Primary), "RSPrimary"},
		{"3.13 primary without one", withoutPrimary(), read, mode(readpref.Primary), ""},
		{"3.13 primary with a lone {}", everyMember(topology.ReplicaSetWithPrimary), read, mode(readpref.Primary, tag.Set{}), "RSPrimary"},
		{"3.14 secondary", everyMember(topology.ReplicaSetWithPrimary), read, mode(readpref.Secondary), "RSSecondary"},
		{"3.14 secondary never the primary", with(topology.ReplicaSetWithPrimary, primary("p")), read, mode(readpref.Secondary), ""},
		{"3.15 nearest: the primary must match too", with(topology.ReplicaSetWithPrimary, primary("p"), secondary("s", tags("dc", "ny"))), read, mode(readpref.Nearest, secondaryDC), "s"},
		{"3.15 nearest: and may", with(topology.ReplicaSetWithPrimary, primary("p", tags("dc", "ny")), secondary("s")), read, mode(readpref.Nearest, secondaryDC), "p"},
		{"3.16 primaryPreferred: the primary unfiltered", with(topology.ReplicaSetWithPrimary, primary("p", undated), secondary("s", tags("dc", "ny"))), read, stale(readpref.PrimaryPreferred, 90, secondaryDC), "p"},
		{"3.16 primaryPreferred: else as secondary", with(topology.ReplicaSetNoPrimary, secondary("s", tags("dc", "ny")), secondary("o")), read, mode(readpref.PrimaryPreferred, secondaryDC), "s"},
		{"3.3 primaryPreferred does not wait for a primary", with(topology.ReplicaSetNoPrimary, secondary("s"), server("u", topology.ServerUnknown)), read, mode(readpref.PrimaryPreferred), "s"},
		{"3.17 secondaryPreferred: as secondary", everyMember(topology.ReplicaSetWithPrimary), read, mode(readpref.SecondaryPreferred), "RSSecondary"},
		{"3.17 secondaryPreferred: else the primary, unfiltered", with(topology.ReplicaSetWithPrimary, primary("p", undated), secondary("s")), read, stale(readpref.SecondaryPreferred, 90, secondaryDC), "p"},
		{"3.17 secondaryPreferred: stale secondaries", with(topology.ReplicaSetWithPrimary, primary("p"), secondary("s", written(80001))), read, stale(readpref.SecondaryPreferred, 90), "p"},
		{"3.18 NoPrimary: secondaryPreferred", withoutPrimary(), read, mode(readpref.SecondaryPreferred), "RSSecondary"},
		{"3.18 NoPrimary: nearest", withoutPrimary(), read, mode(readpref.Nearest), "RSSecondary"},
		{"3.18 NoPrimary: a primary in the list is none", everyMember(topology.ReplicaSetNoPrimary), read, mode(readpref.Nearest), "RSSecondary"},

		{"3.47 a write stage reads where all are new", with(topology.ReplicaSetWithPrimary, primary("p", wire(0, 13)), secondary("s", wire(0, 13))), merge, mode(readpref.Secondary), "s"},
		{"3.47 and on the primary where one is old", with(topology.ReplicaSetWithPrimary, primary("p", wire(0, 13)), secondary("s", wire(0, 12))), merge, mode(readpref.Secondary), "p"},
		{"3.47 so with no primary nowhere", with(topology.ReplicaSetNoPrimary, secondary("s", wire(0, 12))), merge, mode(readpref.Secondary), ""},
		{"3.47 an old arbiter is available too", with(topology.ReplicaSetWithPrimary, primary("p"), secondary("s"), server("a", topology.RSArbiter, wire(0, 12))), merge, mode(readpref.Secondary), "p"},
		{"3.47 an Unknown server does not count", with(topology.ReplicaSetWithPrimary, primary("p"), secondary("s"), server("u", topology.ServerUnknown, wire(0, 12))), merge, mode(readpref.Secondary), "s"},
		{"3.47 an absent version is new enough", with(topology.ReplicaSetWithPrimary, primary("p"), secondary("s")), merge, mode(readpref.Secondary), "s"},
		{"3.47 not under LoadBalanced", with(topology.LoadBalanced, server("lb", topology.LoadBalancer, wire(0, 12))), merge, mode(readpref.Secondary), "lb"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := request(c.d, c.p)
			r.Operation = c.op
			res := selected(t, r)
			assert.Equal(t, c.want, names(c.d, res.Suitable))
			assert.Equal(t, c.want, names(c.d, res.InLatencyWindow), "all have the same round-trip time, or none")
		})
	}
}

// 3.47: the preference that decided is the one to send.
func TestEffectivePreference(t *testing.T) {
	asked := stale(readpref.Secondary, 120, secondaryDC)
	old := with(topology.Sharded, server("m1", topology.Mongos, wire(0, 13)), server("m2", topology.Mongos, wire(0, 12)))
	young := with(topology.Sharded, server("m1", topology.Mongos, wire(0, 13)), server("m2", topology.ServerUnknown, wire(0, 12)))
	balanced := with(topology.LoadBalanced, server("lb", topology.LoadBalancer, wire(0, 12)))
	for _, c := range []struct {
		rule string
		d    *topology.Description
		op   selection.Operation
		want readpref.Preference
	}{
		{"an old server: primary, without tags or staleness", old, selection.AggregateWithWriteStage, readpref.Preference{}},
		{"other reads are not touched", old, selection.Read, asked},
		{"nor are writes", old, selection.Write, asked},
		{"all new", young, selection.AggregateWithWriteStage, asked},
		{"no server at all", with(topology.Unknown), selection.AggregateWithWriteStage, asked},
		{"LoadBalanced", balanced, selection.AggregateWithWriteStage, asked},
	} {
		t.Run("3.47 "+c.rule, func(t *testing.T) {
			assert.Equal(t, c.want, selection.EffectivePreference(c.d, c.op, asked))
			r := request(c.d, asked)
			r.Operation = c.op
			assert.Equal(t, c.want, selected(t, r).Preference)
		})
	}
}

// 3.1, 3.16, 3.17: the roles of every topology type, operation and mode.
func TestRoles(t *testing.T) {
	both := func(first, second selection.Role) [2]selection.Role { return [2]selection.Role{first, second} }
	for _, d := range []topology.Type{topology.Unknown, topology.Single, topology.Sharded, topology.LoadBalanced,
		topology.ReplicaSetNoPrimary, topology.ReplicaSetWithPrimary} {
		for op := selection.Read; op <= selection.AggregateWithWriteStage; op++ {
			for m := readpref.Primary; m <= readpref.Nearest; m++ {
				want := both(selection.RoleNone, selection.RoleNone)
				switch {
				case d == topology.Single:
					want[0] = selection.RoleAvailable
				case d == topology.Sharded:
					want[0] = selection.RoleMongos
				case d == topology.LoadBalanced:
					want[0] = selection.RoleAny
				case d == topology.Unknown:
				case d == topology.ReplicaSetNoPrimary:
					if op != selection.Write && m != readpref.Primary {
						want[0] = selection.RoleSecondary
					}
				case op == selection.Write:
					want[0] = selection.RolePrimary
				default:
					want = [...][2]selection.Role{
						both(selection.RolePrimary, selection.RoleNone),
						both(selection.RolePrimary, selection.RoleSecondary),
						both(selection.RoleSecondary, selection.RoleNone),
						both(selection.RoleSecondary, selection.RolePrimary),
						both(selection.RoleMember, selection.RoleNone),
					}[m]
				}
				first, second := selection.Roles(d, op, m)
				assert.Equal(t, want, both(first, second), "%s, %s, %s", d, op, m)
			}
		}
	}
	first, second := selection.Roles(topology.ReplicaSetWithPrimary, selection.Read, 5)
	assert.Equal(t, both(selection.RoleNone, selection.RoleNone), both(first, second), "a mode that is none")
	first, second = selection.Roles(9, selection.Read, readpref.Nearest)
	assert.Equal(t, both(selection.RoleNone, selection.RoleNone), both(first, second), "a topology type that is none")
}

func TestNames(t *testing.T) {
	assert.Equal(t, "aggregateWithWriteStage", selection.AggregateWithWriteStage.String())
	assert.Equal(t, "leastBusyOfTwo", selection.Pick(0).String())
	assert.Equal(t, "roundRobin", selection.RoundRobin.String())
	assert.Equal(t, "member", selection.RoleMember.String())
	assert.Equal(t, "invalid", selection.Operation(3).String())
	assert.Equal(t, "invalid", selection.Pick(3).String())
	assert.Equal(t, "invalid", selection.Role(7).String())
}
