package main

import (
	"encoding/json"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

func typedReadable(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.ReadableRequest(new(wire.Request), document); err != nil {
		return nil, err
	}
	var request struct {
		Topology             json.RawMessage     `json:"topology"`
		ReadPreference       readpref.Preference `json:"readPreference"`
		HeartbeatFrequencyMS topology.Int        `json:"heartbeatFrequencyMS"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	t, err := description(request.Topology)
	if err != nil {
		return nil, err
	}
	heartbeat, ok := request.HeartbeatFrequencyMS.Get()
	if !ok {
		heartbeat = selection.DefaultHeartbeatFrequencyMS
	}
	var selector selection.Selector
	readable, err := selector.HasReadableServer(t, request.ReadPreference, heartbeat)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]bool{"readable": readable})
}

func typedWritable(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.WritableRequest(new(wire.Request), document); err != nil {
		return nil, err
	}
	var request struct {
		Topology json.RawMessage `json:"topology"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	t, err := description(request.Topology)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]bool{"writable": selection.HasWritableServer(t)})
}
