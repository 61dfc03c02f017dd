package main

import (
	"fmt"
	"os"
	"strings"
)

// knownFailures are cases that a runtime is known to fail, for a testee that
// is not done yet. One that passes is a failure, so that the list stays true.
type knownFailures []*knownFailure

type knownFailure struct {
	runtime, suite, name string
	met                  bool // the case was run
}

// readKnownFailures reads lines of runtime | suite | case | reason; # begins a
// comment.
func readKnownFailures(file string) (k knownFailures, err error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		if len(parts) != 4 || parts[0] == "" || parts[1] == "" || parts[2] == "" || parts[3] == "" {
			return nil, fmt.Errorf("%s:%d: want runtime | suite | case | reason", file, n+1)
		}
		k = append(k, &knownFailure{runtime: parts[0], suite: parts[1], name: parts[2]})
	}
	return k, nil
}

// find gives the entry of a case, or nil.
func (k knownFailures) find(runtime, suite, name string) *knownFailure {
	for _, e := range k {
		if e.runtime == runtime && e.suite == suite && e.name == name {
			e.met = true
			return e
		}
	}
	return nil
}

// unmet lists the entries of suites that were run which name no case of theirs.
func (k knownFailures) unmet(rows []*row) []string {
	var list []string
	for _, e := range k {
		for _, r := range rows {
			if !e.met && r.Runtime == e.runtime && r.Suite == e.suite {
				list = append(list, fmt.Sprintf("%s | %s | %s", e.runtime, e.suite, e.name))
			}
		}
	}
	return list
}
