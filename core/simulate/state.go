package simulate

import (
	"math"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/heapsort"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// A State is numbers in base 10 with a space between two: the version of this
// form, the fingerprint of the request, the state of the generator, the turn, for
// each workload its operations that failed and those of each server in its
// window, and for each client, the next first, one more than its server's index
// and the nanoseconds until its operation ends. Who uses it treats it as a text.
const stateVersion = 1

// maxTotal is how many operations of a kind a State may have counted: adding to
// them overflows nothing, nor do shares of their sum.
const maxTotal = 1 << 40

// save writes the state behind the last step.
func (u *run) save() string {
	h := u.clients
	heapsort.Sort(len(h), func(i, j int) bool { return h[i].before(&h[j]) }, func(i, j int) { h[i], h[j] = h[j], h[i] })
	b := decimal.AppendUint(nil, stateVersion)
	b = appendNext(b, u.fingerprint())
	b = appendNext(b, uint64(u.rng))
	b = appendNext(b, u.turn)
	for i := range u.out {
		b = appendNext(b, uint64(u.out[i].Failed))
		for _, n := range u.out[i].Picks {
			b = appendNext(b, uint64(n))
		}
	}
	for i := range h {
		b = appendNext(b, uint64(h[i].server+1))
		b = appendNext(b, uint64(h[i].ends-h[0].ends))
	}
	return string(b)
}

// appendNext appends a further number.
//
//go:noinline
func appendNext(b []byte, v uint64) []byte { return decimal.AppendUint(append(b, ' '), v) }

// restore takes up a state, which may be anything.
func (u *run) restore(state string) error {
	r := reader{rest: state}
	if r.next(math.MaxUint64) != stateVersion || r.next(math.MaxUint64) != u.fingerprint() {
		r.bad = true
	}
	u.rng, u.turn = selection.SplitMix64(r.next(math.MaxUint64)), r.next(math.MaxUint64)
	for i := range u.out {
		u.out[i].Failed = int64(r.next(maxTotal))
		for k := range u.out[i].Picks {
			u.out[i].Picks[k] = int64(r.next(maxTotal))
		}
	}
	last := uint64(0)
	for i := range u.clients {
		c := &u.clients[i]
		c.server = int32(r.next(uint64(len(u.takes)))) - 1
		ends := r.next(2 * MaxServiceTimeNS)
		if i == 0 && ends > 0 || ends < last {
			r.bad = true
		}
		c.ends, last = int64(ends), ends // in order, so a heap; began says the order already
	}
	if r.bad || r.rest != "" {
		return &status.Error{Code: status.OutOfRange, Path: "state",
			Message: "not what the answer to a request like this one had as its state"}
	}
	return nil
}

// reader reads the numbers of a State.
type reader struct {
	rest string
	bad  bool
}

// next reads a number up to most; 0 where there is none.
func (r *reader) next(most uint64) (v uint64) {
	i := 0
	for ; i < len(r.rest) && r.rest[i] != ' '; i++ {
		digit := uint64(r.rest[i] - '0')
		if digit > 9 || v > (math.MaxUint64-digit)/10 {
			r.bad = true
			return 0
		}
		v = v*10 + digit
	}
	if i == 0 || v > most {
		r.bad = true
		return 0
	}
	if r.rest = r.rest[i:]; r.rest != "" {
		r.rest = r.rest[1:]
		r.bad = r.bad || r.rest == "" // a space and nothing behind it
	}
	return v
}
