package abi_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

const (
	twoMongoses = `{"topology":{"type":"Sharded","servers":[{"address":"A.example","type":"Mongos","roundTripTimeMS":5},{"address":"b.example:27017","type":"Mongos","roundTripTimeMS":5,"operationCount":3}]}}`
	noPrimary   = `{"topology":{"type":"ReplicaSetNoPrimary","servers":[{"address":"a.example","type":"RSSecondary","roundTripTimeMS":5}]}}`

	nearest  = `{"readPreference":{"mode":"nearest"}}`
	tooSmall = `{"readPreference":{"mode":"nearest","maxStalenessSeconds":1}}`
)

// openTopology opens a topology as C does.
func openTopology(t testing.TB, c *abi.Context, document string) uint32 {
	t.Helper()
	out := make([]byte, abi.MinBuffer)
	h := c.TopologyOpenPointers(at([]byte(document)), uint64(len(document)), at(out), uint64(len(out)))
	require.Positive(t, h, "%s", out)
	return uint32(h)
}

func openPreference(t testing.TB, c *abi.Context, document string) uint32 {
	t.Helper()
	out := make([]byte, abi.MinBuffer)
	h := c.ReadprefOpenPointers(at([]byte(document)), uint64(len(document)), at(out), uint64(len(out)))
	require.Positive(t, h, "%s", out)
	return uint32(h)
}

// withTable returns a Context and the Table it works with.
func withTable() (*abi.Context, *abi.Table) {
	table := new(abi.Table)
	return &abi.Context{Table: table}, table
}

// refused reads the error document that -n bytes of out are.
func refused(t testing.TB, n int32, out []byte) (code, path string) {
	t.Helper()
	require.Negative(t, n)
	require.LessOrEqual(t, int(-n), len(out))
	var e struct{ Error struct{ Code, Path string } }
	require.NoError(t, json.Unmarshal(out[:-n], &e), "%s", out[:-n])
	return e.Error.Code, e.Error.Path
}

// 0 | kind 2 bits | generation 13 | slot 16.
func TestHandleNumbers(t *testing.T) {
	c, table := withTable()
	require.Equal(t, uint32(1<<29), openTopology(t, c, twoMongoses))
	require.Equal(t, uint32(2<<29|1), openPreference(t, c, nearest))
	require.Zero(t, table.Close(1<<29))
	require.Equal(t, uint32(2<<29|1<<16), openPreference(t, c, nearest))
	require.Equal(t, uint32(1<<29|2), openTopology(t, c, twoMongoses))
	require.Zero(t, table.Close(2<<29|1<<16))
	require.Equal(t, uint32(1<<29|2<<16), openTopology(t, c, twoMongoses))
}

// Contexts with one Table share its handles; a Context without gets its own.
func TestContextsShareATable(t *testing.T) {
	a, table := withTable()
	b := &abi.Context{Table: table}
	h, p := openTopology(t, a, twoMongoses), openPreference(t, b, nearest)
	assert.Zero(t, table.Select(h, p, 0))
	answer, ok := b.Answer("topology.generation", fmt.Appendf(nil, `{"topology":%d}`, h))
	assert.True(t, ok, "%s", answer)

	var alone abi.Context
	_, ok = alone.Answer("topology.generation", fmt.Appendf(nil, `{"topology":%d}`, h))
	assert.False(t, ok)
	assert.Equal(t, h, openTopology(t, &alone, noPrimary))
	assert.Equal(t, "[Sharded ReplicaSetNoPrimary]", fmt.Sprint([]string{typeOf(t, a, h), typeOf(t, &alone, h)}))
}

func typeOf(t *testing.T, c *abi.Context, topology uint32) string {
	answer, ok := c.Answer("topology.describe", fmt.Appendf(nil, `{"topology":%d}`, topology))
	require.True(t, ok)
	var d struct{ Topology struct{ Type string } }
	require.NoError(t, json.Unmarshal(answer, &d))
	return d.Topology.Type
}

