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
	build  func(earlier []reply) ([]byte, error) // in place of in: made of what was answered to the steps before
	base64 bool
	probe  string
	check  func(reply) error
}

// loadSuites reads every suite the options ask for, in the order of the report.
func loadSuites(o *options) []suite {
	var suites []suite
	for _, official := range officialSuites {
		folder := officialFolder(o.specTests, official.name)
		s := suite{name: official.name, mustHave: o.mustHaveSpec, files: jsonFiles(folder)}
		load := official.load(folder)
		for _, file := range s.files {
			s.cases = append(s.cases, readCases(file, load)...)
		}
		suites = append(suites, s)
	}
	suites = append(suites, loadFieldCases(o)...)
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

// loader makes cases of an official file.
type loader func(file string, data []byte) []testCase

// officialSuites are the suites of the specifications that the runner knows,
// in the order of the report. load is given the suite's folder.
var officialSuites = []struct {
	name string
	load func(folder string) loader
}{
	{"server-selection/server_selection", each(loadSelectionCase)},
	{"server-selection/in_window", each(loadInWindowCase)},
	{"server-selection/rtt", each(loadRTTCase)},
	{"max-staleness", each(loadSelectionCase)},
	{"server-discovery-and-monitoring/rs", each(loadSDAMCase)},
	{"server-discovery-and-monitoring/single", each(loadSDAMCase)},
	{"server-discovery-and-monitoring/sharded", each(loadSDAMCase)},
	{"server-discovery-and-monitoring/load-balanced", each(loadSDAMCase)},
	{"server-discovery-and-monitoring/errors", each(loadSDAMCase)},
	{"server-discovery-and-monitoring/monitoring", each(loadSDAMCase)},
	{"connection-string", many(loadURIFile)},
	{"uri-options", many(loadURIFile)},
	{"initial-dns-seedlist-discovery/replica-set", withZone},
	{"initial-dns-seedlist-discovery/load-balanced", withZone},
	{"initial-dns-seedlist-discovery/sharded", withZone},
}

// each is for suites whose files are one case each.
func each(load func(file string, data []byte) testCase) func(string) loader {
	return many(func(file string, data []byte) []testCase { return []testCase{load(file, data)} })
}

func many(load loader) func(string) loader { return func(string) loader { return load } }

// withZone is for the suites that are resolved with zone.json.
func withZone(folder string) loader {
	z, err := readZone(folder)
	return func(file string, data []byte) []testCase { return []testCase{loadDNSCase(z, err, file, data)} }
}

func readCases(file string, load loader) []testCase {
	data, err := os.ReadFile(file)
	if err != nil {
		return []testCase{{file: file, name: "the whole file", loadErr: err}}
	}
	return load(file, data)
}
