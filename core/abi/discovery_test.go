package abi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/status"
)

const discovered = `{"seeds":["a.example","b.example"],"replicaSet":"rs"}`

// memberReply is a request of rp_topology_hello.
func memberReply(address, role string, hosts ...string) []byte {
	list, _ := json.Marshal(hosts)
	return fmt.Appendf(nil, `{"address":%q,"hello":{"ok":1,%q:true,"setName":"rs","hosts":%s,"maxWireVersion":25},"roundTripTimeMS":2}`, address, role, list)
}

// Nothing of a request is kept: the host may use its memory again.
func TestRequestsAreNotKept(t *testing.T) {
	for _, open := range []string{discovered, `{"seeds":["a.example","b.example"],"directConnection":false}`, `{"uri":"mongodb://a.example,b.example/?replicaSet=rs"}`,
		`{"uri":"mongodb+srv://x.shop.example/","srv":[{"target":"a.shop.example","port":27017}],"txt":[["replicaSet=rs"]]}`,
		`{"seeds":["a.example"],"replicaSet":"rs","topology":{"type":"ReplicaSetNoPrimary","setName":"rs","servers":[
		{"address":"b.example","type":"RSSecondary","setName":"rs","me":"b.example:27017","primary":"a.example:27017","hosts":["a.example:27017"],"tags":{"dc":"ny"}},
		{"address":"a.example:27017","type":"Unknown","error":"refused"}]},"pools":[{"address":"a.example","generation":1}]}`} {
		c, _ := withTable()
		out := make([]byte, abi.MinBuffer)
		kept, used := []byte(open), []byte(open)
		h := openTopology(t, c, string(kept))
		other := c.TopologyOpenPointers(at(used), uint64(len(used)), at(out), uint64(len(out)))
		require.Positive(t, other, "%s", out)
		clear(used)
		for _, in := range [][]byte{memberReply("A.example", "isWritablePrimary", "a.example", "c.example:27017"), memberReply("b.example", "secondary", "a.example", "d.example:27017"),
			memberReply("c.example:27017", "secondary", "a.example"), memberReply("a.shop.example", "isWritablePrimary", "a.shop.example")} {
			used := bytes.Clone(in)
			require.Empty(t, step(t, helloOf(c), h, in))
			require.Empty(t, step(t, helloOf(c), uint32(other), used))
			clear(used)
		}
		for _, method := range []string{"topology.describe", "topology.events"} {
			first, ok := c.Answer(method, fmt.Appendf(nil, `{"topology":%d}`, h))
			require.True(t, ok)
			want := string(first)
			second, ok := c.Answer(method, fmt.Appendf(nil, `{"topology":%d}`, other))
			require.True(t, ok)
			require.Equal(t, want, string(second), open)
		}
	}
}

// step calls one of the functions that change a discovered topology.
func step(t *testing.T, f func(uint32, *byte, int, *byte, int) int32, topology uint32, in []byte) string {
	out := make([]byte, abi.MinBuffer)
	n := f(topology, &in[0], len(in), &out[0], len(out))
	if n == 0 {
		return ""
	}
	require.Negative(t, n)
	return string(out[:-n])
}

func helloOf(c *abi.Context) func(uint32, *byte, int, *byte, int) int32 {
	return func(topology uint32, in *byte, inLen int, out *byte, outCap int) int32 {
		return c.TopologyHelloPointers(topology, unsafe.Pointer(in), uint64(inLen), unsafe.Pointer(out), uint64(outCap))
	}
}

// Selecting from a discovered topology allocates nothing, and does not look at
// its servers again: after each reply the first selection does.
func TestSelectDiscoveredAllocatesNothing(t *testing.T) {
	c, table := withTable()
	h := openTopology(t, c, discovered)
	p := openPreference(t, c, nearest)
	require.Empty(t, step(t, helloOf(c), h, memberReply("a.example", "isWritablePrimary", "a.example", "b.example")))
	require.Empty(t, step(t, helloOf(c), h, memberReply("b.example", "secondary", "a.example", "b.example")))
	deprioritized := []byte(`{"deprioritized":["b.example"]}`)
	for name, f := range map[string]func() int32{
		"select":    func() int32 { return table.Select(h, p, 4) },
		"select_ex": func() int32 { return c.SelectExPointers(h, p, 0, at(deprioritized), uint64(len(deprioritized))) },
		"batch":     func() int32 { return table.SelectBatch(h, p, 0, make([]int32, 4)) },
	} {
		require.GreaterOrEqual(t, f(), int32(0), name)
		allocations := testing.AllocsPerRun(200, func() { f() })
		if !raceDetector {
			assert.Zero(t, allocations, name)
		}
	}
}

