package oracle

import "strings"

// named reports whether an address is in a list, in any spelling.
func named(list []string, address string) bool {
	for _, a := range list {
		if Canonical(a) == Canonical(address) {
			return true
		}
	}
	return false
}

// Canonical returns one spelling of an address: ASCII lower case, with a port,
// IPv6 literals in brackets. UNIX socket paths stay as they are.
func Canonical(address string) string {
	if strings.Contains(address, "/") {
		return address
	}
	lower := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, address)
	switch {
	case strings.HasSuffix(lower, "]"): // [::1]
		return lower + ":27017"
	case strings.HasPrefix(lower, "["): // [::1]:27017
		return lower
	case strings.Count(lower, ":") > 1: // ::1
		return "[" + lower + "]:27017"
	case strings.HasSuffix(lower, ":"): // host:
		return lower + "27017"
	case strings.Contains(lower, ":"): // host:27017
		return lower
	}
	return lower + ":27017"
}
