package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// fieldSDAMExpected is what a case of kind sdam expects of the topology after
// all replies.
type fieldSDAMExpected struct {
	TopologyType  string            `json:"topologyType"`
	SetName       json.RawMessage   `json:"setName"`
	Servers       map[string]string `json:"servers"` // address to type; PossiblePrimary may be Unknown
	MaxElectionID json.RawMessage   `json:"maxElectionId"`
	MaxSetVersion json.RawMessage   `json:"maxSetVersion"`
	Compatible    *bool             `json:"compatible"`
	Removed       *named            `json:"removed"` // addresses that were there, some with a reason for people
	Ignored       *count            `json:"ignored"` // replies dropped
	Errors        *named            `json:"errors"`  // address to a part of its error
	Selection     *fieldSelection   `json:"selection"`
	SessionMinute json.RawMessage   `json:"logicalSessionTimeoutMinutes"`
	remarks
}

// named is a list of addresses, or an object that says something of each.
type named map[string]string

func (n *named) UnmarshalJSON(b []byte) error {
	*n = named{}
	if b[0] == '[' {
		var addresses []string
		err := json.Unmarshal(b, &addresses)
		for _, a := range addresses {
			(*n)[a] = ""
		}
		return err
	}
	return json.Unmarshal(b, (*map[string]string)(n))
}

// count is a number, or a list of what is counted.
type count int

func (n *count) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		var list []json.RawMessage
		err := json.Unmarshal(b, &list)
		*n = count(len(list))
		return err
	}
	return json.Unmarshal(b, (*int)(n))
}

func loadFieldSDAM(c *testCase, input, expected json.RawMessage) error {
	var in struct {
		URI       string     `json:"uri"`
		Responses []response `json:"responses"`
	}
	var want fieldSDAMExpected
	if err := decodeField(input, expected, &in, &want); err != nil {
		return err
	}
	if in.URI == "" || string(expected) == "{}" {
		return errors.New("no uri, or nothing that is expected")
	}
	open, err := openTopology(in.URI)
	if err != nil {
		return err
	}
	c.steps = append(c.steps, open)
	for i := range in.Responses {
		s, err := in.Responses[i].step()
		if err != nil {
			return err
		}
		c.steps = append(c.steps, s)
	}
	replies := len(c.steps)
	c.steps = append(c.steps,
		step{method: "topology.describe", build: onHandle(struct{}{}), check: want.checkTopology},
		step{method: "topology.events", build: onHandle(struct{}{}), check: want.checkClosed})
	document := func(earlier []reply) (json.RawMessage, error) {
		d, err := describedTopology(earlier[replies])
		if err != nil {
			return nil, err
		}
		return d.document, nil
	}
	if want.Selection != nil {
		c.steps = append(c.steps, want.Selection.step(document))
	}
	if want.any() {
		c.steps = append(c.steps, step{method: "explain", build: func(earlier []reply) ([]byte, error) {
			topology, err := document(earlier)
			if err != nil {
				return nil, err
			}
			return encode(map[string]json.RawMessage{"topology": topology})
		}, check: want.checkSaid})
	}
	if want.Ignored != nil {
		c.finish = func(answers []reply) error { return want.checkIgnored(answers[1:replies]) }
	}
	return nil
}

func (want *fieldSDAMExpected) checkTopology(got reply) error {
	d, err := describedTopology(got)
	if err != nil {
		return err
	}
	outcome := sdamOutcome{TopologyType: want.TopologyType, SetName: want.SetName, MaxElectionID: want.MaxElectionID,
		MaxSetVersion: want.MaxSetVersion, LogicalSessionTimeoutMinutes: want.SessionMinute, Compatible: want.Compatible}
	if err := outcome.check(d); err != nil {
		return err
	}
	addresses, err := d.Topology.addresses()
	if err != nil {
		return err
	}
	if want.Servers != nil {
		if err := sameSet("servers", addresses, sortedNames(want.Servers)); err != nil {
			return err
		}
	}
	for _, address := range sortedNames(want.Servers) {
		if got := text(d.Topology.server(address)["type"]); multiThreaded(got) != multiThreaded(want.Servers[address]) {
			return fmt.Errorf("%s is %s, want %s", address, got, want.Servers[address])
		}
	}
	if want.Removed != nil {
		for _, address := range sortedNames(*want.Removed) {
			if slices.Contains(addresses, address) {
				return fmt.Errorf("%s is still there", address)
			}
		}
	}
	if want.Errors != nil {
		for _, address := range sortedNames(*want.Errors) {
			have, part := text(d.Topology.server(address)["error"]), (*want.Errors)[address]
			if have == "" || !strings.Contains(have, part) {
				return fmt.Errorf("the error of %s is %q, want one with %q", address, have, part)
			}
		}
	}
	return nil
}

// multiThreaded maps PossiblePrimary, a scan hint of single-threaded clients,
// to what other clients have (rule 6.20).
func multiThreaded(serverType string) string {
	if serverType == "PossiblePrimary" {
		return "Unknown"
	}
	return serverType
}

