package abi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/status"
)

// Sixteen goroutines open, close, update, select, describe and release on one
// Table, by handles that others may just have closed, that are of the other kind
// or were never opened. Whatever happens, each function answers with what it
// documents.
func TestHammer(t *testing.T) {
	const goroutines, rounds = 16, 3000
	topologies := []string{twoMongoses, noPrimary, `{"topology":{"servers":[]},"pick":"roundRobin"}`,
		`{"topology":{"type":"ReplicaSetWithPrimary","servers":[{"address":"a.example","type":"RSPrimary","roundTripTimeMS":5},{"address":"b.example:27017","type":"RSSecondary","minWireVersion":30,"maxWireVersion":31}]}}`}
	updates := []string{`{"topology":{"servers":[{"address":"b.example","type":"Mongos"},{"address":"c.example","type":"Mongos","operationCount":1}]}}`,
		`{"topology":{"servers":[]}}`, `{"topology":{"servers":[{"address":"x"}]}}`, twoMongoses}
	preferences := []string{nearest, tooSmall, `{"readPreference":{}}`, `{"uriOptions":"readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags="}`, `{"readPreference":{"tags":[{"a":"b"}]}}`}

	table := new(abi.Table)
	var handles [64]atomic.Uint32 // of both kinds, some closed
	handles[0].Store(3 << 29)
	handles[1].Store(1<<32 - 1)
	var answered [12]atomic.Int64
	allowed := func(t *testing.T, what string, got int32, codes ...status.Code) {
		if got >= 0 {
			return
		}
		for _, c := range codes {
			if got == int32(c) {
				return
			}
		}
		t.Errorf("%s: status %d", what, got)
	}
	// told holds an error document to the codes that the function has.
	told := func(t *testing.T, what string, n int32, out []byte, codes ...string) bool {
		if n >= 0 {
			return true
		}
		var e struct{ Error struct{ Code string } }
		if assert.LessOrEqual(t, int(-n), len(out), what) && assert.NoError(t, json.Unmarshal(out[:-n], &e), what) {
			assert.Contains(t, codes, e.Error.Code, what)
		}
		return false
	}
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			c := abi.Context{Table: table}
			ids, out := make([]int32, 8), make([]byte, 1<<16)
			any := func() uint32 { return handles[rng.IntN(len(handles))].Load() }
			keep := func(h int32) {
				if old := handles[2+rng.IntN(len(handles)-2)].Swap(uint32(h)); old != 0 {
					allowed(t, "close", table.Close(old), status.Handle)
				}
			}
			in := func(list []string) []byte { return []byte(list[rng.IntN(len(list))]) }
			for range rounds {
				what := rng.IntN(len(answered))
				h, p := any(), any()
				ok := false
				switch what {
				case 0:
					d := in(topologies)
					n := c.TopologyOpenPointers(at(d), uint64(len(d)), at(out), uint64(len(out)))
					if ok = told(t, "open", n, out); ok {
						keep(n)
					}
				case 1:
					d := in(preferences)
					n := c.ReadprefOpenPointers(at(d), uint64(len(d)), at(out), uint64(len(out)))
					if ok = told(t, "open preference", n, out, "tagsWithPrimary"); ok {
						keep(n)
					}
				case 2:
					n := table.Close(h)
					allowed(t, "close", n, status.Handle)
					ok = n == 0
				case 3:
					d := in(updates)
					n := c.TopologyUpdatePointers(h, at(d), uint64(len(d)), at(out), uint64(len(out)))
					ok = told(t, "update", n, out, "handle", "missingKey")
				case 4, 5:
					n := table.Select(h, p, rng.Uint32N(8))
					allowed(t, "select", n, status.Handle, status.Argument, status.NoServer, status.MaxStalenessTooSmall, status.IncompatibleWireVersion)
					if ok = n >= 0; ok {
						allowed(t, "release", table.Release(h, uint32(n)), status.Handle)
						allowed(t, "address", table.Address(h, uint32(n), out), status.Handle)
					}
				case 6:
					n := table.SelectBatch(h, p, rng.Uint32N(8), ids[:rng.IntN(len(ids))])
					allowed(t, "batch", n, status.Handle, status.Argument, status.NoServer, status.MaxStalenessTooSmall, status.IncompatibleWireVersion)
					ok = n >= 0
				case 7:
					d := []byte(`{"deprioritized":["a.example"],"customSelector":{"keepOnly":["a.example","b.example","c.example"]}}`)
					n := c.SelectExPointers(h, p, rng.Uint32N(8), at(d), uint64(len(d)))
					allowed(t, "select_ex", n, status.Handle, status.Argument, status.NoServer, status.MaxStalenessTooSmall, status.IncompatibleWireVersion)
					ok = n >= 0
				case 8:
					n := c.TopologyDescribePointers(h, at(out), uint64(len(out)))
					if ok = told(t, "describe", n, out, "handle"); ok {
						assert.True(t, json.Valid(out[:n]))
						back := c.TopologyOpenPointers(at(out), uint64(n), at(out), uint64(len(out)))
						if told(t, "open again", back, out) {
							allowed(t, "close", table.Close(uint32(back)), status.OK)
						}
					}
				case 9:
					n := c.ExplainPointers(h, p, nil, 0, at(out), uint64(len(out)))
					ok = told(t, "explain", n, out, "handle", "maxStalenessTooSmall", "incompatibleWireVersion")
				case 10:
					n := table.Release(h, rng.Uint32N(5))
					allowed(t, "release", n, status.Handle, status.Argument)
					ok = n == 0
					allowed(t, "generation", int32(min(table.Generation(h), 1)))
				case 11:
					n := c.Call("topology.select", fmt.Appendf(nil, `{"topology":%d,"readPreference":%d,"checkout":true}`, h&(1<<31-1), p&(1<<31-1)), out)
					ok = told(t, "topology.select", n, out, "handle", "noServer", "maxStalenessTooSmall", "incompatibleWireVersion")
				}
				if ok {
					answered[what].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for what := range answered {
		assert.Greater(t, answered[what].Load(), int64(20), "function %d hardly ever met an open handle", what)
	}
	// Each handle closes once, and what is left closes too: then the table is as new.
	for i := range handles {
		if h := handles[i].Load(); table.Close(h) == 0 {
			require.Equal(t, int32(status.Handle), table.Close(h))
		}
	}
	c := abi.Context{Table: table}
	for range 1 << 10 {
		h := openTopology(t, &c, twoMongoses)
		require.Less(t, h%(1<<16), uint32(1<<11), "slots were lost")
	}
}

// Handles that are closed while others select by them: the selections end, and
// later ones are refused.
func TestCloseUnderway(t *testing.T) {
	c, table := withTable()
	p := openPreference(t, c, nearest)
	for range 200 {
		h := openTopology(t, c, twoMongoses)
		var wg sync.WaitGroup
		var refused atomic.Int32
		for range 4 {
			wg.Go(func() {
				for {
					id := table.Select(h, p, 4)
					if id == int32(status.Handle) {
						refused.Add(1)
						return
					}
					if id != 0 && id != 1 {
						t.Errorf("status %d", id)
						return
					}
					if n := table.Release(h, uint32(id)); n != 0 && n != int32(status.Handle) {
						t.Errorf("status %d", n)
					}
				}
			})
		}
		assert.Zero(t, table.Close(h))
		wg.Wait()
		assert.Equal(t, int32(4), refused.Load())
		assert.Equal(t, int32(status.Handle), table.Close(h))
	}
}
