package sdam

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/topology"
)

// Stage is when an application's error happened.
type Stage uint8

// The stages of a connection.
const (
	AfterHandshake Stage = iota
	ConnectAndHello
	Authentication
)

// ErrorKind is what kind of error it was.
type ErrorKind uint8

// The kinds of errors.
const (
	CommandError ErrorKind = iota
	NetworkError
	NetworkTimeout
)

// LabelSystemOverloaded marks errors that say nothing about the server but that it has too
// much to do.
const LabelSystemOverloaded = "SystemOverloadedError"

// ApplicationError is an error that an application's operation met.
//
// SDAM specification, "Application errors".
type ApplicationError struct {
	Address string
	Stage   Stage
	Kind    ErrorKind
	Labels  []string
	// Generation is the pool generation of the connection; absent is current.
	Generation topology.Int
	Service    topology.ObjectID // of a connection behind a load balancer
	Reply      ErrorReply        // of a CommandError
	Message    string
	NowMS      int64
}

// ErrorReply is the part of a reply that tells of an error.
type ErrorReply struct {
	Code            topology.Int
	Message         string
	TopologyVersion topology.Version
	// WriteConcern is true when the error stood in writeConcernError. Errors of
	// writeErrors are no concern of SDAM: leave the reply zero.
	WriteConcern bool
}

// The codes that tell of a change of state.
//
// SDAM specification, "Not writable primary and node is recovering".
var (
	recovering         = [...]int64{11600, 11602, 13436, 189, 91}
	notWritablePrimary = [...]int64{10107, 13435, 10058}
	shutdown           = [...]int64{11600, 91}
)

// stateChange reports whether the error says that the server is not, or no
// longer, what it was, and whether it is shutting down. A code decides alone.
func (r *ErrorReply) stateChange() (changed, shuttingDown bool) {
	if code, ok := r.Code.Get(); ok {
		return oneOf(recovering[:], code) || oneOf(notWritablePrimary[:], code), oneOf(shutdown[:], code)
	}
	message := str.LowerASCII(r.Message)
	return str.Contains(message, "not master") || str.Contains(message, "node is recovering"), false
}

func oneOf(list []int64, code int64) bool {
	for _, c := range list {
		if c == code {
			return true
		}
	}
	return false
}

// ApplicationError takes an error of an operation and reports whether it
// changed anything.
//
// SDAM specification, "Error handling pseudocode"; Load Balancer specification,
// "Post-Handshake Errors".
func (m *Machine) ApplicationError(e *ApplicationError, out *Changes) (effective bool) {
	address := topology.NormalizeAddress(e.Address)
	i := m.index(address)
	if m.closed || i < 0 {
		return false
	}
	state := m.servers[address]
	if g, ok := e.Generation.Get(); ok {
		current := state.generation
		if e.Service.IsDefined() {
			current = state.services[e.Service]
		}
		if g < current {
			return false // of a connection that is gone
		}
	}
	balanced := m.settings.LoadBalanced
	if balanced && e.Stage != AfterHandshake {
		return false
	}
	if e.Kind == CommandError {
		if changed, shuttingDown := e.Reply.stateChange(); changed {
			if notNewer(e.Reply.TopologyVersion, m.description.Servers[i].TopologyVersion) {
				return false
			}
			if balanced {
				if !shuttingDown || !e.Service.IsDefined() {
					return false
				}
				m.clearPool(address, e.Service, false, out)
				return true
			}
			m.markUnknown(i, e, e.Reply.TopologyVersion, out)
			if shuttingDown {
				m.clearPool(address, topology.ObjectID{}, false, out)
			}
			out.effect(Effect{Kind: RequestCheck, Address: address})
			return true
		}
		if e.Stage == AfterHandshake {
			return false
		}
	}
	for _, label := range e.Labels {
		if label == LabelSystemOverloaded {
			return false
		}
	}
	if e.Stage == AfterHandshake && e.Kind == NetworkTimeout {
		return false // the operation was slow; the server may be well
	}
	if balanced {
		if !e.Service.IsDefined() {
			return false
		}
		m.clearPool(address, e.Service, false, out)
		return true
	}
	m.markUnknown(i, e, topology.Version{}, out)
	m.clearPool(address, topology.ObjectID{}, false, out)
	out.effect(Effect{Kind: CancelCheck, Address: address})
	return true
}

// notNewer reports whether an error's version is not newer than the current
// one: for errors, unlike replies, an equal one is stale.
func notNewer(v, current topology.Version) bool {
	return v.IsDefined() && current.IsDefined() && v.ProcessID == current.ProcessID && v.Counter <= current.Counter
}

func (m *Machine) markUnknown(i int, e *ApplicationError, v topology.Version, out *Changes) {
	message := e.Message
	if message == "" {
		message = e.Reply.Message
	}
	if message == "" {
		message = "an operation failed"
	}
	s := unknown(&m.description.Servers[i], message)
	s.TopologyVersion = v
	s.LastUpdateTimeMS = e.NowMS
	m.resetRTT(s.Address)
	m.replace(s, out)
}