// A slot serves 2^13 handles and is then retired: no number comes twice.
func TestSlotsRetire(t *testing.T) {
	const generations = 1 << 13
	c, table := withTable()
	kept := openPreference(t, c, nearest) // slot 0
	seen := map[uint32]bool{}
	for i := range generations {
		var h uint32
		if i%2 == 0 {
			h = openTopology(t, c, noPrimary)
		} else {
			h = openPreference(t, c, nearest)
		}
		require.Equal(t, uint32(1), h%(1<<16), "the one closed slot is used again")
		require.False(t, seen[h])
		require.Less(t, h, uint32(1)<<31)
		seen[h] = true
		require.Zero(t, table.Close(h))
	}
	h := openTopology(t, c, twoMongoses)
	require.Equal(t, uint32(1<<29|2), h, "a new slot")
	for old := range seen {
		require.Equal(t, int32(status.Handle), table.Close(old))
		require.Equal(t, int32(status.Handle), table.Select(old, kept, 0))
		require.Equal(t, int32(status.Handle), table.Select(h, old, 0))
		require.Zero(t, table.Generation(old))
	}
	require.Zero(t, table.Select(h, kept, 0))
}

// 65,536 handles can be open, and no more; a slot that is retired is lost.
func TestTableIsFull(t *testing.T) {
	const most = 1 << 16
	c, table := withTable()
	seen := make(map[uint32]bool, most)
	out := make([]byte, abi.MinBuffer)
	in := []byte(nearest)
	open := func() int32 {
		return c.ReadprefOpenPointers(at(in), uint64(len(in)), at(out), uint64(len(out)))
	}
	full := func() {
		t.Helper()
		code, path := refused(t, open(), out)
		assert.Equal(t, "limitExceeded", code)
		assert.Empty(t, path)
		document := []byte(twoMongoses)
		code, _ = refused(t, c.TopologyOpenPointers(at(document), uint64(len(document)), at(out), uint64(len(out))), out)
		assert.Equal(t, "limitExceeded", code)
	}
	for range most - 1 {
		h := open()
		require.Positive(t, h)
		seen[uint32(h)] = true
	}
	topology := openTopology(t, c, twoMongoses)
	seen[topology] = true
	require.Len(t, seen, most)
	full()
	assert.Zero(t, table.Select(topology, 2<<29|65534, 0), "the ends of the table work")

	h := uint32(2<<29 | 4321)
	for range 1<<13 - 1 {
		require.Zero(t, table.Close(h))
		next := open()
		require.Equal(t, int32(h+1<<16), next)
		h = uint32(next)
	}
	full()
	require.Zero(t, table.Close(h))
	full()
	require.Zero(t, table.Close(topology))
	require.Equal(t, int32(2<<29|1<<16|65535), open())
	full()
}

