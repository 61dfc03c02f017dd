package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// after gives the step with its input, where that depends on earlier answers.
func (s *step) after(earlier []reply) (*step, error) {
	if s.build == nil {
		return s, nil
	}
	built := *s
	var err error
	built.in, err = s.build(earlier)
	return &built, err
}

// opening are the methods that open a handle, and where its number is.
var opening = map[string]string{"topology.open": "topology", "readpref.open": "readPreference"}

// usesHandles reports whether what the steps say depends on one another.
func (c *testCase) usesHandles() bool {
	return slices.ContainsFunc(c.steps, func(s step) bool { return opening[s.method] != "" })
}

// comparable is an answer as two runtimes can be compared: a handle's number
// depends on what was open before, so that it is none of it but in a testee
// that was started for the case.
func (c *testCase) comparable(i int, r reply) reply {
	if c.fresh {
		return r
	}
	return c.steps[i].withoutHandle(r)
}

// withoutHandle is an answer without the number of the handle that it gives.
func (s *step) withoutHandle(r reply) reply {
	if h, err := r.handle(opening[s.method]); err == nil {
		r.out = strings.Replace(r.out, strconv.FormatInt(h, 10), `"a handle"`, 1)
	}
	return r
}

var handleKey = regexp.MustCompile(`"(topology|readPreference|handle)":\d+`)

// retarget gives a step that is written for the handles of the raw answers those
// of the typed ones.
func (c *testCase) retarget(s *step, raw, typed []reply) *step {
	moved := *s
	moved.in = handleKey.ReplaceAllFunc(s.in, func(found []byte) []byte {
		key, number, _ := strings.Cut(string(found), ":")
		for i := range typed {
			name := opening[c.steps[i].method]
			if from, err := raw[i].handle(name); err == nil && strconv.FormatInt(from, 10) == number {
				to, err := typed[i].handle(name)
				if err == nil {
					return fmt.Appendf(nil, "%s:%d", key, to)
				}
			}
		}
		return found
	})
	return &moved
}

// handle reads the number that an answer has under a key.
func (r reply) handle(key string) (int64, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(r.out), &keys); err != nil {
		return 0, err
	}
	h, err := strconv.ParseInt(string(keys[key]), 10, 32)
	if err != nil || h <= 0 {
		return 0, fmt.Errorf("no handle under %q in %s", key, shorten(r.out))
	}
	return h, nil
}

// closeHandles closes what a case opened, whether or not the case was passed.
func closeHandles(c *testCase, t asker, replies []reply, via string) error {
	for i, got := range replies {
		key := opening[c.steps[i].method]
		if key == "" || got.status < 0 {
			continue
		}
		h, err := got.handle(key)
		if err != nil {
			continue // the step has failed for it
		}
		in, err := encode(map[string]int64{"handle": h})
		if err != nil {
			return err
		}
		closed, err := t.ask(&step{method: "close", in: in}, via)
		if err == nil && (closed.status != 0 || closed.out != "{}") {
			err = fmt.Errorf("closing the handle: %d %s", closed.status, shorten(closed.out))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
