package measure

import (
	"runtime"
	"sync"
	"time"

	"github.com/readpref/readpref/bench/internal/cases"
	"github.com/readpref/readpref/bench/internal/contestant"
	"github.com/readpref/readpref/bench/internal/report"
)

// Memory looks at the resident memory of each contestant before and after so
// many calls: plan picks, or cold selections where there are none, and JSON.
// Where that would take more processor time than budget, it makes
// fewer calls. Nothing is timed here, so that as many run at once as there are
// processors.
func Memory(contestants []contestant.Contestant, on cases.Case, calls int, budget time.Duration) ([]report.Memory, error) {
	type job struct {
		c      contestant.Contestant
		metric string
	}
	var jobs []job
	for _, c := range contestants {
		jobs = append(jobs, job{c, c.Metrics[0]}, job{c, contestant.JSON})
	}
	list, errs := make([]report.Memory, len(jobs)), make([]error, len(jobs))
	busy := make(chan struct{}, runtime.NumCPU())
	var wait sync.WaitGroup
	for i, j := range jobs {
		busy <- struct{}{}
		wait.Go(func() {
			list[i], errs[i] = memory(j.c, on, j.metric, calls, budget)
			<-busy
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

func memory(c contestant.Contestant, on cases.Case, metric string, calls int, budget time.Duration) (report.Memory, error) {
	var processes running
	defer func() { processes.close() }()
	m := report.Memory{Contestant: c.Name, Label: c.Label, Metric: metric}
	p, err := processes.start(c, on)
	if err != nil {
		return m, err
	}
	const sample = 50 * time.Millisecond
	n, err := p.Calibrate(metric, c.WarmUp, sample)
	if err != nil {
		return m, err
	}
	calls = min(calls, int(float64(n)*float64(budget)/float64(sample)))
	m.Calls = calls
	for _, step := range []struct {
		calls int
		rss   *float64
	}{{calls / 2, &m.BeforeMiB}, {calls, &m.AfterMiB}} {
		if _, err := p.Run(metric, step.calls, 1, false); err != nil {
			return m, err
		}
		bytes, err := p.RSS()
		if err != nil {
			return m, err
		}
		*step.rss = float64(bytes) / (1 << 20)
	}
	return m, nil
}
