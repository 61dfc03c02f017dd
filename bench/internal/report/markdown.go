package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/readpref/readpref/bench/internal/contestant"
	"github.com/readpref/readpref/bench/internal/stats"
)

// ours are the readpref runtimes that peers are compared with, in ratios.
var ours = []struct{ name, label string }{{"go", "Go"}, {"c", "C"}, {"portable", "portable"}}

// Markdown writes docs/performance.md. The plots lie beside it.
func (r *Report) Markdown(w io.Writer) error {
	p := page{}
	p.head(r)
	p.targets(r)
	p.summary(r)
	p.sameLanguage(r)
	p.cases(r)
	p.growth(r)
	p.threads(r)
	p.json(r)
	p.starts(r)
	p.memory(r)
	p.artifacts(r)
	_, err := io.WriteString(w, p.String())
	return err
}

type page struct{ strings.Builder }

func (p *page) line(format string, arguments ...any) { fmt.Fprintf(p, format+"\n", arguments...) }

func (p *page) row(cells ...string) { p.line("| %s |", strings.Join(cells, " | ")) }

// table begins a table; all columns but the first so many are figures.
func (p *page) table(text int, columns ...string) {
	p.line("")
	p.row(columns...)
	rule := make([]string, len(columns))
	for i := range rule {
		rule[i] = "---:"
		if i < text {
			rule[i] = "---"
		}
	}
	p.row(rule...)
}

func (p *page) head(r *Report) {
	p.line("# Performance")
	p.line("")
	p.line("<!-- Written by `make bench` (bench/internal/report). Do not edit. -->")
	p.line("")
	p.line("    make bench REPORT=report.json")
	p.line("")
	p.line("measures all of this in one run, beside the official drivers' own server selection, and writes this page. It was run on")
	p.line("%s, UTC, on %s (%d cores, %.0f GiB, %s).", r.Date, r.Machine.CPU, r.Machine.Cores, r.Machine.MemoryGiB, r.Machine.OS)
	if len(r.Load) > 0 {
		p.line("The machine's load average was %.1f when it began, and up to %.1f, of which the bench itself makes 1 to 2, while it ran.", r.Load[0], slices.Max(r.Load))
	}
	p.line("")
	p.line("Every figure is processor time of the whole process (all threads: collectors and compilers count), for one operation: the median of")
	p.line("%d rounds of about %.0f ms. Every round runs every contestant, each in a process of its own that saw no other case. The processor's", r.Rounds, r.SliceMS)
	p.line("clock of each process is read from outside, so it is the same clock in every language. Before anything is timed, all contestants must")
	p.line("see the same servers in the latency window, and plan picks must come from exactly those. [bench/README.md](../bench/README.md) says more.")
	p.line("Tables were taken minutes apart, on a machine whose speed is not always the same: compare within a table.")
	p.line("")
	p.line("- **plan pick** is the steady state: nothing has changed since the last operation with this preference. Drivers compute every selection anew.")
	p.line("- **cold** is the whole selection and the pick, with nothing computed before. C: `rp_select_ex`, which takes no plan; Go: a description")
	p.line("  that differs each time; Python and Node.js: `select()` of the package, which carries the description to the engine as JSON in each call.")
	p.line("- **update + pick** is a new description (everywhere but in Go read from JSON) and the first pick on it.")
	p.line("- **JSON select** is the method `select`: one document in, one out.")
	p.line("")
	p.line("The Go driver runs with GOGC=1000: with the default and a heap as small as here it collects all the time. PyMongo is measured without its lock")
	p.line("and bookkeeping; `Topology.select_server` with them is the row below it. libmongoc is not part of this bench.")
	p.line("")
	p.line("Versions: %s.", versions(r))
	if len(r.NotRun) > 0 {
		p.line("")
		for _, n := range r.NotRun {
			p.line("Not run: %s (%s).", n.Name, n.Why)
		}
	}
	p.line("")
	p.line("![Time for one selection by topology, on a logarithmic scale](performance.svg)")
}

