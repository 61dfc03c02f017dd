package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// vector is one of our own cases; conformance/vectors/README.md describes the files.
type vector struct {
	Description string `json:"description"`
	Rule        string `json:"rule"`
	Why         string `json:"why"`
	Typed       *bool  `json:"typed"`
	vectorStep
	Steps []vectorStep `json:"steps"`
}

// vectorStep is one call and what is expected of its answer.
type vectorStep struct {
	Comment  string          `json:"comment"` // in steps only
	Method   string          `json:"method"`
	Probe    string          `json:"probe"`
	In       json.RawMessage `json:"in"`
	InText   *string         `json:"in_text"`
	InB64    *string         `json:"in_b64"`
	InParts  []part          `json:"in_parts"`
	Expected *expected       `json:"expected"`
}

// part is a piece of a document too long to be written out: the text, times
// over, with %d standing for the number of the repetition.
type part struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
}

// vectorFile holds many cases; its method, rule and typed are those of the
// cases that name none.
type vectorFile struct {
	vector
	Cases []vector `json:"cases"`
}

// loadVectors reads our vectors: one suite per folder.
func loadVectors(root string) []suite {
	var suites []suite
	entries, err := os.ReadDir(root)
	if err != nil {
		return []suite{{name: "vectors", mustHave: true}}
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		s := suite{name: "vectors/" + e.Name(), mustHave: true}
		s.files = jsonFiles(filepath.Join(root, e.Name()))
		for _, file := range s.files {
			data, err := os.ReadFile(file)
			if err != nil {
				s.cases = append(s.cases, testCase{file: file, loadErr: err})
				continue
			}
			s.cases = append(s.cases, loadVectorFile(file, data)...)
		}
		suites = append(suites, s)
	}
	if len(suites) == 0 {
		return []suite{{name: "vectors", mustHave: true}}
	}
	return suites
}

func loadVectorFile(file string, data []byte) []testCase {
	var f vectorFile
	if err := decodeStrict(data, &f); err != nil {
		return []testCase{{file: file, name: "the whole file", loadErr: err}}
	}
	if f.Cases == nil {
		return []testCase{f.vector.load(file)}
	}
	if len(f.Cases) == 0 {
		return []testCase{{file: file, name: "the whole file", loadErr: errors.New("no cases")}}
	}
	cases := make([]testCase, len(f.Cases))
	for i := range f.Cases {
		v := &f.Cases[i]
		if v.Method == "" && v.Probe == "" && v.Steps == nil {
			v.Method = f.Method
		}
		if v.Rule == "" {
			v.Rule = f.Rule
		}
		if v.Typed == nil {
			v.Typed = f.Typed
		}
		cases[i] = v.load(file)
	}
	return cases
}

func (v *vector) load(file string) testCase {
	c := testCase{file: file, name: v.Description, typed: v.Typed == nil || *v.Typed}
	switch {
	case v.Description == "" || v.Rule == "":
		c.loadErr = errors.New("a vector needs a description and a rule")
		return c
	case v.Steps == nil && v.Comment != "":
		c.loadErr = errors.New("a comment stands in steps; a vector has why")
		return c
	case v.Steps == nil:
		var s step
		s, c.loadErr = v.step()
		c.steps = []step{s}
		return c
	case len(v.Steps) == 0 || !reflect.ValueOf(v.vectorStep).IsZero():
		c.loadErr = errors.New("a vector has either steps or one call of its own")
		return c
	}
	// What is opened in a call has a number that later ones name: it is known
	// because the testee has not opened anything before, and nobody asks it
	// something else in between. What typed APIs open is theirs to number.
	c.fresh, c.typed = true, v.Typed != nil && *v.Typed
	for i := range v.Steps {
		s, err := v.Steps[i].step()
		if err != nil {
			c.loadErr = fmt.Errorf("steps[%d]: %w", i, err)
			return c
		}
		c.steps = append(c.steps, s)
	}
	return c
}

func (v *vectorStep) step() (step, error) {
	in, raw, err := v.input()
	switch {
	case err != nil:
		return step{}, err
	case v.Expected == nil || v.Expected.assertions() == 0:
		return step{}, errors.New("a vector that expects nothing cannot fail")
	case (v.Method == "") == (v.Probe == ""):
		return step{}, errors.New("a vector has either a method or a probe")
	}
	if v.Probe != "" && v.Expected.Out != nil && v.Expected.Error == nil {
		want := *v.Expected.Out
		return step{probe: v.Probe, check: func(got reply) error {
			if got.out != want {
				return fmt.Errorf("probe %s: want %s", v.Probe, want)
			}
			return nil
		}}, nil
	}
	return step{method: v.Method, probe: v.Probe, in: in, base64: raw, check: v.Expected.check}, nil
}

// input gives the bytes to send, and whether to send them in base64.
func (v *vectorStep) input() (in []byte, base64Form bool, err error) {
	forms := 0
	for _, there := range []bool{v.In != nil, v.InText != nil, v.InB64 != nil, v.InParts != nil, v.Probe != ""} {
		if there {
			forms++
		}
	}
	if forms != 1 {
		return nil, false, errors.New("a vector has exactly one of in, in_text, in_b64, in_parts and probe")
	}
	switch {
	case v.In != nil:
		var b bytes.Buffer
		if err := json.Compact(&b, v.In); err != nil {
			return nil, false, err
		}
		return b.Bytes(), false, nil
	case v.InText != nil:
		return []byte(*v.InText), false, nil
	case v.InB64 != nil:
		b, err := base64.StdEncoding.DecodeString(*v.InB64)
		return b, true, err
	}
	var b strings.Builder
	for _, p := range v.InParts {
		times := p.Times
		if times == 0 {
			times = 1
		}
		for i := range times {
			b.WriteString(strings.ReplaceAll(p.Text, "%d", strconv.Itoa(i)))
		}
	}
	return []byte(b.String()), false, nil
}
