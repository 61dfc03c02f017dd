package topology

// DefaultPort is what an address without a port means.
const DefaultPort = "27017"

// SameAddress reports whether two addresses name the same server: ignoring
// ASCII case, and with the default port where one is missing. UNIX socket paths
// compare exactly.
//
// SDAM specification, "Hostnames are normalized to lower-case".
func SameAddress(a, b string) bool {
	const most = len("[]:" + DefaultPort) // what a normal form adds
	return a == b || max(len(a), len(b))-min(len(a), len(b)) <= most && CompareAddress(a, b) == 0
}

// CompareAddress orders addresses by their normal form, so that addresses of
// the same server compare equal. It allocates nothing.
func CompareAddress(a, b string) int { return KeyOfAddress(a).Compare(KeyOfAddress(b)) }

// AddressKey is an address prepared for many comparisons: each then reads no
// more than the shorter of the two addresses, however long the other is.
type AddressKey struct {
	s        string
	brackets bool // an IPv6 literal that lacks them, and so a port
	port     bool // it lacks only a port
	fold     bool // the case of ASCII letters does not count
}

// KeyOfAddress returns the key of an address, which it keeps.
func KeyOfAddress(s string) AddressKey {
	k := AddressKey{s: s, fold: !isSocket(s)}
	if k.fold {
		colons, port := scanColons(s)
		k.brackets = colons > 1
		k.port = !k.brackets && !port
	}
	return k
}

// Compare orders addresses by their normal form, as CompareAddress does.
func (k AddressKey) Compare(other AddressKey) int {
	i := 0
	if k.fold == other.fold && !k.brackets && !other.brackets {
		for i < len(k.s) && i < len(other.s) && k.s[i] == other.s[i] {
			i++
		}
	}
	m, n := k.size(), other.size()
	for ; i < m && i < n; i++ {
		if x, y := k.at(i), other.at(i); x != y {
			return int(x) - int(y)
		}
	}
	return m - n
}

// Hash returns a number that is the same for all spellings of an address.
func (k *AddressKey) Hash() uint64 {
	// Of the normal form, eight bytes at a time, with a bit set that makes letters
	// lower case, and now and then makes different characters equal.
	h, i, n := uint64(0), 0, k.size()
	for ; !k.brackets && i+8 <= len(k.s); i += 8 {
		b := k.s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		h = mix(h, w)
	}
	for i < n {
		var w uint64
		for shift := 0; shift < 64 && i < n; shift += 8 {
			w |= uint64(k.at(i)) << shift
			i++
		}
		h = mix(h, w)
	}
	return h
}

func mix(h, w uint64) uint64 {
	h = (h ^ (w | 0x2020202020202020)) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// missing is what the address lacks at its end.
func (k *AddressKey) missing() string {
	switch {
	case k.brackets:
		return "]:" + DefaultPort
	case k.port && k.s != "" && k.s[len(k.s)-1] == ':':
		return DefaultPort
	case k.port:
		return ":" + DefaultPort
	}
	return ""
}

// size is the length of the normal form.
func (k *AddressKey) size() int {
	n := len(k.s) + len(k.missing())
	if k.brackets {
		n++
	}
	return n
}

// at returns a byte of the normal form.
func (k *AddressKey) at(i int) byte {
	if k.brackets {
		if i == 0 {
			return '['
		}
		i--
	}
	if i >= len(k.s) {
		return k.missing()[i-len(k.s)]
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
	k := KeyOfAddress(s)
	n := k.size()
	normal := n == len(s)
	for i := 0; normal && i < len(s); i++ {
		normal = k.at(i) == s[i]
	}
	if normal {
		return s
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = k.at(i)
	}
	return string(b)
}
