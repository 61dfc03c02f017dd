// Command go is readpref's Go packages behind the bench's line protocol.
package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/readpref/readpref/bench/lines"
	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// copies is how many equal descriptions a cold selection goes round, so that it
// meets none twice in a row.
const copies = 8

type caseOf struct {
	settings     cluster.Settings
	descriptions [copies]topology.Description
	preference   *cluster.Preference
	clusters     []*cluster.Topology
	document     []byte

	// Memory of the works, kept as a program would keep it.
	selector selection.Selector
	rng      selection.SplitMix64
	context  abi.Context
	out      []byte
}

func main() { lines.Serve(load) }

func load(d lines.Documents) (*lines.Loaded, error) {
	var request struct {
		Topology             json.RawMessage     `json:"topology"`
		ReadPreference       readpref.Preference `json:"readPreference"`
		LocalThresholdMS     float64             `json:"localThresholdMS"`
		HeartbeatFrequencyMS int64               `json:"heartbeatFrequencyMS"`
	}
	if err := json.Unmarshal([]byte(d.Select), &request); err != nil {
		return nil, err
	}
	c := &caseOf{settings: cluster.DefaultSettings(), document: []byte(d.Select), out: make([]byte, 1<<20)}
	c.settings.Options.LocalThresholdNS = int64(request.LocalThresholdMS * 1e6)
	c.settings.Options.HeartbeatFrequencyMS = request.HeartbeatFrequencyMS
	for i := range c.descriptions {
		if err := json.Unmarshal(request.Topology, &c.descriptions[i]); err != nil {
			return nil, err
		}
	}
	var err error
	if c.preference, err = cluster.NewPreference(request.ReadPreference); err != nil {
		return nil, err
	}
	if err := c.open(1); err != nil {
		return nil, err
	}
	window, err := c.window()
	if err != nil {
		return nil, err
	}
	picked, err := c.picked(len(window))
	if err != nil {
		return nil, err
	}
	return &lines.Loaded{Window: window, Picked: picked, Works: map[string]lines.Work{
		"pick": c.pick, "cold": lines.Once(c.cold), "update": lines.Once(c.update),
		"json": lines.Once(c.json), "decode": lines.Once(c.decode),
	}}, nil
}

// open makes sure that there are so many topologies.
func (c *caseOf) open(n int) error {
	for len(c.clusters) < n {
		t, err := cluster.Open(&c.descriptions[0], c.settings)
		if err != nil {
			return err
		}
		c.clusters = append(c.clusters, t)
	}
	return nil
}

func (c *caseOf) request(i int) selection.Request {
	return selection.Request{Topology: &c.descriptions[i%copies], Preference: c.preference.Document(), Options: c.settings.Options}
}

func (c *caseOf) window() ([]string, error) {
	var s selection.Selector
	r := c.request(0)
	result, err := s.Select(&r)
	if err != nil {
		return nil, err
	}
	var addresses []string
	for _, i := range result.InLatencyWindow {
		addresses = append(addresses, c.descriptions[0].Servers[i].Address)
	}
	return addresses, nil
}

// picked picks until every server of the window must have come.
func (c *caseOf) picked(window int) ([]string, error) {
	t := c.clusters[0]
	var ids []int32
	for range 64 * window {
		id, code := t.Select(c.preference, selection.Read, true)
		if code != status.OK {
			return nil, fmt.Errorf("select: status %d", code)
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		t.Release(id)
	}
	slices.Sort(ids)
	var addresses []string
	for _, id := range slices.Compact(ids) {
		address, _ := t.Address(id)
		addresses = append(addresses, address)
	}
	return addresses, nil
}

func (c *caseOf) pick(n, threads int, own bool) error {
	if err := c.open(threads); err != nil {
		return err
	}
	if threads == 1 {
		return pickOn(c.clusters[0], c.preference, n)
	}
	var wait sync.WaitGroup
	errs := make([]error, threads)
	for i := range threads {
		t := c.clusters[0]
		if own {
			t = c.clusters[i]
		}
		wait.Go(func() { errs[i] = pickOn(t, c.preference, n) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func pickOn(t *cluster.Topology, p *cluster.Preference, n int) error {
	for range n {
		if _, code := t.Select(p, selection.Read, false); code != status.OK {
			return fmt.Errorf("select: status %d", code)
		}
	}
	return nil
}

// cold is the whole selection and the pick, each time on another description
// and with nothing computed before.
func (c *caseOf) cold(n int) error {
	for i := range n {
		r := c.request(i)
		result, err := c.selector.Select(&r)
		if err != nil {
			return err
		}
		if selection.LeastBusyOfTwo.Choose(r.Topology, result.InLatencyWindow, &c.rng, 0) < 0 {
			return fmt.Errorf("no server")
		}
	}
	return nil
}

// update is a new description, copied and made the current one, and the first
// pick on it.
func (c *caseOf) update(n int) error {
	t := c.clusters[0]
	for i := range n {
		if err := t.Update(&c.descriptions[i%copies], nil); err != nil {
			return err
		}
		if err := pickOn(t, c.preference, 1); err != nil {
			return err
		}
	}
	return nil
}

func (c *caseOf) json(n int) error {
	for range n {
		if written := c.context.Call("select", c.document, c.out); written <= 0 {
			return fmt.Errorf("select: %d", written)
		}
	}
	return nil
}
