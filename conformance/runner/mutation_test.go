package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each value that a case expects is changed in turn, and the case must fail:
// a key that is read and not compared would pass with any value.

// mutation is a document with one value changed.
type mutation struct {
	what     string
	document any
	// mayNotLoad: the value has another type than the key takes, so that reading
	// the case may be what fails.
	mayNotLoad bool
}

// mutations changes what stands at the path of keys below which all is
// expected. "*" stands for every element.
func mutations(document any, path ...string) []mutation {
	if len(path) == 0 {
		return changed(document)
	}
	var list []mutation
	within := func(name string, child any, put func(any) any) {
		for _, m := range mutations(child, path[1:]...) {
			list = append(list, mutation{name + m.what, put(m.document), m.mayNotLoad})
		}
	}
	switch v := document.(type) {
	case map[string]any:
		if child, ok := v[path[0]]; ok {
			within("."+path[0], child, func(n any) any { return with(v, path[0], n) })
		}
	case []any:
		for i, child := range v {
			within(fmt.Sprintf("[%d]", i), child, func(n any) any { return withElement(v, i, n) })
		}
	}
	return list
}

// changed gives the ways to change a value, the values in it first.
func changed(value any) []mutation {
	one := func(v any) mutation { return mutation{fmt.Sprintf(" = %s", compact(v)), v, false} }
	switch v := value.(type) {
	case nil:
		return []mutation{{" = 1", json.Number("1"), true}, {` = "x"`, "x", true}}
	case bool:
		return []mutation{one(!v)}
	case json.Number:
		return []mutation{one(json.Number("1" + string(v)))}
	case string:
		return []mutation{one(v + "x")}
	case []any:
		var list []mutation
		for i, e := range v {
			for _, m := range changed(e) {
				list = append(list, mutation{fmt.Sprintf("[%d]%s", i, m.what), withElement(v, i, m.document), m.mayNotLoad})
			}
		}
		more, extra := append(slices.Clone(v), "more:1"), any("more:1")
		if len(v) > 0 {
			extra = v[len(v)-1]
			more = append(slices.Clone(v), extra)
			list = append(list, mutation{" less one", v[:len(v)-1], true})
		}
		return append(list, mutation{" and " + compact(extra), more, true})
	case map[string]any:
		list := []mutation{{" with another key", with(v, "brandNew", "x"), true}}
		for _, k := range sortedKeys(v) {
			for _, m := range changed(v[k]) {
				list = append(list, mutation{"." + k + m.what, with(v, k, m.document), m.mayNotLoad})
			}
		}
		return list
	}
	panic("no JSON")
}

func with(object map[string]any, key string, value any) map[string]any {
	out := map[string]any{key: value}
	for k, v := range object {
		if k != key {
			out[k] = v
		}
	}
	return out
}

func withElement(list []any, i int, value any) []any {
	out := slices.Clone(list)
	out[i] = value
	return out
}

// expectations are the places of a suite's files below which all is expected,
// and the values among them that are not compared, and why not.
var expectations = []struct {
	suite string // a part of its name
	paths []string
	inert string
}{
	{"server-selection/server_selection", []string{"suitable_servers", "in_latency_window", "error"}, `_(servers|window)\[\d+\]\.(avg_rtt_ms|type|tags|lastUpdateTime|lastWrite|maxWireVersion)`}, // only addresses count
	{"max-staleness", []string{"suitable_servers", "in_latency_window", "error"}, `_(servers|window)\[\d+\]\.(avg_rtt_ms|type|tags|lastUpdateTime|lastWrite|maxWireVersion)`},
	{"in_window", []string{"outcome"}, `\.tolerance`}, // a greater one allows more
	{"rtt", []string{"new_avg_rtt"}, ``},
	{"connection-string", []string{"tests.*"}, `description|uri|options = "x"|(hosts|auth) = `},
	{"uri-options", []string{"tests.*"}, `description|uri|options = "x"|(hosts|auth) = `},
	{"initial-dns", []string{"seeds", "numSeeds", "options", "parsed_options", "error"}, ``},
	{"server-discovery", []string{"phases.*.outcome"}, `topologyId`},
}

