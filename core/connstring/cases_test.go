package connstring_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The official cases are read from $SPEC_TESTS, the field cases from
// $FIELD_CASES (default ../shared beside the checkout). The conformance runner
// asks them of every runtime; here they run through the parser itself.
func specFiles(t *testing.T, suite string) []string {
	t.Helper()
	root := os.Getenv("SPEC_TESTS")
	if root == "" {
		root = "../../../shared/spec-tests"
	}
	var files []string
	for _, dir := range []string{filepath.Join(root, suite), filepath.Join(root, "source", filepath.Dir(suite), "tests", filepath.Base(suite)), filepath.Join(root, "source", suite, "tests")} {
		found, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	if len(files) == 0 {
		notFound(t, "SPEC_TESTS", suite, root)
	}
	return files
}

func notFound(t *testing.T, variable, what, where string) {
	t.Helper()
	if os.Getenv(variable) != "" || os.Getenv("CI") != "" {
		t.Fatalf("no cases of %s below %s", what, where)
	}
	t.Skipf("not run: no cases of %s beside the checkout", what)
}

type fieldCase struct {
	ID       string
	Kind     string
	Input    json.RawMessage
	Expected json.RawMessage
}

func fieldCases(t *testing.T, kind string) []fieldCase {
	t.Helper()
	path := os.Getenv("FIELD_CASES")
	if path == "" {
		path = "../../../shared/field-cases/cases.jsonl"
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		notFound(t, "FIELD_CASES", kind, path)
	}
	var cases []fieldCase
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var c fieldCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		if c.Kind == kind {
			cases = append(cases, c)
		}
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, cases, kind)
	return cases
}

// decode refuses keys that the test would not look at.
func decode(t *testing.T, raw []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(into), "%s", raw)
}
