package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

func TestDuplicateKeys(t *testing.T) {
	for _, c := range []refusal{
		{"request", request(`"seed":1,"seed":1`), status.DuplicateKey, "seed"},
		{"the second null", request(`"seed":1,"seed":null`), status.DuplicateKey, "seed"},
		{"the first null", request(`"seed":null,"seed":1`), status.DuplicateKey, "seed"},
		{"escaped", request(`"seed":1,"s\u0065ed":1`), status.DuplicateKey, "seed"},
		{"far apart", `{"topology":{"servers":[]},"seed":1,"pick":"random","operation":"read","topology":{"servers":[]}}`, status.DuplicateKey, "topology"},
		{"topology", `{"topology":{"servers":[],"setName":"a","servers":[]}}`, status.DuplicateKey, "topology.servers"},
		{"server", oneServer(`"type":"Mongos","type":"Mongos"`), status.DuplicateKey, "topology.servers[1].type"},
		{"address", oneServer(`"type":"Mongos","address":"b"`), status.DuplicateKey, "topology.servers[1].address"},
		{"tags", oneServer(`"type":"Mongos","tags":{"dc":"ny","x":"","\u0064c":"ny"}`), status.DuplicateKey, "topology.servers[1].tags.dc"},
		{"empty tag name", oneServer(`"type":"Mongos","tags":{"":"ny","":"ny"}`), status.DuplicateKey, `topology.servers[1].tags[""]`},
		{"$oid", oneServer(`"type":"Mongos","electionId":{"$oid":"000000000000000000000000","$oid":"000000000000000000000000"}`), status.DuplicateKey, "topology.servers[1].electionId.$oid"},
		{"topologyVersion", oneServer(`"type":"Mongos","topologyVersion":{"counter":1,"counter":1}`), status.DuplicateKey, "topology.servers[1].topologyVersion.counter"},
		{"shards", `{"shards":{"a":{"servers":[]},"b":{"servers":[]},"\u0061":{"servers":[]}}}`, status.DuplicateKey, "shards.a"},
		{"preference", preferenceRequest(`"mode":"nearest","mode":"nearest"`), status.DuplicateKey, "readPreference.mode"},
		{"tag set", preferenceRequest(`"mode":"nearest","tags":[{},{"a":"1","a":"2"}]`), status.DuplicateKey, "readPreference.tags[1].a"},
		{"hedge", preferenceRequest(`"mode":"nearest","hedge":{"enabled":true,"enabled":true}`), status.DuplicateKey, "readPreference.hedge.enabled"},
		{"wireVersions", request(`"wireVersions":{"min":1,"min":1,"max":2}`), status.DuplicateKey, "wireVersions.min"},
		{"customSelector", request(`"customSelector":{"keepOnly":[],"keepOnly":[]}`), status.DuplicateKey, "customSelector.keepOnly"},
		{"hello, known", oneServer(`"hello":{"ok":1,"ok":1}`), status.DuplicateKey, "topology.servers[1].hello.ok"},
		{"hello, unknown", oneServer(`"hello":{"x":1,"ok":1,"x":2}`), status.DuplicateKey, "topology.servers[1].hello.x"},
		{"hello, unknown, escaped", oneServer(`"hello":{"x":1,"y":{"x":1},"\u0078":2}`), status.DuplicateKey, "topology.servers[1].hello.x"},
		{"hello, nested", oneServer(`"hello":{"x":{"a":[{"b":1,"c":2,"b":3}]}}`), status.DuplicateKey, "topology.servers[1].hello.x.a[0].b"},
		{"lastWrite, known", oneServer(`"hello":{"lastWrite":{"lastWriteDate":1,"lastWriteDate":1}}`), status.DuplicateKey, "topology.servers[1].hello.lastWrite.lastWriteDate"},
		{"lastWrite, unknown", oneServer(`"hello":{"lastWrite":{"opTime":{},"opTime":{}}}`), status.DuplicateKey, "topology.servers[1].hello.lastWrite.opTime"},
		{"lastWrite, nested", oneServer(`"hello":{"lastWrite":{"opTime":{"ts":1,"ts":1}}}`), status.DuplicateKey, "topology.servers[1].hello.lastWrite.opTime.ts"},
		{"in a value of the wrong type", preferenceRequest(`"mode":{"a":1,"a":2}`), status.DuplicateKey, "readPreference.mode.a"},
	} {
		_, err := decodeRequest([]byte(c.in))
		checkRefusal(t, c, err)
	}
	// The same key in different objects is none.
	for _, hello := range []string{`{"x":{"x":{"x":1}},"y":{"x":1}}`, `{"x":[{"a":1},{"a":1}],"a":1}`, `{"ok":1,"x":{"ok":1}}`, `{"lastWrite":{"ok":1},"y":{"lastWrite":1}}`} {
		if _, err := decodeRequest([]byte(oneServer(`"hello":` + hello))); err != nil {
			t.Errorf("%s: %v", hello, err)
		}
	}
	_, err := decodeValidation([]byte(`{"mongosh":["primary"],"mongosh":["primary"]}`))
	checkRefusal(t, refusal{"validate", "", status.DuplicateKey, "mongosh"}, err)
	_, err = decodeHelloRequest([]byte(`{"address":"a","hello":{},"hello":{}}`))
	checkRefusal(t, refusal{"hello request", "", status.DuplicateKey, "hello"}, err)
}

