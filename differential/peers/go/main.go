// Command readprefdifferential is the Go driver's own selection behind the lines
// that ../../peer.go writes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strings"
	"time"
	_ "unsafe" // go:linkname

	"go.mongodb.org/mongo-driver/v2/internal/driverutil"
	"go.mongodb.org/mongo-driver/v2/internal/serverselector"
	"go.mongodb.org/mongo-driver/v2/mongo/address"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/tag"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

// The driver's own step, private to its package topology.
//
//go:linkname selectServerFromDescription go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*Topology).selectServerFromDescription
func selectServerFromDescription(t *topology.Topology, d description.Topology, s description.ServerSelector) ([]description.Server, error)

type request struct {
	Topology struct {
		Type    string   `json:"type"`
		SetName string   `json:"setName"`
		Servers []server `json:"servers"`
	} `json:"topology"`
	ReadPreference struct {
		Mode                string               `json:"mode"`
		Tags                *[]map[string]string `json:"tags"`
		MaxStalenessSeconds *int64               `json:"maxStalenessSeconds"`
	} `json:"readPreference"`
	Operation            string   `json:"operation"`
	Deprioritized        []string `json:"deprioritized"`
	LocalThresholdMS     float64  `json:"localThresholdMS"`
	HeartbeatFrequencyMS float64  `json:"heartbeatFrequencyMS"`
}

type server struct {
	Address          string            `json:"address"`
	Type             string            `json:"type"`
	RoundTripTimeMS  *float64          `json:"roundTripTimeMS"`
	Tags             map[string]string `json:"tags"`
	LastWriteDate    *int64            `json:"lastWriteDate"`
	LastUpdateTimeMS *int64            `json:"lastUpdateTimeMS"`
	MinWireVersion   int32             `json:"minWireVersion"`
	MaxWireVersion   int32             `json:"maxWireVersion"`
}

var serverKinds = map[string]description.ServerKind{
	"RSPrimary": description.ServerKindRSPrimary, "RSSecondary": description.ServerKindRSSecondary,
	"RSArbiter": description.ServerKindRSArbiter, "RSOther": description.ServerKindRSMember, "RSGhost": description.ServerKindRSGhost,
	"Mongos": description.ServerKindMongos, "Standalone": description.ServerKindStandalone,
	"LoadBalancer": description.ServerKindLoadBalancer, "Unknown": description.Unknown, "PossiblePrimary": description.Unknown,
}

var topologyKinds = map[string]description.TopologyKind{
	"Single": description.TopologyKindSingle, "Sharded": description.TopologyKindSharded,
	"ReplicaSetNoPrimary": description.TopologyKindReplicaSetNoPrimary, "ReplicaSetWithPrimary": description.TopologyKindReplicaSetWithPrimary,
	"LoadBalanced": description.TopologyKindLoadBalanced, "Unknown": description.Unknown,
}

func milliseconds(ms float64) time.Duration { return time.Duration(math.Round(ms * 1e6)) }

// describe makes what the driver keeps of a server; of one that has not answered it
// keeps nothing.
func describe(s *server, heartbeat time.Duration) description.Server {
	d := description.Server{Addr: address.Address(s.Address), CanonicalAddr: address.Address(s.Address), Kind: serverKinds[s.Type]}
	if d.Kind == description.Unknown {
		return d
	}
	d.HeartbeatInterval = heartbeat
	if s.RoundTripTimeMS != nil {
		d.AverageRTT, d.AverageRTTSet = milliseconds(*s.RoundTripTimeMS), true
	}
	if s.Tags != nil {
		d.Tags = tag.NewTagSetFromMap(s.Tags)
	}
	if s.LastWriteDate != nil {
		d.LastWriteTime = time.UnixMilli(*s.LastWriteDate)
	}
	if s.LastUpdateTimeMS != nil {
		d.LastUpdateTime = time.UnixMilli(*s.LastUpdateTimeMS)
	}
	if d.Kind != description.ServerKindLoadBalancer {
		d.WireVersion = &description.VersionRange{Min: s.MinWireVersion, Max: s.MaxWireVersion}
	}
	return d
}

