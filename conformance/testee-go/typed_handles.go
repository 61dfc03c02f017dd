package main

import (
	"encoding/json"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// opened is what requests via typed opened, by the numbers they were answered
// with: topologies, discovered or given by their description, and preferences.
type opened struct {
	last        uint32
	topologies  map[uint32]*openTopology
	preferences map[uint32]*cluster.Preference
}

type openTopology struct {
	discovered *discovery.Deployment // nil where the description is given
	topology   *cluster.Topology
}

func newOpened() *opened {
	return &opened{topologies: map[uint32]*openTopology{}, preferences: map[uint32]*cluster.Preference{}}
}

func (o *opened) keep(t *openTopology, p *cluster.Preference) uint32 {
	o.last++
	if t != nil {
		o.topologies[o.last] = t
	} else {
		o.preferences[o.last] = p
	}
	return o.last
}

// answer serves the methods of handles. Requests, replies and errors are read by
// the boundary's decoder, as there is no other for them; what is done and
// answered is the public packages'. known is false for another method.
func (o *opened) answer(method string, document []byte) (answer map[string]any, known bool, err error) {
	do := map[string]func([]byte) (map[string]any, error){
		"topology.open": o.open, "readpref.open": o.openPreference, "close": o.close, "topology.update": o.update,
		"topology.select": o.selectOne, "topology.select_batch": o.selectBatch, "topology.explain": o.explain, "topology.command": o.command,
		"topology.address": o.address, "topology.release": o.release, "topology.generation": o.generation, "topology.describe": o.describe,
		"topology.hello": discovering(o, typedHello), "topology.error": discovering(o, typedError), "topology.srv": discovering(o, typedScan),
		"topology.shutdown": discovering(o, typedShutdown), "topology.events": discovering(o, typedEvents), "topology.events_ack": discovering(o, typedAcknowledge),
	}[method]
	if do == nil {
		return nil, false, nil
	}
	answer, err = do(document)
	return answer, true, err
}

func noHandle(path string) error {
	return &status.Error{Code: status.Handle, Message: "no open handle of this kind has this number", Path: path}
}

// named decodes a request, and finds the topology that it names, and the
// preference where it must name one.
func (o *opened) named(document []byte, required, allowed uint64) (*wire.HandleRequest, *openTopology, *cluster.Preference, error) {
	var strict wire.Decoder
	r := new(wire.HandleRequest)
	if err := strict.Handles(r, document, wire.KeyTopology|required, allowed); err != nil {
		return nil, nil, nil, err
	}
	t, p := o.topologies[r.Topology], o.preferences[r.ReadPreference]
	switch {
	case t == nil:
		return nil, nil, nil, noHandle("topology")
	case p == nil && required&wire.KeyReadPreference != 0:
		return nil, nil, nil, noHandle("readPreference")
	}
	return r, t, p, nil
}

func (o *opened) openPreference(document []byte) (map[string]any, error) {
	var strict wire.Decoder
	var v wire.Validation
	if err := strict.Validate(&v, document); err != nil {
		return nil, err
	}
	if len(v.Problems) > 0 {
		return nil, v.Problems[0]
	}
	p, err := cluster.NewPreference(v.Preference)
	if err != nil {
		return nil, err
	}
	return map[string]any{"readPreference": o.keep(nil, p)}, nil
}

func (o *opened) close(document []byte) (map[string]any, error) {
	var strict wire.Decoder
	var r wire.HandleRequest
	if err := strict.Handles(&r, document, wire.KeyHandle, 0); err != nil {
		return nil, err
	}
	if o.topologies[r.Handle] == nil && o.preferences[r.Handle] == nil {
		return nil, noHandle("handle")
	}
	delete(o.topologies, r.Handle)
	delete(o.preferences, r.Handle)
	return map[string]any{}, nil
}

func (o *opened) update(document []byte) (map[string]any, error) {
	var strict wire.Decoder
	var r wire.TopologyRequest
	if err := strict.UpdateRequest(&r, document, true); err != nil {
		return nil, err
	}
	t := o.topologies[r.Handle]
	switch {
	case t == nil:
		return nil, noHandle("handle")
	case t.discovered != nil:
		return nil, &status.Error{Code: status.Argument, Message: "this topology is discovered: its description is not given", Path: "topology"}
	}
	if err := t.topology.Update(&r.Topology, func(i int) bool { return !r.Counted[i] }); err != nil {
		return nil, err
	}
	return map[string]any{"generation": t.topology.Generation()}, nil
}

// keepOnly is a custom selector, nil where the request has none.
func keepOnly(e *wire.Extras) selection.CustomSelector {
	if !e.HasKeepOnly {
		return nil
	}
	return selection.CustomSelectorFunc(func(t *topology.Description, suitable, dst []int32) []int32 {
		for _, i := range suitable {
			for _, a := range e.KeepOnly {
				if topology.SameAddress(a, t.Servers[i].Address) {
					dst = append(dst, i)
					break
				}
			}
		}
		return dst
	})
}

func (o *opened) selectOne(document []byte) (map[string]any, error) {
	r, t, p, err := o.named(document, wire.KeyReadPreference, wire.KeyOperation|wire.KeyCheckout|wire.KeyDeprioritized|wire.KeyCustomSelector)
	if err != nil {
		return nil, err
	}
	var id int32
	var code status.Code
	if len(r.Extras.Deprioritized) > 0 || r.Extras.HasKeepOnly {
		id, code = t.topology.SelectExcept(new(cluster.Scratch), p, r.Operation, r.Extras.Deprioritized, keepOnly(&r.Extras), r.Checkout)
	} else {
		id, code = t.topology.Select(p, r.Operation, r.Checkout)
	}
	if code != status.OK {
		return nil, t.whyNot(p, r)
	}
	address, _ := t.topology.Address(id)
	return map[string]any{"server": map[string]any{"id": id, "address": address}}, nil
}

func (o *opened) selectBatch(document []byte) (map[string]any, error) {
	r, t, p, err := o.named(document, wire.KeyReadPreference|wire.KeyCount, wire.KeyOperation|wire.KeyCheckout)
	if err != nil {
		return nil, err
	}
	ids := make([]int32, r.Count)
	if code := t.topology.SelectInto(ids, p, r.Operation, r.Checkout); code != status.OK {
		return nil, t.whyNot(p, r)
	}
	return map[string]any{"ids": ids}, nil
}

// again runs a selection once more, for its words.
func (t *openTopology) again(p *cluster.Preference, r *wire.HandleRequest) (*selection.Request, *selection.Result, cluster.Settings, error) {
	d, s := t.topology.Describe()
	request := &selection.Request{Topology: &d, Preference: p.Document(), Operation: r.Operation,
		Deprioritized: r.Extras.Deprioritized, CustomSelector: keepOnly(&r.Extras), Options: s.Options}
	result, err := new(selection.Selector).Select(request)
	return request, result, s, err
}

func (t *openTopology) whyNot(p *cluster.Preference, r *wire.HandleRequest) error {
	request, result, _, err := t.again(p, r)
	if err != nil {
		return err
	}
	return &status.Error{Code: status.NoServer, Message: string(explain.AppendNone(nil, request, result))}
}

func (o *opened) explain(document []byte) (map[string]any, error) {
	r, t, p, err := o.named(document, wire.KeyReadPreference, wire.KeyOperation|wire.KeyDeprioritized|wire.KeyCustomSelector)
	if err != nil {
		return nil, err
	}
	request, result, s, err := t.again(p, r)
	if err != nil {
		return nil, err
	}
	rng := selection.SplitMix64(s.Seed)
	var e explain.Explanation
	e.Explain(request, result, s.Pick, s.Pick.Choose(request.Topology, result.InLatencyWindow, &rng, s.Seed))
	var keys map[string]json.RawMessage
	err = json.Unmarshal(wire.AppendExplanation(nil, &e), &keys)
	answer := map[string]any{}
	for k, v := range keys {
		answer[k] = v
	}
	return answer, err
}

func (o *opened) command(document []byte) (map[string]any, error) {
	r, t, p, err := o.named(document, wire.KeyReadPreference|wire.KeyID, wire.KeyOperation|wire.KeyOpcode)
	if err != nil {
		return nil, err
	}
	address, ok := t.topology.Address(int32(r.ID))
	if !ok {
		return nil, errNoID
	}
	d, _ := t.topology.Describe()
	return decorationDocument(&d, address, p.Document(), r.Operation, r.Opcode), nil
}

func (o *opened) address(document []byte) (map[string]any, error) {
	r, t, _, err := o.named(document, wire.KeyID, 0)
	if err != nil {
		return nil, err
	}
	address, ok := t.topology.Address(int32(r.ID))
	if !ok {
		return nil, errNoID
	}
	return map[string]any{"address": address}, nil
}

func (o *opened) release(document []byte) (map[string]any, error) {
	r, t, _, err := o.named(document, wire.KeyID, 0)
	if err != nil {
		return nil, err
	}
	if !t.topology.Release(int32(r.ID)) {
		return nil, errNoID
	}
	n, _ := t.topology.OperationCount(int32(r.ID))
	return map[string]any{"operationCount": n}, nil
}

var errNoID = &status.Error{Code: status.Argument, Message: "no server of this topology has this id", Path: "id"}

func (o *opened) generation(document []byte) (map[string]any, error) {
	_, t, _, err := o.named(document, 0, 0)
	if err != nil {
		return nil, err
	}
	return map[string]any{"generation": t.topology.Generation()}, nil
}

func (o *opened) describe(document []byte) (map[string]any, error) {
	_, t, _, err := o.named(document, 0, 0)
	switch {
	case err != nil:
		return nil, err
	case t.discovered != nil:
		return typedDescribe(t.discovered, document)
	}
	d, s := t.topology.Describe()
	answer := settingsDocument(&s)
	answer["topology"] = &d
	return answer, nil
}
