package advise_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/advise"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

const ms = 1_000_000

func tags(pairs ...string) tag.Set {
	s := tag.Set{}
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, tag.Tag{Name: pairs[i], Value: pairs[i+1]})
	}
	return s
}

func member(address string, of topology.ServerType, rtt int64, pairs ...string) topology.Server {
	return topology.Server{Address: address, Type: of, RoundTripTime: topology.NewRTT(rtt * ms), Tags: tags(pairs...), LastWriteDate: topology.NewDate(0)}
}

func deployment(servers ...topology.Server) *topology.Description {
	t := &topology.Description{Servers: servers}
	t.Derive()
	return t
}

// quiet is a set of three in one place: nothing is to be said about it.
func quiet() *topology.Description {
	return deployment(member("a", topology.RSPrimary, 2, "dc", "ny"), member("b", topology.RSSecondary, 3, "dc", "ny"), member("c", topology.RSSecondary, 4, "dc", "ny"))
}

// twoRegions is the same with one member of Atlas's in another region, for analytics.
func twoRegions() *topology.Description {
	return deployment(member("a", topology.RSPrimary, 2, "region", "E"), member("b", topology.RSSecondary, 3, "region", "E"),
		member("c", topology.RSSecondary, 14, "region", "W", "nodeType", "ANALYTICS"))
}

func reads(mode readpref.Mode, sets ...tag.Set) workload.Workload {
	return workload.Workload{Preference: readpref.Preference{Mode: mode, TagSets: sets}, Weight: 1}
}

func stale(seconds int64, w workload.Workload) workload.Workload {
	w.Preference.MaxStaleness = readpref.MaxStalenessSeconds(seconds)
	return w
}

func asked(t *topology.Description, list ...workload.Workload) *advise.Request {
	return &advise.Request{Question: workload.Question{Topology: t, Workloads: list, Options: selection.DefaultOptions()}}
}

func found(t require.TestingT, r *advise.Request) []string {
	findings, err := advise.Run(r)
	require.NoError(t, err)
	list := []string{}
	for _, f := range findings {
		list = append(list, strings.TrimSpace(f.Code+" "+f.Path))
		assert.NotEmpty(t, f.Message)
	}
	return list
}

