package selection

import (
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/topology"
)

// Roles returns the roles to try in order, for this type of topology, operation
// and mode: the second only where the first leaves no server.
//
// Server Selection specification, "Topology type: …" and "Read operations".
func Roles(t topology.Type, op Operation, mode readpref.Mode) (first, second Role) {
	switch t {
	case topology.Single:
		return RoleAvailable, RoleNone
	case topology.LoadBalanced:
		return RoleAny, RoleNone
	case topology.Sharded:
		return RoleMongos, RoleNone
	case topology.ReplicaSetWithPrimary:
		if op == Write {
			return RolePrimary, RoleNone
		}
		switch mode {
		case readpref.Primary:
			return RolePrimary, RoleNone
		case readpref.PrimaryPreferred:
			return RolePrimary, RoleSecondary
		case readpref.Secondary:
			return RoleSecondary, RoleNone
		case readpref.SecondaryPreferred:
			return RoleSecondary, RolePrimary
		case readpref.Nearest:
			return RoleMember, RoleNone
		}
	case topology.ReplicaSetNoPrimary:
		if op != Write && mode != readpref.Primary {
			return RoleSecondary, RoleNone
		}
	}
	return RoleNone, RoleNone
}

// EffectivePreference returns the preference an operation really uses. It
// differs from the user's for an aggregate with a write stage, which falls back
// to primary while some available server is older than MongoDB 5.0.
//
// CRUD specification, "Read preferences and server selection".
func EffectivePreference(t *topology.Description, op Operation, p readpref.Preference) readpref.Preference {
	if op != AggregateWithWriteStage || t.Type == topology.LoadBalanced {
		return p
	}
	for i := range t.Servers {
		s := &t.Servers[i]
		v, known := s.MaxWireVersion.Get()
		if s.Type.IsAvailable() && known && v < minWireVersionForSecondaryOut {
			return readpref.Preference{}
		}
	}
	return p
}
