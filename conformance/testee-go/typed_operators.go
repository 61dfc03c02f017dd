package main

import (
	"encoding/json"
	"slices"

	"github.com/readpref/readpref/core/advise"
	"github.com/readpref/readpref/core/diff"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/whatif"
	"github.com/readpref/readpref/core/wire"
	"github.com/readpref/readpref/core/workload"
)

// question is what requests of operators share, and how one side of diff is
// written, as encoding/json reads it.
type question struct {
	Topology  json.RawMessage    `json:"topology"`
	Workloads []workloadDocument `json:"workloads"`
	optionsDocument
	Pick   string `json:"pick"`
	Format string `json:"format"`
}

type workloadDocument struct {
	Name           string              `json:"name"`
	ReadPreference readpref.Preference `json:"readPreference"`
	Operation      string              `json:"operation"`
	Weight         topology.Int        `json:"weight"`
	WritesBack     bool                `json:"writesBack"`
	Transaction    bool                `json:"transaction"`
}

func (q *question) format() table.Format {
	if q.Format == "markdown" {
		return table.Markdown
	}
	return table.Text
}

// side changes what it says of one side of a question.
func (q *question) side(s *diff.Side) error {
	if q.Topology != nil && string(q.Topology) != "null" {
		var err error
		if s.Topology, err = description(q.Topology); err != nil {
			return err
		}
	}
	if q.Workloads != nil {
		s.Workloads = nil
	}
	for _, d := range q.Workloads {
		w := workload.Workload{Name: d.Name, Preference: d.ReadPreference, Weight: 1, WritesBack: d.WritesBack, Transaction: d.Transaction,
			Operation: selection.Operation(max(0, slices.Index(selection.OperationNames[:], d.Operation)))}
		if weight, ok := d.Weight.Get(); ok {
			w.Weight = weight
		}
		s.Workloads = append(s.Workloads, w)
	}
	q.change(&s.Options)
	if pick := slices.Index(selection.PickNames[:], q.Pick); pick >= 0 {
		s.Pick = selection.Pick(pick)
	}
	return nil
}

// asked reads a request, and what all of them have.
func asked(document []byte, request any, q *question) (diff.Side, error) {
	s := diff.Side{Options: selection.DefaultOptions()}
	if err := json.Unmarshal(document, request); err != nil {
		return s, err
	}
	return s, q.side(&s)
}

// of is what a side is asked about.
func of(s *diff.Side, format table.Format) workload.Question {
	return workload.Question{Topology: s.Topology, Workloads: s.Workloads, Options: s.Options, Format: format}
}

func typedSimulate(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.SimulateRequest(new(wire.SimulateRequest), document); err != nil {
		return nil, err
	}
	var request struct {
		question
		Seed           json.RawMessage         `json:"seed"`
		Picks          topology.Int            `json:"picks"`
		Clients        topology.Int            `json:"clients"`
		ServiceTimesMS map[string]topology.RTT `json:"serviceTimesMS"`
		State          string                  `json:"state"`
	}
	s, err := asked(document, &request, &request.question)
	if err != nil {
		return nil, err
	}
	r := simulate.Request{Question: of(&s, request.format()), Pick: s.Pick, State: request.State}
	if r.Seed, err = readSeed(request.Seed); err != nil {
		return nil, err
	}
	r.Picks, _ = request.Picks.Get()
	clients, _ := request.Clients.Get()
	r.Clients = int(clients)
	r.ServiceTimesNS = make([]int64, len(s.Topology.Servers))
	for address, takes := range request.ServiceTimesMS {
		i := slices.IndexFunc(s.Topology.Servers, func(server topology.Server) bool { return topology.SameAddress(server.Address, address) })
		r.ServiceTimesNS[i], _ = takes.Nanoseconds()
	}
	res, err := simulate.Run(&r)
	if err != nil {
		return nil, err
	}
	return wire.AppendSimulation(nil, &r, res), nil
}

