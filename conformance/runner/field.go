package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// fieldCase is one line of the field cases.
type fieldCase struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Summary  string          `json:"summary"`
	Input    json.RawMessage `json:"input"`
	Expected json.RawMessage `json:"expected"`
	Why      string          `json:"why"`
}

// fieldKinds are the suites of the field cases, each with the reader of its
// kind: it fills in the steps of a case. A kind that is not here is a failure,
// as an unknown key is.
var fieldKinds = []struct {
	name string
	load func(c *testCase, input, expected json.RawMessage) error
}{
	{"select", loadFieldSelect},
	{"sdam", loadFieldSDAM},
	{"uri", loadFieldURI},
	{"uri-roundtrip", loadFieldRoundTrip},
	{"rtt", loadFieldRTT},
	{"wire", loadFieldWire},
	{"command", loadFieldCommand},
}

type fieldInput struct {
	Topology       *caseTopology   `json:"topology"`
	Preference     *casePreference `json:"readPreference"`
	Operation      string          `json:"operation"`
	Threshold      numberText      `json:"localThresholdMS"`
	Heartbeat      numberText      `json:"heartbeatFrequencyMS"`
	Deprioritized  caseAddresses   `json:"deprioritized"`
	CustomSelector *keepOnly       `json:"customSelector"`
}

type fieldExpected struct {
	Suitable       []string        `json:"suitable"`
	InWindow       []string        `json:"inLatencyWindow"`
	Effective      json.RawMessage `json:"effectiveReadPreference"`
	Error          string          `json:"error"`
	MinimumSeconds json.Number     `json:"minimumSeconds"`
	// For people: explain must have a note, in its own words.
	Note       string `json:"note"`
	Diagnostic string `json:"diagnostic"`
	Hint       string `json:"hint"`
}

// loadFieldCases reads the cases of all kinds from a file, or from cases.jsonl
// in a folder: a suite for each kind.
func loadFieldCases(o *options) []suite {
	suites := make([]suite, len(fieldKinds))
	for i, kind := range fieldKinds {
		suites[i] = suite{name: "field-cases/" + kind.name, mustHave: o.mustHaveFld}
	}
	file := o.fieldCases
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, "cases.jsonl")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return suites
	}
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		c := testCase{file: file, name: fmt.Sprintf("line %d", n+1), typed: true}
		// What is of no known kind is reported in the first suite.
		kind := 0
		var f fieldCase
		if c.loadErr = decodeStrict(line, &f); c.loadErr == nil {
			kind, c.loadErr = f.load(&c)
		}
		suites[kind].cases = append(suites[kind].cases, c)
	}
	for i := range suites {
		s := &suites[i]
		s.files = []string{file}
		if len(s.cases) == 0 {
			s.cases = []testCase{{file: file, name: "the whole file", loadErr: fmt.Errorf("no case of kind %s", fieldKinds[i].name)}}
		}
	}
	return suites
}

// load fills in a case, and tells the kind by its index.
func (f *fieldCase) load(c *testCase) (kind int, err error) {
	c.name = f.ID + ": " + f.Summary
	for i, k := range fieldKinds {
		if k.name == f.Kind {
			return i, k.load(c, f.Input, f.Expected)
		}
	}
	return 0, fmt.Errorf("unknown kind %q", f.Kind)
}

// decodeField reads the input and the expected part of a case.
func decodeField(input, expected json.RawMessage, in, want any) error {
	if err := decodeStrict(input, in); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if err := decodeStrict(expected, want); err != nil {
		return fmt.Errorf("expected: %w", err)
	}
	return nil
}

func loadFieldSelect(c *testCase, input, expected json.RawMessage) error {
	var in fieldInput
	var want fieldExpected
	if err := decodeField(input, expected, &in, &want); err != nil {
		return err
	}
	if in.Topology == nil {
		return errors.New("no topology")
	}
	if (want.Error != "") == (want.Suitable != nil && want.InWindow != nil) {
		return errors.New("want either an error or both suitable and inLatencyWindow")
	}
	req := engineRequest{Operation: in.Operation, Deprioritized: in.Deprioritized, CustomSelector: in.CustomSelector,
		LocalThresholdMS: json.Number(in.Threshold), HeartbeatFrequencyMS: json.Number(in.Heartbeat)}
	var err error
	if req.Topology, err = in.Topology.translate(); err != nil {
		return err
	}
	if req.ReadPreference, err = in.Preference.translate(); err != nil {
		return err
	}
	doc, err := encode(req)
	if err != nil {
		return err
	}
	c.steps = selectAndExplain(step{method: "select", in: doc, check: want.check})
	if want.Note+want.Diagnostic+want.Hint != "" {
		c.steps = append(c.steps, step{method: "explain", in: doc, check: checkNoted})
	}
	return nil
}

func (want *fieldExpected) check(got reply) error {
	if want.Error != "" {
		return checkError(got, &expectedError{Code: want.Error, MinimumSeconds: want.MinimumSeconds})
	}
	if err := checkLists(got, want.Suitable, want.InWindow); err != nil {
		return err
	}
	if want.Effective != nil {
		return want.checkEffective(got)
	}
	return nil
}

// checkEffective compares the effective preference.
func (want *fieldExpected) checkEffective(got reply) error {
	a, err := parseAnswer(got)
	if err != nil {
		return err
	}
	return samePreference("effectiveReadPreference", a.EffectiveReadPreference, want.Effective)
}

// checkNoted: explain says something about it, in whatever words.
func checkNoted(got reply) error {
	a, err := selectAnswer(got)
	if err == nil && len(a.Notes) == 0 {
		err = errors.New("explain gives no note")
	}
	return err
}
