package main

import (
	"encoding/json"
	"errors"
)

// A case gives a preference as a document, in the cases' or the engine's words,
// or by its mode alone.
type preferenceText json.RawMessage

func (p *preferenceText) UnmarshalJSON(b []byte) error {
	if string(b) != "null" {
		*p = append((*p)[:0], b...)
	}
	return nil
}

// translate gives it in the engine's words, nil where the case has none.
func (p preferenceText) translate() (*enginePreference, error) {
	if p == nil {
		return nil, nil
	}
	var c casePreference
	if json.Unmarshal(p, &c.Mode) == nil {
		return c.translate()
	}
	if err := decodeStrict(p, &c); err != nil {
		return nil, err
	}
	return c.translate()
}

// normalized gives the document that the engine answers for it: a mode, and the
// parts that mean something (rules 1.3, 1.5 and 4.5).
func (p preferenceText) normalized() (json.RawMessage, error) {
	t, err := p.translate()
	if err != nil {
		return nil, err
	}
	if t == nil {
		t = new(enginePreference)
	}
	if t.Mode == "" {
		t.Mode = "primary"
	}
	if len(t.Tags) == 0 || t.Mode == "primary" && len(t.Tags) == 1 && len(t.Tags[0]) == 0 {
		t.Tags = nil
	}
	if s := string(t.MaxStalenessSeconds); s == "-1" || s == "null" {
		t.MaxStalenessSeconds = nil
	}
	if string(t.Hedge) == "null" {
		t.Hedge = nil
	}
	return encode(t)
}

// samePreference compares a preference in normal form with that of a case. By
// its mode alone, only the mode is compared.
func samePreference(what string, got json.RawMessage, want json.RawMessage) error {
	if got == nil {
		return errors.New(what + " is missing")
	}
	var mode string
	if json.Unmarshal(want, &mode) == nil {
		var have struct {
			Mode string `json:"mode"`
		}
		if err := json.Unmarshal(got, &have); err != nil || have.Mode != translateMode(mode) {
			return errors.New(what + " is " + string(got) + ", want mode " + mode)
		}
		return nil
	}
	w, err := preferenceText(want).normalized()
	if err != nil {
		return err
	}
	return sameDocument(what, got, w)
}
