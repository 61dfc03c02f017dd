package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// remarks are for people: something must be said about it, in whatever words.
type remarks struct {
	Note       string `json:"note"`
	Diagnostic string `json:"diagnostic"`
	Hint       string `json:"hint"`
}

func (r *remarks) any() bool { return r.Note+r.Diagnostic+r.Hint != "" }

// fieldURIExpected is what a case of kind uri expects.
type fieldURIExpected struct {
	Preference preferenceText   `json:"readPreference"`
	Hosts      []string         `json:"hosts"` // the seeds, in normal form
	ReplicaSet json.RawMessage  `json:"replicaSet"`
	Error      string           `json:"error"`
	Warnings   *json.RawMessage `json:"warnings"` // texts for people
	remarks
}

func loadFieldURI(c *testCase, input, expected json.RawMessage) error {
	var in struct {
		URI *string `json:"uri"`
	}
	var want fieldURIExpected
	if err := decodeField(input, expected, &in, &want); err != nil {
		return err
	}
	if in.URI == nil {
		return errors.New("no uri")
	}
	if want.Error == "" && want.Preference == nil && want.Hosts == nil && want.ReplicaSet == nil && want.Warnings == nil && !want.any() {
		return errors.New("a case that expects nothing cannot fail")
	}
	if want.Error != "" && (want.Preference != nil || want.Hosts != nil || want.ReplicaSet != nil) {
		return errors.New("want either an error or what the URI says")
	}
	doc, err := encode(in)
	c.steps = []step{{method: "parse_uri", in: doc, check: want.check}}
	return err
}

func (want *fieldURIExpected) check(got reply) error {
	if want.Error != "" {
		if err := checkError(got, &expectedError{Code: want.Error}); err != nil {
			return err
		}
		// An error comes without warnings.
		return checkWarned(want.Warnings, nil)
	}
	a, err := connStringAnswer(got)
	if err != nil {
		return err
	}
	if err := checkWarned(want.Warnings, a.Warnings); err != nil {
		return err
	}
	if want.any() && len(a.Warnings) == 0 {
		return errors.New("no warning says it")
	}
	if want.Preference != nil {
		if err := samePreference("readPreference", a.ReadPreference, json.RawMessage(want.Preference)); err != nil {
			return err
		}
	}
	if want.Hosts != nil {
		if err := sameSet("seeds", a.Seeds, want.Hosts); err != nil {
			return err
		}
	}
	if want.ReplicaSet != nil {
		return sameOrNull("replicaSet", a.Options["replicaSet"], want.ReplicaSet)
	}
	return nil
}

// checkWarned compares a case's list of warnings, whose texts are for people:
// there are some, or there are none.
func checkWarned(want *json.RawMessage, got []notice) error {
	if want == nil {
		return nil
	}
	var texts []string
	if err := json.Unmarshal(*want, &texts); err != nil {
		return fmt.Errorf("warnings: %w", err)
	}
	if (len(texts) > 0) != (len(got) > 0) {
		return fmt.Errorf("%d warnings, want %d: %q", len(got), len(texts), texts)
	}
	return nil
}
