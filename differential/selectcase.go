package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// selectCase is one selection: a request of the method select, of which every
// peer reads the same document.
type selectCase struct {
	Topology             topologyDoc   `json:"topology"`
	ReadPreference       preferenceDoc `json:"readPreference"`
	Operation            string        `json:"operation,omitempty"`
	Deprioritized        []string      `json:"deprioritized,omitempty"`
	LocalThresholdMS     int64         `json:"localThresholdMS"`
	HeartbeatFrequencyMS int64         `json:"heartbeatFrequencyMS"`
}

type topologyDoc struct {
	Type    string      `json:"type"`
	SetName string      `json:"setName,omitempty"`
	Servers []serverDoc `json:"servers"`
}

type serverDoc struct {
	Address          string            `json:"address"`
	Type             string            `json:"type"`
	RoundTripTime    *nanoseconds      `json:"roundTripTimeMS,omitempty"`
	Tags             map[string]string `json:"tags,omitempty"`
	LastWriteDate    *int64            `json:"lastWriteDate,omitempty"`
	LastUpdateTimeMS *int64            `json:"lastUpdateTimeMS,omitempty"`
	MinWireVersion   *int              `json:"minWireVersion,omitempty"`
	MaxWireVersion   *int              `json:"maxWireVersion,omitempty"`
}

type preferenceDoc struct {
	Mode                string               `json:"mode"`
	Tags                *[]map[string]string `json:"tags,omitempty"`
	MaxStalenessSeconds *int64               `json:"maxStalenessSeconds,omitempty"`
}

// nanoseconds is a time that documents say in milliseconds.
type nanoseconds int64

func (n nanoseconds) MarshalJSON() ([]byte, error) {
	whole, rest := int64(n)/1e6, int64(n)%1e6
	s := strconv.FormatInt(whole, 10)
	if rest > 0 {
		digits := strconv.FormatInt(1e6+rest, 10)[1:]
		s += "." + strings.TrimRight(digits, "0")
	}
	return []byte(s), nil
}

func (c *selectCase) document() string {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(b)
}

// clone is deep enough for shrinking: what an edit replaces is never shared.
func (c *selectCase) clone() *selectCase {
	d := *c
	d.Topology.Servers = slices.Clone(c.Topology.Servers)
	d.Deprioritized = slices.Clone(c.Deprioritized)
	if c.ReadPreference.Tags != nil {
		tags := slices.Clone(*c.ReadPreference.Tags)
		d.ReadPreference.Tags = &tags
	}
	return &d
}

func (c *selectCase) isReplicaSet() bool { return strings.HasPrefix(c.Topology.Type, "ReplicaSet") }

// server returns the server with this address.
func (c *selectCase) server(address string) *serverDoc {
	i := slices.IndexFunc(c.Topology.Servers, func(s serverDoc) bool { return s.Address == address })
	if i < 0 {
		return nil
	}
	return &c.Topology.Servers[i]
}

func (c *selectCase) primary() *serverDoc {
	i := slices.IndexFunc(c.Topology.Servers, func(s serverDoc) bool { return s.Type == "RSPrimary" })
	if i < 0 {
		return nil
	}
	return &c.Topology.Servers[i]
}

// maxStaleness is what the preference says, -1 where it sets no maximum.
func (c *selectCase) maxStaleness() int64 {
	if m := c.ReadPreference.MaxStalenessSeconds; m != nil {
		return *m
	}
	return -1
}

func (s *serverDoc) known() bool { return s.Type != "Unknown" && s.Type != "PossiblePrimary" }
