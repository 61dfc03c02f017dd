// Package docs_test holds docs/json.md and docs/schema to what the engine does:
// it runs every example of the page and checks that the schemas accept the
// documents that the engine accepts, and no others.
//
// Nothing here writes an expected value: the answers on the page were worked
// out by hand, and a change of the engine that changes one must be argued there.
package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

var (
	pagePath  = filepath.Join(root, "docs", "json.md")
	schemaDir = filepath.Join(root, "docs", "schema")
)

// example is a request on the page and what the page says of its answer.
type example struct {
	name    string
	method  string
	request string
	answer  string // "" where the page shows parts of it only
	parts   []part
}

// part is the value of one key of an answer.
type part struct {
	key    string
	value  string
	asText bool // the block shows what the JSON string says
}

// The comments that stand before each block of code on the page.
var (
	requestMark = regexp.MustCompile(`^<!-- example ([a-z-]+): ([a-z_.]+) request -->$`)
	answerMark  = regexp.MustCompile(`^<!-- example ([a-z-]+): answer -->$`)
	partMark    = regexp.MustCompile(`^<!-- example ([a-z-]+): answer at ([a-zA-Z]+) -->$`)
	pairsMark   = regexp.MustCompile(`^<!-- examples: ([a-zA-Z_.]+) -->$`)
)

func pageText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(pagePath)
	require.NoError(t, err)
	return string(text)
}

// readPage returns the examples of the page, in order. A block of code that no
// comment marks, and a comment that marks nothing, fail the test.
func readPage(t *testing.T) []example {
	t.Helper()
	var list []example
	named := map[string]int{}
	find := func(name string) *example {
		i, ok := named[name]
		require.True(t, ok, "the answer of example %q comes before its request", name)
		return &list[i]
	}
	lines := strings.Split(pageText(t), "\n")
	mark := ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "<!--"):
			require.Empty(t, mark, "line %d: two comments and one block", i+1)
			mark = line
		case strings.HasPrefix(line, "```"):
			language := strings.TrimPrefix(line, "```")
			from := i + 1
			for i++; i < len(lines) && lines[i] != "```"; i++ {
			}
			require.Less(t, i, len(lines), "line %d: a block without an end", from)
			block := strings.Join(lines[from:i], "\n") + "\n"
			if m := requestMark.FindStringSubmatch(mark); m != nil {
				require.NotContains(t, named, m[1], "line %d: two examples of one name", from)
				named[m[1]] = len(list)
				list = append(list, example{name: m[1], method: m[2], request: block})
			} else if m := answerMark.FindStringSubmatch(mark); m != nil {
				e := find(m[1])
				require.Empty(t, e.answer, "line %d: two answers of one example", from)
				e.answer = block
			} else if m := partMark.FindStringSubmatch(mark); m != nil {
				e := find(m[1])
				e.parts = append(e.parts, part{key: m[2], value: block, asText: language == "text"})
			} else if m := pairsMark.FindStringSubmatch(mark); m != nil {
				list = append(list, pairs(t, m[1], block)...)
			} else {
				require.Fail(t, "a block that no comment marks", "line %d, after %q", from, mark)
			}
			mark = ""
		case strings.TrimSpace(line) != "":
			require.Empty(t, mark, "line %d: the comment before marks no block", i+1)
		}
	}
	require.Empty(t, mark, "the last comment marks no block")
	for _, e := range list {
		require.True(t, e.answer != "" || len(e.parts) > 0, "example %q has no answer", e.name)
	}
	return list
}

// pairs reads requests and answers in turn, an empty line between two pairs.
// Only the first line of each begins at the margin.
func pairs(t *testing.T, method, block string) []example {
	t.Helper()
	var list []example
	for _, pair := range strings.Split(block, "\n\n") {
		var documents []string
		for _, line := range strings.SplitAfter(pair, "\n") {
			if line != "" && line[0] != ' ' && line[0] != '\n' {
				documents = append(documents, line)
			} else if line != "" {
				require.NotEmpty(t, documents, "a pair that begins with a space: %s", pair)
				documents[len(documents)-1] += line
			}
		}
		require.Len(t, documents, 2, "a request and its answer: %s", pair)
		list = append(list, example{name: method + " " + strings.TrimSpace(documents[0]), method: method,
			request: strings.TrimSpace(documents[0]), answer: documents[1]})
	}
	return list
}
