// Command gen writes what follows from the registry and from VERSION: the
// release constant and docs/methods.md. Run it by `go generate ./core/abi`;
// -check only reports stale files.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/readpref/readpref/core/abi"
)

func main() {
	check := flag.Bool("check", false, "report stale files instead of writing")
	root := flag.String("root", "../..", "the repository")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return err
	}
	outputs := map[string]string{
		"core/abi/version.go": fmt.Sprintf("// Code generated from VERSION by core/abi/gen. DO NOT EDIT.\n\npackage abi\n\n"+
			"// Release is the version of readpref, as the file VERSION has it.\nconst Release = %q\n", strings.TrimSpace(string(version))),
		"docs/methods.md": methods(),
	}
	for path, body := range outputs {
		full := filepath.Join(root, path)
		old, err := os.ReadFile(full)
		if err == nil && string(old) == body {
			continue
		}
		if check {
			return fmt.Errorf("%s is stale: run go generate ./core/abi", path)
		}
		if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func methods() string {
	var b strings.Builder
	b.WriteString("<!-- Code generated from core/abi's registry by core/abi/gen. DO NOT EDIT. -->\n# Methods\n\n" +
		"What `rp_call` answers, in every runtime. The documents are described in [json.md](json.md) and, as JSON Schema, in [schema/](schema/).\n\n" +
		"| method | since ABI | answers | request | answer |\n|---|---|---|---|---|\n")
	for _, m := range abi.Methods() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | [%[4]s](schema/%[4]s) | [%[5]s](schema/%[5]s) |\n", m.Name, m.Since, m.Summary, m.Request, m.Answer)
	}
	return b.String()
}
