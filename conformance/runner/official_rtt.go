package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
)

// rttCase is a file of server-selection/rtt: one sample onto an average.
type rttCase struct {
	Average    *numberText `json:"avg_rtt_ms"` // "NULL": there is none yet
	Sample     numberText  `json:"new_rtt_ms"`
	NewAverage numberText  `json:"new_avg_rtt"`
}

// rttRequest is a request of rtt. A sample of null: the server became Unknown.
type rttRequest struct {
	RoundTripTimeMS json.Number `json:"roundTripTimeMS,omitempty"`
	Samples         []any       `json:"samplesMS"`
}

// rttAnswer is what rtt says.
type rttAnswer struct {
	RoundTripTimeMS    *json.Number   `json:"roundTripTimeMS"`
	MinRoundTripTimeMS *json.Number   `json:"minRoundTripTimeMS"`
	AveragesMS         []*json.Number `json:"averagesMS"`
}

func loadRTTCase(file string, data []byte) testCase {
	c := testCase{file: file, name: "average", typed: true}
	c.loadErr = func() error {
		var f rttCase
		if err := decodeStrict(data, &f); err != nil {
			return err
		}
		if f.Average == nil || f.Sample == "" || f.NewAverage == "" {
			return errors.New("want avg_rtt_ms, new_rtt_ms and new_avg_rtt")
		}
		in, err := encode(rttRequest{RoundTripTimeMS: json.Number(*f.Average), Samples: []any{json.Number(f.Sample)}})
		c.steps = []step{{method: "rtt", in: in, check: func(got reply) error {
			return checkAverages(got, []*json.Number{(*json.Number)(&f.NewAverage)})
		}}}
		return err
	}()
	return c
}

// checkAverages compares the average after each sample; nil is none.
func checkAverages(got reply, want []*json.Number) error {
	a, err := rttAnswerOf(got)
	if err != nil {
		return err
	}
	if len(a.AveragesMS) != len(want) {
		return fmt.Errorf("%d averages, want %d", len(a.AveragesMS), len(want))
	}
	for i := range want {
		if err := sameMS(fmt.Sprintf("averagesMS[%d]", i), a.AveragesMS[i], want[i]); err != nil {
			return err
		}
	}
	return nil
}

// rttAnswerOf reads an answer of rtt, whose average is that after the last sample.
func rttAnswerOf(got reply) (*rttAnswer, error) {
	if err := got.answered(); err != nil {
		return nil, err
	}
	a := new(rttAnswer)
	if err := decodeStrict([]byte(got.out), a); err != nil {
		return nil, err
	}
	if len(a.AveragesMS) > 0 {
		if err := sameMS("roundTripTimeMS", a.RoundTripTimeMS, a.AveragesMS[len(a.AveragesMS)-1]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// sameMS compares two times, as far as the engine keeps them: to the nanosecond.
func sameMS(what string, got, want *json.Number) error {
	if (got == nil) != (want == nil) {
		return fmt.Errorf("%s is %s, want %s", what, compact(got), compact(want))
	}
	if got == nil {
		return nil
	}
	g, okG := new(big.Rat).SetString(string(*got))
	w, okW := new(big.Rat).SetString(string(*want))
	if !okG || !okW || new(big.Rat).Abs(g.Sub(g, w)).Cmp(big.NewRat(1, 2_000_000)) > 0 {
		return fmt.Errorf("%s is %s, want %s", what, *got, *want)
	}
	return nil
}