func versions(r *Report) string {
	var list []string
	for _, v := range r.Versions {
		list = append(list, v.Name+" "+v.Version)
	}
	return strings.Join(list, ", ")
}

func (p *page) targets(r *Report) {
	p.line("")
	p.line("## Targets")
	p.table(2, "target", "met", "here")
	for _, t := range r.Targets() {
		here := t.Figures
		if t.Why != "" {
			here += ". " + t.Why
		}
		p.row(t.Text, t.Met, here)
	}
}

func (p *page) summary(r *Report) {
	p.line("")
	p.line("## How many times faster than each driver")
	p.line("")
	p.line("From the least to the most over the four preferences. Each cell: plan pick, and behind the stroke cold selection.")
	for _, o := range ours {
		if !r.has(o.name) {
			continue
		}
		columns := []string{"readpref " + o.label + " against"}
		columns = append(columns, r.topologies()...)
		p.table(1, columns...)
		for _, peer := range r.peers() {
			cells := []string{peer.Label}
			for _, topology := range r.topologies() {
				cells = append(cells, r.span(topology, peer, o.name, contestant.Pick)+" / "+r.span(topology, peer, o.name, contestant.Cold))
			}
			p.row(cells...)
		}
	}
}

func (p *page) sameLanguage(r *Report) {
	p.line("")
	p.line("The packages against the driver of the same language. Their cold selection goes through JSON: who selects more than once opens a `Topology`, and picks.")
	columns := []string{""}
	columns = append(columns, r.topologies()...)
	p.table(1, columns...)
	for _, pair := range [][3]string{{"python", "peer-python", "readpref Python against PyMongo"}, {"node", "peer-node", "readpref Node.js against the Node.js driver"}} {
		cells := []string{pair[2]}
		for _, topology := range r.topologies() {
			peer := Result{Contestant: pair[1], Metric: contestant.Cold}
			cells = append(cells, r.span(topology, peer, pair[0], contestant.Pick)+" / "+r.span(topology, peer, pair[0], contestant.Cold))
		}
		p.row(cells...)
	}
}

func (r *Report) has(name string) bool {
	for _, c := range r.Cases {
		for _, x := range c.Results {
			if x.Contestant == name {
				return true
			}
		}
	}
	return false
}

func (r *Report) topologies() []string {
	var list []string
	for _, c := range r.Cases {
		if len(list) == 0 || list[len(list)-1] != c.Topology {
			list = append(list, c.Topology)
		}
	}
	return list
}

// peers are the peers' results that are compared, of the first case.
func (r *Report) peers() []Result {
	var list []Result
	if len(r.Cases) > 0 {
		for _, x := range r.Cases[0].Results {
			if x.Peer && x.Metric == contestant.Cold {
				list = append(list, x)
			}
		}
	}
	return list
}

// span is the ratio of a peer to ours over the preferences of a topology.
func (r *Report) span(topology string, peer Result, name, metric string) string {
	var ratios []float64
	for i := range r.Cases {
		c := &r.Cases[i]
		if ratio := stats.Ratio(c.NS(peer.Contestant, peer.Metric), c.NS(name, metric)); c.Topology == topology && ratio == ratio {
			ratios = append(ratios, ratio)
		}
	}
	if len(ratios) == 0 {
		return "–"
	}
	return strings.TrimSuffix(times(stats.Quantile(ratios, 0)), " ×") + "–" + times(stats.Quantile(ratios, 1))
}

