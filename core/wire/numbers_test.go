package wire

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

func TestIntegers(t *testing.T) {
	const key = "setVersion" // from -2^63 to 2^63-1
	for in, want := range map[string]int64{
		"0": 0, "-0": 0, "-1": -1, "9007199254740993": 1<<53 + 1, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
		`{"$numberInt":"2147483647"}`: 1<<31 - 1, `{"$numberInt":"-2147483648"}`: -1 << 31, `{"$numberInt":"0"}`: 0, `{"$numberLong":"-0"}`: 0,
		`{"$numberLong":"9223372036854775807"}`: 1<<63 - 1, `{"$numberLong":"-9223372036854775808"}`: -1 << 63, `{ "$number\u004cong" : "\u0035" }`: 5,
	} {
		r, err := decodeRequest([]byte(oneServer(`"type":"Mongos","` + key + `":` + in)))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if v, ok := r.Topology.Servers[1].SetVersion.Get(); !ok || v != want {
			t.Errorf("%s: %d, want %d", in, v, want)
		}
	}
	path := "topology.servers[1]." + key
	for _, c := range []refusal{
		{"", "9223372036854775808", status.OutOfRange, ""},
		{"", "-9223372036854775809", status.OutOfRange, ""},
		{"", "18446744073709551616", status.OutOfRange, ""},
		{"", "1" + strings.Repeat("0", 1000), status.OutOfRange, ""},
		{"", "1.0", status.WrongType, ""}, {"", "1e0", status.WrongType, ""}, {"", "-0.0", status.WrongType, ""},
		{"", "true", status.WrongType, ""}, {"", `"1"`, status.WrongType, ""}, {"", "[1]", status.WrongType, ""}, {"", "{}", status.WrongType, ""},
		{"", `{"$numberDouble":"1"}`, status.WrongType, ""}, {"", `{"$numberDecimal":"1"}`, status.WrongType, ""}, {"", `{"numberLong":"1"}`, status.WrongType, ""},
		{"", `{"$numberInt":"2147483648"}`, status.OutOfRange, ".$numberInt"}, {"", `{"$numberInt":"-2147483649"}`, status.OutOfRange, ".$numberInt"},
		{"", `{"$numberLong":"9223372036854775808"}`, status.OutOfRange, ".$numberLong"}, {"", `{"$numberLong":"-9223372036854775809"}`, status.OutOfRange, ".$numberLong"},
		{"", `{"$numberLong":1}`, status.WrongType, ".$numberLong"}, {"", `{"$numberLong":null}`, status.WrongType, ".$numberLong"}, {"", `{"$numberLong":""}`, status.WrongType, ".$numberLong"},
		{"", `{"$numberLong":"01"}`, status.WrongType, ".$numberLong"}, {"", `{"$numberLong":"+1"}`, status.WrongType, ".$numberLong"}, {"", `{"$numberLong":" 1"}`, status.WrongType, ".$numberLong"},
		{"", `{"$numberLong":"1.0"}`, status.WrongType, ".$numberLong"}, {"", `{"$numberLong":"1e3"}`, status.WrongType, ".$numberLong"}, {"", `{"$numberLong":"-"}`, status.WrongType, ".$numberLong"},
		{"", `{"$numberLong":"0x1"}`, status.WrongType, ".$numberLong"}, {"", `{"$numberLong":"1_0"}`, status.WrongType, ".$numberLong"},
		{"", `{"$numberLong":"1","x":1}`, status.UnknownKey, ".x"}, {"", `{"$numberLong":"1","$numberInt":"1"}`, status.UnknownKey, ".$numberInt"},
		{"", `{"$numberLong":"1","$numberLong":"1"}`, status.UnknownKey, ".$numberLong"},
	} {
		c.name, c.path = c.in, path+c.path
		_, err := decodeRequest([]byte(oneServer(`"type":"Mongos","` + key + `":` + c.in)))
		checkRefusal(t, c, err)
	}
}

func TestSeed(t *testing.T) {
	for in, want := range map[string]uint64{
		"0": 0, "-0": 0, "9007199254740991": 1<<53 - 1, `"0"`: 0, `"9007199254740993"`: 1<<53 + 1, `"18446744073709551615"`: 1<<64 - 1, "null": 0,
		`{"$numberLong":"9223372036854775807"}`: 1<<63 - 1, `{"$numberInt":"7"}`: 7,
	} {
		r, err := decodeRequest([]byte(request(`"seed":` + in)))
		if err != nil || r.Seed != want {
			t.Errorf("%s: %d (%v), want %d", in, r.Seed, describe(err), want)
		}
	}
	for _, in := range []string{"9007199254740992", "18446744073709551615", "-1", `"-1"`, `"-0"`, `"18446744073709551616"`, `"99999999999999999999"`, `"00"`, `"1.0"`, `""`, `" 1"`} {
		_, err := decodeRequest([]byte(request(`"seed":` + in)))
		checkCode(t, in, err, status.OutOfRange)
	}
}

