package docs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/readpref/readpref/core/abi"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// schemas are the compiled files of docs/schema. Those of answers are closed
// here: they may gain keys in later versions, but none that the schemas of
// today do not have.
type schemas struct {
	raw      map[string]any
	compiled map[string]*jsonschema.Schema
}

var loadSchemas = sync.OnceValues(func() (*schemas, error) {
	files, err := filepath.Glob(filepath.Join(schemaDir, "*.json"))
	if err != nil {
		return nil, err
	}
	s := &schemas{raw: map[string]any{}, compiled: map[string]*jsonschema.Schema{}}
	c := jsonschema.NewCompiler()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		name := filepath.Base(file)
		s.raw[name] = raw
		closed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		eachObject(closed, func(object map[string]any) {
			if _, says := object["additionalProperties"]; !says {
				object["additionalProperties"] = false
			}
		})
		// Their $id is relative: it resolves against where they are found.
		if err := c.AddResource("https://schema.example/"+name, closed); err != nil {
			return nil, err
		}
	}
	for name := range s.raw {
		if s.compiled[name], err = c.Compile("https://schema.example/" + name); err != nil {
			return nil, err
		}
	}
	return s, nil
})

func schemasOf(t testing.TB) *schemas {
	t.Helper()
	s, err := loadSchemas()
	require.NoError(t, err)
	require.NotEmpty(t, s.raw)
	return s
}

// eachObject calls f for every schema in v that describes an object's keys:
// those in an if or a then only add to one.
func eachObject(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		_, keys := v["properties"].(map[string]any)
		if v["type"] == "object" && keys {
			f(v)
		}
		for _, below := range v {
			eachObject(below, f)
		}
	case []any:
		for _, below := range v {
			eachObject(below, f)
		}
	}
}

// validate returns why a document is not what a schema says, nil where it is.
func (s *schemas) validate(name string, document []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return err
	}
	return s.compiled[name].Validate(v)
}

// methodOf returns the registry's entry of a method.
func methodOf(t testing.TB, name string) (abi.Method, bool) {
	t.Helper()
	for _, m := range abi.Methods() {
		if m.Name == name {
			return m, true
		}
	}
	return abi.Method{}, false
}

func TestEveryMethodHasItsSchemas(t *testing.T) {
	s := schemasOf(t)
	require.NotEmpty(t, abi.Methods())
	for _, m := range abi.Methods() {
		assert.Contains(t, s.compiled, m.Request, m.Name)
		assert.Contains(t, s.compiled, m.Answer, m.Name)
	}
}

// TestExamplesMatchSchemas validates the documents of the page.
func TestExamplesMatchSchemas(t *testing.T) {
	s := schemasOf(t)
	var asking abi.Context // apart from the examples' handles
	for _, e := range runPage(t, nil) {
		t.Run(e.name, func(t *testing.T) {
			m, known := methodOf(t, e.method)
			if known && (refusalOf(t, &asking, e.method, e.request, e.out, e.ok) == refusal{}) {
				assert.NoError(t, s.validate(m.Request, []byte(e.request)))
			}
			if e.ok {
				require.True(t, known)
				assert.NoError(t, s.validate(m.Answer, e.out))
			} else {
				assert.NoError(t, s.validate("error.json", e.out))
			}
		})
	}
}

// TestSchemasAreDescribed wants a description on every schema file and key, the
// dialect, a relative $id that is the file's name, and no other host.
func TestSchemasAreDescribed(t *testing.T) {
	for name, raw := range schemasOf(t).raw {
		top := raw.(map[string]any)
		assert.Equal(t, "https://json-schema.org/draft/2020-12/schema", top["$schema"], name)
		assert.Equal(t, name, top["$id"])
		assert.NotEmpty(t, top["title"], name)
		assert.NotEmpty(t, top["description"], name)
		eachObject(raw, func(object map[string]any) {
			for key, value := range object["properties"].(map[string]any) {
				description, _ := value.(map[string]any)["description"].(string)
				assert.True(t, strings.HasSuffix(description, "."), "%s: %s has no description that is a sentence", name, key)
			}
		})
		text, err := json.Marshal(raw)
		require.NoError(t, err)
		assert.Equal(t, 1, bytes.Count(text, []byte("://")), name)
	}
}

// TestRequestSchemasAreClosed wants additionalProperties to be spelt out where
// documents come in: false but for server replies and what others made.
func TestRequestSchemasAreClosed(t *testing.T) {
	s := schemasOf(t)
	files := map[string]bool{}
	for _, m := range abi.Methods() {
		collectFiles(s, m.Request, files)
	}
	for name := range files {
		eachObject(s.raw[name], func(object map[string]any) {
			assert.Equal(t, name == "hello.json" || name == "error-reply.json" || name == "imported-document.json", object["additionalProperties"], "%s: %v", name, object["properties"])
		})
	}
	assert.Contains(t, files, "hello.json")
}

// collectFiles adds a schema file and those it refers to.
func collectFiles(s *schemas, name string, files map[string]bool) {
	if files[name] {
		return
	}
	files[name] = true
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				if file, _, _ := strings.Cut(ref, "#"); file != "" {
					collectFiles(s, file, files)
				}
			}
			for _, below := range v {
				walk(below)
			}
		case []any:
			for _, below := range v {
				walk(below)
			}
		}
	}
	walk(s.raw[name])
}

// TestNoSchemaIsLost wants every file to be a method's, or part of one.
func TestNoSchemaIsLost(t *testing.T) {
	s := schemasOf(t)
	files := map[string]bool{"error.json": true}
	for _, m := range abi.Methods() {
		collectFiles(s, m.Request, files)
		collectFiles(s, m.Answer, files)
	}
	for name := range s.raw {
		assert.Contains(t, files, name)
	}
}
