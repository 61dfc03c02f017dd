package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vectorSuite is a suite of n equal vectors that the honest fake passes.
func vectorSuite(t *testing.T, n int) suite {
	t.Helper()
	s := suite{name: "vectors/x", files: []string{"x.json"}}
	for range n {
		s.cases = append(s.cases, loadVectorFile("x.json", []byte(`{"description":"d","rule":"3.10","method":"select",
			"in":{"topology":{"type":"Sharded","servers":[{"address":"a:27017","type":"Mongos"}]}},
			"expected":{"server":"a:27017","suitable":["a:27017"]}}`))...)
	}
	for _, c := range s.cases {
		require.NoError(t, c.loadErr)
	}
	return s
}

func runFakes(t *testing.T, s suite, typed map[string]bool, manners ...string) (*results, string) {
	t.Helper()
	var out bytes.Buffer
	res := &results{out: &out, maxFailures: 100}
	var testees []*testee
	for _, m := range manners {
		testees = append(testees, fake(t, m))
	}
	runSuite(s, testees, typed, res)
	return res, out.String()
}

func TestHonestTesteesPass(t *testing.T) {
	res, out := runFakes(t, vectorSuite(t, 3), map[string]bool{"honest": true}, "honest", "also honest")
	require.Empty(t, out)
	require.Len(t, res.rows, 2)
	for _, r := range res.rows {
		assert.Equal(t, row{Suite: "vectors/x", Runtime: r.Runtime, Files: 1, Cases: 3, Passed: 3, filesRun: 1}, *r)
	}
}

func TestMisbehaviourFails(t *testing.T) {
	for _, c := range []struct {
		manner string
		failed int
		says   string
	}{
		{"lie", 3, "suitable is [liar:27017]"},
		{"lie typed", 3, `via typed: at ".candidates[0]": got "liar:27017"`},
		{"spaces", 3, "differs from the reference"},
		{"status", 3, "status -6 without an error document"},
		{"error", 3, "unexpected error"},
		{"wrong id", 3, "answered id 2 to request 1"},
		{"babble", 3, "not an answer of the testee protocol"},
		// It dies on its second request and is restarted for the third case.
		{"die", 1, "the testee died (exit status 3); its last words: so long"},
		{"hang", 1, "no answer within 1s"},
		{"die at once", 3, "given up after 3 starts without an answer"},
	} {
		t.Run(c.manner, func(t *testing.T) {
			res, out := runFakes(t, vectorSuite(t, 3), map[string]bool{"lie typed": true}, "honest", c.manner)
			assert.Equal(t, 3, res.rows[0].Passed, "the honest one is not dragged along")
			assert.Equal(t, 3, res.rows[1].Cases)
			assert.Equal(t, c.failed, res.rows[1].Failed)
			assert.Equal(t, 3-c.failed, res.rows[1].Passed)
			assert.Contains(t, out, c.says)
		})
	}
}

// The steps of a vector are asked of a testee that has just started, in order.
func TestStepsBeginAfresh(t *testing.T) {
	const step = `{"method":"count","in":{},"expected":{"answer":{"asked":%s}}}`
	steps := func(first, second string) string {
		return `{"description":"d","rule":"1","steps":[` + strings.Replace(step, "%s", first, 1) + "," + strings.Replace(step, "%s", second, 1) + `]}`
	}
	s := suite{name: "vectors/x", files: []string{"x.json"}}
	s.cases = loadVectorFile("x.json", []byte(`{"method":"count","rule":"1","cases":[`+steps("0", "1")+","+
		`{"description":"goes on where the last one ended","in":{},"expected":{"answer":{"asked":2}}},`+
		steps("0", "1")+","+steps("0", "2")+","+steps("2", "3")+`]}`))
	for _, c := range s.cases {
		require.NoError(t, c.loadErr)
	}
	res, out := runFakes(t, s, map[string]bool{"count": true}, "count")
	assert.Equal(t, 3, res.rows[0].Passed, out)
	assert.Equal(t, 2, res.rows[0].Failed)
	assert.Contains(t, out, `step 2: at "answer.asked": got 1, want 2`)
	assert.Contains(t, out, `step 1: at "answer.asked": got 0, want 2`)
	// The second testee is compared with the first, step by step.
	res, out = runFakes(t, suite{name: "s", files: s.files, cases: s.cases[:1]}, nil, "count", "spaces")
	assert.Equal(t, 1, res.rows[1].Failed)
	assert.Contains(t, out, "step 1: ")
}

func TestMissingProgramFails(t *testing.T) {
	var out bytes.Buffer
	res := &results{out: &out, maxFailures: 10}
	missing := newTestee(testeeSpec{"missing", []string{filepath.Join(t.TempDir(), "no-such-testee")}}, 1e9, 1e9)
	runSuite(vectorSuite(t, 2), []*testee{missing}, nil, res)
	assert.Equal(t, 2, res.rows[0].Failed)
	assert.Contains(t, out.String(), "the testee does not start")
}

func TestUnreadableCaseFails(t *testing.T) {
	s := suite{name: "s", files: []string{"f.json"}, cases: []testCase{loadSelectionCase("f.json", []byte(`{"brand_new": 1}`))}}
	res, out := runFakes(t, s, nil, "honest")
	assert.Equal(t, 1, res.rows[0].Failed)
	assert.Zero(t, res.rows[0].filesRun, "the file was found and not run")
	assert.Contains(t, out, "unknown key brand_new")
}

