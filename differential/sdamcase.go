package main

import (
	"encoding/json"
	"fmt"
	"slices"
)

// sdamCase is a client's beginning and what servers then replied.
type sdamCase struct {
	Seeds            []string `json:"seeds"`
	ReplicaSet       string   `json:"replicaSet,omitempty"`
	DirectConnection bool     `json:"directConnection,omitempty"`
	Replies          []reply  `json:"replies"`
}

type reply struct {
	Address string   `json:"address"`
	Hello   helloDoc `json:"hello"`
}

// helloDoc is a reply to hello; without OK it is a failed check.
type helloDoc struct {
	OK                int       `json:"ok,omitempty"`
	IsWritablePrimary bool      `json:"isWritablePrimary,omitempty"`
	Secondary         bool      `json:"secondary,omitempty"`
	ArbiterOnly       bool      `json:"arbiterOnly,omitempty"`
	Hidden            bool      `json:"hidden,omitempty"`
	IsReplicaSet      bool      `json:"isreplicaset,omitempty"`
	Msg               string    `json:"msg,omitempty"`
	SetName           string    `json:"setName,omitempty"`
	Me                string    `json:"me,omitempty"`
	Primary           string    `json:"primary,omitempty"`
	Hosts             []string  `json:"hosts,omitempty"`
	Passives          []string  `json:"passives,omitempty"`
	Arbiters          []string  `json:"arbiters,omitempty"`
	SetVersion        *int      `json:"setVersion,omitempty"`
	ElectionID        *objectID `json:"electionId,omitempty"`
	MinWireVersion    int       `json:"minWireVersion"`
	MaxWireVersion    int       `json:"maxWireVersion"`
}

type objectID struct {
	OID string `json:"$oid"`
}

// step is the topology after a reply, as far as all implementations keep it.
type step struct {
	Type          string            `json:"type"`
	SetName       *string           `json:"setName"`
	MaxSetVersion *int              `json:"maxSetVersion"`
	MaxElectionID *string           `json:"maxElectionId"`
	Servers       map[string]string `json:"servers"`
}

func (s *step) String() string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (c *sdamCase) document() string {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (c *sdamCase) clone() *sdamCase {
	d := *c
	d.Seeds, d.Replies = slices.Clone(c.Seeds), slices.Clone(c.Replies)
	return &d
}

// parts is the first step at which a and b differ, -1 where none does.
func parts(a, b *answer) int {
	for i := range a.Steps {
		if i >= len(b.Steps) || a.Steps[i].String() != b.Steps[i].String() {
			return i
		}
	}
	return -1
}

// ourSDAM gives the replies to a topology of ours.
func ourSDAM(c *sdamCase) (*answer, error) {
	var s session
	open := map[string]any{"seeds": c.Seeds, "seed": 1}
	if c.ReplicaSet != "" {
		open["replicaSet"] = c.ReplicaSet
	}
	if c.DirectConnection {
		open["directConnection"] = true
	}
	var opened struct{ Topology int64 }
	if err := s.call("topology.open", open, &opened); err != nil {
		return nil, err
	}
	a := &answer{}
	for i, r := range c.Replies {
		hello := map[string]any{"topology": opened.Topology, "address": r.Address, "nowMS": i}
		if r.Hello.OK == 1 {
			hello["hello"], hello["roundTripTimeMS"] = r.Hello, 1
		} else {
			hello["hello"], hello["error"] = struct{}{}, "refused"
		}
		if err := s.call("topology.hello", hello, &struct{}{}); err != nil {
			return nil, err
		}
		var answer struct {
			Topology struct {
				Type          string
				SetName       *string
				MaxSetVersion *int
				MaxElectionID *objectID
				Servers       []struct{ Address, Type string }
			}
			ReplicaSet *string
		}
		if err := s.call("topology.describe", map[string]any{"topology": opened.Topology}, &answer); err != nil {
			return nil, err
		}
		described := &answer.Topology
		t := step{Type: described.Type, SetName: described.SetName, MaxSetVersion: described.MaxSetVersion, Servers: map[string]string{}}
		if t.SetName == nil { // a name that the client was given stands beside the description
			t.SetName = answer.ReplicaSet
		}
		if described.MaxElectionID != nil {
			t.MaxElectionID = &described.MaxElectionID.OID
		}
		for _, server := range described.Servers {
			t.Servers[server.Address] = server.Type
			if server.Type == "PossiblePrimary" { // only single-threaded clients need it; the drivers here say Unknown
				t.Servers[server.Address] = "Unknown"
			}
		}
		a.Steps = append(a.Steps, t)
	}
	if err := s.call("close", map[string]any{"handle": opened.Topology}, &struct{}{}); err != nil {
		return nil, fmt.Errorf("close: %w", err)
	}
	return a, nil
}
