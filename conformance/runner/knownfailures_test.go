package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKnownFailures(t *testing.T) {
	ours := writeTree(t, map[string]string{"window/x.json": vectorText})
	list := filepath.Join(ours, "known.txt")
	for _, c := range []struct {
		known string
		code  int
		says  string
	}{
		{"# none", 1, "1 passed, 1 failed, 0 skipped"},
		{"liar | vectors/window | d | it lies", 0, "1 passed, 0 failed, 0 skipped"},
		{"liar | vectors/window | d | it lies\ngo | vectors/window | d | not so", 1, "a known failure passes"},
		{"liar | vectors/window | d | it lies\nliar | vectors/window | e | no such case", 1, "names no case: liar | vectors/window | e"},
		{"liar | vectors/window | d", 2, "known.txt:1: want runtime | suite | case | reason"},
	} {
		require.NoError(t, os.WriteFile(list, []byte(c.known), 0o666))
		t.Setenv("FAKE_TESTEE", "honest")
		var out bytes.Buffer
		// No official and no field cases beside ours.
		env := map[string]string{}
		args := []string{"-vectors", ours, "-only", "vectors", "-known-failures", list, "-testee", "go=" + os.Args[0], "-testee", "liar=env FAKE_TESTEE=lie " + os.Args[0]}
		assert.Equal(t, c.code, run(args, func(k string) string { return env[k] }, &out, &out), c.known)
		assert.Contains(t, out.String(), c.says)
	}
	var out bytes.Buffer
	assert.Equal(t, 2, run([]string{"-known-failures", filepath.Join(ours, "nowhere")}, func(string) string { return "" }, &out, &out))
}
