package selection

import (
	"github.com/readpref/readpref/core/topology"
)

// Role is the kind of server one pass looks for.
type Role uint8

// The roles.
const (
	RoleNone      Role = iota
	RoleAvailable      // Single: any server that has answered
	RoleAny            // LoadBalanced: the balancer, whatever is known of it
	RoleMongos         // Sharded
	RolePrimary        // the primary, which no tag set or staleness filters
	RoleSecondary      // secondaries
	RoleMember         // primary and secondaries: mode nearest
)

// RoleNames lists the names of the roles as explain prints them.
var RoleNames = [...]string{"none", "available", "any", "mongos", "primary", "secondary", "member"}

// String returns the documents' name of the role.
func (r Role) String() string { return nameOf(RoleNames[:], int(r)) }

// accepts reports whether a server of this type plays the role.
func (r Role) accepts(t topology.ServerType) bool {
	one, other, ok := r.types()
	return r == RoleAny || r == RoleAvailable && t.IsAvailable() || ok && (t == one || t == other)
}

// types returns the one or two types of server that play the role; ok is false
// where it is not a matter of those.
func (r Role) types() (one, other topology.ServerType, ok bool) {
	switch r {
	case RoleMongos:
		return topology.Mongos, topology.Mongos, true
	case RolePrimary:
		return topology.RSPrimary, topology.RSPrimary, true
	case RoleSecondary:
		return topology.RSSecondary, topology.RSSecondary, true
	case RoleMember:
		return topology.RSPrimary, topology.RSSecondary, true
	}
	return 0, 0, false
}

// filtered reports whether maxStalenessSeconds and tag sets apply to the role:
// to secondaries and to mode nearest, never to the primary of the other modes,
// and never outside replica sets.
func (r Role) filtered() bool { return r == RoleSecondary || r == RoleMember }

// Candidates appends to dst the servers of view that play the role.
//
// Server Selection specification, "Topology type: …" and "mode".
func Candidates(t *topology.Description, role Role, view, dst []int32) []int32 {
	if one, other, ok := role.types(); ok {
		for _, i := range view {
			if is := t.Servers[i].Type; is == one || is == other {
				dst = append(dst, i)
			}
		}
		return dst
	}
	for _, i := range view {
		if role.accepts(t.Servers[i].Type) {
			dst = append(dst, i)
		}
	}
	return dst
}
