package main

import (
	"encoding/json"
	"errors"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

func typedParseURI(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.URIRequest(new(wire.URIRequest), document); err != nil {
		return nil, err
	}
	var request struct {
		URI string `json:"uri"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	c, err := connstring.Parse(request.URI)
	if err != nil {
		return nil, inURI(err)
	}
	return json.Marshal(connStringDocument(c))
}

func typedSRV(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.SRVRequest(new(wire.SRVRequest), document); err != nil {
		return nil, err
	}
	var request struct {
		URI string `json:"uri"`
		SRV []struct {
			Target     string       `json:"target"`
			Port       topology.Int `json:"port"`
			TTLSeconds topology.Int `json:"ttlSeconds"`
		} `json:"srv"`
		TXT                  [][]string      `json:"txt"`
		Seed                 json.RawMessage `json:"seed"`
		Current              []string        `json:"current"`
		HeartbeatFrequencyMS topology.Int    `json:"heartbeatFrequencyMS"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	seed, err := readSeed(request.Seed)
	if err != nil {
		return nil, err
	}
	records := make([]connstring.SRVRecord, len(request.SRV))
	for i, r := range request.SRV {
		port, _ := r.Port.Get()
		ttl, _ := r.TTLSeconds.Get()
		records[i] = connstring.SRVRecord{Target: r.Target, Port: uint16(port), TTLSeconds: uint32(ttl)}
	}
	c, err := connstring.Parse(request.URI)
	if err != nil {
		return nil, inURI(err)
	}
	if !c.SRV {
		// Resolve and Poll have nothing to do for one; the document's caller has.
		return nil, &status.Error{Code: status.Argument, Message: "only mongodb+srv:// asks DNS", Path: "uri"}
	}
	rng := selection.SplitMix64(seed)
	if request.Current != nil {
		heartbeat, ok := request.HeartbeatFrequencyMS.Get()
		if !ok {
			heartbeat = selection.DefaultHeartbeatFrequencyMS
			if c.HeartbeatFrequencyMS.Set {
				heartbeat = c.HeartbeatFrequencyMS.Value
			}
		}
		rescan := c.Poll(request.Current, records, heartbeat, rng.Next)
		return json.Marshal(map[string]any{"added": orEmpty(rescan.Added), "removed": orEmpty(rescan.Removed), "nextMS": rescan.NextMS, "warnings": warningDocuments(rescan.Warnings)})
	}
	resolved, err := c.Resolve(records, request.TXT, rng.Next)
	if err != nil {
		return nil, inURI(err)
	}
	answer := connStringDocument(resolved)
	answer["rescanMS"] = nil // a load balancer is not polled for
	if !resolved.LoadBalanced.Value {
		answer["rescanMS"] = connstring.RescanMS(records)
	}
	return json.Marshal(answer)
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func typedToURI(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.PreferenceRequest(new(wire.Request), document); err != nil {
		return nil, err
	}
	var request struct {
		ReadPreference readpref.Preference `json:"readPreference"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	query, err := connstring.FormatPreference(request.ReadPreference)
	var e *status.Error
	if errors.As(err, &e) {
		in := *e
		in.Path = "readPreference." + e.Path
		return nil, &in
	}
	return json.Marshal(map[string]string{"query": query})
}

// inURI is how the documents name a connection string as a whole.
func inURI(err error) error {
	if e, ok := err.(*status.Error); ok && e.Path == "" {
		whole := *e
		whole.Path = "uri"
		return &whole
	}
	return err
}

// connStringDocument prints the fields of a connection string.
func connStringDocument(c *connstring.ConnString) map[string]any {
	type host struct {
		Type string  `json:"type"`
		Host string  `json:"host"`
		Port *uint16 `json:"port"`
	}
	hosts := make([]host, len(c.Hosts))
	for i, h := range c.Hosts {
		hosts[i] = host{Type: h.Kind.String(), Host: h.Name}
		if h.Port != 0 {
			hosts[i].Port = &h.Port
		}
	}
	options := map[string]any{}
	for _, o := range c.Options {
		options[o.Name] = optionValue(o)
	}
	if c.TLS.Set {
		options["tls"] = c.TLS.Value
	}
	document := map[string]any{
		"srv": c.SRV, "hosts": hosts, "seeds": c.Seeds(),
		"username": textOrNil(c.Username, c.HasUsername), "password": textOrNil(c.Password, c.HasPassword), "database": textOrNil(c.Database, c.Database != ""),
		"readPreference": c.Preference, "options": options, "warnings": warningDocuments(c.Warnings),
	}
	if srv, txt := c.Lookup(); srv != "" {
		document["lookup"] = map[string]string{"srv": srv, "txt": txt}
	}
	return document
}

func optionValue(o connstring.Option) any {
	switch o.Kind {
	case connstring.KindInt:
		return o.Int
	case connstring.KindBool:
		return o.Bool
	case connstring.KindList:
		return o.List
	case connstring.KindPairs:
		return o.Pairs
	}
	return o.Text
}

func textOrNil(s string, has bool) any {
	if !has {
		return nil
	}
	return s
}

// warningDocuments is never null.
func warningDocuments(list []status.Warning) []map[string]string {
	documents := make([]map[string]string, len(list))
	for i, w := range list {
		documents[i] = map[string]string{"code": w.Code, "message": w.Message, "path": w.Path}
	}
	return documents
}
