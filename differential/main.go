// Command differential asks the official MongoDB drivers and readpref the same
// questions and accounts for every answer that differs. README.md says how.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// command is a peer to start, given as name=command line.
type command struct {
	name  string
	words []string
}

type commands []command

func (c *commands) String() string { return "" }

func (c *commands) Set(text string) error {
	name, line, ok := strings.Cut(text, "=")
	if !ok || line == "" {
		return fmt.Errorf("%q is not name=command", text)
	}
	*c = append(*c, command{name, strings.Fields(line)})
	return nil
}

type settings struct {
	n, sdam int
	seed    uint64
	peers   commands
	docs    string
	dump    int
}

func main() {
	var s settings
	flag.IntVar(&s.n, "n", 20_000, "selections")
	flag.IntVar(&s.sdam, "sdam", 20_000, "sequences of replies")
	flag.Uint64Var(&s.seed, "seed", 1, "of the generator")
	flag.Var(&s.peers, "peer", "name=command of a driver's adapter; those that reduce replies, too, are named pymongo and node")
	flag.StringVar(&s.docs, "docs", "", "the page to write, with one shrunk case of each kind")
	flag.IntVar(&s.dump, "dump", 3, "how many unclassified cases to print of each peer")
	flag.Parse()
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		os.Exit(1)
	}
}
