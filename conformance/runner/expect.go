package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// expected is what a vector says of an answer. Lists are compared in order.
// What is absent is not compared.
type expected struct {
	Candidates      []string        `json:"candidates"`
	Fresh           []string        `json:"fresh"`
	Suitable        []string        `json:"suitable"`
	InLatencyWindow []string        `json:"inLatencyWindow"`
	Server          json.RawMessage `json:"server"` // an address, or null
	Reason          string          `json:"reason"`
	ReasonMentions  []string        `json:"reasonMentions"` // words its message must have
	Effective       json.RawMessage `json:"effectiveReadPreference"`
	Warnings        []string        `json:"warnings"` // codes; [] means none

	Error *expectedError `json:"error"`

	Stages map[string]string `json:"stages"` // of explain: address to stage, of every server
	Notes  *bool             `json:"notes"`  // of explain: whether there are any

	Valid          *bool           `json:"valid"` // of validate
	ReadPreference json.RawMessage `json:"readPreference"`
	Problems       []expectedError `json:"problems"`

	Shards map[string]*expected `json:"shards"`

	ServerKeys []string `json:"serverKeys"` // of server.parse_hello: the server's keys, in order

	Answer json.RawMessage `json:"answer"` // the whole document, as a value
	Has    json.RawMessage `json:"has"`    // a part of it: only the keys given are compared
	Out    *string         `json:"out"`    // the exact bytes
}

// expectedError is an error document, or a problem of validate.
type expectedError struct {
	Code           string      `json:"code"`
	Path           *string     `json:"path"`
	MinimumSeconds json.Number `json:"minimumSeconds"`
	Mentions       []string    `json:"mentions"` // words the message must have
}

// check compares an answer with what is expected of it.
func (want *expected) check(got reply) error {
	if want.Out != nil && got.out != *want.Out {
		return fmt.Errorf("out differs, want %s", *want.Out)
	}
	if want.Error != nil {
		return checkError(got, want.Error)
	}
	if err := got.answered(); err != nil {
		return err
	}
	if want.Answer != nil {
		if err := sameDocument("answer", []byte(got.out), want.Answer); err != nil {
			return err
		}
	}
	if want.Has != nil {
		if err := hasPart([]byte(got.out), want.Has); err != nil {
			return err
		}
	}
	if want.ServerKeys != nil {
		if keys, err := serverKeys([]byte(got.out)); err != nil || !slices.Equal(keys, want.ServerKeys) {
			return fmt.Errorf("the server's keys are %v, want %v (%v)", keys, want.ServerKeys, err)
		}
	}
	a, err := parseAnswer(got)
	if err != nil {
		return err
	}
	return errors.Join(want.checkSelection(a), want.checkExplain(a), want.checkValidate(a), want.checkShards(a))
}

func (want *expected) checkSelection(a *answer) error {
	lists := []struct {
		name      string
		got, want []string
	}{
		{"candidates", a.Candidates, want.Candidates},
		{"fresh", a.Fresh, want.Fresh},
		{"suitable", a.Suitable, want.Suitable},
		{"inLatencyWindow", a.InLatencyWindow, want.InLatencyWindow},
	}
	selection := want.Server != nil || want.Reason != "" || want.ReasonMentions != nil || want.Effective != nil
	for _, l := range lists {
		selection = selection || l.want != nil
		if l.want != nil && !slices.Equal(l.got, l.want) {
			return fmt.Errorf("%s is %v, want %v", l.name, l.got, l.want)
		}
	}
	if selection {
		if err := a.checkSelection(); err != nil {
			return err
		}
	}
	if want.Server != nil {
		address := json.RawMessage("null")
		if a.Server != nil {
			address, _ = json.Marshal(a.Server.Address)
		}
		if err := sameDocument("server", address, want.Server); err != nil {
			return err
		}
	}
	if want.Reason != "" && (a.Reason == nil || a.Reason.Code != want.Reason) {
		return fmt.Errorf("the reason is another than %s", want.Reason)
	}
	for _, word := range want.ReasonMentions {
		if a.Reason == nil || !strings.Contains(a.Reason.Message, word) {
			return fmt.Errorf("the reason does not mention %q", word)
		}
	}
	if want.Effective != nil {
		if err := sameDocument("effectiveReadPreference", a.EffectiveReadPreference, want.Effective); err != nil {
			return err
		}
	}
	if want.Warnings != nil {
		codes := make([]string, len(a.Warnings))
		for i, w := range a.Warnings {
			codes[i] = w.Code
		}
		if !slices.Equal(codes, want.Warnings) {
			return fmt.Errorf("warnings are %v, want %v", codes, want.Warnings)
		}
	}
	return nil
}

func (want *expected) checkExplain(a *answer) error {
	if want.Stages != nil {
		stages := map[string]string{}
		for _, s := range a.Servers {
			stages[s.Address] = s.Stage
		}
		if !reflect.DeepEqual(stages, want.Stages) {
			return fmt.Errorf("stages are %v, want %v", stages, want.Stages)
		}
		if a.Text == "" {
			return errors.New("explain has no text")
		}
	}
	if want.Notes != nil && *want.Notes != (len(a.Notes) > 0) {
		return fmt.Errorf("explain has %d notes", len(a.Notes))
	}
	return nil
}

