package wire

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// membersDocument is a topology description as a driver sends it.
func membersDocument(n int) []byte {
	return []byte(`{"type":"ReplicaSetNoPrimary","setName":"rs0","servers":[` + list(n, `{"address":"member#.example.net:27017","type":"RSSecondary",`+
		`"roundTripTimeMS":2.417,"tags":{"dc":"ny","rack":"r#"},"lastWriteDate":1793000000000,"lastUpdateTimeMS":1793000000950,`+
		`"minWireVersion":0,"maxWireVersion":25,"operationCount":3}`) + `]}`)
}

// plainDescription is what encoding/json reads without the help of a method.
type plainDescription struct {
	Type, SetName string
	Servers       []struct {
		Address, Type                            string
		RoundTripTimeMS                          float64
		Tags                                     map[string]string
		LastWriteDate, LastUpdateTimeMS          int64
		MinWireVersion, MaxWireVersion           int64
		OperationCount                           int64
		SetName, Primary, Me, Error              string
		Hosts, Passives, Arbiters                []string
		SetVersion, LogicalSessionTimeoutMinutes *int64
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{3, 50} {
		doc := membersDocument(n)
		b.Run(fmt.Sprintf("wire/%d", n), func(b *testing.B) {
			var d Decoder
			var t topology.Description
			var hello sdam.Hello
			var order []addressOrder
			b.ReportAllocs()
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				d.start(doc)
				d.topology(&t, &hello, &order)
				if err := d.end(); err != nil || len(t.Servers) != n {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("easyjson/%d", n), func(b *testing.B) {
			var t topology.Description
			b.ReportAllocs()
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if err := t.UnmarshalJSON(doc); err != nil || len(t.Servers) != n {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("encoding-json/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				var t plainDescription
				if err := json.Unmarshal(doc, &t); err != nil || len(t.Servers) != n {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{3, 50} {
		t, err := decodeTopology(membersDocument(n))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("wire/%d", n), func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = AppendTopology(dst[:0], &t)
			}
			b.SetBytes(int64(len(dst)))
		})
		b.Run(fmt.Sprintf("easyjson/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				doc, err := t.MarshalJSON()
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(doc)))
			}
		})
	}
}

// In steady state decoding allocates nothing, also where documents differ from
// one to the next and strings have escapes.
func TestDecodingAllocatesNothing(t *testing.T) {
	var docs [][]byte
	for _, n := range []int{3, 50, 1000} {
		shuffled := `{"servers":[` + list(n, `{"address":"h#.\u0065xample","type":"RSSecondary","lastWriteDate":{"$date":{"$numberLong":"1793000000000"}},`+
			`"tags":{"d\u0063":"ny"},"hosts":["a:1","b:1"],"electionId":{"$oid":"7fffffff0000000000000001"}}`) + `]}`
		docs = append(docs, []byte(`{"topology":`+string(membersDocument(n))+`,"readPreference":{"mode":"nearest","tags":[{"dc":"ny","rack":"1"},{}],"maxStalenessSeconds":120},`+
			`"deprioritized":["x"],"customSelector":{"keepOnly":["y"]},"seed":"18446744073709551615"}`),
			[]byte(`{"shards":{"a":`+shuffled+`,"b":`+string(membersDocument(n))+`},"localThresholdMS":15.5}`),
			[]byte(`{"topology":{"servers":[`+list(n, `{"address":"h#:1","hello":{"ok":{"$numberDouble":"1.0"},"setName":"rs","secondary":true,"hosts":["a:1"],"x":{"y":[1,{"z":null}]}},"nowMS":5}`)+`]}}`))
	}
	var d Decoder
	var r Request
	i := 0
	next := func() {
		if err := d.Request(&r, docs[i%len(docs)]); err != nil {
			t.Fatal(err)
		}
		i++
	}
	for range 3 * len(docs) {
		next()
	}
	if n := testing.AllocsPerRun(10*len(docs), next); n != 0 {
		t.Errorf("%v allocations per document", n)
	}
}
