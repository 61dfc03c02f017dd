// Package host runs readpref.wasm in a Go program through wazero, and shows how
// any host embeds the module. Programs in Go need none of it: they use the core
// packages directly.
//
//	h, err := host.Open(ctx, module, host.Options{})
//	defer h.Close(ctx)
//	answer, err := h.Call(ctx, "select", []byte(`{"topology": …}`))
//
// # The contract with the module
//
//   - rp_buffer(0, n) gives room for the method's name and, after it, the
//     document; rp_buffer(1, n) room for the answer. Buffers only grow. An
//     address is good until the next rp_buffer for the same buffer.
//   - rp_call returns the length of the answer, or minus the length of the error
//     document. More than the capacity means that nothing was written.
//   - Memory may grow, and move, in every call: it is looked at anew after each.
//   - An instance serves one call at a time, and is thrown away once it trapped.
package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// ABIMajor is the major version of the ABI that this package speaks.
const ABIMajor = 1

// DefaultMemoryPages is the memory limit of an instance where Options names
// none: 1 GiB in pages of 64 KiB.
const DefaultMemoryPages = 16384

// Options are choices about how the module runs. The zero value is good.
type Options struct {
	// CacheDir keeps the compiled module between processes, since compiling it
	// takes a second or more. "" keeps nothing.
	CacheDir string

	// MemoryPages limits an instance's memory, in pages of 64 KiB; 0 is
	// DefaultMemoryPages. A call that needs more traps.
	MemoryPages uint32
}

// Host is the compiled module and one instance of it. It may be used by several
// goroutines; their calls follow one another.
type Host struct {
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule

	mu       sync.Mutex
	instance *Instance // nil before the first call and after a trap
}

// Answer is what a method answered.
type Answer struct {
	// Document is the UTF-8 JSON, owned by the caller.
	Document []byte
	// IsError says that Document is an error document: {"error": {…}}.
	IsError bool
}

// Open compiles a module. Close gives back what it holds.
func Open(ctx context.Context, module []byte, o Options) (*Host, error) {
	h := &Host{}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(DefaultMemoryPages)
	if o.MemoryPages != 0 {
		config = config.WithMemoryLimitPages(o.MemoryPages)
	}
	if o.CacheDir != "" {
		var err error
		if h.cache, err = wazero.NewCompilationCacheWithDir(o.CacheDir); err != nil {
			return nil, fmt.Errorf("compilation cache: %w", err)
		}
		config = config.WithCompilationCache(h.cache)
	}
	h.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	_, err := wasi_snapshot_preview1.Instantiate(ctx, h.runtime)
	if err == nil {
		h.compiled, err = h.runtime.CompileModule(ctx, module)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	return h, nil
}

// Close ends the instance and frees the compiled code. Calls that follow fail.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.instance = nil
	err := h.runtime.Close(ctx)
	if h.cache != nil {
		err = errors.Join(err, h.cache.Close(ctx))
	}
	return err
}

// Module describes the compiled module: its exports and imports.
func (h *Host) Module() wazero.CompiledModule { return h.compiled }

// Call runs a method on a document. The error is about the machinery only, and
// is a *TrapError where the instance trapped; the next Call then runs in a new
// one. A document that readpref refuses is an Answer with IsError.
func (h *Host) Call(ctx context.Context, method string, document []byte) (Answer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.instance == nil {
		i, err := h.NewInstance(ctx)
		if err != nil {
			return Answer{}, err
		}
		h.instance = i
	}
	answer, err := h.instance.Call(ctx, method, document)
	if err != nil {
		err = errors.Join(err, h.instance.Close(ctx))
		h.instance = nil
	}
	return answer, err
}

// NewInstance makes an instance of the caller's own, with its own memory: for
// calls that shall run side by side, or for the raw functions.
func (h *Host) NewInstance(ctx context.Context) (*Instance, error) {
	i := &Instance{}
	// Go's runtime reads the clocks and some entropy when it starts; without a
	// real clock it throws.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").
		WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader).
		WithStderr(&i.stderr)
	module, err := h.runtime.InstantiateModule(ctx, h.compiled, config)
	if err != nil {
		return nil, fmt.Errorf("instantiating readpref.wasm: %w%s", err, i.stderr.suffix())
	}
	i.module, i.memory = module, module.Memory()
	if err := i.bind(ctx); err != nil {
		return nil, errors.Join(err, i.Close(ctx))
	}
	return i, nil
}

// TrapError says that an instance ended in the middle of a call.
type TrapError struct {
	// Stderr is the beginning of what the module printed: Go's own panic message.
	Stderr string
	cause  error
}

// Error returns the trap and what the module printed.
func (e *TrapError) Error() string {
	message := "readpref.wasm trapped: " + e.cause.Error()
	if e.Stderr != "" {
		message += ": " + strings.TrimSpace(e.Stderr)
	}
	return message
}

// Unwrap returns wazero's error.
func (e *TrapError) Unwrap() error { return e.cause }