func (p *page) cases(r *Report) {
	p.line("")
	p.line("## The cases")
	p.line("")
	p.line("The last columns say how many times faster readpref is, as plan pick / cold. The median is followed by the 10th and 90th percentile of the rounds.")
	for i := range r.Cases {
		c := &r.Cases[i]
		p.line("")
		p.line("### %s", c.Name)
		p.line("")
		p.line("%d servers, %d in the latency window; as JSON %s bytes.", c.Servers, c.Window, thousands(c.RequestBytes))
		columns := []string{"", "plan pick", "cold", "update + pick", "JSON select"}
		for _, o := range ours {
			if r.has(o.name) {
				columns = append(columns, "against "+o.label)
			}
		}
		p.table(1, columns...)
		for _, x := range c.Results {
			if x.Metric == contestant.Cold {
				p.contestant(r, c, x)
			}
			if x.Metric == contestant.Whole {
				p.ratios(r, c, x, []string{x.Label + ", select_server", "–", spread(x), "–", "–"})
			}
		}
	}
}

func (p *page) contestant(r *Report, c *Case, x Result) {
	cells := []string{x.Label}
	for _, metric := range []string{contestant.Pick, contestant.Cold, contestant.Update, contestant.JSON} {
		of, ok := c.Of(x.Contestant, metric)
		switch {
		case ok:
			cells = append(cells, spread(of))
		default:
			cells = append(cells, "–")
		}
	}
	p.ratios(r, c, x, cells)
}

func (p *page) ratios(r *Report, c *Case, x Result, cells []string) {
	for _, o := range ours {
		if !r.has(o.name) {
			continue
		}
		cell := ""
		if x.Peer {
			cell = times(stats.Ratio(x.MedianNS, c.NS(o.name, contestant.Pick))) + " / " + times(stats.Ratio(x.MedianNS, c.NS(o.name, contestant.Cold)))
		}
		cells = append(cells, cell)
	}
	p.row(cells...)
}

func spread(x Result) string {
	return fmt.Sprintf("%s (%s–%s)", ns(x.MedianNS), figures3(unit(x.LowNS, x.MedianNS)), figures3(unit(x.HighNS, x.MedianNS)))
}

// unit is x in the unit in which ns prints median.
func unit(x, median float64) float64 {
	switch {
	case median < 9_995:
		return x
	case median < 9_995_000:
		return x / 1e3
	}
	return x / 1e6
}

func (p *page) growth(r *Report) {
	if len(r.Growth) == 0 {
		return
	}
	p.line("")
	p.line("## Growth: 1 to 5,000 servers")
	p.line("")
	p.line("Go, mode nearest.")
	p.line("")
	p.line("![Plan pick and cold selection by the number of servers](performance-growth.svg)")
	p.table(0, "servers", "in the window", "plan pick", "cold", "cold, for each server")
	for _, g := range r.Growth {
		p.row(thousands(g.Servers), thousands(g.Window), ns(g.Pick.MedianNS), ns(g.Cold.MedianNS), ns(g.Cold.MedianNS/float64(g.Servers)))
	}
}

func (p *page) threads(r *Report) {
	if len(r.Threads) == 0 {
		return
	}
	p.line("")
	p.line("## Threads")
	p.line("")
	p.line("Plan picks of all threads together on %d cores, by the wall clock, and the processor time of one (rs3/nearest).", r.Machine.Cores)
	p.table(1, "", "threads", "one topology", "", "a topology each", "")
	for _, x := range r.Threads {
		for _, y := range r.Threads {
			if !x.Own && y.Own && x.Contestant == y.Contestant && x.Threads == y.Threads {
				p.row(x.Label, fmt.Sprint(x.Threads), fmt.Sprintf("%.1f million/s", x.MillionsPerSecond), ns(x.CPUNS),
					fmt.Sprintf("%.1f million/s", y.MillionsPerSecond), ns(y.CPUNS))
			}
		}
	}
	if b := r.BareCgo; b.Call.MedianNS > 0 {
		p.line("")
		p.line("On one thread, in rounds of their own: a call from C into a Go function that does nothing %s, the pick in Go %s, the pick through libreadpref %s.",
			ns(b.Call.MedianNS), ns(b.Go.MedianNS), ns(b.C.MedianNS))
	}
}

