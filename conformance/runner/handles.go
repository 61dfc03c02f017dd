package main

import (
	"encoding/json"
	"fmt"
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

// comparable is an answer as two runtimes can be compared: a handle's number
// depends on what was open before, so that it is none of it. conformance/vectors/handles
// pins the numbers.
func (s *step) comparable(r reply) reply {
	if h, err := r.handle(s.opens); err == nil && s.opens != "" {
		r.out = strings.Replace(r.out, strconv.FormatInt(h, 10), `"a handle"`, 1)
	}
	return r
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
		key := c.steps[i].opens
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