func TestSuiteWithoutFiles(t *testing.T) {
	var out bytes.Buffer
	res := &results{out: &out, maxFailures: 10}
	runSuite(suite{name: "optional"}, []*testee{fake(t, "honest")}, nil, res)
	assert.Empty(t, res.rows)
	res.printSummary(&out)
	assert.Contains(t, out.String(), "not run")

	runSuite(suite{name: "required", mustHave: true}, []*testee{fake(t, "honest")}, nil, res)
	require.Len(t, res.rows, 1)
	assert.Equal(t, 1, res.rows[0].Failed)
}

// writeTree writes files below a folder of the test.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return root
}

const vectorText = `{"description":"d","rule":"3.10","method":"select","in":{"topology":{"type":"Sharded","servers":[{"address":"a:27017","type":"Mongos"}]}},"expected":{"server":"a:27017"}}`

// checkoutLayout moves the cases to where a checkout of mongodb/specifications
// has them.
func checkoutLayout(tree map[string]string) map[string]string {
	moved := map[string]string{}
	for name, text := range tree {
		suite, rest, _ := strings.Cut(name, "/")
		moved["source/"+suite+"/tests/"+rest] = text
	}
	return moved
}

// TestWholeRun runs the program as its command line does, on both layouts of
// the official cases.
func TestWholeRun(t *testing.T) {
	for _, layout := range []map[string]string{ownTree(t), checkoutLayout(ownTree(t))} {
		spec := writeTree(t, layout)
		ours := writeTree(t, map[string]string{"vectors/window/x.json": vectorText, "cases.jsonl": ownFieldCases(t)})
		report := filepath.Join(ours, "deep", "report.json")
		t.Setenv("FAKE_TESTEE", "engine")
		env := map[string]string{"SPEC_TESTS": spec, "FIELD_CASES": ours, "REPORT": report}
		args := []string{"-vectors", filepath.Join(ours, "vectors"), "-testee", "go=" + os.Args[0], "-testee", "c=" + os.Args[0]}

		var stdout, stderr bytes.Buffer
		code := run(args, func(k string) string { return env[k] }, &stdout, &stderr)
		require.Equal(t, 0, code, stdout.String()+stderr.String())

		data, err := os.ReadFile(report)
		require.NoError(t, err)
		var rows []row
		require.NoError(t, decodeStrictRows(data, &rows))
		var suites []string
		cases := 0
		for i, r := range rows {
			assert.Equal(t, [2]string{"go", "c"}[i%2], r.Runtime)
			assert.True(t, r.Cases > 0 && r.Passed == r.Cases && r.Failed+r.Skipped == 0, r)
			cases += r.Cases
			suites = appendNew(suites, r.Suite)
		}
		assert.Contains(t, stdout.String(), fmt.Sprintf("\n%d passed, 0 failed, 0 skipped\n", cases))
		assert.Equal(t, row{Suite: "server-selection/server_selection", Runtime: "go", Files: 1, Cases: 1, Passed: 1}, rows[0])
		var want []string
		for _, s := range officialSuites {
			want = append(want, s.name)
		}
		for _, k := range fieldKinds {
			want = append(want, "field-cases/"+k.name)
		}
		assert.Equal(t, append(want, "vectors/window"), suites)

		// A liar beside them makes the whole run fail, in every case.
		stdout.Reset()
		args = append(args, "-testee", "liar=env FAKE_TESTEE=lie "+os.Args[0])
		assert.Equal(t, 1, run(args, func(k string) string { return env[k] }, &stdout, &stderr))
		assert.Contains(t, stdout.String(), fmt.Sprintf("\n%d passed, %d failed, 0 skipped\n", cases, cases/2))
	}
}

func decodeStrictRows(data []byte, rows *[]row) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		var r row
		if err := decodeStrict(p, &r); err != nil {
			return err
		}
		*rows = append(*rows, r)
	}
	return nil
}

func TestMissingSuitesFailWhenAskedFor(t *testing.T) {
	ours := writeTree(t, map[string]string{"window/x.json": vectorText})
	t.Setenv("FAKE_TESTEE", "honest")
	nowhere := filepath.Join(ours, "nowhere")
	args := []string{"-vectors", ours, "-testee", "go=" + os.Args[0]}
	for _, c := range []struct {
		env     map[string]string
		missing int
	}{
		{map[string]string{"SPEC_TESTS": nowhere, "FIELD_CASES": nowhere}, len(officialSuites) + len(fieldKinds)},
		{map[string]string{"SPEC_TESTS": nowhere}, len(officialSuites)},
	} {
		var stdout bytes.Buffer
		assert.Equal(t, 1, run(args, func(k string) string { return c.env[k] }, &stdout, &stdout))
		assert.Contains(t, stdout.String(), fmt.Sprintf("\n1 passed, %d failed, 0 skipped\n", c.missing))
		assert.Equal(t, c.missing, strings.Count(stdout.String(), "[go] \n  no files found\n"))
	}
}

func TestOptionFaults(t *testing.T) {
	none := func(string) string { return "" }
	for _, args := range [][]string{{"-testee", "x"}, {"-testee", "x="}, {"-runtimes", "cobol"}, {"-runtimes", "go,go"}, {"stray"}} {
		var out bytes.Buffer
		assert.Equal(t, 2, run(args, none, &out, &out), args)
		assert.NotEmpty(t, out.String())
	}
	o, err := parseOptions(nil, func(k string) string { return map[string]string{"CI": "true", "NODE": "mynode"}[k] }, os.Stderr)
	require.NoError(t, err)
	assert.True(t, o.mustHaveSpec && o.mustHaveFld)
	assert.Equal(t, testeeSpec{"node", []string{"mynode", "bindings/node/test/testee.mjs"}}, o.testees[4])
	o, err = parseOptions(nil, none, os.Stderr)
	require.NoError(t, err)
	assert.False(t, o.mustHaveSpec || o.mustHaveFld)
}
