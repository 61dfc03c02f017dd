package main

import (
	"errors"
	"fmt"
)

// typedMethods are those that the typed APIs of Go, Python and Node have.
var typedMethods = map[string]bool{
	"select": true, "explain": true, "validate": true, "server.parse_hello": true,
	"parse_uri": true, "srv": true, "to_uri": true, "rtt": true, "command": true, "effective_preference": true, "readable": true, "writable": true,
	"simulate": true, "what_if": true, "advise": true, "diff": true, "import": true,
	"topology.open": true, "topology.hello": true, "topology.error": true, "topology.srv": true, "topology.shutdown": true,
	"topology.describe": true, "topology.events": true, "topology.events_ack": true, "topology.update": true, "topology.select": true,
	"topology.select_batch": true, "topology.explain": true, "topology.command": true, "topology.address": true, "topology.release": true,
	"topology.generation": true, "readpref.open": true, "close": true,
}

// runSuite sends every case of a suite to every testee. The first testee is
// the reference: all others must answer its bytes.
func runSuite(s suite, testees []*testee, typed map[string]bool, res *results) {
	rows := make([]*row, len(testees))
	for i, t := range testees {
		rows[i] = &row{Suite: s.name, Runtime: t.name, Files: len(s.files)}
	}
	if len(s.files) == 0 {
		if !s.mustHave {
			res.notRun = append(res.notRun, s.name)
			return
		}
		for _, r := range rows {
			r.Cases, r.Failed = 1, 1
			res.fail(r, "", fmt.Errorf("no files found"))
		}
		res.rows = append(res.rows, rows...)
		return
	}
	ran := map[string]bool{}
	for i := range s.cases {
		c := &s.cases[i]
		var reference []reply
		for ti, t := range testees {
			r := rows[ti]
			r.Cases++
			replies, err := runCase(c, t, reference, typed[t.name])
			if ti == 0 {
				reference = replies
			}
			if len(replies) > 0 {
				ran[c.file] = true
			}
			known := res.known.find(t.name, s.name, c.name)
			switch {
			case known != nil && err != nil:
				r.ExpectedFailures++
			case known != nil:
				r.Failed++
				res.fail(r, c.file+": "+c.name, errors.New("a known failure passes: take it off the list"))
			case err != nil:
				r.Failed++
				res.fail(r, c.file+": "+c.name, err)
			default:
				r.Passed++
			}
		}
	}
	for _, r := range rows {
		r.filesRun = len(ran)
	}
	res.rows = append(res.rows, rows...)
}

// asker is what a case is asked of: a testee, or what stands for one in tests.
type asker interface {
	ask(s *step, via string) (reply, error)
	close() // what is asked next is asked of a new one
}

// runCase sends one case to one testee. It returns the raw answers so far and
// the first thing that is wrong with them. A nil reference compares with nothing.
func runCase(c *testCase, t asker, reference []reply, typed bool) (replies []reply, err error) {
	if c.loadErr != nil {
		return nil, c.loadErr
	}
	if c.fresh {
		t.close() // the next question starts another
	} else {
		defer func() {
			if closing := closeHandles(c, t, replies, ""); err == nil { // otherwise the testee may have died, and its handles with it
				err = closing
			}
		}()
	}
	for i := range c.steps {
		s, err := c.steps[i].after(replies)
		if err != nil {
			return replies, c.at(i, err)
		}
		got, err := t.ask(s, "")
		if err != nil {
			return replies, c.at(i, err)
		}
		replies = append(replies, got)
		if err := judge(s, got); err != nil {
			return replies, c.at(i, err)
		}
		if i < len(reference) && c.comparable(i, got) != c.comparable(i, reference[i]) {
			return replies, c.at(i, fmt.Errorf("differs from the reference\n  got  %d %s\n  want %d %s",
				got.status, shorten(got.out), reference[i].status, shorten(reference[i].out)))
		}
	}
	if c.finish != nil {
		if err := c.finish(replies); err != nil {
			return replies, err
		}
	}
	if typed && c.typed {
		return replies, runTyped(c, t, replies)
	}
	return replies, nil
}

// runTyped asks the same through the typed API, on handles of its own, and
// compares with the raw answers.
func runTyped(c *testCase, t asker, raw []reply) (err error) {
	if c.fresh {
		t.close()
	}
	var replies []reply
	defer func() {
		if closing := closeHandles(c, t, replies, "typed"); err == nil && !c.fresh {
			err = closing
		}
	}()
	for i := range c.steps {
		if !typedMethods[c.steps[i].method] {
			if len(c.steps) > 1 && c.usesHandles() {
				return c.at(i, fmt.Errorf("via typed: no typed API has %s", c.steps[i].method))
			}
			replies = append(replies, raw[i])
			continue
		}
		s, err := c.steps[i].after(replies)
		if err != nil {
			return c.at(i, fmt.Errorf("via typed: %w", err))
		}
		if c.fresh {
			s = c.retarget(s, raw, replies)
		}
		got, err := compareTyped(t, s, raw[i])
		if err != nil {
			return c.at(i, err)
		}
		replies = append(replies, got)
	}
	return nil
}

// at says which of several steps an error is about.
func (c *testCase) at(i int, err error) error {
	if !c.fresh && c.steps[i].build == nil {
		return err
	}
	return fmt.Errorf("step %d: %w", i+1, err)
}

// judge holds one raw answer to what every answer must be and to the case.
func judge(s *step, got reply) error {
	if err := checkStatus(s, got); err != nil {
		return fmt.Errorf("%w\n  answer: %d %s", err, got.status, shorten(got.out))
	}
	if err := s.check(got); err != nil {
		return fmt.Errorf("%w\n  request: %s %s\n  answer: %d %s", err, s.method+s.probe, shorten(string(s.in)), got.status, shorten(got.out))
	}
	return nil
}

// compareTyped asks the same through the typed API and compares values. It
// returns the typed answer.
func compareTyped(t asker, s *step, raw reply) (reply, error) {
	got, err := t.ask(s, "typed")
	if err != nil {
		return got, fmt.Errorf("via typed: %w", err)
	}
	fail := func(what string) (reply, error) {
		return got, fmt.Errorf("via typed: %s\n  request: %s %s\n  typed %d %s\n  raw   %d %s",
			what, s.method, shorten(string(s.in)), got.status, shorten(got.out), raw.status, shorten(raw.out))
	}
	if got.status != raw.status {
		return fail("another status")
	}
	gv, err := parseJSON(s.withoutHandle(got).out)
	if err != nil {
		return fail("not JSON: " + err.Error())
	}
	rv, err := parseJSON(s.withoutHandle(raw).out)
	if err != nil {
		return fail("the raw answer is not JSON: " + err.Error())
	}
	if d := differenceBy(sameDouble, gv, rv, ""); d != "" {
		return fail(d)
	}
	return got, nil
}
