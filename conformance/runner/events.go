package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// eventList is an answer of topology.events.
type eventList struct {
	Events  []happening  `json:"events"`
	Last    *json.Number `json:"last"`
	Dropped *json.Number `json:"dropped"`
	More    *bool        `json:"more"`
}

// happening is an event, or an effect: something that the host has to do.
type happening struct {
	Sequence            json.Number     `json:"sequence"`
	Event               string          `json:"event"`
	Effect              string          `json:"effect"`
	Address             string          `json:"address"`
	PreviousDescription json.RawMessage `json:"previousDescription"`
	NewDescription      json.RawMessage `json:"newDescription"`
	ServiceID           json.RawMessage `json:"serviceId"`
	InterruptInUse      *bool           `json:"interruptInUse"`
	Generation          json.Number     `json:"generation"`
	AfterMS             json.Number     `json:"afterMS"`
}

// eventsAnswer reads an answer of topology.events, in which nothing may be
// lost, and all is in order.
func eventsAnswer(got reply) (*eventList, error) {
	if err := got.answered(); err != nil {
		return nil, err
	}
	a := new(eventList)
	if err := decodeStrict([]byte(got.out), a); err != nil {
		return nil, err
	}
	if a.Events == nil || a.Last == nil || a.Dropped == nil || a.More == nil {
		return nil, errors.New("the answer lacks events, last, dropped or more")
	}
	if *a.Dropped != "0" || *a.More {
		return nil, errors.New("events were lost or left out")
	}
	last := int64(0)
	for i, e := range a.Events {
		n, err := e.Sequence.Int64()
		switch {
		case err != nil || n <= last:
			return nil, fmt.Errorf("the sequence number of events[%d] is %q after %d", i, e.Sequence, last)
		case (e.Event == "") == (e.Effect == ""):
			return nil, fmt.Errorf("events[%d] is an event or an effect", i)
		}
		last = n
	}
	if n, err := a.Last.Int64(); err != nil || n != last {
		return nil, fmt.Errorf("last is %q, the last sequence number %d", *a.Last, last)
	}
	return a, nil
}

// acknowledged builds a request of topology.events_ack for all that the events
// answered at step i had.
func acknowledged(i int) func(earlier []reply) ([]byte, error) {
	return func(earlier []reply) ([]byte, error) {
		a, err := eventsAnswer(earlier[i])
		if err != nil {
			return nil, err
		}
		return onHandle(map[string]json.Number{"upto": *a.Last})(earlier)
	}
}

// eventNames are the cases' names of events.
var eventNames = map[string]string{
	"topology_opening_event":             "topologyOpening",
	"topology_description_changed_event": "topologyDescriptionChanged",
	"topology_closed_event":              "topologyClosed",
	"server_opening_event":               "serverOpening",
	"server_description_changed_event":   "serverDescriptionChanged",
	"server_closed_event":                "serverClosed",
}

// expectedEvent is an event of a case: one of eventNames, and its fields.
type expectedEvent struct {
	name string
	eventFields
}

type eventFields struct {
	TopologyID          string          `json:"topologyId"` // of the case's making
	Address             string          `json:"address"`
	PreviousDescription json.RawMessage `json:"previousDescription"`
	NewDescription      json.RawMessage `json:"newDescription"`
}

func (e *expectedEvent) UnmarshalJSON(b []byte) error {
	var named map[string]json.RawMessage
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	if len(named) != 1 {
		return fmt.Errorf("an event has one name: %s", shorten(string(b)))
	}
	for name, fields := range named {
		if e.name = eventNames[name]; e.name == "" {
			return fmt.Errorf("unknown key %s", name)
		}
		if err := decodeStrict(fields, &e.eventFields); err != nil {
			return err
		}
	}
	return nil
}

