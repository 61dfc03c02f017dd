package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/status"
)

// list returns n elements, each made from its index.
func list(n int, element string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(element, "#", fmt.Sprint(i)))
	}
	return b.String()
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name    string
		most    int
		path    string // of the element after the last
		in      string // # is its index, @ the list
		element string
	}{
		{"servers", 65536, "topology.servers[65536]", `{"topology":{"servers":[@]}}`, `{"address":"h#","type":"Mongos"}`},
		{"shards", 4096, "shards.s4096", `{"shards":{@}}`, `"s#":{"servers":[]}`},
		{"tag sets", 100, "readPreference.tags[100]", preferenceRequest(`"mode":"nearest","tags":[@]`), `{"a":"#"}`},
		{"tags in a tag set", 100, "readPreference.tags[0].t100", preferenceRequest(`"mode":"nearest","tags":[{@}]`), `"t#":"x"`},
		{"tags of a server", 100, "topology.servers[1].tags.t100", oneServer(`"type":"Mongos","tags":{@}`), `"t#":"x"`},
		{"tags of a hello", 100, "topology.servers[1].hello.tags.t100", oneServer(`"hello":{"tags":{@}}`), `"t#":"x"`},
	} {
		if _, err := decodeRequest([]byte(strings.Replace(c.in, "@", list(c.most, c.element), 1))); err != nil {
			t.Errorf("%d %s: %v", c.most, c.name, err)
		}
		_, err := decodeRequest([]byte(strings.Replace(c.in, "@", list(c.most+1, c.element), 1)))
		checkRefusal(t, refusal{c.name, "", status.LimitExceeded, c.path}, err)
	}
}

func TestDocumentSize(t *testing.T) {
	pad := func(n int) []byte { return []byte(request("") + strings.Repeat(" ", n-len(request("")))) }
	if _, err := decodeRequest(pad(16 << 20)); err != nil {
		t.Errorf("16 MiB: %v", err)
	}
	tooLarge := pad(16<<20 + 1)
	_, err := decodeRequest(tooLarge)
	checkRefusal(t, refusal{"request", "", status.DocumentTooLarge, ""}, err)
	_, err = decodeHelloRequest(tooLarge)
	checkRefusal(t, refusal{"hello request", "", status.DocumentTooLarge, ""}, err)
	_, err = decodeValidation(tooLarge)
	checkRefusal(t, refusal{"validate", "", status.DocumentTooLarge, ""}, err)
	var d Decoder
	checkRefusal(t, refusal{"empty", "", status.DocumentTooLarge, ""}, d.Empty(tooLarge))
}

// A hostile document cannot make validate list more than it is worth.
func TestProblemsAreBounded(t *testing.T) {
	for _, doc := range []string{
		`{"readPreference":{` + list(5000, `"k#":#`) + `}}`,
		`{"readPreference":{"mode":"nearest","tags":[` + list(100, `{"a":1,"b":2,"c":3}`) + `]}}`,
		`{"mongosh":["nearest",[],{}` + strings.Repeat(",0", 5000) + `]}`,
		`{"uriOptions":"` + strings.Repeat("&x", 5000) + `"}`,
	} {
		v, err := decodeValidation([]byte(doc))
		if err != nil || len(v.Problems) != maxProblems {
			t.Errorf("%.60s: %d problems, %v", doc, len(v.Problems), describe(err))
		}
	}
	v, err := decodeValidation([]byte(`{"uriOptions":"` + strings.Repeat("&readPref=x", 5000) + `"}`))
	if err != nil || len(v.Warnings) != maxProblems {
		t.Errorf("%d warnings, %v", len(v.Warnings), describe(err))
	}
	// What is too much to list still makes the preference invalid, and syntax
	// behind it is still read.
	_, err = decodeValidation([]byte(`{"readPreference":{` + list(5000, `"k#":#`) + `,"k0":1}}`))
	checkRefusal(t, refusal{"duplicate behind", "", status.DuplicateKey, "readPreference.k0"}, err)
}
