package selection_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

func TestStaleness(t *testing.T) {
	const limit = 90 // seconds; with the heartbeat of 10 s a lag of 80 s is allowed
	for _, c := range []struct {
		rule string
		d    *topology.Description
		p    readpref.Preference
		want string // fresh
	}{
		{"3.20 with primary: exactly the maximum is allowed", with(topology.ReplicaSetWithPrimary,
			primary("p"), secondary("s", written(80000))), stale(readpref.Secondary, limit), "s"},
		{"3.20 with primary: a millisecond more is not", with(topology.ReplicaSetWithPrimary,
			primary("p"), secondary("s", written(80001))), stale(readpref.Secondary, limit), ""},
		{"3.20 the times of the checks count", with(topology.ReplicaSetWithPrimary,
			primary("p", updated(-1000)), secondary("s", written(79001))), stale(readpref.Secondary, limit), ""},
		{"3.20 both of them", with(topology.ReplicaSetWithPrimary,
			primary("p", updated(1000)), secondary("s", updated(-3000), written(84000))), stale(readpref.Secondary, limit), "s"},
		{"3.20 the primary's own lag is subtracted", with(topology.ReplicaSetWithPrimary,
			primary("p", written(500)), secondary("s", written(80500)), secondary("o", written(80501))), stale(readpref.Secondary, limit), "s"},
		{"3.20 without primary: against the latest secondary", with(topology.ReplicaSetNoPrimary,
			secondary("a", written(5000)), secondary("b", written(85000)), secondary("c", written(85001))), stale(readpref.Secondary, limit), "a b"},
		{"3.20 without primary the checks' times do not count", with(topology.ReplicaSetNoPrimary,
			secondary("a", updated(-9e6)), secondary("b", updated(9e6), written(80000))), stale(readpref.Secondary, limit), "a b"},
		{"3.20 a larger maximum", with(topology.ReplicaSetWithPrimary,
			primary("p"), secondary("s", written(110000)), secondary("o", written(110001))), stale(readpref.Secondary, 120), "s"},

		{"3.19 the primary is never stale", with(topology.ReplicaSetWithPrimary,
			primary("p", written(9e9)), secondary("s", written(9e9))), stale(readpref.Nearest, limit), "p s"},
		{"3.21 staleness may be negative", with(topology.ReplicaSetWithPrimary,
			primary("p", written(9e9)), secondary("s")), stale(readpref.Secondary, limit), "s"},
		{"3.21 no clock is read: dates in the past are as good", with(topology.ReplicaSetWithPrimary,
			primary("p", written(now)), secondary("s", written(now+80000))), stale(readpref.Secondary, limit), "s"},
		{"3.21 dates at the ends of int64 do not overflow into fresh", with(topology.ReplicaSetWithPrimary,
			primary("p", writtenAt(math.MaxInt64)), secondary("s", writtenAt(math.MinInt64)), secondary("o", writtenAt(math.MaxInt64))), stale(readpref.Secondary, limit), "o"},
		{"3.21 nor into stale", with(topology.ReplicaSetWithPrimary,
			primary("p", writtenAt(math.MinInt64)), secondary("s", writtenAt(math.MaxInt64))), stale(readpref.Secondary, limit), "s"},
		{"3.21 nor without a primary", with(topology.ReplicaSetNoPrimary,
			secondary("a", writtenAt(math.MaxInt64)), secondary("b", writtenAt(math.MinInt64))), stale(readpref.Secondary, limit), "a"},

		{"3.22 SMax before tags: a server that no tag set wants", with(topology.ReplicaSetNoPrimary,
			secondary("latest"), secondary("ny", tags("dc", "ny"), written(80001))), stale(readpref.Secondary, limit, set("dc", "ny")), "latest"},
		{"3.22 Unknown servers take no part", with(topology.ReplicaSetNoPrimary,
			server("u", topology.ServerUnknown, written(-9e6)), secondary("s", written(80001))), stale(readpref.Secondary, limit), "s"},
		{"3.22 nor do other members", with(topology.ReplicaSetNoPrimary, server("o", topology.RSOther, written(-9e6)),
			server("a", topology.RSArbiter, written(-9e6)), secondary("s")), stale(readpref.Secondary, limit), "s"},

		{"3.23 no lastWriteDate is not fresh", with(topology.ReplicaSetWithPrimary,
			primary("p"), secondary("s", undated), secondary("o")), stale(readpref.Secondary, limit), "o"},
		{"3.23 nor without a primary", with(topology.ReplicaSetNoPrimary,
			secondary("s", undated)), stale(readpref.Secondary, limit), ""},
		{"3.23 but is without a maximum", with(topology.ReplicaSetNoPrimary,
			secondary("s", undated)), mode(readpref.Secondary), "s"},
		{"3.23 a primary without one leaves the other formula", with(topology.ReplicaSetWithPrimary,
			primary("p", undated), secondary("a", written(5000)), secondary("b", written(85001))), stale(readpref.Secondary, limit), "a"},
		{"1.5 -1 is no maximum", with(topology.ReplicaSetWithPrimary,
			primary("p"), secondary("s", written(9e12))), stale(readpref.Secondary, -1), "s"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			assert.Equal(t, c.want, names(c.d, selected(t, request(c.d, c.p)).Fresh))
		})
	}
}