// expectedOf gives the mutations of an official file.
func expectedOf(t *testing.T, suite string, document any) []mutation {
	t.Helper()
	for _, e := range expectations {
		if !strings.Contains(suite, e.suite) {
			continue
		}
		var list []mutation
		inert := regexp.MustCompile(e.inert)
		for _, path := range e.paths {
			for _, m := range mutations(document, strings.Split(path, ".")...) {
				if e.inert == "" || !inert.MatchString(m.what) {
					list = append(list, m)
				}
			}
		}
		return list
	}
	t.Fatalf("no expectations for suite %s", suite)
	return nil
}

// failure runs the cases of one file and gives the first that fails.
func failure(cases []testCase) (loadErr, err error) {
	for i := range cases {
		if err := cases[i].loadErr; err != nil {
			return err, err
		}
		if _, err := runCase(&cases[i], newEngine(), nil, false); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// specRoots are ours, and the official cases where they are.
func specRoots() []string {
	official := os.Getenv("SPEC_TESTS")
	if official == "" {
		official = "../../../shared/spec-tests"
	}
	return []string{ownCases, official}
}

func TestMutatedOfficialCasesFail(t *testing.T) {
	for _, root := range specRoots() {
		for _, official := range officialSuites {
			folder := officialFolder(root, official.name)
			load := official.load(folder)
			files := jsonFiles(folder)
			require.True(t, root != ownCases || len(files) > 0, official.name)
			count := 0
			for _, file := range files {
				if root != ownCases && strings.HasSuffix(official.name, "in_window") {
					continue // thousands of draws a file
				}
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				_, err = failure(load(file, data))
				require.NoError(t, err, file)
				document, err := parseJSON(string(data))
				require.NoError(t, err)
				for _, m := range expectedOf(t, official.name, document) {
					if refused(document, m.what) {
						continue
					}
					mustFail(t, official.name+"/"+filepath.Base(file)+m.what, m, func(data []byte) []testCase { return load(file, data) })
					count++
				}
			}
			require.True(t, root != ownCases || count > 0, "%s: nothing is expected", official.name)
		}
	}
}

// refused reports whether an error is expected, and so nothing else: what is
// said of warnings or seeds beside that is not compared.
func refused(document any, what string) bool {
	object, _ := document.(map[string]any)
	if object["error"] == true {
		return !strings.Contains(what, ".error = ")
	}
	if i := test.FindStringSubmatch(what); i != nil && strings.Contains(what, ".warning = ") {
		n, _ := strconv.Atoi(i[1])
		return object["tests"].([]any)[n].(map[string]any)["valid"] == false
	}
	return false
}

var test = regexp.MustCompile(`^\.tests\[(\d+)\]`)

func mustFail(t *testing.T, what string, m mutation, load func([]byte) []testCase) {
	t.Helper()
	data, err := encode(m.document)
	require.NoError(t, err)
	loadErr, err := failure(load(data))
	assert.Error(t, err, "%s passes", what)
	if !m.mayNotLoad && !strings.HasSuffix(m.what, ".error = false") { // a case expects an error or something else
		assert.NoError(t, loadErr, "%s is not compared", what)
	}
}

func TestMutatedFieldCasesFail(t *testing.T) {
	official := os.Getenv("FIELD_CASES")
	if official == "" {
		official = "../../../shared/field-cases/cases.jsonl"
	}
	// What is for people may be put in other words.
	inert := regexp.MustCompile(`\.(note|diagnostic|hint|removed\.[^ ]*)( and)? = "|\.warnings\[\d+\] = |\.warnings and "|` + "`")
	kinds := map[string]int{}
	for _, file := range []string{"testdata/cases.jsonl", official} {
		data, err := os.ReadFile(file)
		if err != nil && file == official {
			continue // the cases are not beside the checkout
		}
		require.NoError(t, err)
		for line := range strings.Lines(string(data)) {
			document, err := parseJSON(line)
			require.NoError(t, err)
			load := func(line []byte) []testCase {
				var f fieldCase
				if err := decodeStrict(line, &f); err != nil {
					return []testCase{{loadErr: err}}
				}
				var c testCase
				_, c.loadErr = f.load(&c)
				return []testCase{c}
			}
			kind := document.(map[string]any)["kind"].(string)
			_, err = failure(load([]byte(line)))
			require.NoError(t, err, line)
			for _, m := range mutations(document, "expected") {
				if !inert.MatchString(m.what) {
					mustFail(t, line[:12]+m.what, m, load)
					kinds[kind]++
				}
			}
		}
	}
	for _, k := range fieldKinds {
		assert.Positive(t, kinds[k.name], "no case of kind %s", k.name)
	}
}
