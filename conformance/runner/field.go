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

// otherKinds are the kinds of other suites. A kind that is neither here nor
// "select" is a failure, as an unknown key is.
var otherKinds = map[string]bool{"uri": true, "uri-roundtrip": true, "sdam": true, "rtt": true, "wire": true, "command": true}

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

// loadFieldCases reads the cases of kind select from a file, or from
// cases.jsonl in a folder.
func loadFieldCases(o *options) suite {
	s := suite{name: "field-cases/select", mustHave: o.mustHaveFld}
	file := o.fieldCases
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, "cases.jsonl")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return s
	}
	s.files = []string{file}
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var f fieldCase
		if err := decodeStrict(line, &f); err != nil {
			s.cases = append(s.cases, testCase{file: file, name: fmt.Sprintf("line %d", n+1), loadErr: err})
			continue
		}
		if !otherKinds[f.Kind] {
			s.cases = append(s.cases, f.load(file))
		}
	}
	if len(s.cases) == 0 {
		s.cases = []testCase{{file: file, name: "the whole file", loadErr: errors.New("no case of kind select")}}
	}
	return s
}

func (f *fieldCase) load(file string) testCase {
	c := testCase{file: file, name: f.ID + ": " + f.Summary, typed: true}
	c.loadErr = func() error {
		if f.Kind != "select" {
			return fmt.Errorf("unknown kind %q", f.Kind)
		}
		var in fieldInput
		var want fieldExpected
		if err := decodeStrict(f.Input, &in); err != nil {
			return fmt.Errorf("input: %w", err)
		}
		if err := decodeStrict(f.Expected, &want); err != nil {
			return fmt.Errorf("expected: %w", err)
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
	}()
	return c
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

// checkEffective compares the effective preference, which a case gives as a
// document or by its mode alone.
func (want *fieldExpected) checkEffective(got reply) error {
	a, err := parseAnswer(got)
	if err != nil {
		return err
	}
	var mode string
	if json.Unmarshal(want.Effective, &mode) == nil {
		var have struct {
			Mode string `json:"mode"`
		}
		if err := json.Unmarshal(a.EffectiveReadPreference, &have); err != nil || have.Mode != translateMode(mode) {
			return fmt.Errorf("effectiveReadPreference is %s, want mode %s", a.EffectiveReadPreference, mode)
		}
		return nil
	}
	var p casePreference
	if err := decodeStrict(want.Effective, &p); err != nil {
		return err
	}
	translated, err := p.translate()
	if err != nil {
		return err
	}
	doc, err := encode(translated)
	if err != nil {
		return err
	}
	return sameDocument("effectiveReadPreference", a.EffectiveReadPreference, doc)
}

// checkNoted: explain says something about it, in whatever words.
func checkNoted(got reply) error {
	a, err := selectAnswer(got)
	if err == nil && len(a.Notes) == 0 {
		err = errors.New("explain gives no note")
	}
	return err
}
