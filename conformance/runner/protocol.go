package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// request is one line to a testee; docs/testee.md describes it.
type request struct {
	ID     int64   `json:"id"`
	Method string  `json:"method,omitempty"`
	In     *string `json:"in,omitempty"`
	InB64  string  `json:"in_b64,omitempty"`
	Via    string  `json:"via,omitempty"`
	Probe  string  `json:"probe,omitempty"`
}

// reply is what a testee answered.
type reply struct {
	status int32
	out    string
}

// answered fails for an error document.
func (r reply) answered() error {
	if r.status < 0 {
		return fmt.Errorf("unexpected error, status %d", r.status)
	}
	return nil
}

// refused fails for an answer.
func (r reply) refused() error {
	if r.status >= 0 {
		return errors.New("an error is expected")
	}
	return nil
}

// line encodes a step as the testee reads it.
func (s *step) line(id int64, via string) []byte {
	r := request{ID: id, Via: via, Probe: s.probe}
	if s.probe == "" {
		r.Method = s.method
		// A document goes as text unless that would change its bytes.
		if utf8.Valid(s.in) && !s.base64 {
			in := string(s.in)
			r.In = &in
		} else {
			r.InB64 = base64.StdEncoding.EncodeToString(s.in)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends the line, too
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		panic(err) // strings and numbers always encode
	}
	return b.Bytes()
}

// parseReply reads a testee's line and holds it to the protocol.
func parseReply(line []byte, id int64) (reply, error) {
	var r struct {
		ID     *int64  `json:"id"`
		Status *int32  `json:"status"`
		Out    *string `json:"out"`
	}
	if err := decodeStrict(line, &r); err != nil {
		return reply{}, fmt.Errorf("not an answer of the testee protocol: %w: %s", err, shorten(string(line)))
	}
	if r.ID == nil || r.Status == nil || r.Out == nil {
		return reply{}, fmt.Errorf("an answer needs id, status and out: %s", shorten(string(line)))
	}
	if *r.ID != id {
		return reply{}, fmt.Errorf("answered id %d to request %d", *r.ID, id)
	}
	return reply{*r.Status, *r.Out}, nil
}

// shorten keeps failure messages readable.
func shorten(s string) string {
	const most = 600
	if len(s) <= most {
		return s
	}
	return s[:most] + fmt.Sprintf("… (%d bytes)", len(s))
}
