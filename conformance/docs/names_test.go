package docs_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/advise"
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/importer"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/whatif"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wordsOf returns the names in code, `key` or `{"key"}`, that the text below a
// heading of the page has. Examples do not count: they explain nothing. The
// empty heading stands for the whole page.
func wordsOf(t *testing.T, heading string) map[string]bool {
	t.Helper()
	text := pageText(t)
	if heading != "" {
		_, after, found := strings.Cut(text, "\n"+heading+"\n")
		require.True(t, found, heading)
		level, _, _ := strings.Cut(heading, " ")
		next := regexp.MustCompile(`\n#{1,` + strconv.Itoa(len(level)) + `} `).FindStringIndex(after)
		if next != nil {
			after = after[:next[0]]
		}
		text = after
	}
	text = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "")
	words := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`]+`").FindAllString(text, -1) {
		for _, w := range regexp.MustCompile(`[$_A-Za-z][A-Za-z0-9_.]*`).FindAllString(code, -1) {
			words[w] = true
		}
	}
	return words
}

// schemaKeys returns all keys that a method's schemas describe.
func schemaKeys(t *testing.T, of func(abi.Method) string) map[string]bool {
	t.Helper()
	s := schemasOf(t)
	files, keys := map[string]bool{}, map[string]bool{}
	for _, m := range abi.Methods() {
		collectFiles(s, of(m), files)
	}
	for name := range files {
		eachObject(s.raw[name], func(object map[string]any) {
			for key := range object["properties"].(map[string]any) {
				keys[key] = true
			}
		})
	}
	// Neither refers to objects of one shape.
	for key := range s.raw["validate-request.json"].(map[string]any)["properties"].(map[string]any) {
		keys[key] = true
	}
	return keys
}

// sources parses the Go files of a package of the engine.
func sources(t *testing.T, folder string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "core", folder, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files
}

// literal returns the value of a string literal.
func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

// explainedUnder says where the page explains the keys of each table of the
// decoder.
var explainedUnder = map[string]string{
	"requestKeys":           "## The request of `select` and `explain`",
	"customSelectorKeys":    "## The request of `select` and `explain`",
	"wireVersionsKeys":      "## The request of `select` and `explain`",
	"preferenceKeys":        "### Read preference",
	"hedgeKeys":             "### Read preference",
	"topologyKeys":          "### Topology description",
	"serverKeys":            "### Server description",
	"oidKeys":               "### Server description",
	"topologyVersionKeys":   "### Server description",
	"helloRequestKeys":      "## `server.parse_hello`",
	"helloKeys":             "## `server.parse_hello`",
	"lastWriteKeys":         "## `server.parse_hello`",
	"validateKeys":          "## `validate`",
	"uriKeys":               "## `parse_uri`",
	"srvKeys":               "## `srv`",
	"srvRecordKeys":         "## `srv`",
	"toURIKeys":             "## `to_uri`",
	"rttKeys":               "## `rtt`",
	"commandKeys":           "## `command`",
	"effectiveKeys":         "## `effective_preference`",
	"transactionKeys":       "## `effective_preference`",
	"readableKeys":          "## `readable` and `writable`",
	"questionKeys":          "## Operators",
	"workloadKeys":          "## Operators",
	"simulateKeys":          "## Operators",
	"whatIfKeys":            "## Operators",
	"adviseKeys":            "## Operators",
	"diffKeys":              "## Operators",
	"afterKeys":             "### `diff`",
	"importKeys":            "### `import`",
	"documentKeys":          "### `import`",
	"memberKeys":            "### `import`",
	"shardKeys":             "### `import`",
	"zoneKeys":              "### `import`",
	"regionKeys":            "### `import`",
	"nodesKeys":             "### `import`",
	"eventKeys":             "### `what_if`",
	"openKeys":              "### `topology.open`",
	"updateKeys":            "### `topology.update` and `topology.generation`",
	"extrasKeys":            "### `topology.select`",
	"handleKeys":            "", // under Handles and Discovery
	"handlesOfKeys":         "## Handles",
	"poolKeys":              "### `topology.open`",
	"observationKeys":       "### `topology.hello`",
	"failureKeys":           "### `topology.error`",
	"errorReplyKeys":        "### `topology.error`",
	"writeConcernErrorKeys": "### `topology.error`",
	"scanKeys":              "### `topology.srv`",
}