// 3.23: the primary and SMax are those of the whole topology.
func TestStalenessReferenceMayBeDeprioritized(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p"), secondary("a", written(80001)), secondary("b", written(81000)))
	res := selected(t, request(d, stale(readpref.Secondary, 90), "p"))
	assert.Equal(t, "", names(d, res.Fresh), "both are stale against the deprioritized primary, though not against each other")

	d = with(topology.ReplicaSetNoPrimary, secondary("a"), secondary("b", written(80001)))
	res = selected(t, request(d, stale(readpref.Secondary, 90), "a"))
	assert.Equal(t, "a", names(d, res.Fresh), "b is stale against a, so a is the last resort")
}

func TestMaxStalenessFloor(t *testing.T) {
	all := []topology.Server{primary("p"), secondary("s")}
	for _, c := range []struct {
		rule      string
		of        topology.Type
		seconds   int64
		heartbeat int64
		minimum   int64 // 0: no error
	}{
		{"0.5 90 is the smallest", topology.ReplicaSetWithPrimary, 90, 10000, 0},
		{"1.8 89 is too small", topology.ReplicaSetWithPrimary, 89, 10000, 90},
		{"1.6 0 is not no maximum", topology.ReplicaSetWithPrimary, 0, 10000, 90},
		{"1.8 1", topology.ReplicaSetNoPrimary, 1, 10000, 90},
		{"3.6 90 at a heartbeat of exactly 80 s", topology.ReplicaSetWithPrimary, 90, 80000, 0},
		{"3.6 90 at a millisecond more", topology.ReplicaSetWithPrimary, 90, 80001, 91},
		{"3.6 91 then", topology.ReplicaSetWithPrimary, 91, 80001, 0},
		{"3.6 a slow heartbeat", topology.ReplicaSetNoPrimary, 129, 120000, 130},
		{"3.6 a slow heartbeat, enough", topology.ReplicaSetNoPrimary, 130, 120000, 0},
		{"3.6 the slowest heartbeat", topology.ReplicaSetNoPrimary, math.MaxInt64/1000 + 10, math.MaxInt64, math.MaxInt64/1000 + 11},
		{"3.6 not for Unknown", topology.Unknown, 1, 10000, 0},
		{"3.6 not for Single", topology.Single, 1, 10000, 0},
		{"3.6 not for Sharded", topology.Sharded, 1, 10000, 0},
		{"3.6 not for LoadBalanced", topology.LoadBalanced, 1, 10000, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			err := selection.CheckMaxStaleness(c.of, readpref.MaxStalenessSeconds(c.seconds), c.heartbeat)
			// With primaryPreferred and a live primary too, and with no server known at all.
			for _, servers := range [][]topology.Server{all, nil} {
				r := request(with(c.of, servers...), stale(readpref.PrimaryPreferred, c.seconds))
				r.Options.HeartbeatFrequencyMS = c.heartbeat
				var s selection.Selector
				_, selectErr := s.Select(r)
				assert.Equal(t, err, selectErr)
			}
			if c.minimum == 0 {
				require.NoError(t, err)
				return
			}
			var e *status.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, status.MaxStalenessTooSmall, e.Code)
			assert.Equal(t, c.minimum, e.MinimumSeconds)
			assert.Equal(t, "readPreference.maxStalenessSeconds", e.Path)
		})
	}
	err := selection.CheckMaxStaleness(topology.ReplicaSetWithPrimary, readpref.MaxStalenessSeconds(30), 10000)
	assert.EqualError(t, err, "readPreference.maxStalenessSeconds: maxStalenessSeconds 30 is too small: this topology allows 90 or more (90, and heartbeatFrequencyMS 10000 + 10 s)")
	assert.NoError(t, selection.CheckMaxStaleness(topology.ReplicaSetWithPrimary, readpref.MaxStaleness{}, 10000))
}