// Each code, where it fires and where it does not. Where it fires nothing else
// is said but what also names.
func TestRules(t *testing.T) {
	with := func(r *advise.Request, change func(*advise.Request)) *advise.Request {
		change(r)
		return r
	}
	hedged, back, inTransaction := reads(readpref.Nearest), reads(readpref.Secondary), reads(readpref.Nearest)
	hedged.Preference.Hedge = readpref.HedgeEnabled
	back.WritesBack, inTransaction.Transaction = true, true
	backOnPrimary, primaryInTransaction := reads(readpref.Primary), reads(readpref.Primary)
	backOnPrimary.WritesBack, primaryInTransaction.Transaction = true, true
	write := stale(120, reads(readpref.Secondary))
	write.Operation = selection.Write
	single := deployment(member("a", topology.RSSecondary, 2))
	single.Type = topology.Single
	balanced := deployment(topology.Server{Address: "lb", Type: topology.LoadBalancer})
	sharded := deployment(member("m", topology.Mongos, 1))
	alone := deployment(member("a", topology.RSPrimary, 2))
	spread := deployment(member("a", topology.RSPrimary, 2), member("b", topology.RSSecondary, 20), member("c", topology.RSSecondary, 40))
	threshold := func(ns int64) func(*advise.Request) {
		return func(r *advise.Request) { r.Options.LocalThresholdNS = ns }
	}
	covered := map[string][2]bool{}
	check := func(code string, fires bool, r *advise.Request, want ...string) {
		t.Helper()
		assert.Equal(t, append([]string{}, want...), found(t, r), code)
		hit := false
		for _, w := range want {
			hit = hit || strings.HasPrefix(w, code+" ")
		}
		assert.Equal(t, fires, hit, code)
		c := covered[code]
		if fires {
			c[0] = true
		} else {
			c[1] = true
		}
		covered[code] = c
	}
	const seconds, mode, sets = "workloads[0].readPreference.maxStalenessSeconds", "workloads[0].readPreference.mode", "workloads[0].readPreference.tags"

	check("maxStalenessTooSmall", true, asked(quiet(), stale(89, reads(readpref.Secondary))), "maxStalenessTooSmall "+seconds)
	check("maxStalenessTooSmall", true, with(asked(quiet(), stale(100, reads(readpref.Nearest))), func(r *advise.Request) { r.Options.HeartbeatFrequencyMS = 91_000 }), "maxStalenessTooSmall "+seconds)
	check("maxStalenessTooSmall", false, asked(quiet(), stale(90, reads(readpref.Nearest))))
	check("maxStalenessWithoutEffect", true, asked(quiet(), write), "maxStalenessWithoutEffect "+seconds)
	check("maxStalenessWithoutEffect", true, asked(alone, stale(90, reads(readpref.Nearest))), "maxStalenessWithoutEffect "+seconds)
	check("maxStalenessWithoutEffect", true, asked(balanced, stale(90, reads(readpref.Nearest))), "maxStalenessWithoutEffect "+seconds, "loadBalancedPreference workloads[0].readPreference")
	check("maxStalenessWithoutEffect", true, asked(quiet(), stale(1<<62, reads(readpref.Nearest))), "maxStalenessWithoutEffect "+seconds)
	check("maxStalenessWithoutEffect", false, asked(sharded, stale(90, reads(readpref.Nearest))))

	check("severalRegions", true, asked(twoRegions(), reads(readpref.Nearest)), "severalRegions "+seconds)
	check("severalRegions", true, asked(twoRegions(), reads(readpref.SecondaryPreferred)), "severalRegions "+seconds)
	check("severalRegions", false, asked(twoRegions(), reads(readpref.Nearest, tags("region", "E"), tags())))
	check("severalRegions", false, asked(twoRegions(), reads(readpref.PrimaryPreferred)))
	check("severalRegions", false, asked(quiet(), reads(readpref.Nearest)))

	check("noSecondary", true, asked(alone, reads(readpref.Secondary)), "noSecondary "+mode)
	check("noSecondary", false, asked(quiet(), reads(readpref.Secondary)))
	check("oneSecondary", true, asked(deployment(member("a", topology.RSPrimary, 2), member("b", topology.RSSecondary, 3), member("e", topology.RSArbiter, 1)), reads(readpref.Secondary)),
		"oneSecondary workloads[0].readPreference")
	check("oneSecondary", false, asked(quiet(), reads(readpref.Secondary)))

	check("tagSetMatchesNobody", true, asked(quiet(), reads(readpref.Nearest, tags("dc", "sf"), tags())), "tagSetMatchesNobody "+sets+"[0]")
	check("tagSetMatchesNobody", false, asked(quiet(), reads(readpref.Nearest, tags("dc", "ny"), tags())))
	check("tagSetUnreachable", true, asked(quiet(), reads(readpref.Nearest, tags("dc", "ny"), tags("x", "y", "dc", "ny"), tags())), "tagSetUnreachable "+sets+"[1]")
	check("tagSetUnreachable", true, asked(quiet(), reads(readpref.Nearest, tags(), tags("dc", "ny"))), "tagSetUnreachable "+sets+"[1]")
	check("tagSetUnreachable", false, asked(twoRegions(), stale(120, reads(readpref.PrimaryPreferred, tags("region", "W", "nodeType", "ANALYTICS"), tags("region", "W")))),
		"primaryPreferredTags "+sets, "noTagSetFallback "+sets)
	check("noTagSetFallback", true, asked(quiet(), reads(readpref.Nearest, tags("dc", "ny"))), "noTagSetFallback "+sets)
	check("noTagSetFallback", false, asked(quiet(), reads(readpref.SecondaryPreferred, tags("dc", "ny"))))
	check("noTagSetFallback", false, asked(quiet(), reads(readpref.Nearest, tags("dc", "ny"), tags())))
	check("analyticsFallback", true, asked(twoRegions(), stale(120, reads(readpref.SecondaryPreferred, tags("nodeType", "ANALYTICS"), tags()))), "analyticsFallback "+sets)
	check("analyticsFallback", false, asked(twoRegions(), reads(readpref.SecondaryPreferred, tags("nodeType", "ANALYTICS"))))
	check("analyticsFallback", false, asked(quiet(), reads(readpref.SecondaryPreferred, tags("dc", "ny"), tags())))
	check("tagKeyUnknown", true, asked(quiet(), reads(readpref.Nearest, tags("DC", "ny"), tags())), "tagKeyUnknown "+sets+"[0]")
	check("tagKeyUnknown", true, asked(quiet(), reads(readpref.Nearest, tags("rack", "1"), tags())), "tagKeyUnknown "+sets+"[0]")
	check("tagKeyUnknown", false, asked(quiet(), reads(readpref.Nearest, tags("dc", "ny"), tags())))
	check("primaryPreferredTags", true, asked(quiet(), reads(readpref.PrimaryPreferred, tags("dc", "ny"), tags())), "primaryPreferredTags "+sets)
	check("primaryPreferredTags", false, asked(quiet(), reads(readpref.PrimaryPreferred, tags())))
	check("secondaryPreferredOnPrimary", true, asked(alone, reads(readpref.SecondaryPreferred)), "secondaryPreferredOnPrimary workloads[0].readPreference")
	check("secondaryPreferredOnPrimary", false, asked(quiet(), reads(readpref.SecondaryPreferred)))

	check("windowTooWide", true, with(asked(spread, reads(readpref.Nearest)), threshold(38*ms)), "windowTooWide workloads[0]")
	check("windowTooWide", false, with(asked(spread, reads(readpref.Nearest)), threshold(37*ms))) // c is outside
	check("windowTooWide", false, with(asked(quiet(), reads(readpref.Nearest)), threshold(100*ms)))
	check("windowTooNarrow", true, asked(spread, reads(readpref.Nearest)), "windowTooNarrow workloads[0]")
	check("windowTooNarrow", false, with(asked(spread, reads(readpref.Nearest)), threshold(18*ms)))

	check("hedgeDeprecated", true, asked(quiet(), hedged), "hedgeDeprecated workloads[0].readPreference.hedge")
	check("hedgeDeprecated", false, asked(quiet(), reads(readpref.Nearest)))
	check("writesBackStaleReads", true, asked(quiet(), back), "writesBackStaleReads "+mode)
	check("writesBackStaleReads", false, asked(quiet(), backOnPrimary))
	check("transactionNotPrimary", true, asked(quiet(), inTransaction), "transactionNotPrimary "+mode)
	check("transactionNotPrimary", false, asked(quiet(), primaryInTransaction))
	check("tagsOnSharded", true, asked(sharded, reads(readpref.Nearest, tags("dc", "ny"))), "tagsOnSharded "+sets)
	check("tagsOnSharded", false, asked(sharded, reads(readpref.Nearest, tags("dc", "ny"), tags())))
	direct := func(r *advise.Request) { r.DirectConnection = true }
	check("directConnectionPreference", true, with(asked(quiet(), reads(readpref.Secondary)), direct), "directConnectionPreference workloads[0].readPreference")
	check("directConnectionPreference", true, asked(single, reads(readpref.Nearest)), "directConnectionPreference workloads[0].readPreference")
	check("directConnectionPreference", false, with(asked(quiet(), reads(readpref.Primary)), direct))
	check("loadBalancedPreference", true, asked(balanced, reads(readpref.Nearest)), "loadBalancedPreference workloads[0].readPreference")
	check("loadBalancedPreference", false, asked(balanced, reads(readpref.Primary)))
	four := quiet()
	four.Servers = append(four.Servers, member("d", topology.RSArbiter, 1))
	check("evenVotingMembers", true, asked(four, reads(readpref.Primary)), "evenVotingMembers topology.servers")
	check("evenVotingMembers", false, asked(quiet(), reads(readpref.Primary)))
	off := func(r *advise.Request) { r.FlowControlOff = true }
	check("flowControlOff", true, with(asked(quiet(), reads(readpref.Primary), reads(readpref.Nearest)), off), "flowControlOff flowControl")
	check("flowControlOff", false, with(asked(quiet(), reads(readpref.Primary)), off))
	check("flowControlOff", false, asked(quiet(), reads(readpref.Nearest)))

	for _, rule := range advise.Rules {
		assert.Equal(t, [2]bool{true, true}, covered[rule.Code], "%s: a case where it fires, and one where it does not", rule.Code)
		assert.NotEmpty(t, rule.Fix)
		assert.NotEmpty(t, rule.See)
	}
}

