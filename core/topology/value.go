package topology

// The values in this file are small comparable types whose zero value is
// "absent", because 0 is a legal round-trip time, date and version.

// RTT is a round-trip time in whole nanoseconds, or unset. It is never a
// floating-point number: float seconds made real drivers drop a server whose
// RTT sits exactly on the edge of the latency window.
type RTT struct {
	ns int64
	ok bool
}

// NewRTT returns a round-trip time; a negative one is unset, since a clock that
// went backwards measured nothing.
func NewRTT(nanoseconds int64) RTT {
	if nanoseconds < 0 {
		return RTT{}
	}
	return RTT{nanoseconds, true}
}

// Nanoseconds returns the time; ok is false when it is unset.
func (r RTT) Nanoseconds() (ns int64, ok bool) { return r.ns, r.ok }

// IsDefined reports whether the time is set.
func (r RTT) IsDefined() bool { return r.ok }

// Date is a server's wall-clock time in milliseconds since 1970, or absent.
type Date struct {
	ms int64
	ok bool
}

// NewDate returns a date.
func NewDate(unixMS int64) Date { return Date{unixMS, true} }

// UnixMS returns the milliseconds since 1970; ok is false when absent.
func (d Date) UnixMS() (ms int64, ok bool) { return d.ms, d.ok }

// IsDefined reports whether the date is there.
func (d Date) IsDefined() bool { return d.ok }

// Int is a whole number that may be absent.
type Int struct {
	v  int64
	ok bool
}

// NewInt returns a number that is there.
func NewInt(v int64) Int { return Int{v, true} }

// Get returns the number; ok is false when absent.
func (n Int) Get() (v int64, ok bool) { return n.v, n.ok }

// IsDefined reports whether the number is there.
func (n Int) IsDefined() bool { return n.ok }

// ObjectID is a 12-byte BSON ObjectId, or absent.
type ObjectID struct {
	b  [12]byte
	ok bool
}

// NewObjectID returns an id that is there.
func NewObjectID(b [12]byte) ObjectID { return ObjectID{b, true} }

// Bytes returns the id's bytes; ok is false when absent.
func (id ObjectID) Bytes() (b [12]byte, ok bool) { return id.b, id.ok }

// IsDefined reports whether the id is there.
func (id ObjectID) IsDefined() bool { return id.ok }

// AppendHex appends the 24 lower-case hex digits of the id.
func (id ObjectID) AppendHex(dst []byte) []byte {
	const digits = "0123456789abcdef"
	for _, c := range id.b {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return dst
}

// ParseObjectID reads 24 hex digits.
func ParseObjectID(s string) (ObjectID, bool) {
	if len(s) != 24 {
		return ObjectID{}, false
	}
	id := ObjectID{ok: true}
	for i := range id.b {
		hi, ok1 := hexDigit(s[2*i])
		lo, ok2 := hexDigit(s[2*i+1])
		if !ok1 || !ok2 {
			return ObjectID{}, false
		}
		id.b[i] = hi<<4 | lo
	}
	return id, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// Version is a server's topologyVersion, or absent.
//
// SDAM specification, "topologyVersion Comparison".
type Version struct {
	ProcessID ObjectID
	Counter   int64
}

// IsDefined reports whether the version is there.
func (v Version) IsDefined() bool { return v.ProcessID.ok }