// checkClosed: what was removed has been there, and was closed.
func (want *fieldSDAMExpected) checkClosed(got reply) error {
	a, err := eventsAnswer(got)
	if err != nil || want.Removed == nil {
		return err
	}
	for _, address := range sortedNames(*want.Removed) {
		if !slices.ContainsFunc(a.Events, func(e happening) bool { return e.Event == "serverClosed" && e.Address == address }) {
			return fmt.Errorf("no event tells that %s was closed", address)
		}
	}
	return nil
}

func (want *fieldSDAMExpected) checkIgnored(hellos []reply) error {
	ignored := 0
	for _, got := range hellos {
		var a helloAnswer
		if err := json.Unmarshal([]byte(got.out), &a); err != nil {
			return err
		}
		if !*a.Accepted {
			ignored++
		}
	}
	if ignored != int(*want.Ignored) {
		return fmt.Errorf("%d replies were ignored, want %d", ignored, *want.Ignored)
	}
	return nil
}

// checkSaid: explain of the topology has words for each server that the remark
// names, or a note or reason.
func (want *fieldSDAMExpected) checkSaid(got reply) error {
	a, err := selectAnswer(got)
	if err != nil {
		return err
	}
	remark := want.Note + want.Diagnostic + want.Hint
	said := len(a.Notes) > 0 || a.Reason != nil && a.Reason.Message != ""
	for _, s := range a.Servers {
		if strings.Contains(remark, s.Address) && s.Why == "" {
			return fmt.Errorf("explain says nothing about %s", s.Address)
		}
		said = said || s.Why != ""
	}
	if !said {
		return errors.New("explain says nothing")
	}
	return nil
}

// fieldSelection is what a selection from the topology gives: an address, a
// list of the suitable servers, an object with a preference, or, as false, null
// or in words, nothing.
type fieldSelection struct {
	Preference preferenceText `json:"readPreference"`
	Operation  string         `json:"operation"`
	Suitable   []string       `json:"suitable"`
	InWindow   []string       `json:"inLatencyWindow"`
	Server     string         `json:"server"`
	Error      string         `json:"error"`
	none, some bool
	remarks
}

func (s *fieldSelection) UnmarshalJSON(b []byte) error {
	var word string
	switch {
	case b[0] == '{':
		type plain fieldSelection
		if err := decodeStrict(b, (*plain)(s)); err != nil {
			return err
		}
		if s.Suitable == nil && s.InWindow == nil && s.Server == "" && s.Error == "" {
			return errors.New("a selection that expects nothing cannot fail")
		}
	case b[0] == '[':
		s.Preference = preferenceText(`"nearest"`)
		return json.Unmarshal(b, &s.Suitable)
	case string(b) == "true", string(b) == "false":
		s.some = string(b) == "true"
		s.none = !s.some
	case json.Unmarshal(b, &word) != nil:
		return fmt.Errorf("a selection of %s", b)
	case errorCode(word):
		s.Error = word
	case strings.Contains(word, ":") && !strings.Contains(word, " "):
		s.Server = word
	default:
		s.none = true
	}
	return nil
}

// errorCode reports whether a word is a code, such as noServer, not a text for
// people.
func errorCode(word string) bool {
	letter := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
	return word != "" && word[0] >= 'a' && strings.ToLower(word) != word && strings.IndexFunc(word, func(r rune) bool { return !letter(r) }) < 0
}

func (s *fieldSelection) step(topology func([]reply) (json.RawMessage, error)) step {
	return step{method: "select", build: func(earlier []reply) ([]byte, error) {
		t, err := topology(earlier)
		if err != nil {
			return nil, err
		}
		p, err := s.Preference.translate()
		if err != nil {
			return nil, err
		}
		return encode(struct {
			Topology       json.RawMessage   `json:"topology"`
			ReadPreference *enginePreference `json:"readPreference,omitempty"`
			Operation      string            `json:"operation,omitempty"`
		}{t, p, s.Operation})
	}, check: s.check}
}

func (s *fieldSelection) check(got reply) error {
	nothing := s.none || s.Error == "noServer"
	switch {
	case s.none && got.status < 0:
		return nil // an incompatible topology is an error
	case s.Error != "" && !nothing:
		return checkError(got, &expectedError{Code: s.Error})
	}
	a, err := selectAnswer(got)
	switch {
	case err != nil:
		return err
	case nothing && a.Server != nil:
		return fmt.Errorf("%s is chosen, want no server", a.Server.Address)
	case s.some && a.Server == nil:
		return errors.New("no server is chosen")
	}
	if s.Server != "" && !slices.Contains(a.InLatencyWindow, s.Server) {
		return fmt.Errorf("%s is not in the window: %v", s.Server, a.InLatencyWindow)
	}
	if s.Suitable != nil {
		if err := sameSet("suitable", a.Suitable, s.Suitable); err != nil {
			return err
		}
	}
	if s.InWindow != nil {
		return sameSet("inLatencyWindow", a.InLatencyWindow, s.InWindow)
	}
	return nil
}
