package docs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/abi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExamples runs every example of the page. Answers are compared byte for
// byte once the line breaks of the page are taken out.
func TestExamples(t *testing.T) {
	var context abi.Context // one for all, as hosts do
	for _, e := range readPage(t) {
		t.Run(e.name, func(t *testing.T) {
			answer, ok := context.Answer(e.method, []byte(e.request))
			answer = bytes.Clone(answer)
			if json.Valid([]byte(e.request)) {
				compacted, compactedOK := context.Answer(e.method, compact(t, e.request))
				assert.Equal(t, string(answer), string(compacted), "white space changed the answer")
				assert.Equal(t, ok, compactedOK)
			}
			if e.answer != "" {
				want := compact(t, e.answer)
				if e.method == "build_info" {
					want = withRelease(want)
				}
				assert.Equal(t, string(want), string(answer))
				assert.Equal(t, !bytes.HasPrefix(want, []byte(`{"error":`)), ok)
			}
			for _, p := range e.parts {
				require.True(t, ok, "%s", answer)
				checkPart(t, answer, p)
			}
		})
	}
}

func checkPart(t *testing.T, answer []byte, p part) {
	t.Helper()
	var keys map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(answer, &keys))
	require.Contains(t, keys, p.key)
	if !p.asText {
		assert.Equal(t, string(compact(t, p.value)), string(keys[p.key]))
		return
	}
	var text string
	require.NoError(t, json.Unmarshal(keys[p.key], &text))
	assert.Equal(t, p.value, text)
}

// compact takes the white space out of a document and changes nothing else.
func compact(t *testing.T, document string) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, []byte(document)), "%s", document)
	return b.Bytes()
}

var release = regexp.MustCompile(`"version":"\d+\.\d+\.\d+"`)

// withRelease lets the page name any release: VERSION is the one place of it.
func withRelease(answer []byte) []byte {
	return release.ReplaceAll(answer, []byte(`"version":"`+abi.Release+`"`))
}

// TestLinks holds the page's links to files and headings that exist.
func TestLinks(t *testing.T) {
	text, err := os.ReadFile(pagePath)
	require.NoError(t, err)
	headings := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if title := strings.TrimLeft(line, "#"); title != line {
			headings[anchor(title)] = true
		}
	}
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		if target, internal := strings.CutPrefix(link[1], "#"); internal {
			assert.Contains(t, headings, target)
			continue
		}
		assert.FileExists(t, root+"/docs/"+strings.TrimSuffix(link[1], "schema/")+ifSchema(link[1]))
	}
}

func ifSchema(link string) string {
	if link == "schema/" {
		return "schema/values.json"
	}
	return ""
}

// anchor returns the name that GitHub gives a heading.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(title)) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return b.String()
}
