package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/readpref/readpref/bench/internal/contestant"
	"github.com/readpref/readpref/bench/internal/stats"
)

// Target is something that was promised, and what came of it.
type Target struct {
	Text    string
	Met     string // yes, no, not measured
	Figures string
	Why     string // where it is not met
}

// LibmongocBest is the best of libmongoc at 3 and at 50 members, in ns, from an
// earlier measurement of all drivers on a machine of this kind: it is not part
// of this bench.
const (
	LibmongocBest3  = 149
	LibmongocBest50 = 260
)

const notMeasured = "not measured"

func met(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// Targets judges the report.
func (r *Report) Targets() []Target {
	return []Target{
		r.goPick("rs3", 3, 50, `The driver's own time at 3 members is the limit: a plan pick is already a hash lookup, a random draw and two atomic loads.`),
		r.goPick("rs50", 50, 300, `With mode primary the driver does little at 50 members, too: one comparison for each.`),
		r.flat(),
		r.allocations(),
		r.coldAgainstDrivers("go", "Go"),
		r.coldAgainstDrivers("c", "libreadpref (rp_select_ex, which takes no plan)"),
		r.portablePick(),
		r.portableUnderLibmongoc(),
		r.sharedPick(),
		r.threads(true, 0.9, "4 threads on topologies of their own lose nothing to locks (libreadpref; our reading: at least 90 % of one thread for each core)"),
		r.threads(false, 0.5, "4 threads on one topology lose little (libreadpref; our reading: at least 50 % of one thread for each core)"),
		r.pythonPick(),
		r.nodePick(),
		r.jsonAgainstStandard(),
		r.jsonLinear(),
		r.wasmSize(),
		r.memoryFlat(),
	}
}

func (r *Report) goPick(topology string, servers int, factor float64, why string) Target {
	t := Target{Text: fmt.Sprintf("Go: plan pick at least %.0f × faster than the Go driver at %d members", factor, servers), Met: notMeasured}
	least, most := math.Inf(1), 0.0
	var below []string
	for i := range r.Cases {
		c := &r.Cases[i]
		ratio := stats.Ratio(c.NS("peer-go", contestant.Cold), c.NS("go", contestant.Pick))
		if c.Topology != topology || math.IsNaN(ratio) {
			continue
		}
		least, most = min(least, ratio), max(most, ratio)
		if ratio < factor {
			below = append(below, fmt.Sprintf("%s (%.0f ×: %s against %s)", c.Preference, ratio,
				ns(c.NS("peer-go", contestant.Cold)), ns(c.NS("go", contestant.Pick))))
		}
	}
	if most == 0 {
		return t
	}
	t.Met, t.Figures = met(len(below) == 0), fmt.Sprintf("%.0f to %.0f ×", least, most)
	if len(below) > 0 {
		t.Why = "Below it: " + strings.Join(below, ", ") + ". " + why
	}
	return t
}

func (r *Report) flat() Target {
	t := Target{Text: "Go: plan pick flat from 3 to 5,000 servers (no more than 2 ×)", Met: notMeasured}
	var first, last *Growth
	for i := range r.Growth {
		switch r.Growth[i].Servers {
		case 3:
			first = &r.Growth[i]
		case 5000:
			last = &r.Growth[i]
		}
	}
	if first == nil || last == nil {
		return t
	}
	ratio := last.Pick.MedianNS / first.Pick.MedianNS
	t.Met = met(ratio <= 2)
	t.Figures = fmt.Sprintf("%s at 3, %s at 5,000: %.1f ×", ns(first.Pick.MedianNS), ns(last.Pick.MedianNS), ratio)
	if ratio > 2 {
		t.Why = "The work is the same; the counts of thousands of servers are no longer in the nearest cache."
	}
	return t
}

func (r *Report) allocations() Target {
	t := Target{Text: "Go: 0 allocations for each plan pick, cold selection and JSON select", Met: notMeasured}
	most, seen := 0.0, false
	for i := range r.Cases {
		for _, metric := range []string{contestant.Pick, contestant.Cold, contestant.JSON} {
			if x, ok := r.Cases[i].Of("go", metric); ok && x.Allocs != nil {
				most, seen = max(most, *x.Allocs), true
			}
		}
	}
	if seen {
		// Go's own runtime may allocate something in the meantime.
		t.Met, t.Figures = met(most < 0.05), fmt.Sprintf("at most %.2f an operation", most)
	}
	return t
}

func (r *Report) coldAgainstDrivers(name, label string) Target {
	t := Target{Text: "Cold selection without a plan, " + label + ": faster than every driver benched in every case", Met: notMeasured}
	compared, cases := 0, 0
	least := math.Inf(1)
	var lost []string
	for i := range r.Cases {
		c := &r.Cases[i]
		ours, ok := c.Of(name, contestant.Cold)
		if !ok {
			continue
		}
		cases++
		for _, p := range c.Results {
			if !p.Peer || p.Metric != contestant.Cold {
				continue
			}
			compared++
			ratio := p.MedianNS / ours.MedianNS
			least = min(least, ratio)
			if ratio <= 1 {
				lost = append(lost, fmt.Sprintf("%s: %s %s, ours %s", c.Name, p.Label, ns(p.MedianNS), ns(ours.MedianNS)))
			}
		}
	}
	if compared == 0 {
		return t
	}
	t.Met = met(len(lost) == 0)
	t.Figures = fmt.Sprintf("%d of %d comparisons in %d cases; the closest is %.2f ×", compared-len(lost), compared, cases, least)
	if len(lost) > 0 {
		t.Why = "Not faster: " + strings.Join(lost, "; ") + ". With mode primary the Rust driver goes over the servers once, for their type; it keeps the check of their wire versions " +
			"with the description. A cold selection of ours looks at each server once, for both. Through libreadpref the call from C into Go comes on top, which alone takes about as long as the " +
			"Rust driver takes for 3 members."
	}
	return t
}

func (r *Report) highest(name, metric string, of func(*Case) bool) (most float64, at string) {
	for i := range r.Cases {
		c := &r.Cases[i]
		if x := c.NS(name, metric); x > most && of(c) {
			most, at = x, c.Name
		}
	}
	return most, at
}

func all(*Case) bool { return true }

func (r *Report) portablePick() Target {
	t := Target{Text: "C, libreadpref_portable: call and pick under 80 ns", Met: notMeasured}
	if most, at := r.highest("portable", contestant.Pick, all); most > 0 {
		t.Met, t.Figures = met(most < 80), fmt.Sprintf("at most %s (%s)", ns(most), at)
		if most >= 80 {
			t.Why = "Go's code for WebAssembly passes arguments and results through memory, and the translated code checks the bounds of each access; RATIONALE.md (\"The portable " +
				"library's compiler flags\") counts the instructions. They are the same for every number of servers: what differs between the cases is the machine's speed at that time."
		}
	}
	return t
}

func (r *Report) portableUnderLibmongoc() Target {
	t := Target{Text: fmt.Sprintf("C, libreadpref_portable: under libmongoc's best (%d ns at 3 members, %d ns at 50, measured earlier)", LibmongocBest3, LibmongocBest50), Met: notMeasured}
	small, _ := r.highest("portable", contestant.Pick, func(c *Case) bool { return c.Topology == "rs3" })
	large, _ := r.highest("portable", contestant.Pick, func(c *Case) bool { return c.Topology == "rs50" })
	if small > 0 && large > 0 {
		t.Met, t.Figures = met(small < LibmongocBest3 && large < LibmongocBest50), fmt.Sprintf("%s at 3 members, %s at 50", ns(small), ns(large))
	}
	return t
}

func (r *Report) sharedPick() Target {
	t := Target{Text: "C, libreadpref: within 20 % of a bare call from C into Go and the pick", Met: notMeasured}
	bare, pick, got := r.BareCgo.Call.MedianNS, r.BareCgo.Go.MedianNS, r.BareCgo.C.MedianNS
	if bare == 0 {
		return t
	}
	sum := bare + pick
	t.Met = met(got <= 1.2*sum)
	t.Figures = fmt.Sprintf("%s; bare call %s and Go's pick %s make %s: %+.0f %%", ns(got), ns(bare), ns(pick), ns(sum), 100*(got/sum-1))
	if got > 1.2*sum {
		t.Why = "Beside the pick, rp_select asks whether the process was forked, looks both handles up, and recovers faults."
	}
	return t
}

func (r *Report) threads(own bool, least float64, text string) Target {
	t := Target{Text: text, Met: notMeasured}
	var one, four, native float64
	for _, x := range r.Threads {
		switch {
		case x.Own != own:
		case x.Contestant == "c" && x.Threads == 1:
			one = x.MillionsPerSecond
		case x.Contestant == "c" && x.Threads == 4:
			four = x.MillionsPerSecond
		case x.Contestant == "go" && x.Threads == 4:
			native = x.MillionsPerSecond
		}
	}
	cores := min(4, r.Machine.Cores)
	ideal := one * float64(cores)
	if ideal == 0 || four == 0 {
		return t
	}
	t.Met = met(four >= least*ideal)
	t.Figures = fmt.Sprintf("%.1f million picks a second on 4 threads, %.1f on one, %d cores: %.0f %%", four, one, cores, 100*four/ideal)
	if four < least*ideal {
		t.Why = fmt.Sprintf("It is the call from C into Go that does not scale (RATIONALE.md, \"Calls into Go from several threads\"): the one that does nothing takes %s on one thread. "+
			"From Go, 4 threads make %.1f million picks a second.", ns(r.BareCgo.Call.MedianNS), native)
	}
	return t
}

func (r *Report) pythonPick() Target {
	t := Target{Text: "Python: Topology.select at most 150 ns, and at least 60 × faster than PyMongo's own selection, at 3 members", Met: notMeasured}
	three := func(c *Case) bool { return c.Topology == "rs3" }
	most, at := r.highest("python", contestant.Pick, three)
	least, ratioAt := math.Inf(1), ""
	for i := range r.Cases {
		c := &r.Cases[i]
		if ratio := stats.Ratio(c.NS("peer-python", contestant.Cold), c.NS("python", contestant.Pick)); three(c) && ratio < least {
			least, ratioAt = ratio, c.Name
		}
	}
	if most == 0 || ratioAt == "" {
		return t
	}
	t.Met = met(most <= 150 && least >= 60)
	cold, _ := r.highest("python", contestant.Cold, three)
	t.Figures = fmt.Sprintf("at most %s (%s), at least %.0f × (%s); cold selection at most %s", ns(most), at, least, ratioAt, ns(cold))
	return t
}

func (r *Report) nodePick() Target {
	t := Target{Text: "Node.js: selectSync at least 5 × faster than the mongodb driver's selector with mode primary, and 15 × with tag sets, at 3 members", Met: notMeasured}
	ratio := func(preference string) float64 {
		c := r.Case("rs3/" + preference)
		if c == nil {
			return math.NaN()
		}
		return stats.Ratio(c.NS("peer-node", contestant.Cold), c.NS("node", contestant.Pick))
	}
	primary, tags := ratio("primary"), ratio("secondaryPreferred+2tagsets")
	if math.IsNaN(primary) || math.IsNaN(tags) {
		return t
	}
	t.Met = met(primary >= 5 && tags >= 15)
	most, at := r.highest("node", contestant.Pick, func(c *Case) bool { return c.Topology == "rs3" })
	cold, _ := r.highest("node", contestant.Cold, func(c *Case) bool { return c.Topology == "rs3" })
	t.Figures = fmt.Sprintf("primary %.1f ×, tag sets %.1f ×; at most %s (%s); cold selection at most %s", primary, tags, ns(most), at, ns(cold))
	return t
}

func (r *Report) jsonAgainstStandard() Target {
	t := Target{Text: "JSON select (one shot, 3 members): at least 8 × faster than the decoding alone with encoding/json", Met: notMeasured}
	c := r.Case("rs3/nearest")
	if c == nil {
		return t
	}
	ours, theirs := c.NS("go", contestant.JSON), c.NS("go", contestant.Decode)
	if ratio := stats.Ratio(theirs, ours); !math.IsNaN(ratio) {
		t.Met, t.Figures = met(ratio >= 8), fmt.Sprintf("%.1f ×: %s, decoding, selecting and writing the answer, against %s", ratio, ns(ours), ns(theirs))
		if ratio < 8 {
			t.Why = "Ours checks each object for keys that come twice and each pair of servers for one address, selects, and writes the answer; encoding/json does the reading alone, and " +
				"less strictly. RATIONALE.md (\"The codec\") has a profile, in which no part is left that could give as much."
		}
	}
	return t
}

func (r *Report) jsonLinear() Target {
	t := Target{Text: "JSON select: growth linear in bytes (no more than 1.25 × a byte from 3 to 50 members)", Met: notMeasured}
	small, large := r.Case("rs3/nearest"), r.Case("rs50/nearest")
	if small == nil || large == nil || small.NS("go", contestant.JSON) == 0 {
		return t
	}
	a, b := small.NS("go", contestant.JSON)/float64(small.RequestBytes), large.NS("go", contestant.JSON)/float64(large.RequestBytes)
	t.Met, t.Figures = met(b <= 1.25*a), fmt.Sprintf("%.2f ns a byte at 3 members, %.2f at 50", a, b)
	return t
}

func (r *Report) wasmSize() Target {
	t := Target{Text: "readpref.wasm: at most 2.6 MB, and 780 KB with gzip", Met: notMeasured}
	for _, a := range r.Artifacts {
		if a.Name == "readpref.wasm" {
			t.Met, t.Figures = met(a.Bytes <= 2_600_000 && a.Gzip <= 780_000), fmt.Sprintf("%.2f MB, %.0f KB with gzip", float64(a.Bytes)/1e6, float64(a.Gzip)/1e3)
		}
	}
	return t
}

func (r *Report) memoryFlat() Target {
	t := Target{Text: "Memory flat over 5 million calls, in every runtime (no more than 2 MiB or 5 % more)", Met: notMeasured}
	const promised = 5_000_000
	most := math.Inf(-1)
	var over, fewer []string
	for _, m := range r.Memory {
		grown := m.AfterMiB - m.BeforeMiB
		most = max(most, grown)
		if grown > max(2, 0.05*m.BeforeMiB) {
			over = append(over, fmt.Sprintf("%s, %s: %.1f MiB", m.Label, metricLabels[m.Metric], grown))
		}
		if m.Calls < promised {
			fewer = append(fewer, fmt.Sprintf("%s, %s: %s", m.Label, metricLabels[m.Metric], thousands(m.Calls)))
		}
	}
	if len(r.Memory) == 0 {
		return t
	}
	t.Met, t.Figures = met(len(over) == 0), fmt.Sprintf("at most %.1f MiB more", most)
	if len(fewer) > 0 {
		t.Figures += "; fewer calls for time: " + strings.Join(fewer, ", ")
		t.Met = met(false) // what was not measured to the end is not met
	}
	if len(over) > 0 {
		t.Why = "More: " + strings.Join(over, "; ") + "."
	}
	return t
}
