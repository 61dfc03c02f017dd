package abi_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// documents writes requests of one kind over n servers that differ in everything
// that may.
func documents(t *testing.T, n int, kind func(r *oracle.Request, k int) any) [][]byte {
	rng := rand.New(rand.NewSource(int64(n)))
	var list [][]byte
	for k := range 16 {
		r := &oracle.Request{Topology: &topology.Description{Type: topology.ReplicaSetWithPrimary}, Operation: oracle.Read,
			LocalThresholdNS: int64(k) * 2_500_000, HeartbeatFrequencyMS: 10000 + int64(k), MinWire: 8, MaxWire: 29}
		for i := range n {
			s := topology.Server{Address: fmt.Sprintf("m%d.example:27017", i), Type: topology.RSSecondary,
				RoundTripTime: topology.NewRTT(rng.Int63n(40_000_000)), LastWriteDate: topology.NewDate(1793000000000 - rng.Int63n(100_000)),
				LastUpdateTimeMS: 1793000000000 + rng.Int63n(1000), OperationCount: rng.Int63n(5), MaxWireVersion: topology.NewInt(25),
				Tags: tag.Set{{Name: "dc", Value: []string{"ny", "sf"}[rng.Intn(2)]}, {Name: "n\n", Value: fmt.Sprint(`"`, rng.Intn(3), `\`)}}}
			if i == k%n {
				s.Type = topology.RSPrimary
			}
			r.Topology.Servers = append(r.Topology.Servers, s)
		}
		in, err := json.Marshal(kind(r, k))
		require.NoError(t, err)
		list = append(list, in)
	}
	return list
}

// In steady state select allocates nothing, whatever the documents hold.
func TestSelectAllocatesNothing(t *testing.T) {
	ny := tag.Set{{Name: "dc", Value: "ny"}}
	plain := func(p readpref.Preference) func(*oracle.Request, int) any {
		return func(r *oracle.Request, _ int) any {
			r.Preference = p
			return document(r)
		}
	}
	filtered := readpref.Preference{Mode: readpref.SecondaryPreferred, TagSets: []tag.Set{{{Name: "dc", Value: "é\n"}}, ny}, MaxStaleness: readpref.MaxStalenessSeconds(90)}
	for _, c := range []struct {
		name string
		kind func(r *oracle.Request, k int) any
	}{
		{"primary", plain(readpref.Preference{})},
		{"nearest", plain(readpref.Preference{Mode: readpref.Nearest})},
		{"staleness and tags", plain(filtered)},
		{"hedge", plain(readpref.Preference{Mode: readpref.Nearest, Hedge: readpref.HedgeEnabled})},
		{"deprioritized and keepOnly", func(r *oracle.Request, k int) any {
			r.Preference = filtered
			for i, s := range r.Topology.Servers {
				if (i+k)%2 == 0 {
					r.Deprioritized = append(r.Deprioritized, s.Address)
				}
				if (i+k)%3 > 0 {
					r.KeepOnly = append(r.KeepOnly, s.Address)
				}
			}
			return document(r)
		}},
		{"a write stage", func(r *oracle.Request, k int) any {
			r.Preference, r.Operation = filtered, oracle.AggregateWithWriteStage
			r.Topology.Servers[0].MaxWireVersion = topology.NewInt(int64(12 + k%2))
			return document(r)
		}},
		{"no server", func(r *oracle.Request, k int) any {
			r.Preference, r.Topology.Type = readpref.Preference{}, topology.ReplicaSetNoPrimary
			return document(r)
		}},
		{"no server that a tag set matches", plain(readpref.Preference{Mode: readpref.Nearest, TagSets: []tag.Set{{{Name: "dc", Value: "la\n"}}}})},
		{"servers in no order", func(r *oracle.Request, k int) any {
			rand.New(rand.NewSource(int64(k))).Shuffle(len(r.Topology.Servers), func(i, j int) {
				s := r.Topology.Servers
				s[i], s[j] = s[j], s[i]
			})
			return document(r)
		}},
		{"shards", func(r *oracle.Request, k int) any {
			doc := document(r)[1:] // all but the topology
			shards := object{{fmt.Sprint("a\t", k), document(r)[0].value}, {"b", document(r)[0].value}}
			doc.add("shards", shards)
			doc.add("seed", fmt.Sprint(uint64(1)<<63+uint64(k)))
			return doc
		}},
		{"Extended JSON", func(r *oracle.Request, k int) any {
			doc := document(r)
			servers := doc[0].value.(object)[1].value.([]any)
			for _, s := range servers {
				for i, f := range s.(object) {
					switch f.key {
					case "roundTripTimeMS":
						s.(object)[i].value = object{{"$numberDouble", f.value.(json.Number).String()}}
					case "lastWriteDate":
						s.(object)[i].value = object{{"$date", object{{"$numberLong", fmt.Sprint(f.value)}}}}
					case "lastUpdateTimeMS":
						s.(object)[i].value = object{{"$numberLong", fmt.Sprint(f.value)}}
					}
				}
			}
			return doc
		}},
		{"saved replies", func(r *oracle.Request, k int) any {
			servers := []any{}
			for i, s := range r.Topology.Servers {
				hello := object{{"ok", 1}, {"setName", "rs\u0001"}, {"secondary", s.Type == topology.RSSecondary}, {"isWritablePrimary", s.Type == topology.RSPrimary},
					{"hosts", []string{"m0.example:27017", "m1.example:27017"}[:k%3]}, {"me", s.Address}, {"maxWireVersion", 25}, {"tags", tagsObject(s.Tags)},
					{"lastWrite", object{{"lastWriteDate", object{{"$date", "2026-10-26T07:33:20Z"}}}}}, {"localTime", object{{"$date", i}}}}
				servers = append(servers, object{{"address", s.Address}, {"hello", hello}, {"nowMS", s.LastUpdateTimeMS}, {"roundTripTimeMS", 1 + i}})
			}
			return object{{"topology", object{{"servers", servers}}}, {"readPreference", object{{"mode", "nearest"}}}}
		}},
	} {
		for _, n := range []int{3, 50} {
			t.Run(fmt.Sprintf("%s, %d servers", c.name, n), func(t *testing.T) {
				list := documents(t, n, c.kind)
				out := make([]byte, 64<<10)
				var context abi.Context
				next := 0
				call := func() {
					if context.Call("select", list[next%len(list)], out) <= 0 {
						t.Fatal(string(out[:200]))
					}
					next++
				}
				for range list { // memory grows to what these documents need
					call()
				}
				allocations := testing.AllocsPerRun(4*len(list), call)
				if !raceDetector {
					require.Zero(t, allocations)
				}
			})
		}
	}
}

// A Context that serves for long holds no more than one that has served a while.
func TestContextDoesNotGrow(t *testing.T) {
	list := documents(t, 20, func(r *oracle.Request, k int) any {
		r.Preference = readpref.Preference{Mode: readpref.Mode(k % 5)}
		return document(r)
	})
	list = append(list, []byte(`{"topology":{"servers":[`), []byte(`{"shards":{"a":{"servers":[]}}}`), []byte(`{"x":"\u0001"}`))
	out := make([]byte, 64<<10)
	var c abi.Context
	run := func(times int) {
		for range times {
			for _, in := range list {
				c.Call("select", in, out)
				c.Call("explain", in, out)
			}
		}
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	run(3)
	before := heap()
	run(100)
	after := heap()
	if !raceDetector {
		require.Less(t, after, before+16<<10)
	}
	runtime.KeepAlive(&c)
	runtime.KeepAlive(out)
}
