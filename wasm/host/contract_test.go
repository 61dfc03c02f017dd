package host_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
)

// The module exports and imports what ../exports.txt lists, and nothing else.
func TestExportsAndImports(t *testing.T) {
	m := shared.Module()
	var got []string
	for name, f := range m.ExportedFunctions() {
		got = append(got, "export func "+name+signature(f))
	}
	for name := range m.ExportedMemories() {
		got = append(got, "export memory "+name)
	}
	for _, f := range m.ImportedFunctions() {
		from, name, _ := f.Import()
		got = append(got, "import func "+from+"."+name+signature(f))
	}
	for _, memory := range m.ImportedMemories() {
		from, name, _ := memory.Import()
		got = append(got, "import memory "+from+"."+name)
	}
	slices.Sort(got)
	assert.Equal(t, listed(t, "../exports.txt"), got)
}

func signature(f api.FunctionDefinition) string {
	types := func(list []api.ValueType) string {
		var names []string
		for _, v := range list {
			names = append(names, api.ValueTypeName(v))
		}
		return strings.Join(names, ", ")
	}
	return strings.TrimSpace(fmt.Sprintf("(%s) %s", types(f.ParamTypes()), types(f.ResultTypes())))
}

// What the module links beside Go's runtime is what ../packages.txt lists.
func TestPackages(t *testing.T) {
	runtime := dependencies(t, "runtime")
	var got []string
	for _, name := range dependencies(t, "..") {
		// Packages internal to the standard library come with others only, and
		// change from one release of Go to the next.
		if !slices.Contains(runtime, name) && !strings.HasPrefix(name, "internal/") {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	assert.Equal(t, listed(t, "../packages.txt"), got)
}

// The list itself must not let in what would double the module.
func TestHeavyPackagesAreNotListed(t *testing.T) {
	linked := dependencies(t, "..")
	for _, name := range []string{"os", "fmt", "reflect", "time", "syscall", "encoding/json", "github.com/mailru/easyjson"} {
		assert.NotContains(t, linked, name)
	}
}

func dependencies(t *testing.T, name string) []string {
	t.Helper()
	list := exec.Command("go", "list", "-deps", name)
	list.Env = wasip1()
	out, err := list.Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

// listed returns a file's lines, sorted, without comments.
func listed(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}
