package main

import (
	"encoding/json"
	"strconv"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// discovering makes a function on a discovered topology serve requests that name
// one.
func discovering(o *opened, do func(d *discovery.Deployment, document []byte) (map[string]any, error)) func([]byte) (map[string]any, error) {
	return func(document []byte) (map[string]any, error) {
		var named struct {
			Topology uint32 `json:"topology"`
		}
		// The rest of the document is for do to refuse.
		_ = json.Unmarshal(document, &named)
		t := o.topologies[named.Topology]
		switch {
		case t == nil:
			return nil, noHandle("topology")
		case t.discovered == nil:
			return nil, &status.Error{Code: status.Argument, Message: "this topology's description is given by topology.update: it discovers nothing", Path: "topology"}
		}
		return do(t.discovered, document)
	}
}

func (o *opened) open(document []byte) (map[string]any, error) {
	var strict wire.Decoder
	var r wire.TopologyRequest
	if err := strict.OpenRequest(&r, document); err != nil {
		return nil, err
	}
	t := new(openTopology)
	var err error
	if r.Form == wire.OpenDescription {
		t.topology, err = cluster.Open(&r.Topology, cluster.Settings{Options: r.Options, Pick: r.Pick, Seed: r.Seed})
	} else if t.discovered, err = openDeployment(&r); err == nil {
		t.topology = t.discovered.Topology()
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"topology": o.keep(t, nil)}, nil
}

func openDeployment(r *wire.TopologyRequest) (*discovery.Deployment, error) {
	given := func(key uint64) bool { return r.Given&key != 0 }
	s := discovery.DefaultSettings(r.Seeds...)
	if r.Form == wire.OpenURI {
		c, err := connstring.Parse(r.URI)
		if err != nil {
			return nil, inURI(err)
		}
		// Resolve takes any answer; the document's caller is to know who asks DNS.
		switch {
		case !c.SRV && given(wire.OpenSRV):
			return nil, &status.Error{Code: status.Argument, Message: "only mongodb+srv:// asks DNS", Path: "srv"}
		case !c.SRV && given(wire.OpenTXT):
			return nil, &status.Error{Code: status.Argument, Message: "only mongodb+srv:// asks DNS", Path: "txt"}
		case c.SRV && !given(wire.OpenSRV):
			return nil, &status.Error{Code: status.MissingKey, Message: `a mongodb+srv:// connection string needs "srv", the answer of DNS`, Path: "srv"}
		}
		rng := selection.SplitMix64(r.Seed)
		resolved, err := c.Resolve(r.SRV, r.TXT, rng.Next)
		if err != nil {
			return nil, inURI(err)
		}
		s = discovery.FromURI(resolved, r.SRV)
		if s.SRV != nil {
			s.SRV = c // what it said itself, without the options of DNS
		}
	}
	if given(wire.OpenReplicaSet) {
		s.SetName = r.ReplicaSet
	}
	if given(wire.OpenDirectConnection) {
		s.DirectConnection = r.DirectConnection
	}
	if given(wire.OpenLoadBalanced) {
		s.LoadBalanced = r.LoadBalanced
	}
	if given(wire.OpenRetargeting) {
		s.EnableOverloadRetargeting = r.Retargeting
	}
	options := r.Options
	if !given(wire.OpenThreshold) {
		options.LocalThresholdNS = s.Selection.Options.LocalThresholdNS
	}
	if !given(wire.OpenHeartbeat) {
		options.HeartbeatFrequencyMS = s.Selection.Options.HeartbeatFrequencyMS
	}
	s.Selection = cluster.Settings{Options: options, Pick: r.Pick, Seed: r.Seed}
	if r.Form == wire.OpenAgain {
		return discovery.Resume(s, &r.Topology, r.Pools)
	}
	return discovery.Open(s)
}

func typedHello(d *discovery.Deployment, document []byte) (map[string]any, error) {
	var strict wire.Decoder
	var r wire.Observation
	if err := strict.Observation(&r, document, true); err != nil {
		return nil, err
	}
	var o discovery.Outcome
	var err error
	if r.Probe {
		o, err = d.RoundTrip(r.Reply.Address, r.Reply.RTTNS)
	} else {
		o, err = d.Hello(&r.Reply)
	}
	answer := map[string]any{"generation": o.Generation, "accepted": o.Accepted, "server": o.Server}
	if o.NotLoadBalanced {
		answer["connectionError"] = sdam.NotLoadBalanced
	}
	return answer, err
}

func typedError(d *discovery.Deployment, document []byte) (map[string]any, error) {
	var strict wire.Decoder
	var r wire.Failure
	if err := strict.Failure(&r, document, true); err != nil {
		return nil, err
	}
	o, err := d.Error(&r.Error)
	return map[string]any{"generation": o.Generation, "accepted": o.Accepted, "deprioritize": o.Deprioritize}, err
}

func typedScan(d *discovery.Deployment, document []byte) (map[string]any, error) {
	var strict wire.Decoder
	var r wire.Scan
	if err := strict.Scan(&r, document, true); err != nil {
		return nil, err
	}
	scan, err := d.SRV(r.SRV)
	answer := map[string]any{"generation": scan.Generation, "added": orEmpty(scan.Added), "removed": orEmpty(scan.Removed), "nextMS": nil}
	if scan.Polled {
		answer["nextMS"] = scan.NextMS
	}
	if len(scan.Warnings) > 0 {
		answer["warnings"] = warningDocuments(scan.Warnings)
	}
	return answer, err
}

func typedShutdown(d *discovery.Deployment, _ []byte) (map[string]any, error) {
	generation, err := d.Shutdown()
	return map[string]any{"generation": generation}, err
}

func typedDescribe(d *discovery.Deployment, _ []byte) (map[string]any, error) {
	known, s, pools := d.Describe()
	described, err := discoveredDocument(&known, s.Selection.Options.WireVersions)
	if err != nil {
		return nil, err
	}
	answer := settingsDocument(&s.Selection)
	answer["topology"], answer["seeds"], answer["pools"] = described, orEmpty(s.Seeds), poolDocuments(pools)
	if s.SetName != "" {
		answer["replicaSet"] = s.SetName
	}
	for key, set := range map[string]bool{"directConnection": s.DirectConnection, "loadBalanced": s.LoadBalanced, "enableOverloadRetargeting": s.EnableOverloadRetargeting} {
		if set {
			answer[key] = true
		}
	}
	return answer, nil
}

// settingsDocument prints what holds for the selections of a topology.
func settingsDocument(s *cluster.Settings) map[string]any {
	return map[string]any{
		"localThresholdMS": topology.NewRTT(s.Options.LocalThresholdNS), "heartbeatFrequencyMS": s.Options.HeartbeatFrequencyMS,
		"wireVersions": map[string]int64{"min": s.Options.WireVersions.Min, "max": s.Options.WireVersions.Max},
		"pick":         s.Pick.String(), "seed": strconv.FormatUint(s.Seed, 10),
	}
}

func poolDocuments(pools []sdam.Pool) []map[string]any {
	documents := []map[string]any{}
	for _, p := range pools {
		document := map[string]any{"address": p.Address, "generation": p.Generation}
		if p.Service.IsDefined() {
			document["serviceId"] = p.Service
		}
		documents = append(documents, document)
	}
	return documents
}

// discoveredDocument is a description as its json method prints it, and whether
// the client can talk to all servers.
func discoveredDocument(t *topology.Description, client topology.WireVersions) (map[string]json.RawMessage, error) {
	if t == nil {
		t = &topology.Description{} // one that is not there yet, or no more
	}
	printed, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	var document map[string]json.RawMessage
	if err := json.Unmarshal(printed, &document); err != nil {
		return nil, err
	}
	incompatible := t.CheckCompatible(client)
	document["compatible"], err = json.Marshal(incompatible == nil)
	if incompatible != nil && err == nil {
		document["compatibilityError"], err = json.Marshal(incompatible.(*status.Error).Message)
	}
	return document, err
}

func typedEvents(d *discovery.Deployment, _ []byte) (map[string]any, error) {
	client := d.Settings().Selection.Options.WireVersions
	list, last := []map[string]any{}, uint32(0)
	for _, c := range d.Changes() {
		document, err := changeDocument(&c, client)
		if err != nil {
			return nil, err
		}
		list, last = append(list, document), c.Sequence
	}
	// No case has so many events that some are lost or wait for another answer.
	return map[string]any{"events": list, "last": last, "dropped": 0, "more": false}, nil
}

func changeDocument(c *discovery.Change, client topology.WireVersions) (map[string]any, error) {
	document := map[string]any{"sequence": c.Sequence}
	if f := c.Effect; f != nil {
		document["effect"] = f.Kind.String()
		switch f.Kind {
		case sdam.ScanSRV:
			document["afterMS"] = f.AfterMS
			return document, nil
		case sdam.PoolClear:
			document["interruptInUse"], document["generation"] = f.InterruptInUse, f.Generation
			if f.Service.IsDefined() {
				document["serviceId"] = f.Service
			}
		}
		document["address"] = f.Address
		return document, nil
	}
	e := c.Event
	document["event"] = e.Kind.String()
	if e.Address != "" {
		document["address"] = e.Address
	}
	var err error
	switch e.Kind {
	case sdam.ServerDescriptionChanged:
		document["previousDescription"], document["newDescription"] = e.OldServer, e.NewServer
	case sdam.TopologyDescriptionChanged:
		if document["previousDescription"], err = discoveredDocument(e.OldTopology, client); err == nil {
			document["newDescription"], err = discoveredDocument(e.NewTopology, client)
		}
	}
	return document, err
}

func typedAcknowledge(d *discovery.Deployment, document []byte) (map[string]any, error) {
	var request struct {
		UpTo uint32 `json:"upto"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	return map[string]any{}, d.Acknowledge(request.UpTo)
}
