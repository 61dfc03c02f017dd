package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
)

// engine answers cases in this process, for tests that need right answers.
type engine struct{ context *abi.Context }

func newEngine() *engine { return &engine{new(abi.Context)} }

func (e *engine) ask(s *step, via string) (reply, error) {
	if s.probe != "" || via != "" {
		return reply{}, errors.New("the engine has no probes and no typed API")
	}
	return e.answer(s.method, s.in), nil
}

func (e *engine) close() { e.context = new(abi.Context) }

func (e *engine) answer(method string, in []byte) reply {
	out, ok := e.context.Answer(method, in)
	r := reply{out: string(out)}
	if !ok {
		var doc struct{ Error errorDocument }
		if json.Unmarshal(out, &doc) == nil {
			r.status = doc.Error.Status
		}
	}
	return r
}

// ownCases are cases of our own in the form of the official ones and of the
// field cases, with every key that those have.
const ownCases = "testdata/ours-in-official-form"

func ownFieldCases(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.jsonl")
	require.NoError(t, err)
	return string(data)
}

// ownTree reads ownCases: path to text.
func ownTree(t *testing.T) map[string]string {
	t.Helper()
	tree := map[string]string{}
	for _, file := range jsonFiles(ownCases) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		name, err := filepath.Rel(ownCases, file)
		require.NoError(t, err)
		tree[filepath.ToSlash(name)] = string(data)
	}
	return tree
}
