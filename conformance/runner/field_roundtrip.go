package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// loadFieldRoundTrip: the options that say a preference, and what is read back
// from them.
func loadFieldRoundTrip(c *testCase, input, expected json.RawMessage) error {
	var in struct {
		Preference preferenceText `json:"readPreference"`
	}
	var want struct {
		Query *string `json:"query"`
		Error string  `json:"error"`
		remarks
	}
	if err := decodeField(input, expected, &in, &want); err != nil {
		return err
	}
	if in.Preference == nil || (want.Query == nil) == (want.Error == "") {
		return errors.New("want a readPreference, and either a query or an error")
	}
	translated, err := in.Preference.translate()
	if err != nil {
		return err
	}
	doc, err := encode(map[string]any{"readPreference": translated})
	if err != nil {
		return err
	}
	if want.Error != "" {
		c.steps = []step{{method: "to_uri", in: doc, check: func(got reply) error {
			return checkError(got, &expectedError{Code: want.Error})
		}}}
		return nil
	}
	c.steps = []step{
		{method: "to_uri", in: doc, check: func(got reply) error {
			query, err := queryOf(got)
			if err == nil && query != *want.Query {
				err = fmt.Errorf("the query is %q, want %q", query, *want.Query)
			}
			return err
		}},
		{method: "parse_uri", build: func(earlier []reply) ([]byte, error) {
			query, err := queryOf(earlier[0])
			if err != nil {
				return nil, err
			}
			return encode(map[string]string{"uri": "mongodb://a.example/?" + query})
		}, check: func(got reply) error {
			a, err := connStringAnswer(got)
			if err != nil {
				return err
			}
			if len(a.Warnings) > 0 {
				return errors.New("what to_uri wrote has a warning when it is read")
			}
			return samePreference("the preference that is read back", a.ReadPreference, json.RawMessage(in.Preference))
		}},
	}
	return nil
}

// queryOf reads an answer of to_uri.
func queryOf(got reply) (string, error) {
	if err := got.answered(); err != nil {
		return "", err
	}
	var a struct {
		Query *string `json:"query"`
	}
	if err := decodeStrict([]byte(got.out), &a); err != nil {
		return "", err
	}
	if a.Query == nil || strings.HasPrefix(*a.Query, "?") {
		return "", errors.New("the answer has no query")
	}
	return *a.Query, nil
}
