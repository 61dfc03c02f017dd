package selection_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// compare runs one request through the engine and the oracle.
func compare(t require.TestingT, s *selection.Selector, r *oracle.Request) {
	want := oracle.Select(r)
	res, err := s.Select(generate.ForEngine(r))
	if len(want.Errors) > 0 {
		var e *status.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, want.Errors, e.Code.String(), e.Message)
		if want.MinimumSeconds != nil {
			require.Equal(t, want.MinimumSeconds.String(), fmt.Sprint(e.MinimumSeconds))
		}
		return
	}
	require.NoError(t, err)
	require.Equal(t, want.Candidates, ints(res.Candidates), "candidates")
	require.Equal(t, want.Fresh, ints(res.Fresh), "fresh")
	require.Equal(t, want.Suitable, ints(res.Suitable), "suitable")
	require.Equal(t, want.Window, ints(res.InLatencyWindow), "window")
	if want.UsesPrimaryInstead {
		require.Equal(t, readpref.Preference{}, res.Preference)
	} else {
		require.Equal(t, r.Preference, res.Preference)
	}
}

// ints widens a view; an empty one is nil, as ObjectsAreEqual is strict.
func ints(view []int32) []int {
	if len(view) == 0 {
		return nil
	}
	list := make([]int, len(view))
	for i, v := range view {
		list[i] = int(v)
	}
	return list
}

// agreement is the property that the engine answers as the oracle does, also
// from a Selector that other requests have used.
func agreement(t *rapid.T, most int) {
	var s selection.Selector
	for range rapid.IntRange(1, 3).Draw(t, "rounds") {
		compare(t, &s, generate.Request(t, most))
	}
}

// Sections 3a to 3f of the rules, as a whole.
func TestSelectAgreesWithTheOracle(t *testing.T) {
	t.Run("few servers", rapid.MakeCheck(func(t *rapid.T) { agreement(t, 6) }))
	t.Run("valid requests", rapid.MakeCheck(func(t *rapid.T) { compare(t, &selection.Selector{}, generate.Plain(t, 8)) }))
}

func TestSelectAgreesWithTheOracleOnManyServers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if rapid.IntRange(0, 9).Draw(t, "many") > 0 {
			compare(t, &selection.Selector{}, generate.Plain(t, 20))
			return
		}
		compare(t, &selection.Selector{}, generate.Plain(t, 90))
	})
}

// 3.1: every step leaves a part of what the step before left, in its order.
func TestStepsNarrowInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := generate.Request(t, 8)
		q := generate.ForEngine(r)
		var s selection.Selector
		res, err := s.Select(q)
		if err != nil {
			require.Nil(t, res)
			return
		}
		require.NotEmpty(t, res.Passes)
		require.LessOrEqual(t, len(res.Passes), 4)
		for n, p := range res.Passes {
			requirePart(t, p.Candidates, p.View)
			requirePart(t, p.Fresh, p.Candidates)
			requirePart(t, p.Tagged, p.Fresh)
			if n < len(res.Passes)-1 {
				require.Empty(t, p.Tagged, "a pass that found a server is the last")
			}
		}
		last := res.Passes[len(res.Passes)-1]
		require.Equal(t, last.Candidates, res.Candidates)
		require.Equal(t, last.Fresh, res.Fresh)
		requirePart(t, res.Suitable, last.Tagged)
		requirePart(t, res.InLatencyWindow, res.Suitable)
		require.Equal(t, len(res.Suitable) == 0, len(res.InLatencyWindow) == 0, "the window of some servers is never empty (3.32)")
		if r.KeepOnly == nil {
			require.Equal(t, last.Tagged, res.Suitable)
		}
	})
}

// requirePart requires that part is in whole, in the same order, once each.
func requirePart(t require.TestingT, part, whole []int32) {
	next := 0
	for _, i := range part {
		at := slices.Index(whole[next:], i)
		require.GreaterOrEqual(t, at, 0, "%v is no ordered part of %v", part, whole)
		next += at + 1
	}
}

func TestSelectIsDeterministicAndChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := generate.Request(t, 6)
		before := fmt.Sprintf("%#v", *r.Topology) + fmt.Sprintf("%#v", r)
		var used, fresh selection.Selector
		_, _ = used.Select(generate.ForEngine(generate.Plain(t, 6)))
		a, errA := used.Select(generate.ForEngine(r))
		b, errB := fresh.Select(generate.ForEngine(r))
		require.Equal(t, errB, errA)
		if errA == nil {
			require.Equal(t, ints(b.InLatencyWindow), ints(a.InLatencyWindow))
			require.Equal(t, ints(b.Suitable), ints(a.Suitable))
			require.Equal(t, b.Window, a.Window)
			require.Equal(t, len(b.Passes), len(a.Passes))
		}
		require.Equal(t, before, fmt.Sprintf("%#v", *r.Topology)+fmt.Sprintf("%#v", r))
	})
}

// 3.27: deprioritized servers serve only where nothing else can.
func TestDeprioritizedServersAreTheLastResort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := generate.Plain(t, 6)
		r.KeepOnly = nil
		var s selection.Selector
		q := generate.ForEngine(r)
		res, err := s.Select(q)
		require.NoError(t, err)
		suitable := slices.Clone(res.Suitable)
		avoided := func(i int32) bool {
			return slices.ContainsFunc(r.Deprioritized, func(a string) bool {
				return oracle.Canonical(a) == oracle.Canonical(r.Topology.Servers[i].Address)
			})
		}
		fellBack := slices.ContainsFunc(suitable, avoided)
		require.Equal(t, fellBack, len(suitable) > 0 && !slices.ContainsFunc(suitable, func(i int32) bool { return !avoided(i) }),
			"a deprioritized server never stands beside another: %v", suitable)
		q.Deprioritized = nil
		res, err = s.Select(q)
		require.NoError(t, err)
		require.Equal(t, len(suitable) == 0, len(res.Suitable) == 0, "deprioritizing never leaves nobody")
		if fellBack {
			require.Equal(t, suitable, res.Suitable, "the fallback is the selection without deprioritization")
		}
	})
}

// The zero request is not the default: options are explicit.
func TestOptionsOutOfRange(t *testing.T) {
	topo := &topology.Description{Type: topology.Sharded}
	for name, c := range map[string]struct {
		change func(*selection.Request)
		want   status.Error
	}{
		"0.1 negative localThresholdMS": {func(r *selection.Request) { r.Options.LocalThresholdNS = -1 },
			status.Error{Code: status.OutOfRange, Path: "localThresholdMS", Message: "localThresholdMS must not be negative"}},
		"0.3 heartbeatFrequencyMS under 500": {func(r *selection.Request) { r.Options.HeartbeatFrequencyMS = 499 },
			status.Error{Code: status.OutOfRange, Path: "heartbeatFrequencyMS", Message: "heartbeatFrequencyMS must be at least 500"}},
		"an operation that is none": {func(r *selection.Request) { r.Operation = 3 },
			status.Error{Code: status.UnknownValue, Path: "operation", Message: "the operation is none of read, write, aggregateWithWriteStage"}},
		"1.3 an invalid preference": {func(r *selection.Request) { r.Preference.Hedge = readpref.HedgeEmpty },
			status.Error{Code: status.HedgeWithPrimary, Path: "readPreference.hedge", Message: "hedge cannot be combined with mode primary"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &selection.Request{Topology: topo, Options: selection.DefaultOptions()}
			var s selection.Selector
			_, err := s.Select(r)
			require.NoError(t, err)
			c.change(r)
			_, err = s.Select(r)
			require.Equal(t, &c.want, err)
			require.True(t, errors.Is(err, &status.Error{Code: c.want.Code}))
		})
	}
}

func FuzzSelect(f *testing.F) {
	// Bytes become choices of the generators; these are a start only.
	for _, seed := range []string{"", "\x01\x00\x00\x00\x00\x00\x00\x00", "readpref"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { agreement(t, 6) }))
}
