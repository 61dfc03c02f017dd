package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// sdamCase is a file of server-discovery-and-monitoring.
type sdamCase struct {
	Description string      `json:"description"`
	URI         string      `json:"uri"`
	Phases      []sdamPhase `json:"phases"`
}

type sdamPhase struct {
	Description       string             `json:"description"`
	Responses         []response         `json:"responses"`
	ApplicationErrors []applicationError `json:"applicationErrors"`
	Outcome           *sdamOutcome       `json:"outcome"`
}

// sdamOutcome is what must hold after a phase; what is absent is not compared,
// and null is a value that must be absent.
type sdamOutcome struct {
	TopologyType                 string                                `json:"topologyType"`
	SetName                      json.RawMessage                       `json:"setName"`
	LogicalSessionTimeoutMinutes json.RawMessage                       `json:"logicalSessionTimeoutMinutes"`
	MaxSetVersion                json.RawMessage                       `json:"maxSetVersion"`
	MaxElectionID                json.RawMessage                       `json:"maxElectionId"`
	Compatible                   *bool                                 `json:"compatible"`
	Servers                      map[string]map[string]json.RawMessage `json:"servers"`
	Events                       []expectedEvent                       `json:"events"`
}

// applicationError is an error that an operation met.
type applicationError struct {
	Address        string          `json:"address"`
	Generation     *int64          `json:"generation"`
	MaxWireVersion json.RawMessage `json:"maxWireVersion"` // decides nothing any more: rule 7.12
	When           string          `json:"when"`
	Type           string          `json:"type"`
	Response       json.RawMessage `json:"response"`
}

// errorKeys are those of topology.error beside the handle.
type errorKeys struct {
	Address    string          `json:"address"`
	Stage      string          `json:"stage"`
	Kind       string          `json:"kind"`
	Labels     []string        `json:"labels,omitempty"`
	Generation *int64          `json:"generation,omitempty"`
	Reply      json.RawMessage `json:"reply,omitempty"`
}

// The engine's names for the cases'.
var (
	errorStages = map[string]string{"beforeHandshakeCompletes": "connectAndHello", "afterHandshakeCompletes": "afterHandshake"}
	errorKinds  = map[string]string{"network": "network", "timeout": "networkTimeout", "command": "command"}
)

func (e *applicationError) step() (step, error) {
	keys := errorKeys{Address: e.Address, Stage: errorStages[e.When], Kind: errorKinds[e.Type], Generation: e.Generation, Reply: e.Response}
	if keys.Stage == "" || keys.Kind == "" {
		return step{}, fmt.Errorf("an application error of type %q, %q", e.Type, e.When)
	}
	if (e.Type == "command") != (e.Response != nil) {
		return step{}, errors.New("a response belongs to an error of type command")
	}
	// App. A2: the cases leave out the label that a driver's pool gives.
	if keys.Stage == "connectAndHello" && keys.Kind != "command" {
		keys.Labels = []string{"SystemOverloadedError", "RetryableError"}
	}
	return step{method: "topology.error", build: onHandle(keys), check: checkErrorAnswer}, nil
}

func checkErrorAnswer(got reply) error {
	if err := got.answered(); err != nil {
		return err
	}
	var a struct {
		Generation   *int64 `json:"generation"`
		Accepted     *bool  `json:"accepted"`
		Deprioritize *bool  `json:"deprioritize"`
	}
	if err := decodeStrict([]byte(got.out), &a); err != nil {
		return err
	}
	if a.Generation == nil || a.Accepted == nil || a.Deprioritize == nil {
		return errors.New("the answer lacks generation, accepted or deprioritize")
	}
	return nil
}

// loadSDAMCase opens the topology and, for each phase, gives it the replies and
// the errors and compares what it is then and what has happened.
func loadSDAMCase(file string, data []byte) testCase {
	c := testCase{file: file, name: "discovery", typed: true}
	c.loadErr = func() error {
		var f sdamCase
		if err := decodeStrict(data, &f); err != nil {
			return err
		}
		if len(f.Phases) == 0 {
			return errors.New("no phases")
		}
		c.name = f.Description
		open, err := openTopology(f.URI)
		if err != nil {
			return err
		}
		c.steps = append(c.steps, open)
		for i := range f.Phases {
			if err := f.Phases[i].load(&c); err != nil {
				return fmt.Errorf("phases[%d]: %w", i, err)
			}
		}
		return nil
	}()
	return c
}

func (p *sdamPhase) load(c *testCase) error {
	if p.Outcome == nil || p.Outcome.assertions() == 0 {
		return errors.New("a phase that expects nothing cannot fail")
	}
	for i := range p.Responses {
		s, err := p.Responses[i].step()
		if err != nil {
			return err
		}
		c.steps = append(c.steps, s)
	}
	for i := range p.ApplicationErrors {
		s, err := p.ApplicationErrors[i].step()
		if err != nil {
			return err
		}
		c.steps = append(c.steps, s)
	}
	nothing := struct{}{}
	c.steps = append(c.steps,
		step{method: "topology.describe", build: onHandle(nothing), check: p.check},
		step{method: "topology.events", build: onHandle(nothing), check: p.checkEvents})
	c.steps = append(c.steps, step{method: "topology.events_ack", build: acknowledged(len(c.steps) - 1), check: checkEmptyAnswer})
	return nil
}

