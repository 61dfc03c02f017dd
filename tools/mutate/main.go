// Command mutate changes core/ in one small place after another and asks the
// tests whether they notice: make mutate.
//
// All mutants of a package are compiled into its tests at once, each behind a
// switch, so that trying one costs no compilation. They exist in an overlay of
// the compiler; no source file is touched. Which mutants a program reaches is
// recorded first, and those it does not reach are not tried with it.
//
// Verdicts are appended to a file as they come, and a run goes on where an
// earlier one ended. The order is shuffled by a seed, so what is done of a run
// that was ended is a fair sample.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	var s settings
	flag.StringVar(&s.root, "root", ".", "the module's root")
	flag.StringVar(&s.work, "work", "build/mutate", "folder for what is built, and for verdicts.jsonl")
	packages := flag.String("packages", "core/readpref,core/selection,core/sdam,core/connstring", "what is mutated")
	flag.Uint64Var(&s.seed, "seed", 1, "of the order")
	flag.IntVar(&s.parallel, "parallel", 2, "how many are tried at a time")
	flag.DurationVar(&s.budget, "budget", time.Hour, "no mutant is begun after this")
	flag.StringVar(&s.only, "only", "", "only mutants whose name contains this, tried again")
	flag.BoolVar(&s.again, "survivors", false, "try only the survivors of earlier runs, again")
	flag.StringVar(&s.equivalent, "equivalent", "tools/mutate/equivalent.txt", "the mutants that change nothing, with the proof")
	flag.BoolVar(&s.quick, "quick", false, "ask only the package's own tests, with few random cases; with -survivors with all")
	flag.BoolVar(&s.list, "list", false, "list the mutants")
	flag.Parse()
	s.packages = strings.Split(*packages, ",")
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

type settings struct {
	root, work, only, equivalent string
	packages                     []string
	seed                         uint64
	parallel                     int
	budget                       time.Duration
	again, list, quick           bool
}

func (s *settings) run() (err error) {
	if s.root, err = filepath.Abs(s.root); err != nil {
		return err
	}
	if s.work, err = filepath.Abs(s.work); err != nil {
		return err
	}
	in, judges, err := s.build()
	if err != nil {
		return err
	}
	file := filepath.Join(s.work, "verdicts.jsonl")
	known, err := readVerdicts(file)
	if err != nil {
		return err
	}
	revision, err := s.revision()
	if err != nil {
		return err
	}
	var todo []*mutant
	for _, m := range in.mutants {
		v, done := known[m.ID()]
		switch {
		case s.only != "":
			if strings.Contains(m.ID(), s.only) {
				todo = append(todo, m)
			}
		case s.again && done && v.Outcome != "killed", !s.again && !done:
			todo = append(todo, m)
		}
	}
	slices.SortFunc(todo, func(a, b *mutant) int { return a.Number - b.Number })
	rand.New(rand.NewPCG(s.seed, 0)).Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	fmt.Printf("%d mutants, %d to try\n", len(in.mutants), len(todo))
	if err := s.judgeAll(todo, judges, file, revision); err != nil {
		return err
	}
	return s.summary(in, file)
}

// build compiles the judges, leaving out mutants that do not compile.
func (s *settings) build() (*instrumented, map[string]*judge, error) {
	skip := map[string]bool{}
	for range 30 {
		in, err := instrument(s.root, s.work, s.packages, skip)
		if err != nil {
			return nil, nil, err
		}
		judges := map[string]*judge{}
		var broken *buildError
		for _, p := range s.packages {
			for i, name := range judgesOf[p] {
				if judges[name] != nil || s.quick && i > 0 {
					continue
				}
				if judges[name], err = in.buildJudge(name, s.quick && !s.again); errors.As(err, &broken) {
					break
				} else if err != nil {
					return nil, nil, err
				}
			}
			if broken != nil {
				break
			}
		}
		if broken == nil {
			if s.list {
				return in, nil, nil
			}
			for _, j := range judges {
				if err := j.prepare(s.work); err != nil {
					return nil, nil, err
				}
			}
			return in, judges, nil
		}
		list := in.broken(broken)
		if len(list) == 0 {
			return nil, nil, broken
		}
		for _, id := range list {
			skip[id] = true
		}
	}
	return nil, nil, errors.New("too many mutants do not compile")
}

// revision names the sources that verdicts are about.
func (s *settings) revision() (string, error) {
	h := sha256.New()
	for _, p := range s.packages {
		names, err := filepath.Glob(filepath.Join(s.root, p, "*.go"))
		if err != nil {
			return "", err
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			h.Write(b)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}

func (s *settings) judgeAll(todo []*mutant, judges map[string]*judge, path, revision string) error {
	if s.list {
		for _, m := range todo {
			fmt.Printf("%d %s\n", m.Line, m.ID())
		}
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	end := time.Now().Add(s.budget)
	work := make(chan *mutant)
	var wait sync.WaitGroup
	var lock sync.Mutex
	var failed error
	for range s.parallel {
		wait.Go(func() {
			for m := range work {
				v := judgeOne(m, judges)
				v.Revision = revision
				b, err := json.Marshal(v)
				lock.Lock()
				if err == nil {
					_, err = file.Write(append(b, '\n'))
				}
				failed = errors.Join(failed, err)
				if v.Outcome != "killed" {
					fmt.Printf("%s  %s (line %d)\n", v.Outcome, v.ID, v.Line)
				}
				lock.Unlock()
			}
		})
	}
	for _, m := range todo {
		if time.Now().After(end) {
			break
		}
		work <- m
	}
	close(work)
	wait.Wait()
	return errors.Join(failed, file.Close())
}
