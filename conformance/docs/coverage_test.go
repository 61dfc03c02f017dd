package docs_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/explain"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPageShowsEveryOutcome wants every method, reason, stage, note, warning
// and error that a document can cause in the answer of an example.
func TestPageShowsEveryOutcome(t *testing.T) {
	shown := map[string]bool{}
	methods := map[string]bool{}
	for _, e := range runPage(t, nil) {
		methods[e.method] = true
		var v any
		require.NoError(t, json.Unmarshal(e.out, &v))
		codes(v, shown)
	}
	for _, m := range abi.Methods() {
		assert.Contains(t, methods, m.Name)
	}
	want := append(append(noteCodes(t), warningCodes(t)...), explain.CauseNames[:]...)
	want = append(want, explain.StageNames[:]...)
	for _, code := range errorCodes(t) {
		switch code {
		case "buffer", "forked", "internal": // no document causes them
		case "documentTooLarge", "nestingTooDeep", "limitExceeded": // TestLimits: the documents are long
		default:
			want = append(want, code)
		}
	}
	for _, code := range want {
		assert.True(t, shown[code], "no example shows %s", code)
	}
}

// codes collects the values of the keys code and stage.
func codes(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			if s, ok := below.(string); ok && (key == "code" || key == "stage") {
				into[s] = true
			}
			codes(below, into)
		}
	case []any:
		for _, below := range v {
			codes(below, into)
		}
	}
}

// TestLimits holds the page's table of limits to the engine: each allowed, one
// more refused with the code it names.
func TestLimits(t *testing.T) {
	s := schemasOf(t)
	list := func(n int, item func(int) string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return strings.Join(items, ",")
	}
	number := func(i int) string {
		return string(rune('a'+i/4096%16)) + string(rune('a'+i/256%16)) + string(rune('a'+i/16%16)) + string(rune('a'+i%16))
	}
	tags := func(n int) string { return list(n, func(i int) string { return `"` + number(i) + `":""` }) }
	for _, c := range []struct {
		name, code string
		limit      int
		document   func(int) string
		silent     bool // a schema has no word for it
	}{
		{"document", "documentTooLarge", 16 << 20, func(n int) string {
			d := `{"topology":{"servers":[]}}`
			return d + strings.Repeat(" ", n-len(d))
		}, true},
		{"nesting", "nestingTooDeep", 64, func(n int) string {
			const before = 4 // the request, its topology, the list, the server
			return `{"topology":{"servers":[{"address":"a","hello":{"x":` + strings.Repeat("[", n-before-1) + strings.Repeat("]", n-before-1) + `}}]}}`
		}, true},
		{"servers", "limitExceeded", 65536, func(n int) string {
			return `{"topology":{"servers":[` + list(n, func(i int) string {
				return `{"address":"h` + number(i) + string(rune('a'+i/65536)) + `","type":"Mongos"}`
			}) + `]}}`
		}, false},
		{"tag sets", "limitExceeded", 100, func(n int) string {
			return `{"topology":{"servers":[]},"readPreference":{"mode":"nearest","tags":[` + list(n, func(int) string { return "{}" }) + `]}}`
		}, false},
		{"tags in a set", "limitExceeded", 100, func(n int) string {
			return `{"topology":{"servers":[]},"readPreference":{"mode":"nearest","tags":[{` + tags(n) + `}]}}`
		}, false},
		{"tags on a server", "limitExceeded", 100, func(n int) string {
			return `{"topology":{"servers":[{"address":"a","type":"Mongos","tags":{` + tags(n) + `}}]}}`
		}, false},
		{"shards", "limitExceeded", 4096, func(n int) string {
			return `{"shards":{` + list(n, func(i int) string { return `"` + number(i) + `":{"servers":[]}` }) + `}}`
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var context abi.Context
			at, over := []byte(c.document(c.limit)), []byte(c.document(c.limit+1))
			answer, ok := context.Answer("select", at)
			assert.True(t, ok, "%.200s", answer)
			answer, ok = context.Answer("select", over)
			assert.False(t, ok)
			var e struct{ Error struct{ Code string } }
			require.NoError(t, json.Unmarshal(answer, &e))
			assert.Equal(t, c.code, e.Error.Code)
			assert.NoError(t, s.validate("error.json", answer))
			assert.NoError(t, s.validate("select-request.json", at))
			if !c.silent {
				assert.Error(t, s.validate("select-request.json", over))
			}
		})
	}
}

// TestErrorDocumentsAreShort holds the page's promise of 4,096 bytes, with names
// that escapes make longer.
func TestErrorDocumentsAreShort(t *testing.T) {
	var context abi.Context
	for _, escape := range []string{`\u0001`, `\"`, `\\`, `\ud83d\ude00`} {
		name := `"` + strings.Repeat(escape, 5000) + `"`
		deep := `"a":1,"a":2`
		for range 50 {
			deep = name + `:{` + deep + `}`
		}
		for _, request := range []string{
			`{` + name + `:1}`,
			`{"topology":{"servers":[]},"operation":` + name + `}`,
			`{"topology":{"servers":[]},"readPreference":{"mode":"nearest","tags":[{` + name + `:5}]}}`,
			`{"topology":{"servers":[{"address":` + name + `,"type":"Mongos"},{"address":` + name + `,"type":"Mongos"}]}}`,
			`{"shards":{` + name + `:{"servers":[{"address":"a","hello":{"x":{` + deep + `}}}]}}}`,
		} {
			answer, ok := context.Answer("select", []byte(request))
			require.False(t, ok, "%.100s", request)
			assert.LessOrEqual(t, len(answer), 4096, "%.100s", request)
		}
	}
}