// TestKeysOfRequests takes the decoder's key tables (var somethingKeys) and
// wants each key explained on the page and in the schemas of requests.
func TestKeysOfRequests(t *testing.T) {
	keys := schemaKeys(t, func(m abi.Method) string { return m.Request })
	tables := map[string]bool{}
	for _, f := range sources(t, "wire") {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasSuffix(spec.Names[0].Name, "Keys") || len(spec.Values) == 0 {
				return true
			}
			list, ok := spec.Values[0].(*ast.CompositeLit)
			if !ok {
				return true
			}
			table := spec.Names[0].Name
			tables[table] = true
			if !assert.Contains(t, explainedUnder, table, "a key table that no heading explains") {
				return true
			}
			words := wordsOf(t, explainedUnder[table])
			for _, e := range list.Elts {
				key, ok := literal(e)
				require.True(t, ok, table)
				assert.True(t, words[key], "%s of %s: not under %s", key, table, explainedUnder[table])
				assert.True(t, keys[key], "%s of %s: not in a schema", key, table)
			}
			return true
		})
	}
	for table := range explainedUnder {
		assert.Contains(t, tables, table, "a key table that there is not")
	}
}

// TestKeysOfAnswers takes the keys that the encoders print, `"key":`, and wants
// each on the page and in the schemas of answers.
func TestKeysOfAnswers(t *testing.T) {
	words, keys := wordsOf(t, ""), schemaKeys(t, func(m abi.Method) string { return m.Answer })
	printed := regexp.MustCompile(`"([$A-Za-z]+)":`)
	count := 0
	for _, folder := range []string{"wire", "abi"} {
		for _, f := range sources(t, folder) {
			ast.Inspect(f, func(n ast.Node) bool {
				l, ok := n.(*ast.BasicLit)
				if !ok || l.Kind != token.STRING || l.Value[0] != '`' {
					return true
				}
				for _, m := range printed.FindAllStringSubmatch(l.Value, -1) {
					count++
					assert.True(t, words[m[1]], "%s: not on the page", m[1])
					assert.True(t, keys[m[1]], "%s: not in a schema of an answer", m[1])
				}
				return true
			})
		}
	}
	assert.Greater(t, count, 60, "the encoders print in another way now")
	for _, key := range calls(t, "abi", "appendNumber", 1) {
		assert.True(t, words[key], "%s: not on the page", key)
		assert.True(t, keys[key], "%s: not in a schema of an answer", key)
	}
}

// TestNames holds each list of names equal to its enum in the schemas, and
// wants the page to name them all.
func TestNames(t *testing.T) {
	words := wordsOf(t, "")
	withNull := func(names []string) []any {
		list := []any{}
		for _, n := range names {
			list = append(list, n)
		}
		return append(list, nil)
	}
	plain := func(names []string) []any { list := withNull(names); return list[:len(list)-1] }
	for _, c := range []struct {
		file, where string
		names       []string
		null        bool
	}{
		{"read-preference.json", "properties/mode", readpref.ModeNames[:], true},
		{"normal-preference.json", "properties/mode", readpref.ModeNames[:], false},
		{"topology.json", "properties/type", topology.TypeNames[:], true},
		{"server.json", "properties/type", topology.ServerTypeNames[:], true},
		{"select-request.json", "properties/operation", selection.OperationNames[:], true},
		{"select-request.json", "properties/pick", selection.PickNames[:], true},
		{"select-answer.json", "$defs/server/anyOf/0/properties/type", topology.ServerTypeNames[:], false},
		{"select-answer.json", "$defs/reason/properties/code", explain.CauseNames[:], false},
		{"explain-answer.json", "$defs/verdict/properties/type", topology.ServerTypeNames[:], false},
		{"explain-answer.json", "$defs/verdict/properties/stage", explain.StageNames[:], false},
		{"explain-answer.json", "$defs/pass/properties/role", selection.RoleNames[:], false},
		{"explain-answer.json", "$defs/explanation/properties/notes/items/properties/code", noteCodes(t), false},
		{"command-request.json", "properties/opcode", command.OpcodeNames[:], true},
		{"effective-preference-answer.json", "properties/operation", selection.OperationNames[:], false},
		{"effective-preference-answer.json", "properties/kind", command.KindNames[:], false},
		{"effective-preference-answer.json", "properties/from", command.SourceNames[:], false},
		{"parse-uri-answer.json", "$defs/host/properties/type", connstring.HostKindNames[:], false},
		{"operators.json", "$defs/format", table.FormatNames[:], true},
		{"simulate-answer.json", "properties/workloads/items/properties/operation", selection.OperationNames[:], false},
		{"simulate-answer.json", "properties/servers/items/properties/type", topology.ServerTypeNames[:], false},
		{"what-if-request.json", "properties/events/anyOf/0/items/properties/type", whatif.KindNames[:], false},
		{"what-if-answer.json", "properties/scenarios/items/properties/phase", whatif.PhaseNames[:], false},
		{"what-if-answer.json", "properties/scenarios/items/properties/outcomes/items/properties/status", whatif.StatusNames[:], false},
		{"what-if-answer.json", "properties/scenarios/items/properties/outcomes/items/properties/why/items", whatif.WhyNames[:], false},
		{"advise-answer.json", "properties/findings/items/properties/code", adviceCodes(), false},
		{"advise-answer.json", "properties/findings/items/properties/severity", advise.SeverityNames[:], false},
		{"import-answer.json", "properties/sources/items", importer.KindNames[:], false},
		{"diff-answer.json", "$defs/fate/properties/operation", selection.OperationNames[:], false},
		{"diff-answer.json", "$defs/server/properties/type", topology.ServerTypeNames[:], false},
		{"diff-answer.json", "$defs/reason/properties/stage", explain.StageNames[:explain.Selected], true}, // nothing is picked
		{"operators-answer.json", "$defs/reason/properties/code", append(explain.CauseNames[:], "maxStalenessTooSmall", "incompatibleWireVersion"), false},
		{"warning.json", "properties/code", warningCodes(t), false},
		{"error.json", "$defs/problem/properties/code", errorCodes(t), false},
	} {
		want := plain(c.names)
		if c.null {
			want = withNull(c.names)
		}
		assert.ElementsMatch(t, want, at(t, c.file, c.where)["enum"], "%s %s", c.file, c.where)
		if c.file == "error.json" {
			continue // docs/errors.md lists them
		}
		for _, n := range c.names {
			assert.True(t, words[n], "%s: not on the page", n)
		}
	}
}

