// Command readprefbench is the Go driver's selection behind the bench's line
// protocol (bench/README.md).
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
	_ "unsafe" // go:linkname

	"go.mongodb.org/mongo-driver/v2/internal/serverselector"
	"go.mongodb.org/mongo-driver/v2/mongo/address"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/tag"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"github.com/readpref/readpref/bench/lines"
)

// The driver's own steps; they are private to its package topology.

//go:linkname selectServerFromDescription go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*Topology).selectServerFromDescription
func selectServerFromDescription(t *topology.Topology, d description.Topology, s description.ServerSelector) ([]description.Server, error)

//go:linkname pick2 go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.pick2
func pick2(servers []description.Server) (description.Server, description.Server)

type request struct {
	Topology struct {
		Type    string   `json:"type"`
		SetName string   `json:"setName"`
		Servers []server `json:"servers"`
	} `json:"topology"`
	ReadPreference struct {
		Mode                string              `json:"mode"`
		Tags                []map[string]string `json:"tags"`
		MaxStalenessSeconds *int64              `json:"maxStalenessSeconds"`
	} `json:"readPreference"`
	LocalThresholdMS     float64 `json:"localThresholdMS"`
	HeartbeatFrequencyMS float64 `json:"heartbeatFrequencyMS"`
}

type server struct {
	Address          string            `json:"address"`
	Type             string            `json:"type"`
	RoundTripTimeMS  float64           `json:"roundTripTimeMS"`
	Tags             map[string]string `json:"tags"`
	LastWriteDate    int64             `json:"lastWriteDate"`
	LastUpdateTimeMS int64             `json:"lastUpdateTimeMS"`
	MinWireVersion   int32             `json:"minWireVersion"`
	MaxWireVersion   int32             `json:"maxWireVersion"`
}

var serverKinds = map[string]description.ServerKind{
	"RSPrimary": description.ServerKindRSPrimary, "RSSecondary": description.ServerKindRSSecondary,
	"Mongos": description.ServerKindMongos,
}

var topologyKinds = map[string]description.TopologyKind{
	"ReplicaSetWithPrimary": description.TopologyKindReplicaSetWithPrimary, "Sharded": description.TopologyKindSharded,
}

func milliseconds(ms float64) time.Duration { return time.Duration(math.Round(ms * 1e6)) }

func main() { lines.Serve(load) }

func load(d lines.Documents) (*lines.Loaded, error) {
	var r request
	if err := json.Unmarshal([]byte(d.Select), &r); err != nil {
		return nil, err
	}
	t := description.Topology{Kind: topologyKinds[r.Topology.Type], SetName: r.Topology.SetName}
	for _, s := range r.Topology.Servers {
		t.Servers = append(t.Servers, describe(s, milliseconds(r.HeartbeatFrequencyMS)))
	}
	selector, err := selectorOf(&r)
	if err != nil {
		return nil, err
	}
	window, err := selectServerFromDescription(nil, t, selector())
	if err != nil {
		return nil, err
	}
	var addresses []string
	for _, s := range window {
		addresses = append(addresses, string(s.Addr))
	}
	return &lines.Loaded{Window: addresses, Works: map[string]lines.Work{
		"cold": lines.Once(func(n int) error {
			for range n {
				if err := selectOne(t, selector()); err != nil {
					return err
				}
			}
			return nil
		}),
	}}, nil
}

func describe(s server, heartbeat time.Duration) description.Server {
	d := description.Server{
		Addr: address.Address(s.Address), CanonicalAddr: address.Address(s.Address), Kind: serverKinds[s.Type],
		HeartbeatInterval: heartbeat, AverageRTT: milliseconds(s.RoundTripTimeMS), AverageRTTSet: true,
		LastUpdateTime: time.UnixMilli(s.LastUpdateTimeMS),
		WireVersion:    &description.VersionRange{Min: s.MinWireVersion, Max: s.MaxWireVersion},
	}
	if s.Tags != nil {
		d.Tags = tag.NewTagSetFromMap(s.Tags)
	}
	if s.LastWriteDate != 0 {
		d.LastWriteTime = time.UnixMilli(s.LastWriteDate)
	}
	return d
}

// selectorOf returns what makes the selector of one operation: the driver, too,
// wraps the same two anew for each.
func selectorOf(r *request) (func() description.ServerSelector, error) {
	mode, err := readpref.ModeFromString(r.ReadPreference.Mode)
	if err != nil {
		return nil, err
	}
	var options []readpref.Option
	if len(r.ReadPreference.Tags) > 0 {
		options = append(options, readpref.WithTagSets(tag.NewTagSetsFromMaps(r.ReadPreference.Tags)...))
	}
	if s := r.ReadPreference.MaxStalenessSeconds; s != nil {
		options = append(options, readpref.WithMaxStaleness(time.Duration(*s)*time.Second))
	}
	preference, err := readpref.New(mode, options...)
	if err != nil {
		return nil, err
	}
	composite := &serverselector.Composite{Selectors: []description.ServerSelector{
		&serverselector.ReadPref{ReadPref: preference},
		&serverselector.Latency{Latency: milliseconds(r.LocalThresholdMS)},
	}}
	return func() description.ServerSelector { return serverselector.NewDeprioritized(composite, nil) }, nil
}

// Sink keeps the compiler from dropping the choice.
var Sink description.Server

// selectOne is a whole selection and the pick of two; comparing addresses
// stands in for comparing operation counts.
func selectOne(t description.Topology, selector description.ServerSelector) error {
	window, err := selectServerFromDescription(nil, t, selector)
	if err != nil {
		return err
	}
	switch len(window) {
	case 0:
		return fmt.Errorf("no server")
	case 1:
		Sink = window[0]
	default:
		one, two := pick2(window)
		if two.Addr < one.Addr {
			one = two
		}
		Sink = one
	}
	return nil
}
