package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/status"
)

// strictDocuments are not JSON.
var strictDocuments = []string{
	"", " ", "nul", "tru", "{", "[", `"`, `{"`, `{"a`, `{"a"`, "}", "]", ",", ":",
	"\ufeff{}", "\x00{}", "{\x00}", "{1:2}", "{'a':1}", "{a:1}", `{"a" 1}`, "{,}", "/* c */{}", "#\n{}", "{\v}", "{\f}", "{\u00a0}", "{\u2028}",
}

// afterDocument may not stand behind one, inDocument not inside one.
var (
	afterDocument = []string{"\x00", "{}", " null", ",", "]", "}", "// c", "/**/", "\ufeff", "\v", "1", `"`}
	inDocument    = []string{
		`{"a":`, `{"a":1`, `{"a":1,`, `{"a":1 "b":2}`, `{"a":1,}`, `{"a":1,,"b":2}`, `{,"a":1}`, `{"a"}`, `{"a",1}`, `{"a":}`, `{"a"::1}`, `{"a":1]`,
		"[1,]", "[,1]", "[1 2]", "[1", "[1,,2]", "[1}", "[:]", `["a":1]`, "1,", "1 // c", "/**/1",
	}
)

// inKnown and inSkipped put a value where core/wire reads it by structure, and
// where it skips it: in a hello's unknown key.
func inKnown(value string) string { return request(`"localThresholdMS":` + value) }
func inSkipped(value string) string {
	return `{"address":"a","hello":{"ok":1,"x":` + value + `}}`
}

