package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// The official cases and the field cases have their own names for what the
// engine's documents say. They are translated here and nowhere else. Numbers
// keep their text, so that no RTT passes through a float.

// caseTopology, caseServer and casePreference list every key that a case may
// use; any other is a failure (decodeStrict).
type caseTopology struct {
	Type    string       `json:"type"`
	SetName string       `json:"setName"`
	Servers []caseServer `json:"servers"`
}

type caseServer struct {
	Address          string            `json:"address"`
	Type             string            `json:"type"`
	AvgRTTms         numberText        `json:"avg_rtt_ms"`
	AvgRTTMS         numberText        `json:"avgRttMS"`
	Tags             map[string]string `json:"tags"`
	LastUpdateTime   json.RawMessage   `json:"lastUpdateTime"`
	LastUpdateTimeMS json.RawMessage   `json:"lastUpdateTimeMS"`
	LastWriteDate    json.RawMessage   `json:"lastWriteDate"`
	LastWrite        *struct {
		LastWriteDate json.RawMessage `json:"lastWriteDate"`
	} `json:"lastWrite"`
	MinWireVersion  json.RawMessage `json:"minWireVersion"`
	MaxWireVersion  json.RawMessage `json:"maxWireVersion"`
	OperationCount  json.RawMessage `json:"operationCount"`
	OperationCount2 json.RawMessage `json:"operation_count"`
	SetName         string          `json:"setName"`
}

type casePreference struct {
	Mode                string              `json:"mode"`
	TagSets             []map[string]string `json:"tag_sets"`
	Tags                []map[string]string `json:"tags"`
	MaxStalenessSeconds json.RawMessage     `json:"maxStalenessSeconds"`
	Hedge               json.RawMessage     `json:"hedge"`
}

// numberText is a JSON number as it is spelt; "" for null, absent and the
// cases' "NULL".
type numberText string

func (n *numberText) UnmarshalJSON(b []byte) error {
	switch s := string(b); {
	case s == "null", s == `"NULL"`:
		*n = ""
	case len(s) > 0 && (s[0] == '-' || s[0] >= '0' && s[0] <= '9'):
		*n = numberText(s)
	default:
		return fmt.Errorf("want a number or \"NULL\", got %s", s)
	}
	return nil
}

// The engine's request, in the engine's words.
type engineRequest struct {
	Topology             engineTopology    `json:"topology"`
	ReadPreference       *enginePreference `json:"readPreference,omitempty"`
	Operation            string            `json:"operation,omitempty"`
	Deprioritized        []string          `json:"deprioritized,omitempty"`
	CustomSelector       *keepOnly         `json:"customSelector,omitempty"`
	LocalThresholdMS     json.Number       `json:"localThresholdMS,omitempty"`
	HeartbeatFrequencyMS json.Number       `json:"heartbeatFrequencyMS,omitempty"`
	Seed                 *int              `json:"seed,omitempty"`
}

type keepOnly struct {
	KeepOnly []string `json:"keepOnly"`
}

type engineTopology struct {
	Type    string         `json:"type,omitempty"`
	SetName string         `json:"setName,omitempty"`
	Servers []engineServer `json:"servers"`
}

type engineServer struct {
	Address          string            `json:"address"`
	Type             string            `json:"type"`
	RoundTripTimeMS  json.Number       `json:"roundTripTimeMS,omitempty"`
	Tags             map[string]string `json:"tags,omitempty"`
	LastWriteDate    json.RawMessage   `json:"lastWriteDate,omitempty"`
	LastUpdateTimeMS json.RawMessage   `json:"lastUpdateTimeMS,omitempty"`
	MinWireVersion   json.RawMessage   `json:"minWireVersion,omitempty"`
	MaxWireVersion   json.RawMessage   `json:"maxWireVersion,omitempty"`
	OperationCount   json.RawMessage   `json:"operationCount,omitempty"`
	SetName          string            `json:"setName,omitempty"`
}