// Sixteen goroutines feed, select, describe, ask for events, acknowledge, shut
// down, close and open topologies that others may just have closed.
func TestHammerDiscovery(t *testing.T) {
	const goroutines, rounds = 16, 1500
	table := new(abi.Table)
	setup := abi.Context{Table: table}
	preference := openPreference(t, &setup, nearest)
	var handles [8]atomic.Uint32
	var answered [10]atomic.Int64
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 7))
			c := abi.Context{Table: table}
			out := make([]byte, 1<<20)
			names := []string{"a.example", "b.example", "c.example"}
			for range rounds {
				h := handles[rng.IntN(len(handles))].Load()
				name := names[rng.IntN(3)]
				n, codes, what := int32(0), []string{"handle"}, rng.IntN(len(answered))
				switch what {
				case 0:
					n = c.TopologyOpenPointers(at([]byte(discovered)), uint64(len(discovered)), at(out), uint64(len(out)))
					if assert.Positive(t, n) {
						if old := handles[rng.IntN(len(handles))].Swap(uint32(n)); old != 0 {
							table.Close(old)
						}
					}
				case 1, 2:
					in := memberReply(name, []string{"isWritablePrimary", "secondary"}[rng.IntN(2)], names[:1+rng.IntN(3)]...)
					n = c.TopologyHelloPointers(h, at(in), uint64(len(in)), at(out), uint64(len(out)))
				case 3:
					in := fmt.Appendf(nil, `{"address":%q,"kind":"network"}`, name)
					n = c.TopologyErrorPointers(h, at(in), uint64(len(in)), at(out), uint64(len(out)))
				case 4:
					if n = c.TopologyEventsPointers(h, at(out), uint64(len(out))); n > 0 {
						assert.True(t, json.Valid(out[:n]))
					}
				case 5:
					n = table.EventsAck(h, rng.Uint32N(20))
					if assert.Contains(t, []int32{0, int32(status.Handle), int32(status.OutOfRange)}, n) {
						n = max(n, 0)
					}
				case 6:
					if n = c.TopologyDescribePointers(h, at(out), uint64(len(out))); n > 0 {
						assert.True(t, json.Valid(out[:n]))
					}
				case 7:
					n = table.Select(h, preference, 4)
					if n >= 0 {
						n = table.Release(h, uint32(n))
					}
					if assert.Contains(t, []int32{0, int32(status.Handle), int32(status.NoServer)}, n) {
						n = max(n, 0)
					}
				case 8:
					n, codes = c.CommandPointers(h, preference, rng.Uint32N(3), nil, 0, at(out), uint64(len(out))), append(codes, "argument")
				case 9:
					if rng.IntN(10) == 0 {
						n = c.TopologyShutdownPointers(h, nil, 0, at(out), uint64(len(out)))
					}
				}
				if n >= 0 {
					answered[what].Add(1)
					continue
				}
				var e struct{ Error struct{ Code string } }
				if assert.NoError(t, json.Unmarshal(out[:-n], &e)) {
					assert.Contains(t, codes, e.Error.Code, "%d", what)
				}
			}
		})
	}
	wg.Wait()
	for what := range answered {
		assert.Greater(t, answered[what].Load(), int64(20), "function %d hardly ever met an open handle", what)
	}
}

