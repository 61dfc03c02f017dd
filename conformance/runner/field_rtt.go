package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// loadFieldRTT: the average after all samples, or after each event.
func loadFieldRTT(c *testCase, input, expected json.RawMessage) error {
	var in struct {
		Samples []numberText `json:"samples_ms"`
		Events  []rttEvent   `json:"events"`
	}
	var want struct {
		Average *numberText  `json:"avg_rtt_ms"`
		Each    []numberText `json:"avg_rtt_ms_after_each"`
		remarks
	}
	if err := decodeField(input, expected, &in, &want); err != nil {
		return err
	}
	if (in.Samples == nil) == (in.Events == nil) || (want.Average == nil) == (want.Each == nil) {
		return errors.New("want samples_ms or events, and avg_rtt_ms or avg_rtt_ms_after_each")
	}
	for _, sample := range in.Samples {
		in.Events = append(in.Events, rttEvent{sample: sample, forgets: sample == ""})
	}
	if len(in.Events) == 0 || want.Each != nil && len(want.Each) != len(in.Events) {
		return errors.New("want an average for each event")
	}
	request := rttRequest{Samples: []any{}}
	after := make([]int, len(in.Events)) // how many samples the engine has had
	for i, e := range in.Events {
		switch {
		case e.forgets:
			request.Samples = append(request.Samples, nil)
		case e.sample != "":
			request.Samples = append(request.Samples, json.Number(e.sample))
		}
		after[i] = len(request.Samples)
	}
	doc, err := encode(request)
	c.steps = []step{{method: "rtt", in: doc, check: func(got reply) error {
		a, err := rttAnswerOf(got)
		if err != nil {
			return err
		}
		if len(a.AveragesMS) != len(request.Samples) {
			return fmt.Errorf("%d averages for %d samples", len(a.AveragesMS), len(request.Samples))
		}
		if want.Average != nil {
			return sameMS("avg_rtt_ms", a.RoundTripTimeMS, want.Average.number())
		}
		for i, w := range want.Each {
			var average *json.Number
			if after[i] > 0 {
				average = a.AveragesMS[after[i]-1]
			}
			if err := sameMS(fmt.Sprintf("avg_rtt_ms_after_each[%d]", i), average, w.number()); err != nil {
				return err
			}
		}
		return nil
	}}}
	return err
}

// number is nil for the cases' null and "NULL".
func (n numberText) number() *json.Number {
	if n == "" {
		return nil
	}
	return (*json.Number)(&n)
}

// rttEvent is something that happened to a server: a sample, that it became
// Unknown, or neither, such as a change between two known types.
type rttEvent struct {
	sample  numberText
	forgets bool
}

// UnmarshalJSON reads a number (a sample), null, the words for a server that
// is Unknown, or an object of one or both.
func (e *rttEvent) UnmarshalJSON(b []byte) error {
	var word string
	switch {
	case string(b) == "null":
		e.forgets = true
		return nil
	case b[0] == '{':
		return e.object(b)
	case json.Unmarshal(b, &word) == nil:
		return e.word(word)
	}
	return e.sample.UnmarshalJSON(b)
}

func (e *rttEvent) object(b []byte) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil {
		return err
	}
	for _, name := range sortedNames(keys) {
		var word string
		switch value := keys[name]; {
		case strings.HasSuffix(name, "_ms") || strings.HasSuffix(name, "MS"):
			if err := e.sample.UnmarshalJSON(value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		case json.Unmarshal(value, &word) == nil && string(value) != "null":
			if err := e.word(word); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		case string(value) == "true":
			if err := e.word(name); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown key %s in an event", name)
		}
	}
	if e.forgets && e.sample != "" {
		return errors.New("an event is a sample or a server that becomes Unknown")
	}
	return nil
}

// word reads what became of the server.
func (e *rttEvent) word(word string) error {
	switch strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(word)) {
	case "unknown", "failed", "failure", "failedcheck", "checkfailed", "networkerror", "error", "disconnect", "disconnected", "reset", "markedunknown", "becameunknown", "serverunknown":
		e.forgets = true
	case "sample", "hello", "check", "heartbeat", "success", "succeeded", "available", "type", "ok",
		"standalone", "mongos", "rsprimary", "rssecondary", "rsarbiter", "rsother", "rsghost", "known":
	default:
		return fmt.Errorf("unknown event %q", word)
	}
	return nil
}
