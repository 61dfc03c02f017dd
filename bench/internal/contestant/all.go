package contestant

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The metrics, as the protocol has them.
const (
	Pick   = "pick"   // plan pick: handles, nothing has changed
	Cold   = "cold"   // the whole selection, no plan
	Update = "update" // a new description, and the first pick on it
	JSON   = "json"   // the method select, documents in and out
	Decode = "decode" // encoding/json reads the request of select
	Whole  = "whole"  // PyMongo's Topology.select_server, with its lock and bookkeeping
)

// NotRun is a contestant that is not there, and why.
type NotRun struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// All returns the contestants that build, the repository's folder build, has,
// and those it has not.
func All(build, sources string) ([]Contestant, []NotRun, error) {
	at := func(name ...string) string { return filepath.Join(append([]string{build, "bench"}, name...)...) }
	node := os.Getenv("NODE")
	if node == "" {
		node = "node"
	}
	handles := []string{Pick, Cold, Update, JSON}
	all := []Contestant{
		{Name: "go", Label: "readpref Go", Metrics: append(handles[:4:4], Decode), WarmUp: 50 * time.Millisecond,
			Command: []string{at("readpref-go")}},
		{Name: "c", Label: "readpref C, libreadpref", Metrics: handles, WarmUp: 50 * time.Millisecond,
			Command: []string{at("readpref-c")}},
		{Name: "portable", Label: "readpref C, libreadpref_portable", Metrics: handles, WarmUp: 50 * time.Millisecond,
			Command: []string{at("readpref-portable")}},
		{Name: "wazero", Label: "readpref wazero", Metrics: handles, WarmUp: 50 * time.Millisecond,
			Command: []string{at("readpref-wazero"), at("lib", "readpref.wasm"), at("wazero-cache")}},
		{Name: "python", Label: "readpref Python", Metrics: handles, WarmUp: 50 * time.Millisecond,
			Command: []string{at("venv", "bin", "python"), "-B", filepath.Join(sources, "readpref", "python", "runner.py")}},
		{Name: "node", Label: "readpref Node.js", Metrics: handles, WarmUp: 600 * time.Millisecond,
			Command: []string{node, at("node", "readpref-node.mjs")}},

		{Name: "peer-go", Label: "Go driver", Peer: true, Metrics: []string{Cold}, WarmUp: 100 * time.Millisecond,
			Command: []string{at("peer-go")}, Env: []string{"GOGC=1000"}},
		{Name: "peer-python", Label: "PyMongo", Peer: true, Metrics: []string{Cold, Whole}, WarmUp: 50 * time.Millisecond,
			Command: []string{at("venv", "bin", "python"), "-B", filepath.Join(sources, "peers", "python", "runner.py")}},
		{Name: "peer-node", Label: "Node.js driver", Peer: true, Metrics: []string{Cold}, WarmUp: 600 * time.Millisecond,
			Command: []string{node, at("node", "peer-node.mjs")}},
		{Name: "peer-java", Label: "Java driver", Peer: true, Metrics: []string{Cold}, WarmUp: 1500 * time.Millisecond,
			Command: []string{"java", "-cp", at("java", "classes") + ":" + at("java", "lib", "*"), "com.mongodb.internal.connection.Runner"}},
		{Name: "peer-rust", Label: "Rust driver", Peer: true, Metrics: []string{Cold}, WarmUp: 50 * time.Millisecond,
			Command: []string{at("rust", "target", "release", "readpref-bench-rust")}},
	}
	notRun, err := readNotRun(at("not-run"))
	if err != nil {
		return nil, nil, err
	}
	var present []Contestant
	for _, c := range all {
		if why := absent(c.Name, notRun); why == "" {
			present = append(present, c)
		}
	}
	return present, notRun, nil
}

// absent says why a contestant is not run. setup.sh brings Python and Node for
// our package and the driver together.
func absent(name string, notRun []NotRun) string {
	for _, n := range notRun {
		if n.Name == name || "peer-"+n.Name == name {
			return n.Why
		}
	}
	return ""
}

func readNotRun(path string) ([]NotRun, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []NotRun
	for line := range strings.Lines(string(text)) {
		name, why, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("%s: the line %q", path, line)
		}
		list = append(list, NotRun{name, why})
	}
	return list, nil
}

// BareCgo is not compared with anything: a call from C into Go that does nothing.
func BareCgo(build string) Contestant {
	return Contestant{Name: "bare-cgo", Label: "bare cgo callback", Metrics: []string{Pick}, WarmUp: 50 * time.Millisecond,
		Command: []string{filepath.Join(build, "bench", "bare-cgo")}}
}
