package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// selectionCase is a file of server-selection/server_selection or max-staleness.
type selectionCase struct {
	Description   string          `json:"description"`
	Topology      *caseTopology   `json:"topology_description"`
	Operation     string          `json:"operation"`
	Preference    *casePreference `json:"read_preference"`
	Heartbeat     numberText      `json:"heartbeatFrequencyMS"`
	Deprioritized caseAddresses   `json:"deprioritized_servers"`
	Suitable      caseAddresses   `json:"suitable_servers"`
	InWindow      caseAddresses   `json:"in_latency_window"`
	Error         bool            `json:"error"`
}

func loadSelectionCase(file string, data []byte) testCase {
	c := testCase{file: file, name: "selection", typed: true}
	s, err := selectionStep(data)
	if err != nil {
		c.loadErr = err
		return c
	}
	c.steps = selectAndExplain(s)
	return c
}

// selectAndExplain asks the same of explain, which must agree with select.
func selectAndExplain(s step) []step {
	explain := s
	explain.method = "explain"
	return []step{s, explain}
}

func selectionStep(data []byte) (step, error) {
	var f selectionCase
	if err := decodeStrict(data, &f); err != nil {
		return step{}, err
	}
	if f.Topology == nil {
		return step{}, errors.New("no topology_description")
	}
	hasLists := f.Suitable != nil && f.InWindow != nil
	if f.Error == hasLists {
		return step{}, errors.New("want either error: true or both suitable_servers and in_latency_window")
	}
	req := engineRequest{Operation: f.Operation, Deprioritized: f.Deprioritized, LocalThresholdMS: "15", HeartbeatFrequencyMS: "10000"}
	if f.Heartbeat != "" {
		req.HeartbeatFrequencyMS = json.Number(f.Heartbeat)
	}
	if req.Operation == "" {
		req.Operation = "read"
	}
	var err error
	if req.Topology, err = f.Topology.translate(); err != nil {
		return step{}, err
	}
	if req.ReadPreference, err = f.Preference.translate(); err != nil {
		return step{}, err
	}
	in, err := encode(req)
	return step{method: "select", in: in, check: func(got reply) error {
		if f.Error {
			return got.refused()
		}
		return checkLists(got, f.Suitable, f.InWindow)
	}}, err
}

// checkLists compares the two lists that the cases know, as sets.
func checkLists(got reply, suitable, inWindow []string) error {
	a, err := selectAnswer(got)
	if err != nil {
		return err
	}
	if err := sameSet("suitable", a.Suitable, suitable); err != nil {
		return err
	}
	return sameSet("inLatencyWindow", a.InLatencyWindow, inWindow)
}

// inWindowCase is a file of server-selection/in_window.
type inWindowCase struct {
	Description string        `json:"description"`
	Topology    *caseTopology `json:"topology_description"`
	Mocked      []struct {
		Address        string          `json:"address"`
		OperationCount json.RawMessage `json:"operation_count"`
	} `json:"mocked_topology_state"`
	Iterations int `json:"iterations"`
	Outcome    struct {
		Tolerance   float64            `json:"tolerance"`
		Frequencies map[string]float64 `json:"expected_frequencies"`
	} `json:"outcome"`
}

// loadInWindowCase makes one step per iteration, seeds 0, 1, 2, …
func loadInWindowCase(file string, data []byte) testCase {
	c := testCase{file: file, name: "in window", typed: true}
	c.loadErr = func() error {
		var f inWindowCase
		if err := decodeStrict(data, &f); err != nil {
			return err
		}
		if f.Topology == nil || f.Iterations <= 0 || len(f.Outcome.Frequencies) == 0 {
			return errors.New("no topology_description, iterations or expected_frequencies")
		}
		c.name = f.Description
		req := engineRequest{Operation: "read", ReadPreference: &enginePreference{Mode: "nearest"}}
		var err error
		if req.Topology, err = f.Topology.translate(); err != nil {
			return err
		}
		for _, m := range f.Mocked {
			s := findServer(req.Topology.Servers, m.Address)
			if s == nil {
				return fmt.Errorf("mocked_topology_state names %q, which the topology has not", m.Address)
			}
			s.OperationCount = m.OperationCount
		}
		for seed := range f.Iterations {
			req.Seed = &seed
			in, err := encode(req)
			if err != nil {
				return err
			}
			c.steps = append(c.steps, step{method: "select", in: in, check: func(got reply) error {
				a, err := selectAnswer(got)
				if err == nil && a.Server == nil {
					err = errors.New("no server is chosen")
				}
				return err
			}})
		}
		c.finish = f.judge
		return nil
	}()
	return c
}

func findServer(servers []engineServer, address string) *engineServer {
	for i := range servers {
		if servers[i].Address == address {
			return &servers[i]
		}
	}
	return nil
}

// judge compares the frequencies; an expected 0 or 1 must be met exactly.
func (f *inWindowCase) judge(replies []reply) error {
	chosen := map[string]int{}
	for _, r := range replies {
		a, err := parseAnswer(r)
		if err != nil {
			return err
		}
		chosen[a.Server.Address]++
	}
	for address := range chosen {
		if _, ok := f.Outcome.Frequencies[address]; !ok {
			return fmt.Errorf("%s was chosen, which the outcome does not name", address)
		}
	}
	for address, want := range f.Outcome.Frequencies {
		got := float64(chosen[address]) / float64(len(replies))
		tolerance := f.Outcome.Tolerance
		if want == 0 || want == 1 {
			tolerance = 0
		}
		if got < want-tolerance || got > want+tolerance {
			return fmt.Errorf("%s was chosen with frequency %.4f, want %.4f ± %.4f", address, got, want, tolerance)
		}
	}
	return nil
}
