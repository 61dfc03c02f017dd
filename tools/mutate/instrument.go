package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const module = "github.com/readpref/readpref"

// switches is the package that mutants ask whether they are on; it exists in the
// overlay only. MUTANT is the number of the one that is on; MUTANT_REACHED names a
// file that is told which were asked.
const switches = `// Package mutant__ switches mutants on.
package mutant__

import (
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
)

var (
	active, _ = strconv.Atoi(os.Getenv("MUTANT"))
	reached   [1 << 16]atomic.Bool
	record    *os.File
)

func init() {
	if name := os.Getenv("MUTANT_REACHED"); name != "" {
		record, _ = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	}
	signal.Reset(syscall.SIGXCPU)
}

func note(n int) {
	if !reached[n].Swap(true) {
		record.WriteString(strconv.Itoa(n) + "\n")
	}
}

// On reports whether a mutant is on.
func On(n int) bool {
	if record != nil {
		note(n)
	}
	return active == n
}

// None reports whether none of these is.
func None(list ...int) bool {
	for _, n := range list {
		if On(n) {
			return false
		}
	}
	return true
}

// Value is the other value where the mutant is on.
func Value[T any](n int, other, value T) T {
	if On(n) {
		return other
	}
	return value
}
`

// instrumented is the module with all mutants of some packages compiled in.
type instrumented struct {
	root, work string
	mutants    []*mutant
	overlay    string
}

// instrument writes the overlay; skip are mutants that do not compile.
func instrument(root, work string, packages []string, skip map[string]bool) (*instrumented, error) {
	out := &instrumented{root: root, work: work, overlay: filepath.Join(work, "overlay.json")}
	replace := map[string]string{}
	write := func(path, text string) error {
		to := filepath.Join(work, "source", strings.ReplaceAll(path, "/", "_"))
		replace[filepath.Join(root, path)] = to
		return os.WriteFile(to, []byte(text), 0o644)
	}
	if err := os.MkdirAll(filepath.Join(work, "source"), 0o755); err != nil {
		return nil, err
	}
	// A module of its own, so that ./... of ours does not find it.
	if err := os.WriteFile(filepath.Join(work, "source", "go.mod"), []byte("module mutants\n"), 0o644); err != nil {
		return nil, err
	}
	if err := write("core/internal/mutant__/mutant.go", switches); err != nil {
		return nil, err
	}
	exports, err := exportData(root)
	if err != nil {
		return nil, err
	}
	next := 1
	for _, p := range packages {
		if err := out.one(p, exports, &next, skip, write); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return out, os.WriteFile(out.overlay, b, 0o644)
}

// exportData finds the compiled packages that types are read from.
func exportData(root string) (map[string]string, error) {
	c := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./core/...")
	c.Dir = root
	b, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			list[path] = file
		}
	}
	return list, nil
}

// generated and mechanical files are not what the tests are about.
var notMutated = regexp.MustCompile(`_test\.go$|_easyjson\.go$|^doc\.go$`)

func (out *instrumented) one(pkg string, exports map[string]string, next *int, skip map[string]bool, write func(path, text string) error) error {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(out.root, pkg, "*.go"))
	if err != nil {
		return err
	}
	var files []*ast.File
	sources := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files, sources[name] = append(files, file), source
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	checked, err := config.Check(module+"/"+pkg, fset, files, info)
	if err != nil {
		return err
	}
	for _, file := range files {
		name := fset.Position(file.Package).Filename
		if notMutated.MatchString(filepath.Base(name)) {
			continue
		}
		f := &finder{fset: fset, file: fset.File(file.Package), source: sources[name], info: info, pkg: checked,
			path: pkg + "/" + filepath.Base(name), next: next, skip: skip, seen: map[string]int{}}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				f.function = fn.Name.Name
				f.walk(fn.Body)
			}
		}
		f.insert(file.Name.End(), "; import mutant__ %q", module+"/core/internal/mutant__")
		f.insertions = append(f.insertions, insertion{len(f.source), "\nvar _ = mutant__.On\n"})
		if err := write(f.path, f.rewritten()); err != nil {
			return err
		}
		out.mutants = append(out.mutants, f.mutants...)
	}
	return nil
}

// rewritten is the source with the insertions. Those at one place come in the
// order of the walk, which goes from the outside to the inside, but for ends,
// which close from the inside.
func (f *finder) rewritten() string {
	closes := func(i insertion) bool { return strings.HasPrefix(i.text, ")") || strings.HasPrefix(i.text, " }") }
	order := make([]int, len(f.insertions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := f.insertions[a], f.insertions[b]
		switch {
		case x.at != y.at:
			return x.at - y.at
		case closes(x) && closes(y):
			return b - a
		case closes(x):
			return -1
		case closes(y):
			return 1
		}
		return a - b
	})
	var b bytes.Buffer
	at := 0
	for _, i := range order {
		b.Write(f.source[at:f.insertions[i].at])
		b.WriteString(f.insertions[i].text)
		at = f.insertions[i].at
	}
	b.Write(f.source[at:])
	return b.String()
}
