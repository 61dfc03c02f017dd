package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// answer is what the checks read of an answer; "answer" and "out" expectations
// see the whole document.
type answer struct {
	Server *struct {
		Index   *int   `json:"index"`
		Address string `json:"address"`
		Type    string `json:"type"`
	} `json:"server"`
	Candidates      []string `json:"candidates"`
	Fresh           []string `json:"fresh"`
	Suitable        []string `json:"suitable"`
	InLatencyWindow []string `json:"inLatencyWindow"`
	Reason          *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"reason"`
	EffectiveReadPreference json.RawMessage `json:"effectiveReadPreference"`
	Warnings                []notice        `json:"warnings"`
	Error                   *errorDocument  `json:"error"`

	// of explain
	Servers []struct {
		Address string `json:"address"`
		Stage   string `json:"stage"`
		Why     string `json:"why"`
	} `json:"servers"`
	Notes []json.RawMessage `json:"notes"`
	Text  string            `json:"text"`

	// of validate
	Valid          *bool           `json:"valid"`
	ReadPreference json.RawMessage `json:"readPreference"`
	Problems       []notice        `json:"problems"`

	Shards map[string]json.RawMessage `json:"shards"`
}

// notice is a warning or a problem.
type notice struct {
	Code    string `json:"code"`
	Status  int32  `json:"status"`
	Message string `json:"message"`
	Path    string `json:"path"`
}

type errorDocument struct {
	Code           string      `json:"code"`
	Status         int32       `json:"status"`
	Message        string      `json:"message"`
	Path           *string     `json:"path"`
	MinimumSeconds json.Number `json:"minimumSeconds"`
}

// checkStatus holds the status to the document it came with.
func checkStatus(s *step, got reply) error {
	if s.probe != "" && got.out == "ok" {
		if got.status != 0 {
			return fmt.Errorf("status %d with the answer ok", got.status)
		}
		return nil
	}
	var doc struct {
		Error *errorDocument `json:"error"`
	}
	// An answer may hold an "error" of its own; an error document holds nothing else.
	if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
		return fmt.Errorf("the answer is not a JSON object: %w", err)
	}
	if got.status == 0 {
		if doc.Error != nil {
			return errors.New("status 0 with an error document")
		}
		return nil
	}
	e := doc.Error
	switch {
	case e == nil:
		return fmt.Errorf("status %d without an error document", got.status)
	case e.Status != got.status:
		return fmt.Errorf("status %d with an error document of status %d", got.status, e.Status)
	case e.Code == "" || e.Message == "" || e.Path == nil:
		return errors.New("an error document needs code, message and path")
	}
	return nil
}

// parseAnswer reads an answer of select and checks what must hold for each:
// the chosen server is in the window, and a reason is there exactly when it is not.
func parseAnswer(got reply) (*answer, error) {
	a := new(answer)
	if err := json.Unmarshal([]byte(got.out), a); err != nil {
		return nil, fmt.Errorf("the answer does not decode: %w", err)
	}
	return a, nil
}

func (a *answer) checkSelection() error {
	for _, l := range []struct {
		name string
		list []string
	}{{"candidates", a.Candidates}, {"fresh", a.Fresh}, {"suitable", a.Suitable}, {"inLatencyWindow", a.InLatencyWindow}} {
		if l.list == nil {
			return fmt.Errorf("the answer has no list %s", l.name)
		}
	}
	switch {
	case !subset(a.InLatencyWindow, a.Suitable):
		return errors.New("inLatencyWindow holds a server that is not suitable")
	case !subset(a.Suitable, a.Fresh):
		return errors.New("suitable holds a server that is not fresh")
	case !subset(a.Fresh, a.Candidates):
		return errors.New("fresh holds a server that is no candidate")
	case (a.Server == nil) != (len(a.InLatencyWindow) == 0):
		return errors.New("a server is chosen exactly when the window holds one")
	case (a.Server == nil) != (a.Reason != nil):
		return errors.New("a reason is given exactly when no server is chosen")
	case a.Server != nil && !slices.Contains(a.InLatencyWindow, a.Server.Address):
		return errors.New("the chosen server is not in the window")
	case a.Server != nil && (a.Server.Index == nil || a.Server.Type == ""):
		return errors.New("the chosen server lacks its index or type")
	case a.Reason != nil && (a.Reason.Code == "" || a.Reason.Message == ""):
		return errors.New("the reason lacks its code or message")
	}
	return nil
}

func subset(part, whole []string) bool {
	for _, s := range part {
		if !slices.Contains(whole, s) {
			return false
		}
	}
	return true
}

// sameSet compares lists of addresses in any order.
func sameSet(what string, got, want []string) error {
	g, w := slices.Clone(got), slices.Clone(want)
	slices.Sort(g)
	slices.Sort(w)
	if !slices.Equal(g, w) {
		return fmt.Errorf("%s is %v, want %v", what, g, w)
	}
	return nil
}

// selectAnswer reads an answer that must be a selection.
func selectAnswer(got reply) (*answer, error) {
	a, err := parseAnswer(got)
	if err != nil {
		return nil, err
	}
	if a.Error != nil {
		return nil, fmt.Errorf("unexpected error %s: %s", a.Error.Code, a.Error.Message)
	}
	return a, a.checkSelection()
}