// at returns the part of a schema file at a path of keys and indices.
func at(t *testing.T, file, path string) map[string]any {
	t.Helper()
	v := schemasOf(t).raw[file]
	for _, key := range strings.Split(path, "/") {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			require.NoError(t, err)
			v = in[i]
		}
	}
	m, ok := v.(map[string]any)
	require.True(t, ok, "%s has nothing at %s", file, path)
	return m
}

// calls returns the string literal that stands at an argument of the calls of a
// function, where there is one.
func calls(t *testing.T, folder, function string, argument int) []string {
	t.Helper()
	var list []string
	for _, f := range sources(t, folder) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) <= argument {
				return true
			}
			name := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				name = fun.Name
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			}
			if s, ok := literal(call.Args[argument]); ok && name == function {
				list = append(list, s)
			}
			return true
		})
	}
	require.NotEmpty(t, list, "%s is not called in core/%s", function, folder)
	return unique(list)
}

func unique(list []string) []string {
	var once []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			once = append(once, s)
		}
		seen[s] = true
	}
	return once
}

func adviceCodes() []string {
	var list []string
	for _, rule := range advise.Rules {
		list = append(list, rule.Code)
	}
	return list
}

func noteCodes(t *testing.T) []string { return calls(t, "explain", "add", 1) }

// constant returns the value of a string constant of the engine.
func constant(t *testing.T, folder, name string) string {
	t.Helper()
	value := ""
	for _, f := range sources(t, folder) {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && spec.Names[0].Name == name {
				value, _ = literal(spec.Values[0])
			}
			return true
		})
	}
	require.NotEmpty(t, value, name)
	return value
}

func warningCodes(t *testing.T) []string {
	return append(calls(t, "readpref", "warn", 0),
		constant(t, "readpref", "invalidValue"), constant(t, "wire", "HedgeDeprecated"),
		constant(t, "connstring", "warnDeprecated"), constant(t, "connstring", "warnDeprecatedValue"),
		constant(t, "connstring", "warnOutsideDomain"), constant(t, "wire", "readPreferenceIgnored"))
}

// statusRow is a row of the table of error codes.
type statusRow struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
}

func statusTable(t *testing.T) []statusRow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "core", "status", "codes.json"))
	require.NoError(t, err)
	var rows []statusRow
	require.NoError(t, json.Unmarshal(text, &rows))
	return rows
}

func errorCodes(t *testing.T) []string {
	var codes []string
	least := 0
	for _, row := range statusTable(t) {
		codes = append(codes, row.Code)
		least = min(least, row.Status)
	}
	minimum := at(t, "error.json", "$defs/problem/properties/status")["minimum"]
	assert.EqualValues(t, strconv.Itoa(least), minimum)
	return codes
}
