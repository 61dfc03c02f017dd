package main

import (
	"encoding/json"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/status"
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
