package topology

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/status"
)

// WireVersions is the range of wire protocol versions a client speaks.
type WireVersions struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// DefaultWireVersions is MongoDB 4.2 (wire version 8) to the newest known.
var DefaultWireVersions = WireVersions{Min: 8, Max: 29}

// Speak reports whether a server says that it speaks one of these versions: a
// quick look that passes nearly all. Whoever does not pass may still be
// compatible; CheckCompatible tells.
func (w WireVersions) Speak(s *Server) bool {
	return s.MinWireVersion.v <= w.Max && s.MaxWireVersion.v >= w.Min // absent ones are 0
}

// CheckCompatible returns nil when the client can talk to every server, and
// otherwise an error with code status.IncompatibleWireVersion and the path of
// the first server it cannot talk to. Servers that have not answered, and wire versions that are absent,
// are compatible; so is every load-balanced topology.
//
// SDAM specification, "Checking wire protocol compatibility".
func (d *Description) CheckCompatible(client WireVersions) error {
	if d.Type == LoadBalanced {
		return nil
	}
	for i := range d.Servers {
		s := &d.Servers[i]
		if client.Speak(s) {
			continue
		}
		if !s.Type.IsAvailable() {
			continue
		}
		if v, ok := s.MinWireVersion.Get(); ok && v > client.Max {
			return incompatible(i, s, "minWireVersion", " requires wire version ", v,
				", but this version of readpref only supports up to ", client.Max)
		}
		if v, ok := s.MaxWireVersion.Get(); ok && v < client.Min {
			return incompatible(i, s, "maxWireVersion", " reports wire version ", v,
				", but this version of readpref requires at least ", client.Min)
		}
	}
	return nil
}

func incompatible(i int, s *Server, key, says string, server int64, but string, client int64) error {
	m := plain.Append([]byte("Server at "), s.Address)
	m = append(m, says...)
	m = decimal.Append(m, server)
	m = append(m, but...)
	m = decimal.Append(m, client)
	return &status.Error{
		Code:    status.IncompatibleWireVersion,
		Message: string(m),
		Path:    "topology.servers[" + decimal.String(int64(i)) + "]." + key,
	}
}