// Messages say what is the case.
func TestMessages(t *testing.T) {
	for want, r := range map[string]*advise.Request{
		`no member has a tag "DC"; some have "dc", in another case`:                                                                       asked(quiet(), reads(readpref.Nearest, tags("DC", "ny"), tags())),
		`no member has a tag "rack"`:                                                                                                      asked(quiet(), reads(readpref.Nearest, tags("dc", "ny", "rack", "\x1b"), tags())),
		"4 members, if all vote: they survive the loss of no more than 1, as 3 would":                                                     asked(deployment(member("a", topology.RSPrimary, 1), member("b", topology.RSSecondary, 1), member("c", topology.RSSecondary, 1), member("d", topology.RSSecondary, 1)), reads(readpref.Primary)),
		"localThresholdMS 15 leaves one of 2 suitable servers, which serves all":                                                          asked(deployment(member("a", topology.RSPrimary, 1), member("b", topology.RSSecondary, 17), member("e", topology.RSArbiter, 0)), reads(readpref.Nearest)),
		"these reads go to members with different values of region, and without maxStalenessSeconds to one that lags as gladly as to any": asked(twoRegions(), reads(readpref.Nearest)),
	} {
		findings, err := advise.Run(r)
		require.NoError(t, err)
		require.Len(t, findings, 1)
		assert.Equal(t, want, findings[0].Message)
	}
}

