package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDocsPage(t *testing.T) {
	res := &results{notRun: []string{"max-staleness"}, rows: []*row{
		{Suite: "s/one", Runtime: "go", Files: 3, Cases: 5, Passed: 5, filesRun: 3},
		{Suite: "s/one", Runtime: "c", Files: 3, Cases: 5, Passed: 4, Failed: 1, filesRun: 3},
	}}
	file := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, res.writeDocs(file))
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(page), "| suite | files found | files run | go | c |\n|---|---|---|---|---|\n| s/one | 3 | 3 | 5 / 5 | 4 / 5 |\n")
	assert.Contains(t, string(page), "Not run: max-staleness")
	assert.Contains(t, string(page), "9 passed, 1 failed, 0 skipped.")
}

func TestFailuresAreCapped(t *testing.T) {
	var out bytes.Buffer
	res := &results{out: &out, maxFailures: 2}
	for range 5 {
		res.fail(&row{}, "x", assert.AnError)
	}
	assert.Equal(t, 2, strings.Count(out.String(), "FAIL"))
	assert.Equal(t, 1, strings.Count(out.String(), "further failures"))
}

func TestNoCasesIsNoSuccess(t *testing.T) {
	var out bytes.Buffer
	assert.Equal(t, 1, finish(&options{}, &results{}, &out, &out))
	assert.True(t, strings.HasSuffix(out.String(), "\n0 passed, 0 failed, 0 skipped\n"))
}
