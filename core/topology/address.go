package topology

// DefaultPort is what an address without a port means.
const DefaultPort = "27017"

// SameAddress reports whether two addresses name the same server: ignoring
// ASCII case, and with the default port where one is missing. UNIX socket paths
// compare exactly.
//
// SDAM specification, "Hostnames are normalized to lower-case".
func SameAddress(a, b string) bool { return a == b || CompareAddress(a, b) == 0 }

// CompareAddress orders addresses by their normal form, so that addresses of
// the same server compare equal. It allocates nothing.
func CompareAddress(a, b string) int {
	ka, kb := keyOf(a), keyOf(b)
	for i := 0; i < ka.n && i < kb.n; i++ {
		if x, y := ka.at(i), kb.at(i); x != y {
			return int(x) - int(y)
		}
	}
	return ka.n - kb.n
}

// addressKey is the normal form of an address, read byte by byte.
type addressKey struct {
	s      string
	before string // "[" before a bare IPv6 literal
	after  string // what the address lacks at its end
	n      int    // length of the normal form
	fold   bool   // lower-case ASCII letters
}

func keyOf(s string) addressKey {
	k := addressKey{s: s, fold: !isSocket(s)}
	if k.fold {
		switch colons, port := scanColons(s); {
		case colons > 1:
			k.before, k.after = "[", "]:"+DefaultPort
		case !port:
			k.after = ":" + DefaultPort
		}
	}
	k.n = len(k.before) + len(s) + len(k.after)
	return k
}

func (k *addressKey) at(i int) byte {
	if i < len(k.before) {
		return k.before[i]
	}
	i -= len(k.before)
	if i >= len(k.s) {
		return k.after[i-len(k.s)]
	}
	c := k.s[i]
	if k.fold && c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// isSocket reports whether an address is a UNIX socket path: the only kind with
// a slash.
func isSocket(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '/' {
			return true
		}
	}
	return false
}

// scanColons counts the colons after the last bracket, and reports whether the
// only one begins a port. More than one is an IPv6 literal without brackets.
func scanColons(s string) (colons int, port bool) {
	for i := len(s) - 1; i >= 0 && s[i] != ']'; i-- {
		if s[i] == ':' {
			colons++
			port = i < len(s)-1
		}
	}
	return colons, colons == 1 && port
}

// NormalizeAddress returns the normal form of an address: lower case, with a
// port, an IPv6 literal in brackets. It returns the address itself, without allocating, where that is normal
// already.
func NormalizeAddress(s string) string {
	k := keyOf(s)
	normal := k.n == len(s)
	for i := 0; normal && i < len(s); i++ {
		normal = k.at(i) == s[i]
	}
	if normal {
		return s
	}
	b := make([]byte, k.n)
	for i := range b {
		b[i] = k.at(i)
	}
	return string(b)
}
