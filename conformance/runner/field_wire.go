package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// loadFieldWire: what is attached to a command for a server.
func loadFieldWire(c *testCase, input, expected json.RawMessage) error {
	var in struct {
		TopologyType string         `json:"topologyType"`
		ServerType   string         `json:"serverType"`
		Preference   preferenceText `json:"readPreference"`
		Opcode       string         `json:"opcode"`
		Operation    string         `json:"operation"`
	}
	var want fieldWireExpected
	if err := decodeField(input, expected, &in, &want); err != nil {
		return err
	}
	if in.TopologyType == "" || in.ServerType == "" {
		return errors.New("no topologyType or serverType")
	}
	if want.Document == nil && want.SecondaryOK == nil && want.Warnings == nil && want.Error == "" {
		return errors.New("a case that expects nothing cannot fail")
	}
	if in.ServerType == "LoadBalanced" {
		in.ServerType = "LoadBalancer" // rule 0.8: some lines of the specifications say so
	}
	request := struct {
		Topology       engineTopology    `json:"topology"`
		Server         string            `json:"server"`
		ReadPreference *enginePreference `json:"readPreference,omitempty"`
		Operation      string            `json:"operation,omitempty"`
		Opcode         string            `json:"opcode,omitempty"`
	}{Server: "a.example:27017", Operation: in.Operation, Opcode: in.Opcode}
	request.Topology = engineTopology{Type: in.TopologyType, Servers: []engineServer{{Address: request.Server, Type: in.ServerType}}}
	var err error
	if request.ReadPreference, err = in.Preference.translate(); err != nil {
		return err
	}
	doc, err := encode(request)
	legacy := in.Opcode == "OP_QUERY"
	c.steps = []step{{method: "command", in: doc, check: func(got reply) error { return want.check(got, legacy) }}}
	return err
}

// fieldWireExpected is what a case of kind wire expects. The texts of its
// warnings are for people.
type fieldWireExpected struct {
	Document    *json.RawMessage `json:"$readPreference"` // a document, or "absent"
	SecondaryOK *bool            `json:"secondaryOk"`
	Warnings    *json.RawMessage `json:"warnings"`
	Error       string           `json:"error"`
	remarks
}

func (want *fieldWireExpected) check(got reply, legacy bool) error {
	if want.Error != "" {
		return checkError(got, &expectedError{Code: want.Error})
	}
	if err := got.answered(); err != nil {
		return err
	}
	var a struct {
		Document    json.RawMessage `json:"$readPreference"`
		SecondaryOK *bool           `json:"secondaryOk"`
		Effective   json.RawMessage `json:"effectiveReadPreference"`
		Warnings    []notice        `json:"warnings"`
	}
	if err := decodeStrict([]byte(got.out), &a); err != nil {
		return err
	}
	if a.Document == nil || legacy != (a.SecondaryOK != nil) {
		return errors.New("$readPreference is there always, secondaryOk for OP_QUERY")
	}
	if want.SecondaryOK != nil && *want.SecondaryOK != (a.SecondaryOK != nil && *a.SecondaryOK) {
		return fmt.Errorf("secondaryOk is not %t", *want.SecondaryOK)
	}
	if err := checkWarned(want.Warnings, a.Warnings); err != nil || want.Document == nil {
		return err
	}
	if absent := string(*want.Document); absent == `"absent"` || absent == "null" {
		return sameDocument("$readPreference", a.Document, []byte("null"))
	}
	w, err := preferenceText(*want.Document).normalized()
	if err != nil {
		return err
	}
	return sameDocument("$readPreference", withoutAnyTags(a.Document), withoutAnyTags(w))
}

// withoutAnyTags drops tags that ask for nothing: rule 4.5 lets them be sent or
// left out.
func withoutAnyTags(document json.RawMessage) json.RawMessage {
	var p enginePreference
	if decodeStrict(document, &p) != nil || len(p.Tags) != 1 || len(p.Tags[0]) > 0 {
		return document
	}
	p.Tags = nil
	dropped, err := encode(p)
	if err != nil {
		return document
	}
	return dropped
}
