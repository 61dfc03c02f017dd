package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// typed answers as a Go program does that uses the packages directly: public
// types filled by their json methods, then the Selector. The boundary codec is
// asked only whether the document is one at all, since its errors are the
// contract.
func typed(open *opened, method string, document []byte) (int32, string) {
	answer, err := typedAnswer(open, method, document)
	var e *status.Error
	switch {
	case errors.As(err, &e):
		return int32(e.Code), string(wire.AppendError(nil, e))
	case err != nil:
		return int32(status.Internal), err.Error()
	}
	return 0, string(answer)
}

func typedAnswer(open *opened, method string, document []byte) ([]byte, error) {
	if answer, known, err := open.answer(method, document); known {
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}
	switch method {
	case "select", "explain":
	case "parse_uri":
		return typedParseURI(document)
	case "srv":
		return typedSRV(document)
	case "to_uri":
		return typedToURI(document)
	case "rtt":
		return typedRTT(document)
	case "command":
		return typedCommand(document)
	case "effective_preference":
		return typedEffective(document)
	case "readable":
		return typedReadable(document)
	case "writable":
		return typedWritable(document)
	case "simulate":
		return typedSimulate(document)
	case "what_if":
		return typedWhatIf(document)
	case "advise":
		return typedAdvise(document)
	case "diff":
		return typedDiff(document)
	default:
		// Go programs call these by their document, too.
		var c abi.Context
		answer, ok := c.Answer(method, document)
		if ok {
			return answer, nil
		}
		return nil, asError(answer)
	}
	var strict wire.Decoder
	var checked wire.Request
	if err := strict.Request(&checked, document); err != nil {
		return nil, err
	}
	var d selectDocument
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	s, err := d.settings()
	if err != nil {
		return nil, err
	}
	if !checked.Sharded {
		return s.answer(method, d.Topology, s.seed)
	}
	return s.shards(method, d.Shards)
}

// asError makes an error value of an error document.
func asError(document []byte) error {
	var e struct {
		Error struct {
			Status         status.Code
			Message, Path  string
			MinimumSeconds int64
		}
	}
	if err := json.Unmarshal(document, &e); err != nil {
		return err
	}
	return &status.Error{Code: e.Error.Status, Message: e.Error.Message, Path: e.Error.Path, MinimumSeconds: e.Error.MinimumSeconds}
}

// selectDocument is a request of select as encoding/json reads it.
type selectDocument struct {
	Topology       json.RawMessage     `json:"topology"`
	Shards         json.RawMessage     `json:"shards"`
	ReadPreference readpref.Preference `json:"readPreference"`
	Operation      string              `json:"operation"`
	Deprioritized  []string            `json:"deprioritized"`
	CustomSelector *struct {
		KeepOnly []string `json:"keepOnly"`
	} `json:"customSelector"`
	optionsDocument
	Pick string          `json:"pick"`
	Seed json.RawMessage `json:"seed"`
}

// optionsDocument is what requests of selections say of the client.
type optionsDocument struct {
	LocalThresholdMS     topology.RTT `json:"localThresholdMS"`
	HeartbeatFrequencyMS topology.Int `json:"heartbeatFrequencyMS"`
	WireVersions         *struct {
		Min topology.Int `json:"min"`
		Max topology.Int `json:"max"`
	} `json:"wireVersions"`
}

// change sets the options that are given.
func (d *optionsDocument) change(o *selection.Options) {
	if ns, ok := d.LocalThresholdMS.Nanoseconds(); ok {
		o.LocalThresholdNS = ns
	}
	if ms, ok := d.HeartbeatFrequencyMS.Get(); ok {
		o.HeartbeatFrequencyMS = ms
	}
	if w := d.WireVersions; w != nil {
		o.WireVersions.Min, _ = w.Min.Get()
		o.WireVersions.Max, _ = w.Max.Get()
	}
}

// settings are what a Go program would write in code.
type settings struct {
	request selection.Request
	pick    selection.Pick
	seed    uint64
}