func TestDecimalMilliseconds(t *testing.T) {
	for in, want := range map[string]int64{
		"0": 0, "-0": 0, "-0.000e9": 0, "2.4": 2_400_000, "5": 5_000_000, "0.000001": 1, "1e-6": 1, "15E0": 15_000_000, "1.5e1": 15_000_000, "0.1e1": 1_000_000,
		"0.0000005": 0, "0.0000015": 2, "0.0000025": 2, "0.00000050000000001": 1, "0.00000149999999": 1, // half-even
		"9223372036854.775807": 1<<63 - 1, "9223372036854.7758074": 1<<63 - 1, "9223372036854.7758065": 1<<63 - 2,
		"1e-999999999999999999999": 0, "0e999999999999999999999": 0, "0." + strings.Repeat("0", 1000) + "1e1001": 1_000_000, "1" + strings.Repeat("0", 1000) + "e-1000": 1_000_000,
		`{"$numberDouble":"2.5"}`: 2_500_000, `{"$numberInt":"2"}`: 2_000_000, `{"$numberLong":"3"}`: 3_000_000, `{"$numberDouble":"1E-6"}`: 1,
	} {
		r, err := decodeRequest([]byte(request(`"localThresholdMS":` + in)))
		if err != nil || r.Options.LocalThresholdNS != want {
			t.Errorf("%.60s: %d (%v), want %d", in, r.Options.LocalThresholdNS, describe(err), want)
		}
	}
	for _, in := range []string{"-1", "-1e-400", "-0.0000001", "9223372036854.7758075", "9223372036854.7758075", "1e13", "1e999999999999999999999", strings.Repeat("9", 1000)} {
		_, err := decodeRequest([]byte(request(`"localThresholdMS":` + in)))
		checkRefusal(t, refusal{in, in, status.OutOfRange, "localThresholdMS"}, err)
	}
	for _, in := range []string{`{"$numberDouble":"Infinity"}`, `{"$numberDouble":"NaN"}`, `{"$numberDouble":""}`, `{"$numberDouble":"1."}`, `{"$numberDouble":"01"}`, `{"$numberDouble":" 1"}`,
		`{"$numberDouble":1}`, `{"$numberDecimal":"1"}`, `{}`, `"1"`, `true`, `[]`} {
		_, err := decodeRequest([]byte(request(`"localThresholdMS":` + in)))
		checkCode(t, in, err, status.WrongType)
	}
	for _, in := range []string{`{"$numberDouble":"1","x":1}`, `{"$numberInt":"1","$numberInt":"1"}`} {
		_, err := decodeRequest([]byte(request(`"localThresholdMS":` + in)))
		checkCode(t, in, err, status.UnknownKey)
	}
}

// Against exact rational arithmetic.
func TestDecimalMillisecondsExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(0|[1-9][0-9]{0,14})(\.[0-9]{1,12})?([eE][-+]?[0-9]{1,2})?`).Draw(t, "text")
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatal(text)
		}
		exact.Mul(exact, big.NewRat(1_000_000, 1))
		// Half-even: double, floor, look at the remainder.
		whole, rest := new(big.Int).QuoRem(exact.Num(), exact.Denom(), new(big.Int))
		switch twice := rest.Lsh(rest, 1).Cmp(exact.Denom()); {
		case twice > 0, twice == 0 && whole.Bit(0) == 1:
			whole.Add(whole, big.NewInt(1))
		}
		ns, ok := topology.ParseMS([]byte(text))
		if ok != whole.IsInt64() || ok && ns != whole.Int64() {
			t.Fatalf("%s: %d, %v; want %v", text, ns, ok, whole)
		}
		if !ok {
			return
		}
		printed := string(topology.AppendMS(nil, ns))
		again, ok := topology.ParseMS([]byte(printed))
		if !ok || again != ns || strings.ContainsAny(printed, "eE") {
			t.Fatalf("%d is printed as %s and read as %d", ns, printed, again)
		}
	})
}

func TestHelloOK(t *testing.T) {
	for in, want := range map[string]bool{
		"1": true, "1.0": true, "true": true, `{"$numberInt":"1"}`: true, `{"$numberLong":"1"}`: true, `{"$numberDouble":"1.0"}`: true, "1.000": true,
		"0": false, "0.0": false, "false": false, "null": false, `{"$numberDouble":"0.0"}`: false, "2": false, "10": false, "11": false, "1.01": false, "-1": false, "0.1": false, "1e0": true, "1000e-3": true, "0.1e1": true, "1e1": false, "1.0000001": false, "0.9999999999": false,
	} {
		r, err := decodeHelloRequest([]byte(`{"address":"a","hello":{"ok":` + in + `}}`))
		if err != nil || r.Hello.OK != want {
			t.Errorf("ok: %s: %v (%v)", in, r.Hello.OK, describe(err))
		}
	}
}

func TestMessagesNameRanges(t *testing.T) {
	_, err := decodeRequest([]byte(request(`"heartbeatFrequencyMS":499`)))
	if want := fmt.Sprintf("expected an integer from 500 to %d, found 499", int64(1<<63-1)); err == nil || err.Message != want {
		t.Errorf("%v, want %s", describe(err), want)
	}
}