// check compares what happened with the events of a case; effects are no events.
func checkEvents(got *eventList, want []expectedEvent) error {
	var events []happening
	for _, e := range got.Events {
		if e.Event != "" {
			events = append(events, e)
		}
	}
	for i, w := range want {
		if i >= len(events) {
			return fmt.Errorf("%d events, want %d: %s is missing", len(events), len(want), w.name)
		}
		if err := w.check(&events[i]); err != nil {
			return fmt.Errorf("events[%d]: %w", i, err)
		}
	}
	if len(events) > len(want) {
		return fmt.Errorf("%d events, want %d: %s is one too many", len(events), len(want), events[len(want)].Event)
	}
	return nil
}

func (w *expectedEvent) check(got *happening) error {
	if got.Event != w.name || got.Address != w.Address {
		return fmt.Errorf("%s %s, want %s %s", got.Event, got.Address, w.name, w.Address)
	}
	for _, d := range []struct {
		what      string
		got, want json.RawMessage
	}{{"previousDescription", got.PreviousDescription, w.PreviousDescription}, {"newDescription", got.NewDescription, w.NewDescription}} {
		if (d.got == nil) != (d.want == nil) {
			return fmt.Errorf("%s is %s, want %s", d.what, shorten(string(d.got)), shorten(string(d.want)))
		}
		if d.want == nil {
			continue
		}
		check := checkEventTopology
		if w.name == "serverDescriptionChanged" {
			check = checkEventServer
		}
		if err := check(d.got, d.want); err != nil {
			return fmt.Errorf("%s: %w", d.what, err)
		}
	}
	return nil
}

// checkEventTopology compares what the case lists; its servers are in order.
func checkEventTopology(got, want json.RawMessage) error {
	var w struct {
		TopologyType json.RawMessage   `json:"topologyType"`
		SetName      json.RawMessage   `json:"setName"`
		Servers      []json.RawMessage `json:"servers"`
	}
	if err := decodeStrict(want, &w); err != nil {
		return err
	}
	var g struct {
		Type, SetName json.RawMessage
		Servers       []json.RawMessage
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return err
	}
	for _, v := range []struct {
		what      string
		got, want json.RawMessage
	}{{"type", g.Type, w.TopologyType}, {"setName", g.SetName, w.SetName}} {
		if v.want != nil {
			if err := sameOrNull(v.what, v.got, v.want); err != nil {
				return err
			}
		}
	}
	if w.Servers == nil {
		return nil
	}
	if len(g.Servers) != len(w.Servers) {
		return fmt.Errorf("%d servers, want %d", len(g.Servers), len(w.Servers))
	}
	for i := range w.Servers {
		if err := checkEventServer(g.Servers[i], w.Servers[i]); err != nil {
			return fmt.Errorf("servers[%d]: %w", i, err)
		}
	}
	return nil
}

// checkEventServer compares what the case lists. An empty list is absent in
// the engine's documents.
func checkEventServer(got, want json.RawMessage) error {
	var w struct {
		Address  json.RawMessage `json:"address"`
		Type     json.RawMessage `json:"type"`
		SetName  json.RawMessage `json:"setName"`
		Primary  json.RawMessage `json:"primary"`
		Hosts    json.RawMessage `json:"hosts"`
		Passives json.RawMessage `json:"passives"`
		Arbiters json.RawMessage `json:"arbiters"`
	}
	if err := decodeStrict(want, &w); err != nil {
		return err
	}
	var g map[string]json.RawMessage
	if err := json.Unmarshal(got, &g); err != nil {
		return err
	}
	list := func(v json.RawMessage) json.RawMessage {
		if v == nil {
			return json.RawMessage("[]")
		}
		return v
	}
	for _, v := range []struct {
		what      string
		got, want json.RawMessage
	}{
		{"address", g["address"], w.Address}, {"type", g["type"], w.Type}, {"setName", g["setName"], w.SetName}, {"primary", g["primary"], w.Primary},
		{"hosts", list(g["hosts"]), w.Hosts}, {"passives", list(g["passives"]), w.Passives}, {"arbiters", list(g["arbiters"]), w.Arbiters},
	} {
		if v.want != nil {
			if err := sameOrNull(v.what, v.got, v.want); err != nil {
				return err
			}
		}
	}
	return nil
}