func TestNotJSON(t *testing.T) {
	for _, doc := range strictDocuments {
		_, err := decodeRequest([]byte(doc))
		checkCode(t, doc, err, status.InvalidJSON)
		_, err = decodeHelloRequest([]byte(doc))
		checkCode(t, doc, err, status.InvalidJSON)
		_, err = decodeValidation([]byte(doc))
		checkCode(t, doc, err, status.InvalidJSON)
	}
	for _, after := range afterDocument {
		_, err := decodeRequest([]byte(request("") + after))
		checkCode(t, after, err, status.InvalidJSON)
		_, err = decodeHelloRequest([]byte(inSkipped("1") + after))
		checkCode(t, after, err, status.InvalidJSON)
		_, err = decodeValidation([]byte(`{"readPreference":{}}` + after))
		checkCode(t, after, err, status.InvalidJSON)
	}
	for _, in := range inDocument {
		_, err := decodeHelloRequest([]byte(inSkipped(in)))
		checkCode(t, in, err, status.InvalidJSON)
		if in[0] != '{' { // an object of a wrong form may be refused before its end
			_, err = decodeRequest([]byte(inKnown(in)))
			checkCode(t, in, err, status.InvalidJSON)
		}
	}
	for _, value := range []string{
		"01", "-01", "00", "+1", ".5", "-.5", "1.", "1.e1", "1e", "1e+", "1E-", "-", "--1", "1-1", "0x10", "1_000", "1..2", "1e1.5", "1e1e1",
		"NaN", "Infinity", "-Infinity", "nan", "1a", "1n", "0b1", `{a:1}`, `{'a':1}`, `'a'`,
		"True", "nulll", "nul", "truefalse", "undefined", "`a`", `"a`, `"\`, `"\x41"`, `"\u12"`, `"\u123g"`, `"\U0041"`, `"\u 123"`, `"\'"`, `"\0"`,
		"\"a\nb\"", "\"\t\"", "\"\x00\"", "\"\x1f\"", "\"a\\\nb\"", "\"\\\x00\"", "\x00", "\ufeff1", "\u00a01", "}", "]", ":", ",",
	} {
		_, err := decodeRequest([]byte(inKnown(value)))
		checkCode(t, value, err, status.InvalidJSON)
		_, err = decodeHelloRequest([]byte(inSkipped(value)))
		checkCode(t, value, err, status.InvalidJSON)
	}
	// In a document that goes on, so that the fault is in the string itself.
	for c := range 0x20 {
		for _, doc := range []string{inSkipped("\"" + string(rune(c)) + "\""), inSkipped("\"\\n" + string(rune(c)) + "\""), inSkipped("{\"" + string(rune(c)) + "\":1}")} {
			_, err := decodeHelloRequest([]byte(doc))
			checkCode(t, doc, err, status.InvalidJSON)
		}
	}
}

func checkCode(t *testing.T, doc string, err *status.Error, code status.Code) {
	t.Helper()
	if err == nil || err.Code != code {
		t.Errorf("%.200q: %v; want %v", doc, describe(err), code)
		return
	}
	checkErrorDocument(t, err)
}

func describe(err *status.Error) string {
	if err == nil {
		return "accepted"
	}
	return err.Code.String() + ": " + err.Error()
}

func TestValidJSON(t *testing.T) {
	for _, value := range []string{
		"0", "-0", "-0.0", "1", "-1", "10", "1.5", "1e5", "1E5", "1e+5", "1e-5", "0e0", "0.0e00", "123456789012345678901234567890", "1e999999",
		"true", "false", "null", "[]", "{}", "[ ]", "{ }", "[[],{}]", ` [ 1 , "a" , { "b" : null } ] `, `{"":""}`, `""`, `"'"`, `"/"`, `"\u0000"`, "\"\x7f\"", "\"\u2028\"",
		`"\"\\\/\b\f\n\r\t"`, `"\ud83d\ude00"`, `"\uD83D\uDE00"`, `"\uffff"`, "\"\U0010ffff\"", "\t\r\n 1\t\r\n ",
	} {
		if _, err := decodeHelloRequest([]byte(inSkipped(value))); err != nil {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestStrings(t *testing.T) {
	for in, want := range map[string]string{
		`"a"`: "a", `"\u0061"`: "a", `"x\u0061\u0062y"`: "xaby", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u0000"`: "\x00",
		`"\ud83d\ude00"`: "😀", `"\uD83D\uDE00!"`: "😀!", `"\u00e9é"`: "éé", `"\ud7ff\ue000\uffff"`: "\ud7ff\ue000\uffff",
		`"\udbff\udfff"`: "\U0010ffff", `"\ud800\udc00"`: "\U00010000", "\"\x7f\"": "\x7f", `"\\u0061"`: `\u0061`, `"\\\\"`: `\\`, `"\\\""`: `\"`,
	} {
		s, err := decodeServer([]byte(`{"address":` + in + `,"type":"Mongos"}`))
		if err != nil || s.Address != want {
			t.Errorf("%s: %q (%v), want %q", in, s.Address, describe(err), want)
		}
	}
	// Each string that had escapes keeps its value while later ones are read.
	s, err := decodeServer([]byte(`{"address":"\u0061","type":"Mongos","hosts":["\u0062","` + strings.Repeat(`\u0063`, 5000) + `","\u0064"],"me":"\u0065"}`))
	if err != nil || s.Address != "a" || s.Hosts[0] != "b" || s.Hosts[1] != strings.Repeat("c", 5000) || s.Hosts[2] != "d" || s.Me != "e" {
		t.Errorf("%v: %.100q", describe(err), fmt.Sprint(s))
	}
}

func TestNotUTF8(t *testing.T) {
	for _, bad := range []string{
		"\x80", "\xbf", "\xff", "\xfe", "\xc3", "\xc3(", "\xe2\x82", "\xf0\x9f\x98", // stray, cut short
		"\xc0\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", // overlong
		"\xed\xa0\x80", "\xed\xbf\xbf", "\xed\xa0\xbd\xed\xb8\x80", // surrogates
		"\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", // above U+10FFFF
		`\ud800`, `\udfff`, `\ud83d`, `\ude00\ud83d`, `\ud83dx`, `\ud83d\n`, `\ud83d\u0041`, `\ud83d\ud83d`, `\ud83d\ude0`, `a\udc00b`,
	} {
		for path, doc := range map[string]string{
			"topology.servers[0].address": `{"topology":{"servers":[{"address":"` + bad + `","type":"Mongos"}]}}`,
			"topology.servers[0].tags.dc": `{"topology":{"servers":[{"address":"a","tags":{"dc":"` + bad + `"},"type":"Mongos"}]}}`,
			"topology.servers[1].hello.x": `{"topology":{"servers":[{"address":"a","hello":{}},{"address":"b","hello":{"x":"` + bad + `"}}]}}`,
		} {
			_, err := decodeRequest([]byte(doc))
			checkRefusal(t, refusal{bad, doc, status.InvalidUTF8, path}, err)
		}
		// As a key; how a broken key is spelt in the path is not promised.
		_, err := decodeHelloRequest([]byte(`{"address":"a","hello":{"` + bad + `":1}}`))
		checkCode(t, bad, err, status.InvalidUTF8)
		_, err = decodeRequest([]byte(`{"topology":{"servers":[{"address":"a","type":"Mongos","tags":{"` + bad + `":"x"}}]}}`))
		checkCode(t, bad, err, status.InvalidUTF8)
	}
	_, err := decodeRequest([]byte("{\"a\xff"))
	checkCode(t, "bad UTF-8 in a truncated document", err, status.InvalidUTF8)
	_, err = decodeRequest([]byte("\xff"))
	checkRefusal(t, refusal{"no structure", "", status.InvalidUTF8, ""}, err)
}

