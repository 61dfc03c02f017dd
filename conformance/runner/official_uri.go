package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// uriFile is a file of uri-options or connection-string: many cases.
type uriFile struct {
	Tests []uriCase `json:"tests"`
}

// uriCase is one of them. What is null is not compared.
type uriCase struct {
	Description string `json:"description"`
	URI         string `json:"uri"`
	Valid       *bool  `json:"valid"`
	Warning     *bool  `json:"warning"`
	Hosts       []struct {
		Type string `json:"type"`
		Host string `json:"host"`
		Port *int   `json:"port"`
	} `json:"hosts"`
	Auth *struct {
		Username *string `json:"username"`
		Password *string `json:"password"`
		DB       *string `json:"db"`
	} `json:"auth"`
	Options map[string]json.RawMessage `json:"options"`
}

func loadURIFile(file string, data []byte) []testCase {
	var f uriFile
	if err := decodeStrict(data, &f); err != nil {
		return []testCase{{file: file, name: "the whole file", loadErr: err}}
	}
	if len(f.Tests) == 0 {
		return []testCase{{file: file, name: "the whole file", loadErr: errors.New("no tests")}}
	}
	cases := make([]testCase, len(f.Tests))
	for i := range f.Tests {
		cases[i] = f.Tests[i].load(file)
	}
	return cases
}

func (f *uriCase) load(file string) testCase {
	c := testCase{file: file, name: f.Description, typed: true}
	if f.Valid == nil {
		c.loadErr = errors.New("the case does not say whether the URI is valid")
		return c
	}
	var in []byte
	in, c.loadErr = encode(map[string]string{"uri": f.URI})
	c.steps = []step{{method: "parse_uri", in: in, check: f.check}}
	return c
}

func (f *uriCase) check(got reply) error {
	if !*f.Valid {
		return got.refused()
	}
	a, err := connStringAnswer(got)
	if err != nil {
		return err
	}
	if f.Warning != nil && *f.Warning != (len(a.Warnings) > 0) {
		return fmt.Errorf("%d warnings, want some: %t", len(a.Warnings), *f.Warning)
	}
	if f.Hosts != nil {
		if len(a.Hosts) != len(f.Hosts) {
			return fmt.Errorf("%d hosts, want %d", len(a.Hosts), len(f.Hosts))
		}
		for i, want := range f.Hosts {
			h := a.Hosts[i]
			if h.Type != want.Type || h.Host != want.Host || (h.Port == nil) != (want.Port == nil) || h.Port != nil && *h.Port != *want.Port {
				return fmt.Errorf("hosts[%d] is %s, want %s", i, compact(h), compact(want))
			}
		}
	}
	if w := f.Auth; w != nil {
		if err := errors.Join(sameText("username", a.Username, w.Username), sameText("password", a.Password, w.Password), sameText("database", a.Database, w.DB)); err != nil {
			return err
		}
	}
	return a.checkOptions(f.Options)
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
