package readpref_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

func set(pairs ...string) tag.Set {
	s := tag.Set{}
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, tag.Tag{Name: pairs[i], Value: pairs[i+1]})
	}
	return s
}

// 1.2: five modes, spelt exactly so.
func TestModes(t *testing.T) {
	for want, m := range map[string]readpref.Mode{"primary": readpref.Primary, "primaryPreferred": readpref.PrimaryPreferred,
		"secondary": readpref.Secondary, "secondaryPreferred": readpref.SecondaryPreferred, "nearest": readpref.Nearest} {
		assert.Equal(t, want, m.String())
		got, ok := readpref.ParseMode(want)
		assert.True(t, ok)
		assert.Equal(t, m, got)
	}
	for _, wrong := range []string{"", "Primary", "SECONDARY", "primary ", "primary_preferred", "Nearest", "invalid"} {
		_, ok := readpref.ParseMode(wrong)
		assert.False(t, ok, wrong)
	}
	assert.Equal(t, "invalid", readpref.Mode(5).String())
}

// 1.1: mode primary, no maximum, no hedge.
func TestZeroValue(t *testing.T) {
	var p readpref.Preference
	assert.Equal(t, "primary", p.Mode.String())
	assert.Empty(t, p.TagSets)
	assert.False(t, p.MaxStaleness.IsDefined())
	assert.False(t, p.Hedge.IsDefined())
	assert.NoError(t, p.Validate())
}

func TestValidate(t *testing.T) {
	ny := set("dc", "ny")
	seconds := readpref.MaxStalenessSeconds
	const (
		tags    = "tags: tag sets cannot be combined with mode primary"
		stale   = "maxStalenessSeconds: maxStalenessSeconds cannot be combined with mode primary"
		tooLow  = "maxStalenessSeconds: maxStalenessSeconds must be -1 (no maximum) or a positive number"
		hedge   = "hedge: hedge cannot be combined with mode primary"
		unknown = "mode: the mode is none of the five"
	)
	for _, c := range []struct {
		rule string
		p    readpref.Preference
		want []string // all problems, in order
	}{
		{"1.3 primary with tags", readpref.Preference{TagSets: []tag.Set{ny}}, []string{tags}},
		{"1.3 primary with []", readpref.Preference{TagSets: []tag.Set{}}, nil},
		{"1.3 primary with [{}]", readpref.Preference{TagSets: []tag.Set{{}}}, nil},
		{"1.3 primary with [{}, tags]", readpref.Preference{TagSets: []tag.Set{{}, ny}}, []string{tags}},
		{"1.3 primary with [{}, {}]: none is non-empty", readpref.Preference{TagSets: []tag.Set{{}, {}}}, nil},
		{"1.3 other modes with tags", readpref.Preference{Mode: readpref.PrimaryPreferred, TagSets: []tag.Set{ny, {}}}, nil},
		{"1.4 primary with a maximum", readpref.Preference{MaxStaleness: seconds(120)}, []string{stale}},
		{"1.4 primary with 1", readpref.Preference{MaxStaleness: seconds(1)}, []string{stale}},
		{"1.6 primary with 0", readpref.Preference{MaxStaleness: seconds(0)}, []string{stale}},
		{"1.4 primary with -1", readpref.Preference{MaxStaleness: seconds(-1)}, nil},
		{"1.7 below -1", readpref.Preference{Mode: readpref.Nearest, MaxStaleness: seconds(-2)}, []string{tooLow}},
		{"1.7 below -1 with primary is one problem", readpref.Preference{MaxStaleness: seconds(-2)}, []string{tooLow}},
		{"1.7 the least int64", readpref.Preference{Mode: readpref.Nearest, MaxStaleness: seconds(math.MinInt64)}, []string{tooLow}},
		{"1.8 0 to 89 pass", readpref.Preference{Mode: readpref.Nearest, MaxStaleness: seconds(0)}, nil},
		{"1.8 89", readpref.Preference{Mode: readpref.Nearest, MaxStaleness: seconds(89)}, nil},
		{"1.8 the greatest", readpref.Preference{Mode: readpref.Nearest, MaxStaleness: seconds(math.MaxInt64)}, nil},
		{"1.10 primary with hedge", readpref.Preference{Hedge: readpref.HedgeDisabled}, []string{hedge}},
		{"1.11 other modes with hedge", readpref.Preference{Mode: readpref.Nearest, Hedge: readpref.HedgeEmpty}, nil},
		{"1.2 no mode", readpref.Preference{Mode: 5, TagSets: []tag.Set{ny}}, []string{unknown}},
		{"all at once", readpref.Preference{TagSets: []tag.Set{ny}, MaxStaleness: seconds(90), Hedge: readpref.HedgeEnabled}, []string{tags, stale, hedge}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for n := 0; ; n++ {
				problem, ok := c.p.Problem(n)
				if !ok {
					break
				}
				got = append(got, [...]string{"mode", "tags", "maxStalenessSeconds", "hedge"}[problem.Part]+": "+problem.Message)
			}
			assert.Equal(t, c.want, got)
			err := c.p.Validate()
			if len(c.want) == 0 {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, c.want[0])
		})
	}
}