// Every cut of a document is refused, and says so where it was cut.
func TestTruncated(t *testing.T) {
	doc := `{"topology":{"type":"ReplicaSetNoPrimary","servers":[{"address":"\u0061","type":"RSSecondary","roundTripTimeMS":2.4,` +
		`"lastWriteDate":{"$date":{"$numberLong":"1"}},"tags":{"d c":"ny"}},{"address":"b","hello":{"x":[true,false,null,{"y":-1.5e+3}]}}]},` +
		`"readPreference":{"mode":"nearest","tags":[{"a":"b"},{}],"maxStalenessSeconds":{"$numberInt":"120"}},"seed":"18446744073709551615"}`
	if _, err := decodeRequest([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	for n := range doc {
		_, err := decodeRequest([]byte(doc[:n]))
		checkCode(t, doc[:n], err, status.InvalidJSON)
	}
}

func TestDepth(t *testing.T) {
	// A value at the depth of a hello's unknown key is inside 2 levels (the
	// request and the hello), in a topology inside 5.
	skipped := []struct {
		name          string
		open, closing string
	}{{"arrays", "[", "]"}, {"objects", `{"k":`, "}"}, {"mixed", `[{"k":`, "}]"}}
	for _, s := range skipped {
		per := strings.Count(s.open, "[") + strings.Count(s.open, "{")
		for levels, want := range map[int]bool{62: true, 64: false} {
			doc := inSkipped(nested(s.open, "1", s.closing, levels/per))
			_, err := decodeHelloRequest([]byte(doc))
			if (err == nil) != want {
				t.Errorf("%s, %d levels: %v", s.name, levels+2, describe(err))
			} else if !want {
				checkCode(t, s.name, err, status.NestingTooDeep)
			}
		}
	}
	for levels, want := range map[int]bool{64: true, 65: false, 66: false, 1000: false} {
		_, err := decodeHelloRequest([]byte(inSkipped(nested("[", "", "]", levels-2))))
		if (err == nil) != want {
			t.Errorf("hello, %d levels: %v", levels, describe(err))
		}
		_, err = decodeRequest([]byte(`{"topology":{"servers":[{"address":"a","hello":{"x":` + nested("[", "", "]", levels-5) + `}}]}}`))
		if (err == nil) != want {
			t.Errorf("hello in a topology, %d levels: %v", levels, describe(err))
		}
	}
	// Where a known key takes no such value, depth is found out before the type.
	for _, key := range []string{"topology", "shards", "readPreference", "operation", "deprioritized", "localThresholdMS", "seed", "nonsense"} {
		for levels, want := range map[int]status.Code{64: status.WrongType, 65: status.NestingTooDeep} {
			_, err := decodeRequest([]byte(`{"` + key + `":` + nested("[", "", "]", levels-1) + `}`))
			if key == "nonsense" {
				want = status.UnknownKey
			}
			checkCode(t, key, err, want)
		}
	}
	_, err := decodeRequest([]byte(strings.Repeat("[", MaxDocumentBytes)))
	checkCode(t, "16 MiB of brackets", err, status.NestingTooDeep)
	_, err = decodeRequest([]byte(strings.Repeat(`{"a":`, MaxDocumentBytes/5)))
	checkCode(t, "16 MiB of objects", err, status.UnknownKey)
	_, err = decodeHelloRequest([]byte(`{"hello":` + strings.Repeat(`{"a":`, MaxDocumentBytes/5-10)))
	checkCode(t, "16 MiB of skipped objects", err, status.NestingTooDeep)
}