// At most ten findings of a code are listed, and comparisons have an end.
func TestBounds(t *testing.T) {
	var sets []tag.Set
	for i := range 30 {
		sets = append(sets, tags("dc", fmt.Sprint(i)))
	}
	assert.Len(t, found(t, asked(quiet(), reads(readpref.SecondaryPreferred, sets...))), 11)

	long := tag.Set{}
	for i := range 100 {
		long = append(long, tag.Tag{Name: fmt.Sprint(i), Value: "x"})
	}
	big := &topology.Description{Type: topology.ReplicaSetNoPrimary}
	for i := range 1023 {
		big.Servers = append(big.Servers, topology.Server{Address: fmt.Sprint(i), Type: topology.RSSecondary, Tags: long})
	}
	var list []workload.Workload
	for range 10 {
		other := append(append(tag.Set{}, long[:99]...), tag.Tag{Name: "99", Value: "y"})
		list = append(list, reads(readpref.Nearest, other))
	}
	_, err := advise.Run(asked(big, list...))
	assert.ErrorIs(t, err, &status.Error{Code: status.LimitExceeded})
}

func TestText(t *testing.T) {
	r := asked(quiet(), reads(readpref.Nearest, tags("DC", "ny"), tags()))
	r.Workloads[0].Name = "web"
	findings, err := advise.Run(r)
	require.NoError(t, err)
	assert.Equal(t, strings.Join([]string{
		"topology  ReplicaSetWithPrimary, 3 servers",
		"web       nearest, tags [{DC: ny}, {}]",
		"",
		"severity  about  code           what                                                       advice",
		`warning   web    tagKeyUnknown  no member has a tag "DC"; some have "dc", in another case  spell the tag as the members do: case counts`,
		"",
	}, "\n"), string(advise.AppendText(nil, r, findings)))
	r.Workloads[0].Preference.TagSets = nil
	r.Format = table.Markdown
	assert.Equal(t, "- topology: ReplicaSetWithPrimary, 3 servers\n- web: nearest\n\nnothing to advise\n", string(advise.AppendText(nil, r, nil)))
}
