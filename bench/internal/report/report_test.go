package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/bench/internal/contestant"
)

func result(name, label, metric string, medianNS float64, allocs ...float64) Result {
	r := Result{Contestant: name, Label: label, Peer: strings.HasPrefix(name, "peer-"), Metric: metric,
		Measured: Measured{MedianNS: medianNS, LowNS: medianNS * 0.9, HighNS: medianNS * 1.2}}
	if len(allocs) > 0 {
		r.Allocs = &allocs[0]
	}
	return r
}

// sample has figures that meet all targets but the one of 300 ×.
func sample() *Report {
	of := func(topology string, servers int, driver float64) Case {
		return Case{Name: topology + "/nearest", Topology: topology, Preference: "nearest", Servers: servers, Window: 2, RequestBytes: 200 * servers,
			Results: []Result{
				result("go", "readpref Go", contestant.Pick, 20, 0), result("go", "readpref Go", contestant.Cold, 100, 0),
				result("go", "readpref Go", contestant.JSON, float64(600*servers), 0), result("go", "readpref Go", contestant.Decode, float64(6000*servers), 90),
				result("c", "C", contestant.Pick, 70), result("c", "C", contestant.Cold, 150),
				result("portable", "portable", contestant.Pick, 50), result("portable", "portable", contestant.Cold, 150),
				result("peer-go", "Go driver", contestant.Cold, driver, 12),
				result("python", "Python", contestant.Pick, 120), result("python", "Python", contestant.Cold, 50_000),
				result("peer-python", "PyMongo", contestant.Cold, 7500),
			}}
	}
	r := &Report{Date: "2026-01-02 03:04", Machine: Machine{CPU: "A processor", Cores: 2, MemoryGiB: 8, OS: "Linux"}, Rounds: 5, SliceMS: 20, Load: []float64{0.2, 1.5, 1.1},
		Versions: []Version{{"Go", "1.26"}}, NotRun: []contestant.NotRun{{Name: "peer-rust", Why: "needs cargo"}},
		Cases:     []Case{of("rs3", 3, 1200), of("rs50", 50, 5000)},
		Growth:    []Growth{{3, 3, Measured{MedianNS: 20}, Measured{MedianNS: 100}}, {5000, 4000, Measured{MedianNS: 30}, Measured{MedianNS: 90000}}},
		BareCgo:   BareCgo{Measured{MedianNS: 45}, Measured{MedianNS: 20}, Measured{MedianNS: 70}},
		Starts:    []Start{{"c", "C", 5, 4, 9}},
		Memory:    []Memory{{"c", "C", contestant.Pick, 5_000_000, 9, 9.5}},
		Artifacts: []Artifact{{"readpref.wasm", 2_200_000, 650_000}},
	}
	for _, own := range []bool{false, true} {
		for i, n := range []int{1, 2, 4} {
			r.Threads = append(r.Threads, Threads{"c", "C", n, own, []float64{14, 28, 27}[i], 70})
		}
	}
	return r
}

// withNode adds the two cases that the Node.js target is about.
func withNode(r *Report) *Report {
	of := func(preference string, driver float64) Case {
		return Case{Name: "rs3/" + preference, Topology: "rs3", Preference: preference, Servers: 3, Window: 1,
			Results: []Result{result("node", "Node.js", contestant.Pick, 100), result("node", "Node.js", contestant.Cold, 9000), result("peer-node", "Node.js driver", contestant.Cold, driver)}}
	}
	r.Cases = append(r.Cases, of("primary", 500), of("secondaryPreferred+2tagsets", 1500))
	return r
}

