// Command wazero is readpref.wasm in wazero behind the bench's line protocol.
// The module's path is its argument.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/readpref/readpref/bench/lines"
)

const (
	room     = 4 << 20 // of the module's buffers, in bytes
	checkout = 4       // RP_CHECKOUT
)

// module is one instance; its functions are called as they are, by the numbers
// that the C interface has, since wasm/host has them for rp_call only.
type module struct {
	instance api.Module
	in, out  uint32
}

func main() {
	m, err := open()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines.Serve(m.load)
}

func open() (*module, error) {
	ctx := context.Background()
	code, err := os.ReadFile(os.Args[1])
	if err != nil {
		return nil, err
	}
	config := wazero.NewRuntimeConfig()
	if len(os.Args) > 2 {
		cache, err := wazero.NewCompilationCacheWithDir(os.Args[2])
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(cache)
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return nil, err
	}
	m := &module{}
	m.instance, err = runtime.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithStartFunctions("_initialize").
		WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader).WithStderr(os.Stderr))
	if err != nil {
		return nil, err
	}
	for which, address := range []*uint32{&m.in, &m.out} {
		got, err := m.function("rp_buffer").call(uint64(which), room)
		if err != nil || got == 0 {
			return nil, fmt.Errorf("rp_buffer: %d, %v", got, err)
		}
		*address = uint32(got)
	}
	return m, nil
}

// function is one export with the stack of its calls, which allocate nothing.
type function struct {
	f     api.Function
	stack [8]uint64
}

func (m *module) function(name string) *function {
	return &function{f: m.instance.ExportedFunction(name)}
}

func (f *function) call(arguments ...uint64) (int32, error) {
	copy(f.stack[:], arguments)
	if err := f.f.CallWithStack(context.Background(), f.stack[:]); err != nil {
		return 0, err
	}
	return int32(f.stack[0]), nil
}

// put writes a document into buffer 0.
func (m *module) put(document string) error {
	if !m.instance.Memory().WriteString(m.in, document) || len(document) > room {
		return fmt.Errorf("a document of %d bytes has no room", len(document))
	}
	return nil
}

// positive is a call whose result is above 0, or an error document in buffer 1.
func (m *module) positive(f *function, arguments ...uint64) (uint64, error) {
	n, err := f.call(arguments...)
	if err == nil && n <= 0 {
		text, _ := m.instance.Memory().Read(m.out, uint32(-n))
		err = fmt.Errorf("%d: %s", n, text)
	}
	return uint64(n), err
}

func (m *module) load(d lines.Documents) (*lines.Loaded, error) {
	if err := m.put(d.Open); err != nil {
		return nil, err
	}
	topology, err := m.positive(m.function("rp_topology_open"), uint64(m.in), uint64(len(d.Open)), uint64(m.out), room)
	if err != nil {
		return nil, err
	}
	if err := m.put(d.Preference); err != nil {
		return nil, err
	}
	preference, err := m.positive(m.function("rp_readpref_open"), uint64(m.in), uint64(len(d.Preference)), uint64(m.out), room)
	if err != nil {
		return nil, err
	}
	var answer struct{ InLatencyWindow []string }
	n, err := m.json(d.Select, 1)
	if err != nil {
		return nil, err
	}
	text, _ := m.instance.Memory().Read(m.out, uint32(n))
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	picked, err := m.picked(topology, preference, len(answer.InLatencyWindow))
	if err != nil {
		return nil, err
	}
	pick, cold, update := m.function("rp_select"), m.function("rp_select_ex"), m.function("rp_topology_update")
	one := func() error { return selected(pick.call(topology, preference, 0)) }
	return &lines.Loaded{Window: answer.InLatencyWindow, Picked: picked, Works: map[string]lines.Work{
		"pick": repeat(one),
		"cold": repeat(func() error { return selected(cold.call(topology, preference, 0, uint64(m.in), 0)) }),
		"update": lines.Once(func(n int) error {
			document := updateOf(d.Open)
			if err := m.put(document); err != nil {
				return err
			}
			for range n {
				if result, err := update.call(topology, uint64(m.in), uint64(len(document)), uint64(m.out), room); err != nil || result != 0 {
					return fmt.Errorf("rp_topology_update: %d, %v", result, err)
				}
				if err := one(); err != nil {
					return err
				}
			}
			return nil
		}),
		"json": lines.Once(func(n int) error {
			_, err := m.json(d.Select, n)
			return err
		}),
	}}, nil
}

// json calls select n times, with the document copied in each time, and returns
// the length of the answer, which is left where it is.
func (m *module) json(document string, n int) (length uint64, err error) {
	const method = "select"
	request, call := method+document, m.function("rp_call")
	for range n {
		if err := m.put(request); err != nil {
			return 0, err
		}
		length, err = m.positive(call, uint64(m.in), uint64(len(method)), uint64(m.in)+uint64(len(method)), uint64(len(document)), uint64(m.out), room)
		if err != nil {
			return 0, err
		}
	}
	return length, nil
}

func repeat(f func() error) lines.Work {
	return lines.Once(func(n int) error {
		for range n {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	})
}

func selected(id int32, err error) error {
	if err == nil && id < 0 {
		err = fmt.Errorf("status %d", id)
	}
	return err
}

// updateOf is the request of topology.update for that of topology.open.
func updateOf(open string) string {
	var request struct {
		Topology json.RawMessage `json:"topology"`
	}
	if err := json.Unmarshal([]byte(open), &request); err != nil {
		return ""
	}
	return `{"topology":` + string(request.Topology) + `}`
}

// picked picks until every server of the window must have come.
func (m *module) picked(topology, preference uint64, window int) ([]string, error) {
	pick, release, address := m.function("rp_select"), m.function("rp_release"), m.function("rp_address")
	var ids []int32
	for range 64 * window {
		id, err := pick.call(topology, preference, checkout)
		if err := selected(id, err); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		if _, err := release.call(topology, uint64(id)); err != nil {
			return nil, err
		}
	}
	slices.Sort(ids)
	var addresses []string
	for _, id := range slices.Compact(ids) {
		n, err := m.positive(address, topology, uint64(id), uint64(m.out), room)
		if err != nil {
			return nil, err
		}
		text, _ := m.instance.Memory().Read(m.out, uint32(n))
		addresses = append(addresses, string(text))
	}
	return addresses, nil
}
