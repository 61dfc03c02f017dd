package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// build links a Go program as a WebAssembly module.
func build(t *testing.T, program string, flags ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "linked.wasm")
	command := exec.Command("go", append(append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", path}, flags...), program)...)
	command.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	linked, err := os.ReadFile(path)
	require.NoError(t, err)
	return linked
}

// A packed module starts with the memory that the linked one starts with, but
// for what traces show.
func TestMemoryIsTheSame(t *testing.T) {
	linked := build(t, "..", "-buildmode=c-shared")
	packed, err := pack(linked)
	require.NoError(t, err)

	// At least 1,000 functions of 16 entries, each of them a segment of 8 bytes or more.
	assert.Less(t, len(packed), len(linked)-1000*16*8)
	want, got := memoryAtStart(t, linked), memoryAtStart(t, packed)
	require.Len(t, got, len(want))
	before, err := findFunctions(want)
	require.NoError(t, err)
	count := before.count
	require.NoError(t, dropTraces(want))
	if !bytes.Equal(want, got) {
		for i := range want {
			require.Equal(t, want[i], got[i], "byte %d", i)
		}
	}

	_, err = pack(packed)
	assert.Error(t, err, "there is nothing to pack in a packed module")

	// What the unwinder and the collector read is there for every function.
	original, err := findFunctions(memoryAtStart(t, linked))
	require.NoError(t, err)
	after, err := findFunctions(got)
	require.NoError(t, err)
	require.Equal(t, count, after.count)
	for k := range count {
		a, b := original.at(k), after.at(k)
		require.Equal(t, original.name(a), after.name(b))
		require.Equal(t, original.values(t, a[funcStack:]), after.values(t, b[funcStack:]), "stack depths of %s", after.name(b))
		for i := range uint64(binary.LittleEndian.Uint32(a[funcDataCount:])) {
			if table := funcBytes + 4*i; i != tableInlined && i != tableLiving {
				require.Equal(t, original.values(t, a[table:]), after.values(t, b[table:]), "table %d of %s", i, after.name(b))
			}
		}
	}
}

func (f *functions) at(k uint64) []byte { return f.list[binary.LittleEndian.Uint32(f.list[8*k+4:]):] }

func (f *functions) name(is []byte) string {
	name := f.names[binary.LittleEndian.Uint32(is[funcName:]):]
	return string(name[:bytes.IndexByte(name, 0)])
}

func (f *functions) values(t *testing.T, table []byte) (values []int32) {
	t.Helper()
	require.NoError(t, f.walk(table, func(int) {}, func(v int32) { values = append(values, v) }))
	return values
}

// A program that recovers, grows its stacks and collects garbage does the same
// when it is packed, and a panic still names its functions.
func TestProgramRunsAsBefore(t *testing.T) {
	linked := build(t, "./testdata/program")
	packed, err := pack(linked)
	require.NoError(t, err)
	want, got := output(t, linked), output(t, packed)
	answers, trace, found := strings.Cut(got, "panic:")
	require.True(t, found, got)
	assert.Contains(t, answers, "map 676 ")
	wantAnswers, _, _ := strings.Cut(want, "panic:")
	assert.Equal(t, wantAnswers, answers)
	assert.Contains(t, trace, "main.main(")
	assert.NotContains(t, trace, ".go:")
	assert.Contains(t, want, "main.go:", "the linked program has lines")
}

// output is what a program prints until it ends.
func output(t *testing.T, module []byte) string {
	t.Helper()
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { assert.NoError(t, runtime.Close(ctx)) })
	_, err := wasi_snapshot_preview1.Instantiate(ctx, runtime)
	require.NoError(t, err)
	var stderr bytes.Buffer
	config := wazero.NewModuleConfig().WithStderr(&stderr).WithSysWalltime().WithSysNanotime().WithSysNanosleep()
	_, err = runtime.InstantiateWithConfig(ctx, module, config)
	require.Error(t, err, "it ends with a panic")
	return stderr.String()
}

// memoryAtStart is an instance's memory before anything was called.
func memoryAtStart(t *testing.T, module []byte) []byte {
	t.Helper()
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { assert.NoError(t, runtime.Close(ctx)) })
	_, err := wasi_snapshot_preview1.Instantiate(ctx, runtime)
	require.NoError(t, err)
	instance, err := runtime.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithStartFunctions())
	require.NoError(t, err)
	memory := instance.Memory()
	b, ok := memory.Read(0, memory.Size())
	require.True(t, ok)
	return b
}

// Memories whose zeros come in runs around the limit survive being cut into segments.
func TestSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var memory []byte
		for range r.IntN(20) {
			memory = append(memory, make([]byte, r.IntN(2*zerosToLeave+2))...)
			for range 1 + r.IntN(3) {
				memory = append(memory, byte(1+r.IntN(255)))
			}
		}
		got, err := image(segments(memory))
		require.NoError(t, err)
		require.True(t, bytes.Equal(memory, got), "%v", memory)
	}
	// A run of 8 zeros stays in a segment, one of 9 parts two.
	n, err := vectorLength(segments(append(make([]byte, 3), 1, 0, 0, 0, 0, 0, 0, 0, 0, 2)))
	require.NoError(t, err)
	assert.EqualValues(t, 1, n)
	n, err = vectorLength(segments(append(make([]byte, 3), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)))
	require.NoError(t, err)
	assert.EqualValues(t, 2, n)
}

// entriesOf writes the first n entries of a table.
func entriesOf(n int) []byte {
	b := make([]byte, n*entryBytes)
	for k := range n {
		b[k*entryBytes], b[k*entryBytes+1] = byte(k/16), byte(k/16>>8)
	}
	return b
}

func TestFindTable(t *testing.T) {
	_, found := findTable(entriesOf(15_999))
	assert.False(t, found, "one entry less than 1,000 functions have")

	memory := append(make([]byte, 44), entriesOf(16_000)...)
	got, found := findTable(append(memory, 1, 2, 3))
	require.True(t, found)
	assert.Equal(t, table{start: 44, entries: 16_000}, got)

	memory[44+17*entryBytes+4] = 1 // entry 17 says more than its number
	_, found = findTable(memory)
	assert.False(t, found)
}

func TestNotOurs(t *testing.T) {
	for _, b := range []string{"", "\x00asm\x02\x00\x00\x00", "\x00asm\x01\x00\x00\x00\x0b\x05\x01"} {
		_, err := pack([]byte(b))
		assert.Error(t, err, "%q", b)
	}
}
