package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// connString is an answer of parse_uri or srv.
type connString struct {
	SRV   *bool `json:"srv"`
	Hosts []struct {
		Type string `json:"type"`
		Host string `json:"host"`
		Port *int   `json:"port"`
	} `json:"hosts"`
	Seeds  []string `json:"seeds"`
	Lookup *struct {
		SRV string `json:"srv"`
		TXT string `json:"txt"`
	} `json:"lookup"`
	Username       *string                    `json:"username"`
	Password       *string                    `json:"password"`
	Database       *string                    `json:"database"`
	ReadPreference json.RawMessage            `json:"readPreference"`
	Options        map[string]json.RawMessage `json:"options"`
	RescanMS       *json.Number               `json:"rescanMS"` // of srv; null behind a load balancer
	Warnings       []notice                   `json:"warnings"`
}

// connStringAnswer reads an answer that must not be an error, and holds it to
// what every such answer must have.
func connStringAnswer(got reply) (*connString, error) {
	if err := got.answered(); err != nil {
		return nil, err
	}
	a := new(connString)
	if err := json.Unmarshal([]byte(got.out), a); err != nil {
		return nil, fmt.Errorf("the answer does not decode: %w", err)
	}
	var p enginePreference
	switch {
	case a.SRV == nil || a.Hosts == nil || a.Seeds == nil || a.Options == nil || a.Warnings == nil:
		return nil, errors.New("the answer lacks srv, hosts, seeds, options or warnings")
	case *a.SRV != (a.Lookup != nil):
		return nil, errors.New("lookup is there exactly for mongodb+srv")
	case a.Lookup != nil && (a.Lookup.SRV == "" || a.Lookup.TXT == ""):
		return nil, errors.New("lookup names nothing")
	}
	if err := decodeStrict(a.ReadPreference, &p); err != nil || p.Mode == "" {
		return nil, fmt.Errorf("readPreference is no preference: %s (%v)", a.ReadPreference, err)
	}
	for _, w := range a.Warnings {
		if w.Code == "" || w.Message == "" {
			return nil, fmt.Errorf("a warning lacks its code or message: %+v", w)
		}
	}
	return a, nil
}

// checkOptions compares the options that a case lists; their names are in any
// case, and those of the read preference stand beside the others.
func (a *connString) checkOptions(want map[string]json.RawMessage) error {
	have := map[string]json.RawMessage{}
	for name, value := range a.Options {
		have[strings.ToLower(name)] = value
	}
	if tls, ok := have["tls"]; ok {
		have["ssl"] = tls
	}
	var p struct {
		Mode, Tags, MaxStalenessSeconds json.RawMessage
	}
	if err := json.Unmarshal(a.ReadPreference, &p); err != nil {
		return err
	}
	for name, value := range map[string]json.RawMessage{"readpreference": p.Mode, "readpreferencetags": p.Tags, "maxstalenessseconds": p.MaxStalenessSeconds} {
		if value != nil {
			have[name] = value
		}
	}
	for _, name := range sortedNames(want) {
		value, ok := have[strings.ToLower(name)]
		if !ok {
			return fmt.Errorf("option %s is missing, want %s", name, want[name])
		}
		if err := sameDocument("option "+name, value, want[name]); err != nil {
			return err
		}
	}
	return nil
}

// sameText compares an optional text; a nil want is one that must not be there.
func sameText(what string, got, want *string) error {
	if (got == nil) != (want == nil) || got != nil && *got != *want {
		return fmt.Errorf("%s is %s, want %s", what, quotedText(got), quotedText(want))
	}
	return nil
}

func quotedText(s *string) string {
	if s == nil {
		return "absent"
	}
	return fmt.Sprintf("%q", *s)
}
