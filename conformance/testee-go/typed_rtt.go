package main

import (
	"encoding/json"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

func typedRTT(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.RTTRequest(new(wire.RTTRequest), document); err != nil {
		return nil, err
	}
	var request struct {
		RoundTripTimeMS topology.RTT   `json:"roundTripTimeMS"`
		SamplesMS       []topology.RTT `json:"samplesMS"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	average := sdam.ResumeRTT(request.RoundTripTimeMS)
	each := []topology.RTT{}
	for _, sample := range request.SamplesMS {
		if ns, ok := sample.Nanoseconds(); ok {
			average.Add(ns)
		} else {
			average.Reset()
		}
		each = append(each, average.Average())
	}
	return json.Marshal(map[string]any{"roundTripTimeMS": average.Average(), "minRoundTripTimeMS": average.Minimum(), "averagesMS": each})
}