// FuzzDiscovery feeds one topology a sequence of calls, line by line. Whatever they
// are: what is refused changes nothing, the generation changes exactly with what
// is accepted, events are in order, and what describe prints opens a topology
// that prints the same.
func FuzzDiscovery(f *testing.F) {
	hello := func(address, role string, hosts ...string) string {
		return "topology.hello " + string(memberReply(address, role, hosts...))
	}
	f.Add(discovered + "\n" + hello("a.example", "isWritablePrimary", "a.example", "b.example") + "\n" + hello("b.example", "secondary", "A.example") + "\ntopology.events {}\ntopology.events_ack {\"upto\":7}")
	f.Add(discovered + "\n" + hello("a.example", "isWritablePrimary", "c.example", "[::1]:27018") + "\ntopology.error {\"address\":\"c.example\",\"kind\":\"network\"}\ntopology.shutdown {}\n" + hello("c.example", "secondary"))
	f.Add(`{"uri":"mongodb+srv://c.shop.example/?srvMaxHosts=1","srv":[{"target":"m1.shop.example","port":27017},{"target":"m2.shop.example","port":27017}]}` +
		"\ntopology.srv {\"srv\":[{\"target\":\"m3.shop.example.\",\"port\":1}]}\ntopology.srv {\"srv\":[]}\ntopology.hello {\"address\":\"m3.shop.example:1\",\"hello\":{\"ok\":1,\"msg\":\"isdbgrid\"}}")
	f.Add(`{"seeds":["lb"],"loadBalanced":true}` + "\ntopology.hello {\"address\":\"lb\",\"hello\":{\"ok\":1,\"serviceId\":{\"$oid\":\"0123456789abcdef01234567\"}}}\n" +
		`topology.error {"address":"lb","kind":"command","serviceId":{"$oid":"0123456789abcdef01234567"},"reply":{"ok":0,"code":91,"topologyVersion":{"processId":{"$oid":"0123456789abcdef01234567"},"counter":1}}}`)
	f.Add(`{"seeds":["a"],"directConnection":true,"replicaSet":"rs"}` + "\ntopology.hello {\"address\":\"a\",\"hello\":{\"ok\":1,\"setName\":\"other\"},\"roundTripTimeMS\":1}\ntopology.hello {\"address\":\"a\",\"roundTripTimeMS\":5}")
	f.Add(`{"seeds":["a"],"topology":{"type":"Sharded","servers":[{"address":"A","type":"Mongos","operationCount":2,"roundTripTimeMS":1}]},"pools":[{"address":"a","generation":3}]}` +
		"\ntopology.error {\"address\":\"a\",\"kind\":\"network\",\"generation\":2}\ntopology.hello {\"address\":\"a\",\"hello\":{\"ok\":1,\"maxWireVersion\":3},\"roundTripTimeMS\":1}")
	f.Fuzz(func(t *testing.T, script string) {
		lines := strings.Split(script, "\n")
		if len(lines) > 50 {
			return
		}
		var c abi.Context
		answer, ok := c.Answer("topology.open", []byte(lines[0]))
		if !ok {
			requireErrorDocument(t, answer)
			return
		}
		handle := bytes.TrimSuffix(bytes.TrimPrefix(bytes.Clone(answer), []byte(`{"topology":`)), []byte("}"))
		ask := func(method, rest string) (map[string]any, bool) {
			in := []byte(`{"topology":` + string(handle) + rest)
			answer, ok := c.Answer(method, in)
			if !ok {
				requireErrorDocument(t, answer)
				return nil, false
			}
			var v map[string]any
			require.NoError(t, json.Unmarshal(answer, &v), "%s", answer)
			return v, true
		}
		describe := func() string {
			answer, ok := c.Answer("topology.describe", []byte(`{"topology":`+string(handle)+`}`))
			require.True(t, ok)
			return string(bytes.Clone(answer))
		}
		generation, last := 1.0, 0.0
		for _, line := range lines[1:] {
			method, rest, _ := strings.Cut(line, " ")
			switch method {
			case "topology.hello", "topology.error", "topology.srv", "topology.shutdown", "topology.events", "topology.events_ack", "topology.update":
			default:
				continue
			}
			rest = strings.TrimPrefix(rest, "{")
			if rest != "}" && rest != "" {
				rest = "," + rest
			}
			before := describe()
			v, ok := ask(method, rest)
			after := describe()
			if !ok || v["accepted"] == false {
				require.Equal(t, before, after, line)
			}
			if now, is := v["generation"].(float64); is {
				require.Equal(t, before != after || v["accepted"] == true, now != generation, line)
				generation = now
			}
			if events, is := v["events"].([]any); is {
				previous := 0.0
				for _, e := range events {
					sequence := e.(map[string]any)["sequence"].(float64)
					require.Greater(t, sequence, previous)
					previous = sequence
				}
				require.Equal(t, previous, v["last"])
				last = max(last, previous)
			}
		}
		if described := describe(); strings.Contains(described, `"seeds"`) && !strings.Contains(described, `"servers":[]`) {
			answer, ok := c.Answer("topology.open", []byte(described))
			require.True(t, ok, "%s\n%s", described, answer)
			again, ok := c.Answer("topology.describe", bytes.Clone(answer))
			require.True(t, ok)
			require.Equal(t, described, string(again))
		}
		_, _ = ask("topology.events", "}")
	})
}

