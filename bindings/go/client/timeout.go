package client

import (
	"context"
	"errors"
	"time"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// TimeoutError says that no server became suitable in time, and why.
//
// Server Selection specification, "Server Selection Errors".
type TimeoutError struct {
	Waited time.Duration
	// Reason is one line: the criteria that no server meets, or the servers'
	// errors where none is available.
	Reason string
	// Explanation is the text of explain: each server, and what dropped it.
	Explanation string
	// Cause is the context's error where that ended the wait, nil where it was
	// the server selection timeout.
	Cause error
}

// Error returns the reason.
func (e *TimeoutError) Error() string {
	what := "server selection timed out after " + e.Waited.Round(time.Millisecond).String()
	if errors.Is(e.Cause, context.Canceled) {
		what = "server selection was cancelled after " + e.Waited.Round(time.Millisecond).String()
	}
	return what + ": " + e.Reason
}

// Unwrap returns the context's error, or context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error {
	if e.Cause != nil {
		return e.Cause
	}
	return context.DeadlineExceeded
}

// Timeout reports whether a deadline ended the wait.
func (e *TimeoutError) Timeout() bool { return !errors.Is(e.Cause, context.Canceled) }

func (t *Topology) timedOut(p *cluster.Preference, o *Operation, waited time.Duration, cause error) error {
	e := &TimeoutError{Waited: waited, Cause: cause}
	var failure error
	t.again(p, o, func(r *selection.Request, res *selection.Result, pick selection.Pick, chosen int32, err error) {
		if failure = err; err != nil {
			return
		}
		var x explain.Explanation
		x.Explain(r, res, pick, chosen)
		e.Explanation = string(x.AppendText(nil))
		e.Reason = "a server became suitable in the last moment"
		if chosen < 0 {
			e.Reason = string(explain.AppendNone(nil, r, res))
		}
	})
	if failure != nil {
		return failure
	}
	return e
}

// why makes the error of a selection that waiting cannot help.
func (t *Topology) why(p *cluster.Preference, o *Operation, code status.Code) error {
	var failure error = &status.Error{Code: code, Message: "server selection failed"}
	t.again(p, o, func(_ *selection.Request, _ *selection.Result, _ selection.Pick, _ int32, err error) {
		if err != nil {
			failure = err
		}
	})
	return failure
}

// Explain returns the text of explain for the next Select with the same
// arguments. It draws nothing and counts nothing.
func (t *Topology) Explain(p *cluster.Preference, o Operation) (string, error) {
	if p == nil {
		p = t.preference
	}
	var text string
	var failure error
	t.again(p, &o, func(r *selection.Request, res *selection.Result, pick selection.Pick, chosen int32, err error) {
		if failure = err; err == nil {
			var x explain.Explanation
			x.Explain(r, res, pick, chosen)
			text = string(x.AppendText(nil))
		}
	})
	return text, failure
}

// again runs the whole selection on the current description, to tell of it.
func (t *Topology) again(p *cluster.Preference, o *Operation, f func(*selection.Request, *selection.Result, selection.Pick, int32, error)) {
	d, settings := t.deployment.Topology().Describe()
	r := &selection.Request{Topology: &d, Preference: p.Document(), Operation: o.Kind,
		Deprioritized: o.Deprioritized, CustomSelector: o.CustomSelector, Options: settings.Options}
	var s selection.Selector
	res, err := s.Select(r)
	if err != nil {
		f(r, nil, settings.Pick, -1, err)
		return
	}
	rng := selection.SplitMix64(settings.Seed)
	f(r, res, settings.Pick, settings.Pick.Choose(&d, res.InLatencyWindow, &rng, settings.Seed), nil)
}