// Every function's answer to what it cannot serve.
func TestStatuses(t *testing.T) {
	c, table := withTable()
	h, down, p, small := openTopology(t, c, twoMongoses), openTopology(t, c, noPrimary), openPreference(t, c, nearest), openPreference(t, c, tooSmall)
	primary := openPreference(t, c, `{"readPreference":{}}`)
	closed := openPreference(t, c, nearest)
	require.Zero(t, table.Close(closed))
	const argument, handle, noServer = int32(status.Argument), int32(status.Handle), int32(status.NoServer)
	ids := []int32{7, 7, 7}
	sel := map[string]func(topology, preference, flags uint32) int32{
		"Select":              table.Select,
		"SelectBatch":         func(h, p, f uint32) int32 { return min(0, table.SelectBatch(h, p, f, ids)) },
		"SelectBatch of none": func(h, p, f uint32) int32 { return table.SelectBatch(h, p, f, nil) },
		"SelectBatchPointers": func(h, p, f uint32) int32 {
			return min(0, table.SelectBatchPointers(h, p, f, unsafe.Pointer(&ids[0]), 3))
		},
		"SelectExPointers": func(h, p, f uint32) int32 { return c.SelectExPointers(h, p, f, nil, 0) },
	}
	for name, f := range sel {
		t.Run(name, func(t *testing.T) {
			for _, x := range []struct {
				topology, preference, flags uint32
				want                        int32
			}{
				{h, p, 0, 0}, {h, p, 1, 0}, {h, p, 2, 0}, {h, p, 4, 0}, {h, p, 5, 0}, {h, p, 6, 0}, {h, small, 0, 0},
				{h, p, 3, argument}, {h, p, 7, argument}, {h, p, 8, argument}, {h, p, 1 << 31, argument}, {h, p, math.MaxUint32, argument},
				{0, p, 0, handle}, {h, 0, 0, handle}, {p, h, 0, handle}, {p, p, 0, handle}, {h, h, 0, handle}, {h, closed, 0, handle}, {math.MaxUint32, math.MaxUint32, 0, handle},
				{h ^ 1<<31, p, 0, handle}, {h + 1<<16, p, 0, handle}, {h + 100, p, 0, handle}, {h, p + 1<<16, 0, handle}, {3 << 29, p, 0, handle},
				{down, primary, 0, noServer}, {down, p, 1, noServer}, {down, primary, 4, noServer}, {down, small, 0, int32(status.MaxStalenessTooSmall)}, {down, p, 2, 0},
			} {
				got := f(x.topology, x.preference, x.flags)
				if x.want == 0 {
					assert.Contains(t, []int32{0, 1}, got, "%x", x)
				} else {
					assert.Equal(t, x.want, got, "%x", x)
				}
			}
		})
	}

	before := []int32{7, 7, 7}
	copy(ids, before)
	assert.Equal(t, noServer, table.SelectBatch(down, primary, 4, ids))
	assert.Equal(t, before, ids, "all or none")
	assert.Equal(t, argument, table.SelectBatchPointers(h, p, 0, nil, 1))
	assert.Zero(t, table.SelectBatchPointers(h, p, 0, nil, 0))
	assert.Equal(t, argument, table.SelectBatchPointers(h, p, 0, unsafe.Pointer(&ids[0]), wire.MaxBatch+1))
	assert.Equal(t, argument, table.SelectBatch(h, p, 0, make([]int32, wire.MaxBatch+1)))
	assert.Equal(t, int32(wire.MaxBatch), table.SelectBatch(h, p, 0, make([]int32, wire.MaxBatch)))

	for document, want := range map[string]status.Code{
		`{"deprioritized":5}`: status.WrongType, `{"deprioritised":[]}`: status.UnknownKey, `{"customSelector":{}}`: status.MissingKey, `{`: status.InvalidJSON,
		"{\"deprioritized\":[\"\xff\"]}": status.InvalidUTF8, `{"customSelector":{"keepOnly":[]}}`: status.NoServer, `{"operation":"write"}`: status.UnknownKey,
		`{"deprioritized":null,"customSelector":null}`: 0,
	} {
		got := c.SelectExPointers(h, p, 0, at([]byte(document)), uint64(len(document)))
		assert.Equal(t, int32(want), min(0, got), document)
	}
	assert.Equal(t, int32(0), c.SelectExPointers(h, p, 0, at([]byte(`{"deprioritized":["B.example"]}`)), 31))
	assert.Equal(t, int32(1), c.SelectExPointers(h, p, 4, at([]byte(`{"customSelector":{"keepOnly":["B.example"]}}`)), 45))
	assert.Equal(t, argument, c.SelectExPointers(h, p, 0, nil, 2))
	assert.Equal(t, int32(status.DocumentTooLarge), c.SelectExPointers(h, p, 0, unsafe.Pointer(&ids[0]), wire.MaxDocumentBytes+1))

	for _, id := range []uint32{2, math.MaxInt32, 1 << 31, math.MaxUint32} {
		assert.Equal(t, argument, table.Address(h, id, nil))
		assert.Equal(t, argument, table.Release(h, id))
	}
	for _, bad := range []uint32{0, p, closed, 1<<29 | 77, math.MaxUint32} {
		assert.Equal(t, handle, table.Address(bad, 0, nil))
		assert.Equal(t, handle, table.Release(bad, 0))
		assert.Zero(t, table.Generation(bad))
	}
	assert.Zero(t, table.Release(h, 1))
	assert.Equal(t, uint32(1), table.Generation(h))
	for _, bad := range []uint32{0, closed, 1<<29 | 77, math.MaxUint32} {
		assert.Equal(t, handle, table.Close(bad))
	}
}

// An address that does not fit is not written; its length comes back either way.
func TestAddressBuffers(t *testing.T) {
	c, table := withTable()
	h := openTopology(t, c, twoMongoses)
	const want = "a.example:27017"
	for room := range len(want) + 3 {
		out := []byte(strings.Repeat("#", len(want)+3))
		assert.Equal(t, int32(len(want)), table.AddressPointers(h, 0, at(out), uint64(room)))
		if room < len(want) {
			assert.Equal(t, strings.Repeat("#", len(out)), string(out))
		} else {
			assert.Equal(t, want+strings.Repeat("#", 3), string(out))
		}
	}
	assert.Equal(t, int32(len(want)), table.AddressPointers(h, 0, nil, 0))
	assert.Equal(t, int32(status.Argument), table.AddressPointers(h, 0, nil, 1))
	assert.Equal(t, int32(status.Handle), table.AddressPointers(0, 0, nil, 0))
}