func TestProblemCodes(t *testing.T) {
	for want, p := range map[status.Code]readpref.Preference{
		status.UnknownMode:             {Mode: 9},
		status.TagsWithPrimary:         {TagSets: []tag.Set{set("dc", "ny")}},
		status.InvalidMaxStaleness:     {MaxStaleness: readpref.MaxStalenessSeconds(-3)},
		status.MaxStalenessWithPrimary: {MaxStaleness: readpref.MaxStalenessSeconds(90)},
		status.HedgeWithPrimary:        {Hedge: readpref.HedgeEmpty},
	} {
		assert.True(t, errors.Is(p.Validate(), &status.Error{Code: want}), want.String())
	}
}

// 1.5: -1 is normalised away.
func TestMaxStaleness(t *testing.T) {
	assert.Equal(t, readpref.MaxStaleness{}, readpref.MaxStalenessSeconds(-1))
	_, ok := readpref.MaxStalenessSeconds(-1).Seconds()
	assert.False(t, ok)
	for _, v := range []int64{0, 90, -2, math.MaxInt64} {
		s, ok := readpref.MaxStalenessSeconds(v).Seconds()
		assert.True(t, ok)
		assert.Equal(t, v, s)
		assert.True(t, readpref.MaxStalenessSeconds(v).IsDefined())
	}
}

func TestEqual(t *testing.T) {
	base := func() *readpref.Preference {
		return &readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{set("dc", "ny", "rack", "1"), {}},
			MaxStaleness: readpref.MaxStalenessSeconds(120), Hedge: readpref.HedgeEmpty}
	}
	p := base()
	slices.Reverse(p.TagSets[0])
	assert.True(t, p.Equal(base()), "the order inside a set does not matter")
	for name, change := range map[string]func(*readpref.Preference){
		"mode":      func(p *readpref.Preference) { p.Mode = readpref.Secondary },
		"order":     func(p *readpref.Preference) { slices.Reverse(p.TagSets) },
		"fewer":     func(p *readpref.Preference) { p.TagSets = p.TagSets[:1] },
		"a tag":     func(p *readpref.Preference) { p.TagSets[0][0].Value = "sf" },
		"staleness": func(p *readpref.Preference) { p.MaxStaleness = readpref.MaxStalenessSeconds(121) },
		"no limit":  func(p *readpref.Preference) { p.MaxStaleness = readpref.MaxStaleness{} },
		"hedge":     func(p *readpref.Preference) { p.Hedge = readpref.HedgeEnabled },
	} {
		p := base()
		change(p)
		assert.False(t, p.Equal(base()), name)
		assert.False(t, base().Equal(p), name)
	}
}

// 3.6: the smallest value v ≥ 90 with v*1000 ≥ heartbeat + 10000.
func TestSmallestMaxStaleness(t *testing.T) {
	for heartbeat, want := range map[int64]int64{500: 90, 10000: 90, 80000: 90, 80001: 91, 81000: 91, 81001: 92, 120000: 130,
		math.MaxInt64: math.MaxInt64/1000 + 11} {
		assert.Equal(t, want, readpref.SmallestMaxStaleness(heartbeat), heartbeat)
	}
	rapid.Check(t, func(t *rapid.T) {
		heartbeat := rapid.OneOf(rapid.Int64Range(500, 200_000), rapid.Int64Range(500, math.MaxInt64)).Draw(t, "heartbeat")
		v := readpref.SmallestMaxStaleness(heartbeat)
		require.GreaterOrEqual(t, v, int64(90))
		enough := func(v int64) bool {
			needs := new(big.Int).Add(big.NewInt(heartbeat), big.NewInt(10000))
			return new(big.Int).Mul(big.NewInt(v), big.NewInt(1000)).Cmp(needs) >= 0
		}
		require.True(t, enough(v))
		require.True(t, v == 90 || !enough(v-1), "%d is not the smallest", v)
	})
}

// A preference that Validate passes has no problem, and the other way round.
func TestValidateReportsTheFirstProblem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := generate.Preference(t, 10000)
		err := p.Validate()
		first, ok := p.Problem(0)
		require.Equal(t, ok, err != nil)
		if ok {
			require.ErrorIs(t, err, &status.Error{Code: first.Code})
		}
		seen := map[status.Code]bool{}
		for n := 0; ; n++ {
			problem, more := p.Problem(n)
			if !more {
				break
			}
			require.False(t, seen[problem.Code], "a problem is listed once")
			seen[problem.Code] = true
		}
	})
}
