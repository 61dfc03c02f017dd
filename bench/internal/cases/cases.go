// Package cases makes the topologies and read preferences that are measured.
package cases

import (
	"encoding/json"
	"fmt"
)

// Case is one topology and one read preference.
type Case struct {
	Name       string `json:"name"`     // rs3/nearest
	Topology   string `json:"topology"` // rs3
	Preference string `json:"preference"`
	Servers    int    `json:"servers"`

	Select string `json:"-"` // the request of select
	Open   string `json:"-"` // of topology.open
	Prefer string `json:"-"` // of readpref.open
}

// The shapes of a case's documents.
type (
	selectRequest struct {
		Topology             description    `json:"topology"`
		ReadPreference       readPreference `json:"readPreference"`
		LocalThresholdMS     int            `json:"localThresholdMS"`
		HeartbeatFrequencyMS int            `json:"heartbeatFrequencyMS"`
	}
	openRequest struct {
		Topology             description `json:"topology"` // first: the C runner relies on it
		LocalThresholdMS     int         `json:"localThresholdMS"`
		HeartbeatFrequencyMS int         `json:"heartbeatFrequencyMS"`
	}
	description struct {
		Type    string   `json:"type"`
		SetName string   `json:"setName,omitempty"`
		Servers []server `json:"servers"`
	}
	server struct {
		Address          string            `json:"address"`
		Type             string            `json:"type"`
		RoundTripTimeMS  float64           `json:"roundTripTimeMS"`
		Tags             map[string]string `json:"tags,omitempty"`
		LastWriteDate    int64             `json:"lastWriteDate,omitempty"`
		LastUpdateTimeMS int64             `json:"lastUpdateTimeMS"`
		MinWireVersion   int               `json:"minWireVersion"`
		MaxWireVersion   int               `json:"maxWireVersion"`
	}
	readPreference struct {
		Mode                string              `json:"mode"`
		Tags                []map[string]string `json:"tags,omitempty"`
		MaxStalenessSeconds int                 `json:"maxStalenessSeconds,omitempty"`
	}
)

// preferences are those of every topology.
var preferences = []struct {
	name string
	is   readPreference
}{
	{"primary", readPreference{Mode: "primary"}},
	{"nearest", readPreference{Mode: "nearest"}},
	{"secondaryPreferred+2tagsets", readPreference{Mode: "secondaryPreferred",
		Tags: []map[string]string{{"dc": "nowhere", "rack": "1"}, {"dc": "east"}}}},
	{"secondary+maxStaleness120", readPreference{Mode: "secondary", MaxStalenessSeconds: 120}},
}

// All returns the cases: replica sets of 3, 7 and 50 members, and 100 mongoses,
// each with four preferences.
func All() []Case {
	var all []Case
	for _, t := range []struct {
		name string
		is   description
	}{{"rs3", ReplicaSet(3)}, {"rs7", ReplicaSet(7)}, {"rs50", ReplicaSet(50)}, {"mongos100", mongoses(100)}} {
		for _, p := range preferences {
			all = append(all, New(t.name, t.is, p.name, p.is))
		}
	}
	return all
}

// Growth returns the case of nearest on a replica set of n members.
func Growth(n int) Case {
	p := preferences[1]
	return New(fmt.Sprintf("rs%d", n), ReplicaSet(n), p.name, p.is)
}

// New puts a case together.
func New(topology string, t description, preference string, p readPreference) Case {
	const localThresholdMS, heartbeatFrequencyMS = 15, 10000
	return Case{
		Name: topology + "/" + preference, Topology: topology, Preference: preference, Servers: len(t.Servers),
		Select: text(selectRequest{t, p, localThresholdMS, heartbeatFrequencyMS}),
		Open:   text(openRequest{t, localThresholdMS, heartbeatFrequencyMS}),
		Prefer: text(map[string]readPreference{"readPreference": p}),
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own types always marshal
	}
	return string(b)
}

var roundTripTimes = [...]float64{2, 5, 9, 14, 18, 30} // ms: with a window of 15 ms the last two are mostly outside

// ReplicaSet has its primary in the middle, two data centres, three racks, and
// every fifth member stale by 300 seconds.
func ReplicaSet(n int) description {
	d := description{Type: "ReplicaSetWithPrimary", SetName: "rs0"}
	for i := range n {
		s := member(i, "RSSecondary")
		if i == n/2 {
			s.Type = "RSPrimary"
		}
		s.Tags = map[string]string{"dc": []string{"east", "west"}[i%2], "rack": fmt.Sprint(i % 3), "usage": "production"}
		d.Servers = append(d.Servers, s)
	}
	return d
}

func mongoses(n int) description {
	d := description{Type: "Sharded"}
	for i := range n {
		s := member(i, "Mongos")
		s.LastWriteDate = 0
		d.Servers = append(d.Servers, s)
	}
	return d
}

func member(i int, kind string) server {
	const now = 1_700_000_000_000
	s := server{
		Address: fmt.Sprintf("node%d.cluster0.example.net:27017", i), Type: kind,
		RoundTripTimeMS: roundTripTimes[i%len(roundTripTimes)], MaxWireVersion: 25,
		LastUpdateTimeMS: now + int64(i*2473+5305)%10_000, LastWriteDate: now - int64(i*1117+3882)%4_000,
	}
	if i%5 == 4 {
		s.LastWriteDate = now - 300_000
	}
	return s
}