func (d *selectDocument) settings() (*settings, error) {
	s := &settings{request: selection.Request{Preference: d.ReadPreference, Deprioritized: d.Deprioritized, Options: selection.DefaultOptions()}}
	s.request.Operation = selection.Operation(max(0, slices.Index(selection.OperationNames[:], d.Operation)))
	s.pick = selection.Pick(max(0, slices.Index(selection.PickNames[:], d.Pick)))
	d.change(&s.request.Options)
	if c := d.CustomSelector; c != nil {
		keep := c.KeepOnly
		s.request.CustomSelector = selection.CustomSelectorFunc(func(t *topology.Description, suitable, dst []int32) []int32 {
			for _, i := range suitable {
				if slices.ContainsFunc(keep, func(a string) bool { return topology.SameAddress(a, t.Servers[i].Address) }) {
					dst = append(dst, i)
				}
			}
			return dst
		})
	}
	var err error
	s.seed, err = readSeed(d.Seed)
	return s, err
}

// readSeed reads a number, a decimal string or $numberLong.
func readSeed(raw json.RawMessage) (uint64, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return 0, nil
	}
	if raw[0] == '{' {
		var n topology.Int
		err := json.Unmarshal(raw, &n)
		v, _ := n.Get()
		return uint64(v), err
	}
	return strconv.ParseUint(string(bytes.Trim(raw, `"`)), 10, 64)
}

// description reads a topology; saved replies become descriptions first.
func description(raw json.RawMessage) (*topology.Description, error) {
	var lists struct {
		Type    *string           `json:"type"`
		Servers []json.RawMessage `json:"servers"`
	}
	if err := json.Unmarshal(raw, &lists); err != nil {
		return nil, err
	}
	servers := []json.RawMessage{}
	for _, server := range lists.Servers {
		described, err := describe(server)
		if err != nil {
			return nil, err
		}
		servers = append(servers, described)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, err
	}
	whole["servers"], _ = json.Marshal(servers)
	again, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	var t topology.Description
	if err := json.Unmarshal(again, &t); err != nil {
		return nil, err
	}
	if lists.Type == nil {
		t.Derive()
	}
	return &t, nil
}

func describe(server json.RawMessage) (json.RawMessage, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(server, &keys); err != nil {
		return nil, err
	}
	if hello := keys["hello"]; hello == nil || string(hello) == "null" {
		return server, nil
	}
	// What a description has beside the reply is added to what the reply gives.
	count, failure := keys["operationCount"], keys["error"]
	minimum := keys["minRoundTripTimeMS"]
	for _, k := range []string{"operationCount", "error", "minRoundTripTimeMS"} {
		delete(keys, k)
	}
	request, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	var c abi.Context
	answer, ok := c.Answer("server.parse_hello", request)
	if !ok {
		return nil, asError(answer)
	}
	var parsed struct {
		Server map[string]json.RawMessage `json:"server"`
	}
	if err := json.Unmarshal(answer, &parsed); err != nil {
		return nil, err
	}
	add := func(key string, value json.RawMessage) {
		if value != nil {
			parsed.Server[key] = value
		}
	}
	add("operationCount", count)
	add("error", failure)
	if string(parsed.Server["type"]) != `"Unknown"` {
		add("minRoundTripTimeMS", minimum)
	}
	return json.Marshal(parsed.Server)
}

func (s *settings) answer(method string, raw json.RawMessage, seed uint64) ([]byte, error) {
	t, err := description(raw)
	if err != nil {
		return nil, err
	}
	s.request.Topology = t
	var selector selection.Selector
	res, err := selector.Select(&s.request)
	if err != nil {
		return nil, err
	}
	rng := selection.SplitMix64(seed)
	chosen := s.pick.Choose(t, res.InLatencyWindow, &rng, seed)
	if method == "explain" {
		var e explain.Explanation
		e.Explain(&s.request, res, s.pick, chosen)
		return wire.AppendExplanation(nil, &e), nil
	}
	return wire.AppendSelection(nil, &s.request, res, chosen), nil
}

func (s *settings) shards(method string, raw json.RawMessage) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	answers := map[string]json.RawMessage{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var topologyDocument json.RawMessage
		if err := decoder.Decode(&topologyDocument); err != nil {
			return nil, err
		}
		shard := name.(string)
		answer, err := s.answer(method, topologyDocument, selection.ShardSeed(s.seed, shard))
		var e *status.Error
		if errors.As(err, &e) {
			in := *e
			if rest, ok := bytes.CutPrefix([]byte(in.Path), []byte("topology")); ok {
				in.Path = wire.ShardPath(shard) + string(rest)
			}
			answer, err = wire.AppendError(nil, &in), nil
		}
		if err != nil {
			return nil, err
		}
		answers[shard] = answer
	}
	return json.Marshal(map[string]any{"shards": answers})
}
