package docs_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/abi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answered is an example of the page and what the engine answers.
type answered struct {
	example
	out []byte
	ok  bool
}

// runPage answers every example of the page in order, in one fresh Context:
// handles live from one example to the next, and their numbers are known. edit,
// where it is not nil, changes a request that is JSON first.
func runPage(t *testing.T, edit func(request string) []byte) []answered {
	t.Helper()
	var context abi.Context
	var list []answered
	for _, e := range readPage(t) {
		request := []byte(e.request)
		if edit != nil && json.Valid(request) {
			request = edit(e.request)
		}
		out, ok := context.Answer(e.method, request)
		list = append(list, answered{e, bytes.Clone(out), ok})
	}
	return list
}

// TestExamples runs every example of the page. Answers are compared byte for
// byte once the line breaks of the page are taken out.
func TestExamples(t *testing.T) {
	compacted := runPage(t, func(request string) []byte { return compact(t, request) })
	for i, e := range runPage(t, nil) {
		t.Run(e.name, func(t *testing.T) {
			answer, ok := e.out, e.ok
			assert.Equal(t, string(answer), string(compacted[i].out), "white space changed the answer")
			assert.Equal(t, ok, compacted[i].ok)
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
	text := pageText(t)
	headings := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		if title := strings.TrimLeft(line, "#"); title != line {
			headings[anchor(title)] = true
		}
	}
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1)
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
