package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// loadFieldCommand: which preference an operation has.
func loadFieldCommand(c *testCase, input, expected json.RawMessage) error {
	var in struct {
		Client      preferenceText  `json:"clientReadPreference"`
		Database    preferenceText  `json:"databaseReadPreference"`
		Collection  preferenceText  `json:"collectionReadPreference"`
		Session     preferenceText  `json:"sessionReadPreference"`
		Argument    preferenceText  `json:"argReadPreference"`
		Transaction *transaction    `json:"transaction"`
		Command     json.RawMessage `json:"command"`
	}
	var want struct {
		Effective json.RawMessage  `json:"effectiveReadPreference"`
		Operation string           `json:"operation"`
		Error     string           `json:"error"`
		Warnings  *json.RawMessage `json:"warnings"` // texts for people
		remarks
	}
	if err := decodeField(input, expected, &in, &want); err != nil {
		return err
	}
	if (want.Error == "") == (want.Effective == nil) {
		return errors.New("want either an error or an effectiveReadPreference")
	}
	request := effectiveRequest{}
	if err := request.command(in.Command); err != nil {
		return err
	}
	for _, p := range []struct {
		from preferenceText
		to   **enginePreference
	}{
		{in.Client, &request.Client}, {in.Database, &request.Database}, {in.Collection, &request.Collection},
		{in.Session, &request.Session}, {in.Argument, &request.Argument},
	} {
		var err error
		if *p.to, err = p.from.translate(); err != nil {
			return err
		}
	}
	if t := in.Transaction; t != nil {
		p, err := t.Preference.translate()
		if err != nil {
			return err
		}
		request.Transaction = &engineTransaction{p, t.Pinned}
	}
	doc, err := encode(request)
	c.steps = []step{{method: "effective_preference", in: doc, check: func(got reply) error {
		if want.Error != "" {
			return checkError(got, &expectedError{Code: want.Error, Mentions: transactionWords[want.Error]})
		}
		if err := got.answered(); err != nil {
			return err
		}
		var a struct {
			Preference json.RawMessage `json:"readPreference"`
			Operation  string          `json:"operation"`
			Kind       string          `json:"kind"`
			From       string          `json:"from"`
			Selects    *bool           `json:"selects"`
			Warnings   []notice        `json:"warnings"`
		}
		if err := decodeStrict([]byte(got.out), &a); err != nil {
			return err
		}
		if a.Kind == "" || a.From == "" || a.Selects == nil {
			return errors.New("the answer lacks kind, from or selects")
		}
		if want.Operation != "" && a.Operation != want.Operation {
			return fmt.Errorf("operation is %q, want %q", a.Operation, want.Operation)
		}
		if err := checkWarned(want.Warnings, a.Warnings); err != nil {
			return err
		}
		return samePreference("effectiveReadPreference", a.Preference, want.Effective)
	}}}
	return err
}

// transactionWords are those that rule 3.48 wants in the message of an error.
var transactionWords = map[string][]string{
	"transactionReadPreferenceNotPrimary": {"read preference in a transaction must be primary"},
}

type transaction struct {
	Preference preferenceText `json:"readPreference"`
	Pinned     bool           `json:"pinned"`
}

// effectiveRequest is a request of effective_preference.
type effectiveRequest struct {
	Command     json.RawMessage    `json:"command"`
	RunCommand  bool               `json:"runCommand,omitempty"`
	Client      *enginePreference  `json:"clientReadPreference,omitempty"`
	Database    *enginePreference  `json:"databaseReadPreference,omitempty"`
	Collection  *enginePreference  `json:"collectionReadPreference,omitempty"`
	Argument    *enginePreference  `json:"readPreference,omitempty"`
	Session     *enginePreference  `json:"sessionReadPreference,omitempty"`
	Transaction *engineTransaction `json:"transaction,omitempty"`
}

type engineTransaction struct {
	Preference *enginePreference `json:"readPreference,omitempty"`
	Pinned     bool              `json:"pinned,omitempty"`
}

// command takes a case's command: a name, a document, runCommand for the
// generic helper, or in words an aggregate with its last stage or an inline
// mapReduce.
func (r *effectiveRequest) command(value json.RawMessage) error {
	var name string
	if json.Unmarshal(value, &name) != nil || name == "" {
		if len(value) == 0 || value[0] != '{' {
			return errors.New("no command")
		}
		r.Command = value
		return nil
	}
	r.Command = value
	if strings.HasPrefix(name, "runCommand") {
		r.RunCommand = true
		return nil
	}
	if strings.HasPrefix(name, "mapReduce") && strings.Contains(name, "inline") {
		r.Command = json.RawMessage(`{"mapReduce":"c","out":{"inline":1}}`)
	}
	for _, stage := range []string{"$out", "$merge"} {
		if strings.HasPrefix(name, "aggregate") && strings.Contains(name, stage) {
			r.Command = fmt.Appendf(nil, `{"aggregate":"c","pipeline":[{%q:"d"}]}`, stage)
		}
	}
	return nil
}
