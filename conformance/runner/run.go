package main

import (
	"fmt"
)

// typedMethods are those that the typed APIs of Go, Python and Node have.
var typedMethods = map[string]bool{"select": true, "explain": true, "validate": true, "server.parse_hello": true}

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
			if err != nil {
				r.Failed++
				res.fail(r, c.file+": "+c.name, err)
			} else {
				r.Passed++
			}
		}
	}
	for _, r := range rows {
		r.filesRun = len(ran)
	}
	res.rows = append(res.rows, rows...)
}

// runCase sends one case to one testee. It returns the raw answers so far and
// the first thing that is wrong with them. A nil reference compares with nothing.
func runCase(c *testCase, t *testee, reference []reply, typed bool) ([]reply, error) {
	if c.loadErr != nil {
		return nil, c.loadErr
	}
	replies := make([]reply, 0, len(c.steps))
	if c.fresh {
		t.close() // the next question starts another
	}
	for i := range c.steps {
		s := &c.steps[i]
		got, err := t.ask(s, "")
		if err != nil {
			return replies, c.at(i, err)
		}
		replies = append(replies, got)
		if err := judge(s, got); err != nil {
			return replies, c.at(i, err)
		}
		if i < len(reference) && got != reference[i] {
			return replies, c.at(i, fmt.Errorf("differs from the reference\n  got  %d %s\n  want %d %s",
				got.status, shorten(got.out), reference[i].status, shorten(reference[i].out)))
		}
		if typed && c.typed && typedMethods[s.method] {
			if err := compareTyped(t, s, got); err != nil {
				return replies, err
			}
		}
	}
	if c.finish != nil {
		return replies, c.finish(replies)
	}
	return replies, nil
}

// at says which of several steps an error is about.
func (c *testCase) at(i int, err error) error {
	if !c.fresh {
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

// compareTyped asks the same through the typed API and compares values.
func compareTyped(t *testee, s *step, raw reply) error {
	got, err := t.ask(s, "typed")
	if err != nil {
		return fmt.Errorf("via typed: %w", err)
	}
	fail := func(what string) error {
		return fmt.Errorf("via typed: %s\n  request: %s %s\n  typed %d %s\n  raw   %d %s",
			what, s.method, shorten(string(s.in)), got.status, shorten(got.out), raw.status, shorten(raw.out))
	}
	if got.status != raw.status {
		return fail("another status")
	}
	gv, err := parseJSON(got.out)
	if err != nil {
		return fail("not JSON: " + err.Error())
	}
	rv, err := parseJSON(raw.out)
	if err != nil {
		return fail("the raw answer is not JSON: " + err.Error())
	}
	if d := difference(gv, rv, ""); d != "" {
		return fail(d)
	}
	return nil
}
