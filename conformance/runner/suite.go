package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// suite is a named set of cases, from one folder or file.
type suite struct {
	name     string
	files    []string // found
	cases    []testCase
	mustHave bool // no files is a failure
}

// testCase is one case of one file: a few calls and what is expected of them.
type testCase struct {
	file    string
	name    string
	typed   bool // also sent through the typed APIs
	fresh   bool // asked of a testee that was not asked anything before
	steps   []step
	finish  func([]reply) error // judges all answers together; may be nil
	loadErr error               // the case cannot be read: it fails everywhere
}

// step is one call.
type step struct {
	method string
	in     []byte
	base64 bool
	probe  string
	check  func(reply) error
}

// loadSuites reads every suite the options ask for, in the order of the report.
func loadSuites(o *options) []suite {
	var suites []suite
	for _, official := range []struct {
		name string
		load func(file string, data []byte) testCase
	}{
		{"server-selection/server_selection", loadSelectionCase},
		{"server-selection/in_window", loadInWindowCase},
		{"max-staleness", loadSelectionCase},
	} {
		s := suite{name: official.name, mustHave: o.mustHaveSpec}
		s.files = jsonFiles(officialFolder(o.specTests, official.name))
		for _, file := range s.files {
			s.cases = append(s.cases, readCase(file, official.load))
		}
		suites = append(suites, s)
	}
	suites = append(suites, loadFieldCases(o))
	suites = append(suites, loadVectors(o.vectors)...)
	return slices.DeleteFunc(suites, func(s suite) bool { return !strings.Contains(s.name, o.only) })
}

// officialFolder finds a suite below root, which is either a folder of suites
// or a checkout of mongodb/specifications.
func officialFolder(root, suite string) string {
	first, rest, _ := strings.Cut(suite, "/")
	checkout := filepath.Join(root, "source", first, "tests", rest)
	if info, err := os.Stat(checkout); err == nil && info.IsDir() {
		return checkout
	}
	return filepath.Join(root, suite)
}

// jsonFiles lists the JSON files below a folder, sorted; none if there is no such folder.
func jsonFiles(folder string) []string {
	var files []string
	filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".json" {
			files = append(files, path)
		}
		return nil // an unreadable folder has no files, which the suite reports
	})
	slices.Sort(files)
	return files
}

// readCase reads one official file, which is one case.
func readCase(file string, load func(file string, data []byte) testCase) testCase {
	data, err := os.ReadFile(file)
	if err != nil {
		return testCase{file: file, loadErr: err}
	}
	return load(file, data)
}
