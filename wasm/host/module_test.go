package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/wasm/host"
)

var (
	module []byte     // readpref.wasm
	shared *host.Host // for tests that leave it as it was
)

// TestMain finds readpref.wasm ($READPREF_WASM, else build/readpref.wasm), or
// builds it.
func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "readpref-wasm-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	if module, err = readModule(folder); err != nil {
		return 0, err
	}
	// The cache of the whole run: several tests open hosts of their own.
	cache = filepath.Join(folder, "cache")
	if shared, err = host.Open(ctx, module, host.Options{CacheDir: cache}); err != nil {
		return 0, err
	}
	code = m.Run()
	return code, shared.Close(ctx)
}

var cache string

func readModule(folder string) ([]byte, error) {
	if path := os.Getenv("READPREF_WASM"); path != "" {
		return os.ReadFile(path)
	}
	found, err := os.ReadFile(filepath.Join("..", "..", "build", "readpref.wasm"))
	if !errors.Is(err, fs.ErrNotExist) {
		return found, err
	}
	path := filepath.Join(folder, "readpref.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", path, "..")
	build.Env = wasip1()
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building readpref.wasm: %w\n%s", err, out)
	}
	return os.ReadFile(path)
}

// wasip1 is the environment of commands about the module's own build.
func wasip1() []string {
	return append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
}

// instance makes one that ends with the test.
func instance(t *testing.T) *host.Instance {
	t.Helper()
	i, err := shared.NewInstance(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { i.Close(context.Background()) })
	return i
}

// call is for calls that must not trap.
func call(t *testing.T, method, document string) (answer string, isError bool) {
	t.Helper()
	a, err := shared.Call(t.Context(), method, []byte(document))
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(a.Document, []byte(`{"error":`)) == a.IsError)
	return string(a.Document), a.IsError
}