func (want *expected) checkValidate(a *answer) error {
	if want.Valid != nil {
		if a.Valid == nil || *a.Valid != *want.Valid {
			return fmt.Errorf("valid is not %t", *want.Valid)
		}
		if *a.Valid != (len(a.Problems) == 0) {
			return errors.New("valid is true exactly when there are no problems")
		}
	}
	if want.ReadPreference != nil {
		if err := sameDocument("readPreference", a.ReadPreference, want.ReadPreference); err != nil {
			return err
		}
	}
	if want.Problems != nil && len(a.Problems) != len(want.Problems) {
		return fmt.Errorf("problems are %v, want %d of them", a.Problems, len(want.Problems))
	}
	for i, p := range want.Problems {
		got := a.Problems[i]
		if err := p.compare(&errorDocument{Code: got.Code, Status: got.Status, Message: got.Message, Path: &got.Path}); err != nil {
			return fmt.Errorf("problems[%d]: %w", i, err)
		}
	}
	return nil
}

func (want *expected) checkShards(a *answer) error {
	for name, w := range want.Shards {
		doc, ok := a.Shards[name]
		if !ok {
			return fmt.Errorf("no answer for shard %q", name)
		}
		sub := reply{out: string(doc)}
		var e struct {
			Error *errorDocument `json:"error"`
		}
		if err := json.Unmarshal(doc, &e); err != nil {
			return err
		}
		if e.Error != nil {
			sub.status = e.Error.Status
		}
		if err := w.check(sub); err != nil {
			return fmt.Errorf("shard %q: %w", name, err)
		}
	}
	if want.Shards != nil && len(a.Shards) != len(want.Shards) {
		return fmt.Errorf("%d shards are answered, want %d", len(a.Shards), len(want.Shards))
	}
	return nil
}

// checkError compares an error document.
func checkError(got reply, want *expectedError) error {
	a, err := parseAnswer(got)
	if err != nil {
		return err
	}
	if got.status >= 0 || a.Error == nil {
		return fmt.Errorf("want error %s", want.Code)
	}
	return want.compare(a.Error)
}

func (want *expectedError) compare(e *errorDocument) error {
	if e.Code != want.Code {
		return fmt.Errorf("error code is %s, want %s", e.Code, want.Code)
	}
	if want.Path != nil && (e.Path == nil || *e.Path != *want.Path) {
		return fmt.Errorf("error path differs, want %q", *want.Path)
	}
	if want.MinimumSeconds != "" && e.MinimumSeconds != want.MinimumSeconds {
		return fmt.Errorf("minimumSeconds is %q, want %s", e.MinimumSeconds, want.MinimumSeconds)
	}
	for _, word := range want.Mentions {
		if !strings.Contains(e.Message, word) {
			return fmt.Errorf("the message does not mention %q: %s", word, e.Message)
		}
	}
	return nil
}

// assertions counts what is compared: a vector that compares nothing could not fail.
func (want *expected) assertions() int {
	n := 0
	v := reflect.ValueOf(want).Elem()
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			n++
		}
	}
	return n
}

// sameDocument compares two JSON values.
func sameDocument(what string, got, want []byte) error {
	w, err := parseJSON(string(want))
	if err != nil {
		return err
	}
	g, err := parseJSON(string(got))
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if d := difference(g, w, what); d != "" {
		return errors.New(d)
	}
	return nil
}

// sameOrNull compares a value that is absent where the case has null.
func sameOrNull(what string, got, want json.RawMessage) error {
	if got == nil {
		got = json.RawMessage("null")
	}
	return sameDocument(what, got, want)
}

// hasPart compares only the object keys that want has.
func hasPart(got, want []byte) error {
	w, err := parseJSON(string(want))
	if err != nil {
		return err
	}
	g, err := parseJSON(string(got))
	if err != nil {
		return err
	}
	if d := difference(restrict(g, w), w, "has"); d != "" {
		return errors.New(d)
	}
	return nil
}

// serverKeys lists the keys of an answer's "server" in their order.
func serverKeys(doc []byte) ([]string, error) {
	var a struct {
		Server json.RawMessage `json:"server"`
	}
	if err := json.Unmarshal(doc, &a); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(a.Server))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, fmt.Errorf("server is no object: %v", err)
	}
	var keys []string
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		keys = append(keys, key.(string))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// restrict drops from got the object keys that want does not have.
func restrict(got, want any) any {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return got
		}
		out := map[string]any{}
		for k, v := range w {
			if gv, ok := g[k]; ok {
				out[k] = restrict(gv, v)
			}
		}
		return out
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return got
		}
		out := make([]any, len(g))
		for i := range g {
			out[i] = restrict(g[i], w[i])
		}
		return out
	}
	return got
}