func (o *sdamOutcome) assertions() int {
	n := len(o.Servers)
	for _, there := range []bool{o.TopologyType != "", o.SetName != nil, o.LogicalSessionTimeoutMinutes != nil, o.MaxSetVersion != nil,
		o.MaxElectionID != nil, o.Compatible != nil, o.Servers != nil, o.Events != nil} {
		if there {
			n++
		}
	}
	return n
}

func checkEmptyAnswer(got reply) error {
	if got.status != 0 || got.out != "{}" {
		return errors.New("want {}")
	}
	return nil
}

func (p *sdamPhase) checkEvents(got reply) error {
	a, err := eventsAnswer(got)
	if err == nil && p.Outcome.Events != nil {
		err = checkEvents(a, p.Outcome.Events)
	}
	return p.in(err)
}

// in says in which phase an error was found.
func (p *sdamPhase) in(err error) error {
	if err == nil || p.Description == "" {
		return err
	}
	return fmt.Errorf("phase %q: %w", p.Description, err)
}

func (p *sdamPhase) check(got reply) error {
	d, err := describedTopology(got)
	if err != nil {
		return err
	}
	return p.in(p.Outcome.check(d))
}

func (o *sdamOutcome) check(d *described) error {
	t := &d.Topology
	if o.TopologyType != "" && text(t.Type) != o.TopologyType {
		return fmt.Errorf("topologyType is %s, want %s", t.Type, o.TopologyType)
	}
	for _, v := range []struct {
		what      string
		got, want json.RawMessage
	}{
		{"setName", t.SetName, o.SetName},
		{"logicalSessionTimeoutMinutes", t.LogicalSessionTimeoutMinutes, o.LogicalSessionTimeoutMinutes},
		{"maxSetVersion", t.MaxSetVersion, o.MaxSetVersion},
		{"maxElectionId", t.MaxElectionID, o.MaxElectionID},
	} {
		if v.want != nil {
			if err := sameOrNull(v.what, v.got, v.want); err != nil {
				return err
			}
		}
	}
	if o.Compatible != nil && *o.Compatible != *t.Compatible {
		return fmt.Errorf("compatible is %t", *t.Compatible)
	}
	if o.Servers == nil {
		return nil
	}
	addresses, err := t.addresses()
	if err != nil {
		return err
	}
	if err := sameSet("servers", addresses, sortedNames(o.Servers)); err != nil {
		return err
	}
	for _, address := range sortedNames(o.Servers) {
		if err := checkServer(d, address, o.Servers[address]); err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
	}
	return nil
}

// checkServer compares what the case lists of a server.
func checkServer(d *described, address string, want map[string]json.RawMessage) error {
	got := d.Topology.server(address)
	for _, key := range sortedNames(want) {
		value := want[key]
		var err error
		switch key {
		case "type", "setName", "setVersion", "electionId", "logicalSessionTimeoutMinutes", "minWireVersion", "maxWireVersion":
			err = sameOrNull(key, got[key], value)
		case "topologyVersion":
			if value, err = plainVersion(value); err == nil {
				err = sameOrNull(key, got[key], value)
			}
		case "error":
			if part := text(value); part == "" || !strings.Contains(text(got[key]), part) {
				err = fmt.Errorf("error is %s, want one with %s", got[key], value)
			}
		case "pool":
			var pool struct {
				Generation *json.Number `json:"generation"`
			}
			if err = decodeStrict(value, &pool); err == nil && pool.Generation == nil {
				err = errors.New("a pool has a generation")
			}
			if err == nil && d.poolGeneration(address) != *pool.Generation {
				err = fmt.Errorf("pool.generation is %s, want %s", d.poolGeneration(address), *pool.Generation)
			}
		default:
			err = fmt.Errorf("unknown key %s", key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// plainVersion writes the counter of a topologyVersion as the engine does: an
// integer, where the cases have $numberLong.
func plainVersion(value json.RawMessage) (json.RawMessage, error) {
	if string(value) == "null" {
		return value, nil
	}
	var v struct {
		ProcessID json.RawMessage `json:"processId"`
		Counter   json.RawMessage `json:"counter"`
	}
	if err := decodeStrict(value, &v); err != nil {
		return nil, err
	}
	var long struct {
		NumberLong json.Number `json:"$numberLong"`
	}
	if decodeStrict(v.Counter, &long) == nil && long.NumberLong != "" {
		v.Counter = json.RawMessage(long.NumberLong)
	}
	return encode(v)
}
