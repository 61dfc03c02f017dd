package connstring

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// HostKind is the kind of a host identifier. The zero value is Hostname.
type HostKind uint8

// The kinds of hosts.
const (
	Hostname HostKind = iota
	IPv4
	IPLiteral // an IPv6 address; brackets around it in the text
	UnixSocket
)

// HostKindNames lists the names of the kinds, as the specification's cases spell
// them, in the order of their values. Do not modify it.
var HostKindNames = [...]string{"hostname", "ipv4", "ip_literal", "unix"}

// String returns the name of the kind.
func (k HostKind) String() string {
	if int(k) < len(HostKindNames) {
		return HostKindNames[k]
	}
	return "invalid"
}

// Host is a host identifier of a connection string.
type Host struct {
	Name string // decoded, in the case it was written in, without brackets
	Port uint16 // 0 where none is given
	Kind HostKind
}

// Address returns the address in its normal form: lower case, with a port, an
// IPv6 address in brackets; the path of a socket as it is.
func (h Host) Address() string {
	if h.Kind == UnixSocket {
		return h.Name
	}
	address := h.Name
	if h.Kind == IPLiteral {
		address = "[" + address + "]"
	}
	if h.Port != 0 {
		address += ":" + decimal.String(int64(h.Port))
	}
	return topology.NormalizeAddress(address)
}

// Seeds returns the addresses of the hosts in their normal form, each once, in
// order. A mongodb+srv:// connection string has none until Resolve.
func (c *ConnString) Seeds() []string {
	seeds := make([]string, 0, len(c.Hosts))
	known := make(map[string]bool, len(c.Hosts))
	for _, h := range c.Hosts {
		if a := h.Address(); !known[a] {
			known[a] = true
			seeds = append(seeds, a)
		}
	}
	return seeds
}

func (c *ConnString) readHosts(text string) *status.Error {
	for more := true; more; {
		if len(c.Hosts) == MaxHosts {
			return fault(status.LimitExceeded, "hosts", "more than 65536 hosts")
		}
		var one string
		one, text, more = str.Cut(text, ",")
		h, problem := parseHost(one)
		if c.SRV && problem == "" {
			switch {
			case len(c.Hosts) > 0:
				problem = "mongodb+srv:// takes one host"
			case h.Port != 0:
				problem = "mongodb+srv:// takes no port"
			case h.Kind != Hostname:
				problem = "mongodb+srv:// takes a host name"
			}
		}
		if problem != "" {
			return fault(status.InvalidHost, element("hosts", len(c.Hosts)), problem)
		}
		c.Hosts = append(c.Hosts, h)
	}
	if c.SRV {
		c.SRVHost, c.Hosts = str.TrimSuffix(c.Hosts[0].Name, "."), nil
	}
	return nil
}

// element is the path of an element of a list.
//
//go:noinline
func element(list string, i int) string { return list + "[" + decimal.String(int64(i)) + "]" }

// parseHost reads a host identifier. It does not quote the text in a problem:
// that can be a part of a password that was not percent-encoded.
func parseHost(text string) (h Host, problem string) {
	name, port, hasPort := str.Cut(text, ":")
	if str.HasPrefix(text, "[") {
		var closed bool
		name, port, closed = str.Cut(text[1:], "]")
		if hasPort = port != ""; !closed || hasPort && port[0] != ':' {
			return h, "an IPv6 address stands in brackets, and only a port follows"
		}
		port = str.TrimPrefix(port, ":")
		h.Kind = IPLiteral
	}
	var ok bool
	if h.Name, ok = uri.Decode(name); !ok {
		return h, uri.BadEscape
	}
	switch {
	case text == "":
		return h, "a host is empty; in the path of a UNIX socket, / is percent-encoded"
	case h.Kind == IPLiteral:
		if address, zone, hasZone := str.Cut(h.Name, "%"); !isIPv6(address) || hasZone && !isHostname(zone) {
			return h, "this is no IPv6 address"
		}
	case str.IndexByte(h.Name, '/') >= 0:
		if hasPort || !str.HasSuffix(h.Name, ".sock") {
			return h, "the path of a UNIX socket ends in .sock"
		}
		h.Kind = UnixSocket
		return h, ""
	case !isHostname(h.Name):
		return h, "this is no host name"
	case isIPv4(h.Name):
		h.Kind = IPv4
	}
	if hasPort {
		if h.Port, ok = parsePort(port); !ok {
			return h, "a port is a number from 1 to 65535; an IPv6 address stands in brackets"
		}
	}
	return h, ""
}

func parsePort(text string) (port uint16, ok bool) {
	n := 0
	for i := 0; i < len(text) && n <= 0xffff; i++ {
		if !isDigit(text[i]) {
			return 0, false
		}
		n = n*10 + int(text[i]-'0')
	}
	return uint16(n), n > 0 && n <= 0xffff
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isHostname accepts whatever a resolver could take, and all that is not ASCII.
//
//go:noinline
func isHostname(s string) bool {
	last := byte('.')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c == 0x7f || c == '.' && last == '.' || str.IndexByte("\"#%,/:<>?@[\\]^`{|}", c) >= 0 {
			return false
		}
		last = c
	}
	return s != ""
}

// isIPv4 reports whether s is four numbers up to 255. Others of that shape are
// host names.
func isIPv4(s string) bool {
	for part := 1; ; part++ {
		number, rest, more := str.Cut(s, ".")
		n, ok := parsePort(number)
		if number == "0" {
			ok = true
		}
		if !ok || n > 255 || len(number) > 3 || len(number) > 1 && number[0] == '0' || more != (part < 4) {
			return false
		}
		if !more {
			return true
		}
		s = rest
	}
}

// isIPv6 reports whether s is eight groups of up to four hex digits, where ::
// stands for one or more of zero, and a dotted quad for the last two.
func isIPv6(s string) bool {
	s, gap := str.CutPrefix(s, "::")
	if !gap && str.HasPrefix(s, ":") {
		return false
	}
	groups := 0
	for s != "" {
		group, rest, more := str.Cut(s, ":")
		switch {
		case group == "" && !gap: // between the colons of ::
			gap = true
		case !more && isIPv4(group):
			groups += 2
		case !isHexGroup(group), more && rest == "":
			return false
		default:
			groups++
		}
		s = rest
	}
	return groups == 8 && !gap || groups < 8 && gap
}

func isHexGroup(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; !isDigit(s[i]) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != "" && len(s) <= 4
}
