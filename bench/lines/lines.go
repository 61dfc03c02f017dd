// Package lines is the protocol between the bench and its contestants, for the
// contestants that are written in Go. README.md describes it.
//
// A contestant measures nothing: it does one thing n times when it is told to.
// The bench reads the processor time of the contestant's process from outside,
// so that every language is measured by the same clock.
package lines

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Documents are the requests of one case, as readpref takes them.
type Documents struct {
	Select     string // of the method select: the whole case
	Open       string // of topology.open
	Preference string // of readpref.open
}

// Work does something n times: with threads above 1 on each of so many threads
// n times, all on one topology, or each on one of its own.
type Work func(n, threads int, own bool) error

// Loaded is a case that is ready to be run.
type Loaded struct {
	Window []string // the addresses in the latency window, as a selection says
	Picked []string // those that a plan picks; nil where there are no plans
	Works  map[string]Work
}

// Once makes a Work of something that has no threads.
func Once(f func(n int) error) Work {
	return func(n, threads int, _ bool) error {
		if threads != 1 {
			return fmt.Errorf("runs on one thread")
		}
		return f(n)
	}
}

// Serve answers the lines of standard input until it ends.
func Serve(load func(Documents) (*Loaded, error)) {
	if err := serve(os.Stdin, os.Stdout, load); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type answer struct {
	Window []string `json:"window,omitempty"`
	Picked []string `json:"picked,omitempty"`
	Done   int      `json:"done,omitempty"`
	Allocs *float64 `json:"allocs,omitempty"`
	Error  string   `json:"error,omitempty"`
}

func serve(in io.Reader, out io.Writer, load func(Documents) (*Loaded, error)) error {
	lines := bufio.NewReaderSize(in, 1<<20)
	answers := json.NewEncoder(out)
	var loaded *Loaded
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var a answer
		switch {
		case words[0] == "load" && len(words) == 4:
			if loaded, err = load(Documents{words[1], words[2], words[3]}); err == nil {
				a.Window, a.Picked = loaded.Window, loaded.Picked
			}
		case words[0] == "run" && len(words) == 5:
			a, err = run(loaded, words[1:], false)
		case words[0] == "allocs" && len(words) == 5:
			a, err = run(loaded, words[1:], true)
		default:
			err = fmt.Errorf("cannot %q with %d arguments", words[0], len(words)-1)
		}
		if err != nil {
			a = answer{Error: err.Error()}
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

func run(loaded *Loaded, words []string, count bool) (answer, error) {
	n, err := strconv.Atoi(words[1])
	if err != nil {
		return answer{}, err
	}
	threads, err := strconv.Atoi(words[2])
	if err != nil {
		return answer{}, err
	}
	if loaded == nil {
		return answer{}, fmt.Errorf("run before load")
	}
	work := loaded.Works[words[0]]
	if work == nil {
		return answer{}, fmt.Errorf("has no %s", words[0])
	}
	if !count {
		return answer{Done: n}, work(n, threads, words[3] == "own")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = work(n, threads, words[3] == "own")
	runtime.ReadMemStats(&after)
	allocs := float64(after.Mallocs-before.Mallocs) / float64(n)
	return answer{Done: n, Allocs: &allocs}, err
}