// The first key that comes again is named, in objects of every size: short ones
// are compared key by key, long ones sorted.
func TestDuplicatesInObjectsOfAllSizes(t *testing.T) {
	for n := 2; n < 3*sortFrom; n++ {
		for first := 0; first < n; first += 1 + n/7 {
			for again := first + 1; again < n; again += 1 + n/5 {
				keys := make([]string, n)
				for i := range keys {
					keys[i] = fmt.Sprintf(`"k%d":1`, (i*37)%n+n*i) // distinct, not ascending
				}
				keys[again] = strings.Replace(keys[first], ":1", ":2", 1)
				doc := `{"address":"a","hello":{"x":{` + strings.Join(keys, ",") + `}}}`
				_, err := decodeHelloRequest([]byte(doc))
				name, _, _ := strings.Cut(strings.Trim(keys[again], `"`), `"`)
				checkRefusal(t, refusal{doc, doc, status.DuplicateKey, "hello.x." + name}, err)
			}
		}
	}
}

func TestDuplicateAddress(t *testing.T) {
	for n := 2; n < 3*sortFrom; n++ {
		servers := make([]topology.Server, n)
		for i := range servers {
			servers[i].Address = fmt.Sprintf("h%d.example:27017", (i*31)%97)
		}
		if again, _ := duplicateAddress(servers, nil); again != -1 {
			t.Errorf("%d servers: %d, want none", n, again)
		}
		for first := 0; first < n; first += 1 + n/6 {
			for second := first + 1; second < n; second += 1 + n/4 {
				before := servers[second].Address
				servers[second].Address = strings.ToUpper(strings.TrimSuffix(servers[first].Address, ":27017"))
				again, _ := duplicateAddress(servers, nil)
				if again != second {
					t.Errorf("%d servers, %d like %d: found %d", n, second, first, again)
				}
				servers[second].Address = before
			}
		}
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"a", "a:27017", true}, {"A.Example", "a.example:27017", true}, {"a:27018", "a", false}, {"a:", "a", true},
		{"::1", "[::1]:27017", true}, {"[::1]", "::1", true}, {"[FE80::1]:1", "[fe80::1]:1", true}, {"/run/A.sock", "/run/a.sock", false},
		{"K", "\u212a", false}, {"é", "É", false}, {"[", "`", false}, {"@", "`", false},
	} {
		if got := topology.SameAddress(c.a, c.b); got != c.same {
			t.Errorf("SameAddress(%q, %q) = %v", c.a, c.b, got)
		}
		if got := topology.CompareAddress(c.a, c.b) == 0; got != c.same {
			t.Errorf("CompareAddress(%q, %q) == 0: %v", c.a, c.b, got)
		}
		if got := topology.NormalizeAddress(c.a) == topology.NormalizeAddress(c.b); got != c.same {
			t.Errorf("NormalizeAddress(%q), (%q): %v", c.a, c.b, got)
		}
	}
}