// incompatible is the error that the driver's state machine sets (fsm.apply).
func incompatible(servers []description.Server) error {
	for _, s := range servers {
		switch {
		case s.WireVersion == nil:
		case s.WireVersion.Max < driverutil.MinWireVersion:
			return fmt.Errorf("server at %s reports wire version %d, but this version of the Go driver requires at least %d", s.Addr, s.WireVersion.Max, driverutil.MinWireVersion)
		case s.WireVersion.Min > driverutil.MaxWireVersion:
			return fmt.Errorf("server at %s requires wire version %d, but this version of the Go driver only supports up to %d", s.Addr, s.WireVersion.Min, driverutil.MaxWireVersion)
		}
	}
	return nil
}

func preference(r *request) (*readpref.ReadPref, error) {
	mode, err := readpref.ModeFromString(r.ReadPreference.Mode)
	if err != nil {
		return nil, err
	}
	var options []readpref.Option
	if t := r.ReadPreference.Tags; t != nil {
		options = append(options, readpref.WithTagSets(tag.NewTagSetsFromMaps(*t)...))
	}
	if m := r.ReadPreference.MaxStalenessSeconds; m != nil && *m < 0 {
		// The options have no value that says "none": what the driver's connection strings make of it.
		parsed, err := connstring.ParseAndValidate(fmt.Sprintf("mongodb://h/?readPreference=%s&maxStalenessSeconds=%d", r.ReadPreference.Mode, *m))
		if err != nil {
			return nil, err
		}
		if parsed.MaxStalenessSet {
			options = append(options, readpref.WithMaxStaleness(parsed.MaxStaleness))
		}
	} else if m != nil {
		options = append(options, readpref.WithMaxStaleness(time.Duration(*m)*time.Second))
	}
	return readpref.New(mode, options...)
}

func selectWindow(r *request) ([]string, error) {
	t := description.Topology{Kind: topologyKinds[r.Topology.Type], SetName: r.Topology.SetName}
	var deprioritized []description.Server
	for i := range r.Topology.Servers {
		d := describe(&r.Topology.Servers[i], milliseconds(r.HeartbeatFrequencyMS))
		t.Servers = append(t.Servers, d)
		for _, a := range r.Deprioritized {
			if a == r.Topology.Servers[i].Address {
				deprioritized = append(deprioritized, d)
			}
		}
	}
	t.CompatibilityErr = incompatible(t.Servers)
	latency := &serverselector.Latency{Latency: milliseconds(r.LocalThresholdMS)}
	var wanted description.ServerSelector = &serverselector.Write{}
	if r.Operation != "write" {
		p, err := preference(r)
		if err != nil {
			return nil, err
		}
		wanted = &serverselector.ReadPref{ReadPref: p, IsOutputAggregate: r.Operation == "aggregateWithWriteStage"}
	}
	selector := serverselector.NewDeprioritized(&serverselector.Composite{Selectors: []description.ServerSelector{wanted, latency}}, deprioritized)
	found, err := selectServerFromDescription(nil, t, selector)
	if err != nil {
		return nil, err
	}
	window := []string{}
	for _, s := range found {
		window = append(window, string(s.Addr))
	}
	return window, nil
}

func answer(line string) (out map[string]any) {
	defer func() {
		if p := recover(); p != nil { // the driver's own: an answer, too
			out = map[string]any{"error": fmt.Sprint("panic: ", p)}
		}
	}()
	kind, document, _ := strings.Cut(line, "\t")
	var r request
	if kind != "select" {
		return map[string]any{"harness": "cannot " + kind}
	}
	if err := json.Unmarshal([]byte(document), &r); err != nil {
		return map[string]any{"harness": err.Error()}
	}
	window, err := selectWindow(&r)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"window": window}
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "go.mongodb.org/mongo-driver/v2" {
				return strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return "unknown"
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	say := func(v any) {
		if err := out.Encode(v); err != nil {
			os.Exit(1)
		}
	}
	say(map[string]any{"version": version()})
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		say(answer(strings.TrimRight(line, "\n")))
	}
}