// What attackers and accidents send: the documented outcome, and the topology is
// as it was.
func TestBadReplies(t *testing.T) {
	c, _ := withTable()
	h := openTopology(t, c, discovered)
	require.Empty(t, step(t, helloOf(c), h, memberReply("a.example", "isWritablePrimary", "a.example", "b.example")))
	describe := func() string {
		answer, ok := c.Answer("topology.describe", fmt.Appendf(nil, `{"topology":%d}`, h))
		require.True(t, ok)
		return string(answer)
	}
	before := describe()
	hosts := make([]string, 65_537)
	for i := range hosts {
		hosts[i] = fmt.Sprint("h", i)
	}
	for in, want := range map[string]string{
		`{"address":"a.example","hello":"x"}`:                                                           `"wrongType"`,
		`{"address":"a.example","hello":[]}`:                                                            `"wrongType"`,
		`{"address":"a.example","hello":{"ok":1,"hosts":"a"}}`:                                          `"path":"hello.hosts"`,
		`{"address":"a.example","hello":{"ok":1,"hosts":[""]}}`:                                         `"path":"hello.hosts[0]"`,
		`{"address":"a.example","hello":{"ok":1,"setVersion":1.5}}`:                                     `"path":"hello.setVersion"`,
		`{"address":"a.example","hello":{"ok":1,"electionId":"x"}}`:                                     `"path":"hello.electionId"`,
		`{"address":"a.example","hello":{"ok":1,"topologyVersion":{"counter":1}}}`:                      `"path":"hello.topologyVersion.processId"`,
		`{"address":"a.example","hello":{"ok":1},"roundTripTimeMS":-0.001}`:                             `"path":"roundTripTimeMS"`,
		`{"address":"a.example","hello":{"ok":1},"roundTripTimeMS":{"$numberDouble":"NaN"}}`:            `"path":"roundTripTimeMS.$numberDouble"`,
		`{"address":"a.example","hello":{"ok":1},"roundTripTimeMS":1e300}`:                              `"outOfRange"`,
		`{"address":"a.example","hello":{"ok":1},"nowMS":1.5}`:                                          `"path":"nowMS"`,
		`{"address":"a.example","hello":{"ok":1},"hello":{}}`:                                           `"duplicateKey"`,
		`{"address":"a.example","hello":` + strings.Repeat(`{"a":`, 70) + `1` + strings.Repeat(`}`, 71): `"nestingTooDeep"`,
		string(memberReply("a.example", "isWritablePrimary", hosts...)):                                 `"limitExceeded"`,
	} {
		assert.Contains(t, step(t, helloOf(c), h, []byte(in)), want, "%.100s", in)
		assert.Equal(t, before, describe(), "%.100s", in)
	}
	// A connection string of 1 MiB, which is one; and one with a bad escape.
	uri := `{"uri":"mongodb://a.example/?appname=` + strings.Repeat("x", 100) + strings.Repeat("&foo=%41", 1<<17) + `"}`
	openTopology(t, c, uri)
	answer, ok := c.Answer("topology.open", []byte(`{"uri":"mongodb://a.example/?replicaSet=%zz"}`))
	assert.False(t, ok)
	assert.Contains(t, string(answer), `"path":"options.replicaSet"`)
}
