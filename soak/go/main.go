// Command soak makes one kind of call very often, on Go's own engine or on
// readpref.wasm in wazero, and prints resident memory as it goes; soak.py runs it.
//
//	soak go|MODULE.wasm KIND CALLS SAMPLES TOPOLOGY PREFERENCE SELECT SEEDS HELLO1 HELLO2
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/readpref/readpref/core/abi"
)

const room = 1 << 20

// runtime is the ABI of one runtime; a negative result ends the soak.
type runtime interface {
	open(kind, document string) uint32
	selectOne(topology, preference uint32) int32
	json(document string) int32
	hello(topology uint32, document string) int32
	events(topology uint32) []byte
	ack(topology, upto uint32) int32
}

type native struct {
	table   *abi.Table
	context abi.Context
	out     []byte
}

func at(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func (n *native) open(kind, document string) uint32 {
	d := []byte(document)
	if kind == "preference" {
		return uint32(must(n.context.ReadprefOpenPointers(at(d), uint64(len(d)), at(n.out), room)))
	}
	return uint32(must(n.context.TopologyOpenPointers(at(d), uint64(len(d)), at(n.out), room)))
}

func (n *native) selectOne(topology, preference uint32) int32 {
	return n.table.Select(topology, preference, 0)
}

func (n *native) json(document string) int32 {
	return n.context.Call("select", unsafe.Slice(unsafe.StringData(document), len(document)), n.out)
}

func (n *native) hello(topology uint32, document string) int32 {
	return n.context.TopologyHelloPointers(topology, unsafe.Pointer(unsafe.StringData(document)), uint64(len(document)), at(n.out), room)
}

func (n *native) events(topology uint32) []byte {
	return n.out[:must(n.context.TopologyEventsPointers(topology, at(n.out), room))]
}

func (n *native) ack(topology, upto uint32) int32 { return n.table.EventsAck(topology, upto) }

// module is an instance of readpref.wasm.
type module struct {
	instance  api.Module
	functions map[string]api.Function
	stack     [8]uint64
	in, out   uint32
}

func openModule(path string) (*module, error) {
	ctx := context.Background()
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := wazero.NewRuntime(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, err
	}
	m := &module{functions: map[string]api.Function{}}
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize").WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader)
	if m.instance, err = r.InstantiateWithConfig(ctx, code, config); err != nil {
		return nil, err
	}
	m.in, m.out = uint32(must(m.call("rp_buffer", 0, room))), uint32(must(m.call("rp_buffer", 1, room)))
	return m, nil
}

func (m *module) call(name string, arguments ...uint64) int32 {
	f := m.functions[name]
	if f == nil {
		f = m.instance.ExportedFunction(name)
		m.functions[name] = f
	}
	copy(m.stack[:], arguments)
	if err := f.CallWithStack(context.Background(), m.stack[:]); err != nil {
		fail(err)
	}
	return int32(m.stack[0])
}

func (m *module) put(at uint32, text string) {
	if !m.instance.Memory().WriteString(at, text) {
		fail("no room")
	}
}

func (m *module) open(kind, document string) uint32 {
	m.put(m.in, document)
	name := "rp_topology_open"
	if kind == "preference" {
		name = "rp_readpref_open"
	}
	return uint32(must(m.call(name, uint64(m.in), uint64(len(document)), uint64(m.out), room)))
}

func (m *module) selectOne(topology, preference uint32) int32 {
	return m.call("rp_select", uint64(topology), uint64(preference), 0)
}

func (m *module) json(document string) int32 {
	m.put(m.in, "select")
	m.put(m.in+8, document)
	return m.call("rp_call", uint64(m.in), 6, uint64(m.in+8), uint64(len(document)), uint64(m.out), room)
}

func (m *module) hello(topology uint32, document string) int32 {
	m.put(m.in, document)
	return m.call("rp_topology_hello", uint64(topology), uint64(m.in), uint64(len(document)), uint64(m.out), room)
}

func (m *module) events(topology uint32) []byte {
	n := must(m.call("rp_topology_events", uint64(topology), uint64(m.out), room))
	text, _ := m.instance.Memory().Read(m.out, uint32(n))
	return text
}

func (m *module) ack(topology, upto uint32) int32 {
	return m.call("rp_topology_events_ack", uint64(topology), uint64(upto))
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, "soak:", why)
	os.Exit(1)
}

func must(n int32) int32 {
	if n < 0 {
		fail(n)
	}
	return n
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		fail(err)
	}
	return n
}

// residentKiB reads the process's resident memory.
func residentKiB() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		fail(err)
	}
	return number(string(bytes.Fields(b)[1])) * os.Getpagesize() / 1024
}

func main() {
	if len(os.Args) != 11 {
		fail("see soak.py")
	}
	kind, calls, samples := os.Args[2], number(os.Args[3]), number(os.Args[4])
	documents := os.Args[5:]
	var r runtime
	if os.Args[1] == "go" {
		n := &native{table: new(abi.Table), out: make([]byte, room)}
		n.context.Table = n.table
		r = n
	} else {
		m, err := openModule(os.Args[1])
		if err != nil {
			fail(err)
		}
		r = m
	}
	topology, preference, discovered := r.open("topology", documents[0]), r.open("preference", documents[1]), r.open("topology", documents[3])
	for k := range samples + 1 {
		fmt.Println(calls/samples*k, residentKiB())
		if k == samples {
			break
		}
		for i := range calls / samples {
			switch kind {
			case "select":
				must(r.selectOne(topology, preference))
			case "json":
				must(r.json(documents[2]))
			default:
				must(r.hello(discovered, documents[4+i%2]))
				if i%64 == 63 { // as a host does: what happened is fetched, and acknowledged
					_, rest, _ := bytes.Cut(r.events(discovered), []byte(`"last":`))
					last, _, _ := bytes.Cut(rest, []byte(","))
					must(r.ack(discovered, uint32(number(string(last)))))
				}
			}
		}
	}
}
