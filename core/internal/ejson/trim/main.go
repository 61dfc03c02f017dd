// Command trim finishes a file that easyjson generated: it removes the import
// of easyjson's root package, which only a compile-time check uses and which
// would link net/http into every program that imports a description.
package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
)

var unwanted = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^// \+build .*\n`), // go vet wants the new form alone
	regexp.MustCompile(`(?m)^\s*easyjson "github.com/mailru/easyjson"\n`),
	regexp.MustCompile(`(?m)^\s*_ easyjson\.Marshaler\n`),
}

func main() {
	for _, name := range os.Args[1:] {
		if err := trim(name); err != nil {
			fmt.Fprintln(os.Stderr, "trim:", err)
			os.Exit(1)
		}
	}
}

func trim(name string) error {
	code, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(code, []byte("//go:build !wasip1 && !readpref_boundary\n")) {
		return fmt.Errorf("%s does not begin with //go:build !wasip1 && !readpref_boundary", name)
	}
	for _, u := range unwanted {
		if !u.Match(code) {
			return fmt.Errorf("%s: nothing matches %s", name, u)
		}
		code = u.ReplaceAll(code, nil)
	}
	return os.WriteFile(name, code, 0o644)
}
