package main

import (
	"encoding/json"
	"errors"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// typed answers as a Go program would that uses the packages directly: public
// types filled by their json methods, selection by the Selector. Documents that
// have no typed form (validate, parse_hello, saved replies) fall back to what the typed API has for them.
func typed(method string, document []byte) (int32, string) {
	answer, err := typedAnswer(method, document)
	var e *status.Error
	switch {
	case errors.As(err, &e):
		return int32(e.Code), string(wire.AppendError(nil, e))
	case err != nil:
		return int32(status.InvalidJSON), err.Error()
	}
	out, err := json.Marshal(answer)
	if err != nil {
		return int32(status.Internal), err.Error()
	}
	return 0, string(out)
}

type selectDocument struct {
	Topology       *topology.Description `json:"topology"`
	Shards         json.RawMessage       `json:"shards"`
	ReadPreference readpref.Preference   `json:"readPreference"`
	Operation      string                `json:"operation"`
	Deprioritized  []string              `json:"deprioritized"`
	CustomSelector *struct {
		KeepOnly []string `json:"keepOnly"`
	} `json:"customSelector"`
	LocalThresholdMS     json.Number            `json:"localThresholdMS"`
	HeartbeatFrequencyMS *topology.Int          `json:"heartbeatFrequencyMS"`
	WireVersions         *topology.WireVersions `json:"wireVersions"`
	Pick                 string                 `json:"pick"`
	Seed                 json.Number            `json:"seed"`
}

var _ = explain.StageNames

var _ selection.Operation