// Functions that open or change something do nothing where their error document
// might not fit, and say so.
func TestSmallBuffersChangeNothing(t *testing.T) {
	c, table := withTable()
	h := openTopology(t, c, twoMongoses)
	topologyIn, preferenceIn := []byte(noPrimary), []byte(nearest)
	for name, f := range map[string]func(in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32{
		"open a topology": c.TopologyOpenPointers,
		"open a preference": func(_ unsafe.Pointer, _ uint64, out unsafe.Pointer, outCap uint64) int32 {
			return c.ReadprefOpenPointers(at(preferenceIn), uint64(len(preferenceIn)), out, outCap)
		},
		"update": func(in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
			return c.TopologyUpdatePointers(h, in, inLen, out, outCap)
		},
	} {
		out := make([]byte, abi.MinBuffer)
		for _, room := range []uint64{abi.MinBuffer - 1, 1000} {
			n := f(at(topologyIn), uint64(len(topologyIn)), at(out), room)
			code, path := refused(t, n, out)
			assert.Equal(t, "buffer out", code+" "+path, name)
		}
		clear(out)
		n := f(at(topologyIn), uint64(len(topologyIn)), at(out), 3)
		assert.Less(t, n, int32(-3), name)
		assert.Equal(t, make([]byte, abi.MinBuffer), out, name)
		assert.Equal(t, n, f(at(topologyIn), uint64(len(topologyIn)), nil, 0), name)
		assert.Less(t, f(at(topologyIn), uint64(len(topologyIn)), nil, abi.MinBuffer), int32(0), name)
	}
	assert.Equal(t, uint32(1), table.Generation(h), "updated")
	assert.Equal(t, h+1, openTopology(t, c, noPrimary), "something was opened")
}

// The faults of pointers and documents, told in documents.
func TestPointersOfHandles(t *testing.T) {
	c, _ := withTable()
	h, p := openTopology(t, c, twoMongoses), openPreference(t, c, nearest)
	out := make([]byte, abi.MinBuffer)
	o, room := at(out), uint64(len(out))
	with := func(document string, f func(in unsafe.Pointer, inLen uint64) int32) func() int32 {
		return func() int32 { return f(at([]byte(document)), uint64(len(document))) }
	}
	open := func(in unsafe.Pointer, n uint64) int32 { return c.TopologyOpenPointers(in, n, o, room) }
	openPreference := func(in unsafe.Pointer, n uint64) int32 { return c.ReadprefOpenPointers(in, n, o, room) }
	update := func(in unsafe.Pointer, n uint64) int32 { return c.TopologyUpdatePointers(h, in, n, o, room) }
	explain := func(in unsafe.Pointer, n uint64) int32 { return c.ExplainPointers(h, p, in, n, o, room) }
	for name, x := range map[string]struct {
		call func() int32
		want string
	}{
		"open nothing":                {func() int32 { return open(nil, 0) }, "invalidJSON "},
		"open null":                   {func() int32 { return open(nil, 5) }, "argument in"},
		"open too much":               {func() int32 { return open(o, wire.MaxDocumentBytes+1) }, "documentTooLarge "},
		"open with a preference":      {with(`{"topology":{"servers":[]},"readPreference":{}}`, open), "unknownKey readPreference"},
		"open a wrong preference":     {with(`{"readPreference":{"tags":[{"a":"b"}]}}`, openPreference), "tagsWithPrimary readPreference.tags"},
		"open no preference":          {with(`{"topology":{"servers":[]}}`, openPreference), "unknownKey topology"},
		"update half":                 {with(`{"topology":{"servers":[]}`, update), "invalidJSON topology"},
		"update by two handles":       {with(`{"handle":1,"topology":{"servers":[]}}`, update), "unknownKey handle"},
		"update with a setting":       {with(`{"topology":{"servers":[]},"seed":1}`, update), "unknownKey seed"},
		"update null":                 {func() int32 { return update(nil, 1) }, "argument in"},
		"update a preference":         {with(`{"topology":{"servers":[]}}`, func(in unsafe.Pointer, n uint64) int32 { return c.TopologyUpdatePointers(p, in, n, o, room) }), "handle topology"},
		"describe a preference":       {func() int32 { return c.TopologyDescribePointers(p, o, room) }, "handle topology"},
		"explain null":                {func() int32 { return explain(nil, 1) }, "argument in"},
		"explain with checkout":       {with(`{"checkout":true}`, explain), "unknownKey checkout"},
		"explain with a handle":       {with(`{"topology":1}`, explain), "unknownKey topology"},
		"explain with a bad selector": {with(`{"customSelector":{}}`, explain), "missingKey customSelector.keepOnly"},
		"explain a preference":        {func() int32 { return c.ExplainPointers(p, p, nil, 0, o, room) }, "handle topology"},
		"explain by a topology":       {func() int32 { return c.ExplainPointers(h, h, nil, 0, o, room) }, "handle readPreference"},
	} {
		code, path := refused(t, x.call(), out)
		assert.Equal(t, x.want, code+" "+path, name)
	}
}

// rp_topology_describe and rp_explain answer as rp_call does: a length where the
// answer does not fit, the same one again.
func TestDescribeAndExplainBuffers(t *testing.T) {
	c, _ := withTable()
	h, p := openTopology(t, c, twoMongoses), openPreference(t, c, nearest)
	extras := []byte(`{"operation":"write","deprioritized":["b.example"]}`)
	for method, f := range map[string]func(out unsafe.Pointer, outCap uint64) int32{
		fmt.Sprintf(`topology.describe {"topology":%d}`, h):                       func(out unsafe.Pointer, outCap uint64) int32 { return c.TopologyDescribePointers(h, out, outCap) },
		fmt.Sprintf(`topology.explain {"topology":%d,"readPreference":%d}`, h, p): func(out unsafe.Pointer, outCap uint64) int32 { return c.ExplainPointers(h, p, nil, 0, out, outCap) },
		fmt.Sprintf(`topology.explain {"topology":%d,"readPreference":%d,"operation":"write","deprioritized":["b.example"]}`, h, p): func(out unsafe.Pointer, outCap uint64) int32 {
			return c.ExplainPointers(h, p, at(extras), uint64(len(extras)), out, outCap)
		},
	} {
		name, document, _ := strings.Cut(method, " ")
		answer, ok := c.Answer(name, []byte(document))
		require.True(t, ok, "%s", answer)
		want := string(answer)
		out := make([]byte, len(want)+1)
		n := int32(len(want))
		assert.Equal(t, n, f(nil, 0))
		assert.Equal(t, n, f(at(out), uint64(n)-1))
		assert.Equal(t, make([]byte, len(out)), out)
		assert.Equal(t, n, f(at(out), uint64(n)))
		assert.Equal(t, want+"\x00", string(out))
		assert.Less(t, f(nil, 1), int32(0))
	}
}

// The functions and their twins in documents are one: the same picks, counts and
// generations.
func TestTwins(t *testing.T) {
	c, table := withTable()
	const document = `{"topology":{"type":"Sharded","servers":[{"address":"a","type":"Mongos"},{"address":"b","type":"Mongos"},{"address":"c","type":"Mongos"}]},"seed":42}`
	numbers := func(method, format string, args ...any) (n struct {
		Topology, ReadPreference, Generation uint32
		OperationCount                       int64
		Server                               struct{ ID int32 }
		IDs                                  []int32
		Address                              string
	}) {
		t.Helper()
		answer, ok := c.Answer(method, fmt.Appendf(nil, format, args...))
		require.True(t, ok, "%s", answer)
		require.NoError(t, json.Unmarshal(answer, &n))
		return n
	}
	h, p := openTopology(t, c, document), openPreference(t, c, nearest)
	h2, p2 := numbers("topology.open", document).Topology, numbers("readpref.open", nearest).ReadPreference
	extras := `"deprioritized":["a"],"customSelector":{"keepOnly":["b","c"]}`
	for i := range 50 {
		switch i % 5 {
		case 0:
			require.Equal(t, table.Select(h, p, 4), numbers("topology.select", `{"topology":%d,"readPreference":%d,"checkout":true}`, h2, p2).Server.ID)
		case 1:
			require.Equal(t, table.Select(h, p, 1), numbers("topology.select", `{"topology":%d,"readPreference":%d,"operation":"write"}`, h2, p2).Server.ID)
		case 2:
			ids := make([]int32, 1+i)
			require.Equal(t, int32(len(ids)), table.SelectBatch(h, p, 6, ids))
			require.Equal(t, ids, numbers("topology.select_batch", `{"topology":%d,"readPreference":%d,"count":%d,"operation":"aggregateWithWriteStage","checkout":true}`, h2, p2, len(ids)).IDs)
		case 3:
			in := []byte("{" + extras + "}")
			id := c.SelectExPointers(h, p, 4, at(in), uint64(len(in)))
			require.Positive(t, id)
			require.Equal(t, id, numbers("topology.select", `{"topology":%d,"readPreference":%d,"checkout":true,`+extras+`}`, h2, p2).Server.ID)
		case 4:
			out := make([]byte, abi.MinBuffer)
			in := []byte(`{"topology":{"servers":[{"address":"c","type":"Mongos"},{"address":"b","type":"Mongos"}]}}`)
			require.Zero(t, c.TopologyUpdatePointers(h, at(in), uint64(len(in)), at(out), uint64(len(out))), "%s", out)
			require.Equal(t, table.Generation(h), numbers("topology.update", `{"handle":%d,`+string(in[1:]), h2).Generation)
		}
		for id := range uint32(3) {
			require.Zero(t, table.Release(h, id))
			numbers("topology.release", `{"topology":%d,"id":%d}`, h2, id)
		}
		a, ok := c.Answer("topology.describe", fmt.Appendf(nil, `{"topology":%d}`, h))
		require.True(t, ok)
		first := string(a)
		b, ok := c.Answer("topology.describe", fmt.Appendf(nil, `{"topology":%d}`, h2))
		require.True(t, ok)
		require.Equal(t, first, string(b))
	}
	require.Equal(t, "a:27017", numbers("topology.address", `{"topology":%d,"id":0}`, h2).Address)
}

// The hot functions allocate nothing once a preference was used on a
// description.
func TestHotFunctionsAllocateNothing(t *testing.T) {
	c, table := withTable()
	h, p, down := openTopology(t, c, twoMongoses), openPreference(t, c, nearest), openTopology(t, c, noPrimary)
	ids, out := make([]int32, 32), make([]byte, 64)
	extras := []byte(`{"deprioritized":["A.example","\u0062"],"customSelector":{"keepOnly":["B.example","c"]}}`)
	for name, f := range map[string]func() int32{
		"Select":                        func() int32 { return table.Select(h, p, 4) },
		"Select of no server":           func() int32 { return -table.Select(down, p, 1) },
		"Select by a closed handle":     func() int32 { return -table.Select(h, p+1<<16, 1) },
		"SelectBatchPointers":           func() int32 { return table.SelectBatchPointers(h, p, 2, unsafe.Pointer(&ids[0]), uint32(len(ids))) },
		"SelectExPointers":              func() int32 { return c.SelectExPointers(h, p, 4, at(extras), uint64(len(extras))) },
		"SelectExPointers without more": func() int32 { return c.SelectExPointers(h, p, 4, nil, 0) },
		"AddressPointers":               func() int32 { return table.AddressPointers(h, 1, at(out), uint64(len(out))) },
		"Release":                       func() int32 { return table.Release(h, 1) },
		"Generation":                    func() int32 { return int32(table.Generation(h)) },
	} {
		require.GreaterOrEqual(t, f(), int32(0), name)
		f()
		allocations := testing.AllocsPerRun(200, func() { f() })
		if !raceDetector {
			assert.Zero(t, allocations, name)
		}
	}
}

// Handles that are closed leave nothing behind.
func TestClosedHandlesAreFreed(t *testing.T) {
	c, table := withTable()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	use := func(times int) {
		for range times {
			h, p := openTopology(t, c, twoMongoses), openPreference(t, c, nearest)
			require.GreaterOrEqual(t, table.Select(h, p, 4), int32(0))
			require.Zero(t, table.Close(h))
			require.Zero(t, table.Close(p))
		}
	}
	use(5000)
	before := heap()
	use(20000)
	after := heap()
	if !raceDetector {
		require.Less(t, after, before+64<<10)
	}
	runtime.KeepAlive(table)
}
