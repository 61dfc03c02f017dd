package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// score counts the mutants of a package.
type score struct {
	Mutants    int `json:"mutants"`
	Tried      int `json:"tried"`
	Killed     int `json:"killed"`
	Equivalent int `json:"equivalent"`
	Survived   int `json:"survived"`
}

// readEquivalent reads the names of mutants that change nothing. The file has a
// proof in lines that begin with "# ", then the names that it is of.
func readEquivalent(path string) (map[string]string, error) {
	list := map[string]string{}
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	proof, inProof := "", false
	for _, line := range lines {
		text, isProof := strings.CutPrefix(line, "# ")
		switch {
		case isProof && inProof:
			proof += " " + text
		case isProof:
			proof, inProof = text, true
		case line == "":
			proof, inProof = "", false
		default:
			inProof = false
			if proof == "" {
				return nil, fmt.Errorf("%s: no proof for %s", path, line)
			}
			list[strings.TrimSpace(line)] = proof // what is left out has nothing behind the arrow
		}
	}
	return list, nil
}

// summary prints and writes what became of the mutants that the sources have now.
func (s *settings) summary(in *instrumented, verdicts string) error {
	known, err := readVerdicts(verdicts)
	if err != nil {
		return err
	}
	equivalent, err := readEquivalent(filepath.Join(s.root, s.equivalent))
	if err != nil {
		return err
	}
	scores := map[string]*score{} // those of other packages stay
	if b, err := os.ReadFile(filepath.Join(s.root, "docs", "testing", "mutation.json")); err == nil {
		if err := json.Unmarshal(b, &scores); err != nil {
			return err
		}
	}
	for _, p := range s.packages {
		scores[p] = &score{}
	}
	for _, m := range in.mutants {
		c := scores[m.pkg()]
		c.Mutants++
		v, done := known[m.ID()]
		if !done {
			continue
		}
		c.Tried++
		_, same := equivalent[strings.TrimSpace(m.ID())]
		switch {
		case v.Outcome == "killed" && same:
			return fmt.Errorf("%s is said to be equivalent and was killed by %s: %s", m.ID(), v.By, v.Why)
		case v.Outcome == "killed":
			c.Killed++
		case same:
			c.Equivalent++
		default:
			c.Survived++
		}
	}
	for _, p := range s.packages {
		c := scores[p]
		fmt.Printf("%-16s %4d mutants, %4d tried: %4d killed, %3d equivalent, %3d survived\n", p, c.Mutants, c.Tried, c.Killed, c.Equivalent, c.Survived)
	}
	b, err := json.MarshalIndent(scores, "", "  ")
	if err != nil {
		return err
	}
	record := filepath.Join(s.root, "docs", "testing")
	if err := os.MkdirAll(record, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(record, "mutation.json"), append(b, '\n'), 0o644)
}
