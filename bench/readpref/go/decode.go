package main

import "encoding/json"

// document is a request of select as a program would declare it for
// encoding/json, which is what core/wire is compared with.
type document struct {
	Topology struct {
		Type    string `json:"type"`
		SetName string `json:"setName"`
		Servers []struct {
			Address          string            `json:"address"`
			Type             string            `json:"type"`
			RoundTripTimeMS  *float64          `json:"roundTripTimeMS"`
			Tags             map[string]string `json:"tags"`
			LastWriteDate    *int64            `json:"lastWriteDate"`
			LastUpdateTimeMS int64             `json:"lastUpdateTimeMS"`
			MinWireVersion   *int32            `json:"minWireVersion"`
			MaxWireVersion   *int32            `json:"maxWireVersion"`
			OperationCount   int64             `json:"operationCount"`
		} `json:"servers"`
	} `json:"topology"`
	ReadPreference struct {
		Mode                string              `json:"mode"`
		Tags                []map[string]string `json:"tags"`
		MaxStalenessSeconds *int64              `json:"maxStalenessSeconds"`
	} `json:"readPreference"`
	LocalThresholdMS     float64 `json:"localThresholdMS"`
	HeartbeatFrequencyMS int64   `json:"heartbeatFrequencyMS"`
}

// decode only reads the request of select, with encoding/json.
func (c *caseOf) decode(n int) error {
	for range n {
		var d document
		if err := json.Unmarshal(c.document, &d); err != nil {
			return err
		}
	}
	return nil
}
