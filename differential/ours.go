package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/readpref/readpref/core/abi"
)

type errorDoc struct {
	Error *struct{ Code, Message string } `json:"error"`
}

// ourSelect is readpref's answer, by the same document.
func ourSelect(document string) (*answer, error) {
	var c abi.Context
	out, ok := c.Answer("select", []byte(document))
	var doc struct {
		errorDoc
		Suitable, InLatencyWindow []string
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return nil, err
	}
	if !ok {
		return &answer{Error: doc.Error.Code}, nil
	}
	slices.Sort(doc.InLatencyWindow)
	return &answer{Window: doc.InLatencyWindow, suitable: doc.Suitable}, nil
}

// session is a process's worth of handles.
type session struct{ context abi.Context }

func (s *session) call(method string, in, out any) error {
	document, err := json.Marshal(in)
	if err != nil {
		return err
	}
	answer, ok := s.context.Answer(method, document)
	if !ok {
		return fmt.Errorf("%s %s: %s", method, document, answer)
	}
	return json.Unmarshal(answer, out)
}