func (p *page) json(r *Report) {
	p.line("")
	p.line("## JSON")
	p.line("")
	p.line("Go: the method `select` (reading, selecting, writing the answer), and encoding/json that only reads the same request into structs.")
	p.table(1, "", "request", "select", "a byte", "allocations", "encoding/json, reading alone", "allocations", "")
	for i := range r.Cases {
		c := &r.Cases[i]
		ours, ok := c.Of("go", contestant.JSON)
		theirs, also := c.Of("go", contestant.Decode)
		if !ok || !also || c.Preference != "nearest" || ours.Allocs == nil || theirs.Allocs == nil {
			continue
		}
		p.row(c.Topology, thousands(c.RequestBytes)+" bytes", ns(ours.MedianNS), ns(ours.MedianNS/float64(c.RequestBytes)), fmt.Sprintf("%.0f", *ours.Allocs),
			ns(theirs.MedianNS), fmt.Sprintf("%.0f", *theirs.Allocs), times(stats.Ratio(theirs.MedianNS, ours.MedianNS)))
	}
}

func (p *page) starts(r *Report) {
	if len(r.Starts) == 0 {
		return
	}
	p.line("")
	p.line("## Start")
	p.line("")
	p.line("From starting the process to its first answer (rs3/nearest), the language's own start included; then the resident memory.")
	p.line("wazero compiles the module on its first start and keeps it on disk.")
	p.table(1, "", "wall clock", "processor", "memory")
	for _, s := range r.Starts {
		p.row(s.Label, figures3(s.WallMS)+" ms", figures3(s.CPUMS)+" ms", fmt.Sprintf("%.1f MiB", s.RSSMiB))
	}
}

func (p *page) memory(r *Report) {
	if len(r.Memory) == 0 {
		return
	}
	p.line("")
	p.line("## Memory over many calls")
	p.line("")
	p.line("Resident memory after a warm-up of half as many calls, which V8's heap needs to settle, and after so many calls more.%s", spaced(r.MemoryNote))
	p.table(2, "", "calls", "number", "before", "after")
	for _, m := range r.Memory {
		p.row(m.Label, metricLabels[m.Metric], thousands(m.Calls), fmt.Sprintf("%.1f MiB", m.BeforeMiB), fmt.Sprintf("%.1f MiB", m.AfterMiB))
	}
}

func spaced(note string) string {
	if note != "" {
		note = " " + note
	}
	return note
}

var metricLabels = map[string]string{
	contestant.Pick: "plan pick", contestant.Cold: "cold", contestant.Update: "update + pick", contestant.JSON: "JSON select",
}

func (p *page) artifacts(r *Report) {
	if len(r.Artifacts) == 0 {
		return
	}
	p.line("")
	p.line("## Sizes")
	p.table(1, "", "bytes", "with gzip -9")
	for _, a := range r.Artifacts {
		p.row(a.Name, thousands(int(a.Bytes)), thousands(int(a.Gzip)))
	}
}

// Line prints one contestant's figures on one case for the terminal: plan pick
// always beside cold selection.
func (c *Case) Line(name string) string {
	x, ok := c.Of(name, contestant.Cold)
	if !ok {
		return ""
	}
	pick := "no plans"
	if of, ok := c.Of(name, contestant.Pick); ok {
		pick = ns(of.MedianNS)
	}
	line := fmt.Sprintf("  %-34s plan pick %9s   cold %9s", x.Label, pick, ns(x.MedianNS))
	if x.Peer {
		if ratio := stats.Ratio(x.MedianNS, c.NS("go", contestant.Pick)); ratio == ratio {
			line += fmt.Sprintf("   Go is %8s as pick, %7s cold", times(ratio), times(stats.Ratio(x.MedianNS, c.NS("go", contestant.Cold))))
		}
		if ratio := stats.Ratio(x.MedianNS, c.NS("c", contestant.Pick)); ratio == ratio {
			line += fmt.Sprintf(", C %8s, %7s", times(ratio), times(stats.Ratio(x.MedianNS, c.NS("c", contestant.Cold))))
		}
	}
	return line
}