type enginePreference struct {
	Mode                string              `json:"mode,omitempty"`
	Tags                []map[string]string `json:"tags,omitzero"`
	MaxStalenessSeconds json.RawMessage     `json:"maxStalenessSeconds,omitempty"`
	Hedge               json.RawMessage     `json:"hedge,omitempty"`
}

func (t *caseTopology) translate() (engineTopology, error) {
	out := engineTopology{Type: t.Type, SetName: t.SetName, Servers: make([]engineServer, len(t.Servers))}
	for i := range t.Servers {
		s, err := t.Servers[i].translate()
		if err != nil {
			return out, fmt.Errorf("servers[%d]: %w", i, err)
		}
		out.Servers[i] = s
	}
	return out, nil
}

func (s *caseServer) translate() (engineServer, error) {
	out := engineServer{Address: s.Address, Type: s.Type, Tags: s.Tags, SetName: s.SetName,
		MinWireVersion: s.MinWireVersion, MaxWireVersion: s.MaxWireVersion}
	if s.Address == "" || s.Type == "" {
		return out, fmt.Errorf("a server needs address and type")
	}
	if s.AvgRTTms != "" && s.AvgRTTMS != "" {
		return out, fmt.Errorf("avg_rtt_ms and avgRttMS are both there")
	}
	out.RoundTripTimeMS = json.Number(s.AvgRTTms + s.AvgRTTMS)
	var nested json.RawMessage
	if s.LastWrite != nil {
		nested = s.LastWrite.LastWriteDate
	}
	var err error
	if out.LastWriteDate, err = oneOf(nested, s.LastWriteDate); err == nil {
		if out.LastUpdateTimeMS, err = oneOf(s.LastUpdateTime, s.LastUpdateTimeMS); err == nil {
			out.OperationCount, err = oneOf(s.OperationCount, s.OperationCount2)
		}
	}
	return out, err
}

// oneOf takes the one of two spellings that is there.
func oneOf(a, b json.RawMessage) (json.RawMessage, error) {
	if len(a) > 0 && len(b) > 0 && !bytes.Equal(a, b) {
		return nil, fmt.Errorf("two spellings of one key disagree: %s and %s", a, b)
	}
	if len(a) > 0 {
		return a, nil
	}
	return b, nil
}

var modes = []string{"primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"}

// translateMode maps the cases' capital spelling; other names pass as they
// are, for the engine to refuse.
func translateMode(mode string) string {
	for _, m := range modes {
		if strings.EqualFold(m[:1], firstByte(mode)) && m[1:] == mode[1:] {
			return m
		}
	}
	return mode
}

func firstByte(s string) string {
	if s == "" {
		return ""
	}
	return s[:1]
}

func (p *casePreference) translate() (*enginePreference, error) {
	if p == nil {
		return nil, nil
	}
	if p.TagSets != nil && p.Tags != nil {
		return nil, fmt.Errorf("tag_sets and tags are both there")
	}
	tags := p.TagSets
	if tags == nil {
		tags = p.Tags
	}
	return &enginePreference{translateMode(p.Mode), tags, p.MaxStalenessSeconds, p.Hedge}, nil
}

// caseAddresses reads a list whose elements are addresses or whole descriptions.
type caseAddresses []string

func (l *caseAddresses) UnmarshalJSON(b []byte) error {
	var elems []json.RawMessage
	if err := json.Unmarshal(b, &elems); err != nil {
		return err
	}
	*l = make(caseAddresses, 0, len(elems))
	for _, e := range elems {
		var address string
		if e[0] == '"' {
			if err := json.Unmarshal(e, &address); err != nil {
				return err
			}
		} else {
			var s caseServer
			if err := decodeStrict(e, &s); err != nil {
				return err
			}
			address = s.Address
		}
		if address == "" {
			return fmt.Errorf("a server needs an address: %s", e)
		}
		*l = append(*l, address)
	}
	return nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
