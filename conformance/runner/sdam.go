package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// What the cases of discovery, official and field, ask of a topology handle.

// opened is the first step of such a case: a topology from a connection string.
func openTopology(uri string) (step, error) {
	in, err := encode(map[string]string{"uri": uri})
	return step{method: "topology.open", in: in, check: checkOpened("topology")}, err
}

// helloKeys are those of topology.hello beside the handle.
type helloKeys struct {
	Address         string          `json:"address"`
	Hello           json.RawMessage `json:"hello,omitempty"`
	RoundTripTimeMS json.Number     `json:"roundTripTimeMS,omitempty"`
	NowMS           int             `json:"nowMS,omitempty"`
	Error           string          `json:"error,omitempty"`
	ErrorKind       string          `json:"errorKind,omitempty"`
}

// response is a case's [address, reply]; {} is a check that failed.
type response struct {
	address string
	reply   json.RawMessage
}

func (r *response) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(b, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return errors.New("a response is an address and a reply")
	}
	r.reply = pair[1]
	return json.Unmarshal(pair[0], &r.address)
}

// step gives the reply to the topology, or the failure of the check.
func (r *response) step() (step, error) {
	keys := helloKeys{Address: r.address, NowMS: 1_000_000}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(r.reply, &fields); err != nil {
		return step{}, fmt.Errorf("the reply of %s: %w", r.address, err)
	}
	if len(fields) == 0 {
		keys.Error, keys.ErrorKind = "connection refused", "network"
	} else {
		keys.Hello, keys.RoundTripTimeMS = r.reply, "5"
	}
	return step{method: "topology.hello", build: onHandle(keys), check: checkHelloAnswer}, nil
}

// helloAnswer is what topology.hello says.
type helloAnswer struct {
	Generation      *int64          `json:"generation"`
	Accepted        *bool           `json:"accepted"`
	Server          json.RawMessage `json:"server"`
	ConnectionError string          `json:"connectionError"`
}

func checkHelloAnswer(got reply) error {
	if err := got.answered(); err != nil {
		return err
	}
	var a helloAnswer
	if err := decodeStrict([]byte(got.out), &a); err != nil {
		return err
	}
	if a.Generation == nil || a.Accepted == nil || a.Server == nil {
		return errors.New("the answer lacks generation, accepted or server")
	}
	return nil
}

// described is what topology.describe says of a discovered topology, as far as
// the cases compare it.
type described struct {
	Topology topologyState `json:"topology"`
	Pools    []struct {
		Address    string          `json:"address"`
		Generation json.Number     `json:"generation"`
		ServiceID  json.RawMessage `json:"serviceId"`
	} `json:"pools"`

	document json.RawMessage // of the topology
}

// topologyState and serverState keep what a case may compare as it is written.
// What is absent is null.
type topologyState struct {
	Type                         json.RawMessage
	SetName                      json.RawMessage
	MaxElectionID                json.RawMessage `json:"maxElectionId"`
	MaxSetVersion                json.RawMessage
	LogicalSessionTimeoutMinutes json.RawMessage
	Compatible                   *bool
	CompatibilityError           string
	Servers                      []map[string]json.RawMessage
}

func describedTopology(got reply) (*described, error) {
	if err := got.answered(); err != nil {
		return nil, err
	}
	d := new(described)
	var raw struct{ Topology json.RawMessage }
	if err := errors.Join(json.Unmarshal([]byte(got.out), d), json.Unmarshal([]byte(got.out), &raw)); err != nil {
		return nil, fmt.Errorf("the answer does not decode: %w", err)
	}
	d.document = raw.Topology
	t := &d.Topology
	switch {
	case t.Type == nil || t.Servers == nil || t.Compatible == nil:
		return nil, errors.New("the topology lacks type, servers or compatible")
	case *t.Compatible != (t.CompatibilityError == ""):
		return nil, errors.New("compatibilityError is there exactly when compatible is false")
	}
	return d, nil
}

// addresses are those of the servers, in order.
func (t *topologyState) addresses() ([]string, error) {
	list := make([]string, len(t.Servers))
	for i, s := range t.Servers {
		if err := json.Unmarshal(s["address"], &list[i]); err != nil {
			return nil, fmt.Errorf("servers[%d] has no address: %w", i, err)
		}
	}
	return list, nil
}

// server finds a server by its address.
func (t *topologyState) server(address string) map[string]json.RawMessage {
	list, err := t.addresses()
	if i := slices.Index(list, address); err == nil && i >= 0 {
		return t.Servers[i]
	}
	return nil
}

// poolGeneration is how often the pool of a server was cleared.
func (d *described) poolGeneration(address string) json.Number {
	for _, p := range d.Pools {
		if p.Address == address && p.ServiceID == nil {
			return p.Generation
		}
	}
	return "0"
}

// text reads a server's string, "" where it is absent.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// checkOpened is the check of a step that opens a handle and nothing else.
func checkOpened(key string) func(reply) error {
	return func(got reply) error {
		if err := got.answered(); err != nil {
			return err
		}
		_, err := got.handle(key)
		return err
	}
}

// onHandle builds a request about the topology that the case's first step
// opened: {"topology": its number, …the other keys}.
func onHandle(keys any) func(earlier []reply) ([]byte, error) {
	return func(earlier []reply) ([]byte, error) {
		h, err := earlier[0].handle("topology")
		if err != nil {
			return nil, err
		}
		rest, err := encode(keys)
		if err != nil {
			return nil, err
		}
		in := fmt.Appendf(nil, `{"topology":%d`, h)
		if len(rest) > 2 {
			in = append(in, ',')
		}
		return append(in, rest[1:]...), nil
	}
}