func TestTargets(t *testing.T) {
	r := withNode(sample())
	verdicts := func() map[string]Target {
		m := map[string]Target{}
		for _, x := range r.Targets() {
			m[x.Text] = x
		}
		return m
	}
	for text, target := range verdicts() {
		want := "yes"
		if strings.Contains(text, "300 ×") {
			want = "no"
			assert.Equal(t, "250 to 250 ×", target.Figures)
			assert.Contains(t, target.Why, "nearest (250 ×: 5,000 ns against 20.0 ns)")
		}
		assert.Equal(t, want, target.Met, "%s: %s", text, target.Figures)
	}

	// Each figure on the other side of its limit turns its target.
	count := func(met string) (n int) {
		for _, x := range r.Targets() {
			if x.Met == met {
				n++
			}
		}
		return n
	}
	before := count("no")
	for name, worsen := range map[string]func(){
		"50 ×":      func() { r.Cases[0].Results[8].MedianNS = 999 },
		"flat":      func() { r.Growth[1].Pick.MedianNS = 41 },
		"allocs":    func() { r.Cases[0].Results[2] = result("go", "", contestant.JSON, 1800, 1) },
		"cold":      func() { r.Cases[1].Results[1].MedianNS = 5000 },
		"portable":  func() { r.Cases[1].Results[6].MedianNS = 80 },
		"libmongoc": func() { r.Cases[0].Results[6].MedianNS = 149 },
		"20 %":      func() { r.BareCgo.C.MedianNS = 79 },
		"threads":   func() { r.Threads[5].MillionsPerSecond = 25 },
		"150 ns":    func() { r.Cases[0].Results[9].MedianNS, r.Cases[0].Results[11].MedianNS = 151, 15_000 },
		"60 ×":      func() { r.Cases[0].Results[11].MedianNS = 7000 },
		"5 ×":       func() { r.Cases[2].Results[2].MedianNS = 499 },
		"15 ×":      func() { r.Cases[3].Results[2].MedianNS = 1499 },
		"8 ×":       func() { r.Cases[0].Results[3].MedianNS = 14_000 },
		"linear":    func() { r.Cases[1].Results[2].MedianNS *= 1.3 },
		"size":      func() { r.Artifacts[0].Gzip = 780_001 },
		"memory":    func() { r.Memory[0].AfterMiB = 12 },
	} {
		r = withNode(sample())
		worsen()
		assert.Greater(t, count("no"), before, name)
	}

	r = &Report{}
	assert.Equal(t, len(r.Targets()), count(notMeasured), "nothing is promised of what was not measured")
}

func TestMarkdown(t *testing.T) {
	var s strings.Builder
	require.NoError(t, sample().Markdown(&s))
	page := s.String()
	for _, want := range []string{
		"make bench", "2026-01-02 03:04", "A processor (2 cores", "was 0.2 when it began, and up to 1.5,", "Not run: peer-rust (needs cargo)",
		"| Go driver | 60–60 × / 12–12 × | 250–250 × / 50–50 × |",
		"| readpref Go | 20.0 ns (18.0–24.0) | 100 ns (90.0–120) | – | 1,800 ns (1,620–2,160) |",
		"| Go driver | – | 1,200 ns (1,080–1,440) | – | – | 60 × / 12 × | 17 × / 8.0 × | 24 × / 8.0 × |",
		"| 5,000 | 4,000 | 30.0 ns | 90.0 µs | 18.0 ns |",
		"| rs3 | 600 bytes | 1,800 ns | 3.00 ns | 0 | 18.0 µs | 90 | 10 × |",
		"| readpref Python against PyMongo | 63–63 × / 0.15–0.15 × | 63–63 × / 0.15–0.15 × |",
		"| C | 4 | 27.0 million/s | 70.0 ns | 27.0 million/s | 70.0 ns |",
	} {
		assert.Contains(t, page, want)
	}
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "|") {
			assert.NotContains(t, line, "NaN")
		}
	}
}

func TestEmptyMarkdown(t *testing.T) {
	var s strings.Builder
	require.NoError(t, (&Report{}).Markdown(&s))
	assert.NotContains(t, s.String(), "NaN")
}

func TestPlots(t *testing.T) {
	var s strings.Builder
	require.NoError(t, sample().Bars(&s))
	assert.Equal(t, 2*10, strings.Count(s.String(), "<circle"), "picks of four, cold of four and of two drivers, at 3 and at 50")
	s.Reset()
	require.NoError(t, sample().Curves(&s))
	assert.Equal(t, 2, strings.Count(s.String(), "<polyline"))
}

func TestReadWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	want := sample()
	require.NoError(t, want.Write(path))
	got, err := Read(path)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestText(t *testing.T) {
	for x, want := range map[float64]string{
		0: "–", 3.456: "3.46 ns", 26.21: "26.2 ns", 99.94: "99.9 ns", 249.4: "249 ns", 9994: "9,994 ns", 12_345: "12.3 µs", 465_000: "465 µs", 12_345_678: "12.3 ms",
	} {
		assert.Equal(t, want, ns(x))
	}
	assert.Equal(t, "0.04 ×", times(0.041))
	assert.Equal(t, "9.9 ×", times(9.94))
	assert.Equal(t, "1,235 ×", times(1234.5))
	assert.Equal(t, "1,234,567", thousands(1234567))
	assert.Equal(t, "999", thousands(999))
}

func TestArtifacts(t *testing.T) {
	build := t.TempDir()
	for _, name := range []string{"readpref.wasm", "libreadpref_portable.so"} {
		require.NoError(t, os.WriteFile(filepath.Join(build, name), make([]byte, 100_000), 0o644))
	}
	list, err := Artifacts(build, nil)
	require.NoError(t, err)
	require.Len(t, list, 2)
	list, err = Artifacts(build, []contestant.NotRun{{Name: "portable", Why: "not built"}})
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, int64(100_000), list[0].Bytes)
	assert.Less(t, list[0].Gzip, int64(1000))
}
