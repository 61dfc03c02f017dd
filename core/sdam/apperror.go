package sdam

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
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

// NotLoadBalanced is what a driver tells of a connection whose hello has no
// serviceId where one is behind a load balancer.
//
// Load Balancer specification, "Initial Handshake Errors".
const NotLoadBalanced = "Driver attempted to initialize in load balancing mode, but the server does not support this mode."

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
// changed anything. It fails, and changes nothing, for more than MaxServices
// services behind a load balancer; the error is a *status.Error.
//
// SDAM specification, "Error handling pseudocode"; Load Balancer specification,
// "Post-Handshake Errors".
func (m *Machine) ApplicationError(e *ApplicationError, out *Changes) (effective bool, err error) {
	i := m.index(topology.NormalizeAddress(e.Address))
	if m.closed || i < 0 {
		return false, nil
	}
	current := &m.current.Servers[i]
	state := m.servers[current.Address]
	balanced := m.settings.LoadBalanced
	if g, ok := e.Generation.Get(); ok {
		known := state.generation
		if balanced && e.Service.IsDefined() {
			known = state.services[e.Service]
		}
		if g < known {
			return false, nil // of a connection that is gone
		}
	}
	if balanced && e.Stage != AfterHandshake {
		return false, nil
	}
	changed, shuttingDown := false, false
	if e.Kind == CommandError {
		changed, shuttingDown = e.Reply.stateChange()
		if !changed && e.Stage == AfterHandshake {
			return false, nil
		}
		if notNewer(e.Reply.TopologyVersion, current.TopologyVersion) {
			return false, nil
		}
	}
	if changed {
		if balanced {
			if !shuttingDown {
				return false, nil
			}
			return m.clearService(current.Address, e, out)
		}
		m.markUnknown(current, e, e.Reply.TopologyVersion, out)
		if shuttingDown {
			m.clearPool(current.Address, topology.ObjectID{}, false, out)
		}
		out.effect(Effect{Kind: RequestCheck, Address: current.Address})
		return true, nil
	}
	if e.Overloaded() {
		return false, nil
	}
	if e.Stage == AfterHandshake && e.Kind == NetworkTimeout {
		return false, nil // the operation was slow; the server may be well
	}
	if balanced {
		return m.clearService(current.Address, e, out)
	}
	m.markUnknown(current, e, topology.Version{}, out)
	m.clearPool(current.Address, topology.ObjectID{}, false, out)
	out.effect(Effect{Kind: CancelCheck, Address: current.Address})
	return true, nil
}

// Overloaded reports whether the error has the label SystemOverloadedError.
func (e *ApplicationError) Overloaded() bool {
	for _, label := range e.Labels {
		if label == LabelSystemOverloaded {
			return true
		}
	}
	return false
}

// clearService clears the pool of one service behind a load balancer; without
// the service's id there is nothing to clear.
func (m *Machine) clearService(address string, e *ApplicationError, out *Changes) (effective bool, err error) {
	if !e.Service.IsDefined() {
		return false, nil
	}
	services := m.servers[address].services
	if _, known := services[e.Service]; !known && len(services) == MaxServices {
		return false, refusal(status.LimitExceeded, "serviceId", "more than 65536 services")
	}
	m.clearPool(address, e.Service, false, out)
	return true, nil
}

// notNewer reports whether an error's version is not newer than the current
// one: for errors, unlike replies, an equal one is stale.
func notNewer(v, current topology.Version) bool {
	return v.IsDefined() && current.IsDefined() && v.ProcessID == current.ProcessID && v.Counter <= current.Counter
}

// markUnknown makes a server Unknown for an error. That never adds a server, so
// it is never refused.
func (m *Machine) markUnknown(current *topology.Server, e *ApplicationError, v topology.Version, out *Changes) {
	message := e.Message
	if message == "" {
		message = e.Reply.Message
	}
	if message == "" {
		message = "an operation failed"
	}
	s := unknown(current, str.Clone(message))
	s.TopologyVersion = v
	s.LastUpdateTimeMS = e.NowMS
	_ = m.replace(s, out)
}