type eventDocument struct {
	Type            string          `json:"type"`
	Address         string          `json:"address"`
	Tags            json.RawMessage `json:"tags"`
	LagSeconds      topology.Int    `json:"lagSeconds"`
	RoundTripTimeMS topology.RTT    `json:"roundTripTimeMS"`
	Server          json.RawMessage `json:"server"`
}

func (d *eventDocument) event() (whatif.Event, error) {
	e := whatif.Event{Kind: whatif.Kind(slices.Index(whatif.KindNames[:], d.Type)), Address: d.Address}
	e.Seconds, _ = d.LagSeconds.Get()
	e.AddNS, _ = d.RoundTripTimeMS.Nanoseconds()
	var err error
	if e.Tags, err = tagsOf(d.Tags); err != nil {
		return e, err
	}
	if e.Kind == whatif.MemberAdded {
		server, err := describe(d.Server)
		if err != nil {
			return e, err
		}
		return e, json.Unmarshal(server, &e.Server)
	}
	return e, nil
}

// tagsOf reads tags in their order, as a server has them.
func tagsOf(raw json.RawMessage) (tag.Set, error) {
	if raw == nil {
		return nil, nil
	}
	described, err := json.Marshal(map[string]any{"address": "a", "type": "RSSecondary", "tags": raw})
	if err != nil {
		return nil, err
	}
	var s topology.Server
	err = json.Unmarshal(described, &s)
	return s.Tags, err
}

func typedWhatIf(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.WhatIfRequest(new(wire.WhatIfRequest), document); err != nil {
		return nil, err
	}
	var request struct {
		question
		Events      []eventDocument `json:"events"`
		AtOnce      topology.Int    `json:"atOnce"`
		EverySingle bool            `json:"everySingle"`
		EveryPair   bool            `json:"everyPair"`
	}
	s, err := asked(document, &request, &request.question)
	if err != nil {
		return nil, err
	}
	r := whatif.Request{Question: of(&s, request.format()),
		EverySingle: request.EverySingle, EveryPair: request.EveryPair}
	atOnce, _ := request.AtOnce.Get()
	r.AtOnce = int(atOnce)
	for _, d := range request.Events {
		e, err := d.event()
		if err != nil {
			return nil, err
		}
		r.Events = append(r.Events, e)
	}
	res, err := whatif.Run(&r)
	if err != nil {
		return nil, err
	}
	return wire.AppendWhatIf(nil, &r, res), nil
}

func typedAdvise(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.AdviseRequest(new(wire.AdviseRequest), document); err != nil {
		return nil, err
	}
	var request struct {
		question
		DirectConnection bool  `json:"directConnection"`
		FlowControl      *bool `json:"flowControl"`
	}
	s, err := asked(document, &request, &request.question)
	if err != nil {
		return nil, err
	}
	r := advise.Request{Question: of(&s, request.format()),
		DirectConnection: request.DirectConnection, FlowControlOff: request.FlowControl != nil && !*request.FlowControl}
	findings, err := advise.Run(&r)
	if err != nil {
		return nil, err
	}
	return wire.AppendAdvice(nil, &r, findings), nil
}

func typedDiff(document []byte) ([]byte, error) {
	var strict wire.Decoder
	var checked wire.DiffRequest // the answer's printer asks it which sides are there
	if err := strict.DiffRequest(&checked, document); err != nil {
		return nil, err
	}
	var request struct {
		question
		After question `json:"after"`
	}
	before, err := asked(document, &request, &request.question)
	if err != nil {
		return nil, err
	}
	after := before
	if err := request.After.side(&after); err != nil {
		return nil, err
	}
	r := diff.Request{Before: before, After: after, Format: request.format()}
	res, err := diff.Run(&r)
	if err != nil {
		return nil, err
	}
	return wire.AppendDiff(nil, &checked, &r, res), nil
}
