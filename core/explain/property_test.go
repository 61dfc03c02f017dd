package explain_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

func TestMain(m *testing.M) { os.Exit(generate.RunTests(m, "2000")) }

// Stages say what the selection's views say, and every text is one line that no
// terminal obeys.
func TestStagesAgreeWithTheSelection(t *testing.T) {
	hostile := rapid.StringOf(rapid.RuneFrom([]rune("ab\n\x1b\u202e\u2028é")))
	rapid.Check(t, func(t *rapid.T) {
		r := generate.ForEngine(generate.Plain(t, 6))
		for i := range r.Topology.Servers {
			if rapid.IntRange(0, 3).Draw(t, "hostile") == 0 {
				r.Topology.Servers[i].Error = hostile.Draw(t, "error")
				r.Topology.Servers[i].Tags = set("dc", hostile.Draw(t, "tag"))
			}
		}
		pick := selection.Pick(rapid.IntRange(0, 2).Draw(t, "pick"))
		var s selection.Selector
		res, err := s.Select(r)
		require.NoError(t, err)
		rng := selection.SplitMix64(rapid.Uint64().Draw(t, "seed"))
		chosen := pick.Choose(r.Topology, res.InLatencyWindow, &rng, 0)
		e := explain.Explanation{Stages: make([]explain.Stage, 3)}
		e.Explain(r, res, pick, chosen)

		last := res.Passes[len(res.Passes)-1]
		require.Len(t, e.Stages, len(r.Topology.Servers))
		for n, stage := range e.Stages {
			i := int32(n)
			in := func(view []int32) bool { return slices.Contains(view, i) }
			require.Equal(t, i == chosen, stage == explain.Selected)
			require.Equal(t, in(res.InLatencyWindow), stage >= explain.InLatencyWindow)
			require.Equal(t, in(res.Suitable), stage >= explain.LatencyWindow)
			require.Equal(t, in(last.Tagged), stage >= explain.CustomSelector)
			fresh, candidate := false, false
			for _, p := range res.Passes {
				fresh, candidate = fresh || in(p.Fresh), candidate || in(p.Candidates)
			}
			require.Equal(t, fresh, stage >= explain.TagSets)
			require.Equal(t, candidate, stage >= explain.MaxStaleness)
			require.Equal(t, !in(last.View) && !candidate, stage == explain.Deprioritized)
			if stage == explain.Type {
				require.NotContains(t, []topology.Type{topology.LoadBalanced}, r.Topology.Type)
			}
			why := string(e.AppendWhy(nil, n))
			require.NotEmpty(t, why)
			requirePlain(t, why)
		}
		text := string(e.AppendText(nil))
		require.True(t, strings.HasSuffix(text, "\n"))
		for _, line := range lines(strings.TrimSuffix(text, "\n")) {
			requirePlain(t, line)
			require.Equal(t, strings.TrimRight(line, " "), line, "no spaces at the end")
		}
		if chosen < 0 {
			none := string(explain.AppendNone(nil, r, res))
			requirePlain(t, none)
			require.Contains(t, text, none)
		}
		for _, n := range e.Notes(nil) {
			require.NotEmpty(t, n.Code)
			requirePlain(t, n.Message)
		}
	})
}

func requirePlain(t require.TestingT, s string) {
	require.True(t, utf8.ValidString(s))
	for _, r := range s {
		require.False(t, unicode.IsControl(r) || r == '\u2028' || r == '\u202e', "%q", s)
	}
}
