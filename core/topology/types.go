package topology

// Type is the type of a topology. The zero value is Unknown.
//
// SDAM specification, "TopologyType".
type Type uint8

// The topology types.
const (
	Unknown Type = iota
	Single
	Sharded
	ReplicaSetNoPrimary
	ReplicaSetWithPrimary
	LoadBalanced
)

// TypeNames lists the names of the topology types, in the order of their
// values. Do not modify it.
var TypeNames = [...]string{"Unknown", "Single", "Sharded", "ReplicaSetNoPrimary", "ReplicaSetWithPrimary", "LoadBalanced"}

// String returns the specification's name of the type.
func (t Type) String() string { return nameOf(TypeNames[:], int(t)) }

// IsReplicaSet reports whether t is ReplicaSetNoPrimary or
// ReplicaSetWithPrimary.
func (t Type) IsReplicaSet() bool { return t == ReplicaSetNoPrimary || t == ReplicaSetWithPrimary }

// ParseType returns the topology type with the given name.
func ParseType(name string) (Type, bool) {
	i, ok := indexOf(TypeNames[:], name)
	return Type(i), ok
}

// ServerType is the type of a server. The zero value is ServerUnknown.
//
// SDAM specification, "ServerType".
type ServerType uint8

// The server types.
const (
	ServerUnknown ServerType = iota
	PossiblePrimary
	Standalone
	Mongos
	RSPrimary
	RSSecondary
	RSArbiter
	RSOther
	RSGhost
	LoadBalancer
)

// ServerTypeNames lists the names of the server types, in the order of their
// values. Do not modify it.
var ServerTypeNames = [...]string{"Unknown", "PossiblePrimary", "Standalone", "Mongos", "RSPrimary", "RSSecondary", "RSArbiter", "RSOther", "RSGhost", "LoadBalancer"}

// String returns the specification's name of the type.
func (t ServerType) String() string { return nameOf(ServerTypeNames[:], int(t)) }

// ParseServerType returns the server type with the given name.
func ParseServerType(name string) (ServerType, bool) {
	i, ok := indexOf(ServerTypeNames[:], name)
	return ServerType(i), ok
}

// IsAvailable reports whether a server of this type has answered: any type but
// Unknown and PossiblePrimary.
//
// Server Selection specification, "Terms".
func (t ServerType) IsAvailable() bool { return t != ServerUnknown && t != PossiblePrimary }

// IsDataBearing reports whether a server of this type holds data or routes to
// servers that do: Mongos, RSPrimary, RSSecondary, Standalone, LoadBalancer.
//
// SDAM specification, "Data-Bearing Server Type".
func (t ServerType) IsDataBearing() bool {
	return t == Mongos || t == RSPrimary || t == RSSecondary || t == Standalone || t == LoadBalancer
}

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid"
}

func indexOf(names []string, name string) (int, bool) {
	for i, n := range names {
		if n == name {
			return i, true
		}
	}
	return 0, false
}