// 3.6: a write does not look at maxStalenessSeconds; nor does a write stage that
// runs on the primary.
func TestMaxStalenessFloorIsForReads(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p", wire(0, 12)), secondary("s"))
	r := request(d, stale(readpref.Secondary, 1))
	r.Operation = selection.Write
	assert.Equal(t, "p", names(d, selected(t, r).Suitable))
	r.Operation = selection.AggregateWithWriteStage
	assert.Equal(t, "p", names(d, selected(t, r).Suitable))
	d.Servers[0].MaxWireVersion = topology.NewInt(13)
	var s selection.Selector
	_, err := s.Select(r)
	assert.ErrorIs(t, err, &status.Error{Code: status.MaxStalenessTooSmall})
}

// 3.20, 3.21: the figure that explain prints is exact, and cut off at the ends
// of int64.
func TestStalenessMS(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := generate.Request(t, 5)
		ref := selection.NewStalenessReference(r.Topology)
		for i := range r.Topology.Servers {
			s := &r.Topology.Servers[i]
			if s.Type != topology.RSSecondary {
				continue
			}
			ms, ok := ref.StalenessMS(s, r.HeartbeatFrequencyMS)
			want := oracle.Staleness(r, i)
			require.Equal(t, want != nil, ok)
			switch {
			case !ok:
				require.Zero(t, ms)
			case want.IsInt64():
				require.Equal(t, want.Int64(), ms)
			case want.Sign() > 0:
				require.Equal(t, int64(math.MaxInt64), ms)
			default:
				require.Equal(t, int64(math.MinInt64), ms)
			}
		}
	})
}

func TestStalenessReference(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, secondary("a"), primary("p", written(9e6)), primary("q"))
	assert.Equal(t, int32(1), selection.NewStalenessReference(d).Server, "the first primary")
	assert.True(t, selection.NewStalenessReference(d).WithPrimary)
	d.Type = topology.ReplicaSetNoPrimary
	assert.Equal(t, int32(0), selection.NewStalenessReference(d).Server)
	assert.False(t, selection.NewStalenessReference(d).WithPrimary)
	d = with(topology.ReplicaSetNoPrimary, secondary("a"), secondary("b"))
	assert.Equal(t, int32(0), selection.NewStalenessReference(d).Server, "of equals the first")
	d = with(topology.ReplicaSetNoPrimary, secondary("a", undated))
	ref := selection.NewStalenessReference(d)
	assert.Equal(t, int32(-1), ref.Server)
	_, ok := ref.StalenessMS(&topology.Server{LastWriteDate: topology.NewDate(1)}, 10000)
	assert.False(t, ok, "there is nothing to measure against")
}
