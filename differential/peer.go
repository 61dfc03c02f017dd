package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// answer is what an implementation makes of a case: the servers in the latency
// window, or an error; or, of a sequence of replies, the topology after each.
type answer struct {
	Window []string `json:"window,omitempty"`
	Steps  []step   `json:"steps,omitempty"`
	Error  string   `json:"error,omitempty"`
	// Harness is an error of the adapter, not of the driver: the run ends.
	Harness string `json:"harness,omitempty"`

	suitable []string // only of ours: those the window was drawn over
}

// same compares what counts: errors are equal whatever their words.
func (a *answer) same(b *answer) bool {
	if a.Error != "" || b.Error != "" {
		return (a.Error != "") == (b.Error != "")
	}
	return slices.Equal(a.Window, b.Window)
}

func (a *answer) String() string {
	switch {
	case a.Error != "":
		return "error: " + a.Error
	case len(a.Window) == 0:
		return "no server"
	}
	return strings.Join(a.Window, " ")
}

// peer is a driver's own selection in a process of its own. It reads lines
// "select<TAB>document" or "sdam<TAB>document" and answers each with a line of JSON.
type peer struct {
	Name    string
	SDAM    bool // whether it reduces replies, too
	Version string
	command *exec.Cmd
	in      *bufio.Writer
	out     *bufio.Reader
	end     io.Closer
}

func startPeer(name string, sdam bool, command ...string) (*peer, error) {
	p := &peer{Name: name, SDAM: sdam, command: exec.Command(command[0], command[1:]...)}
	p.command.Stderr = os.Stderr
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out, p.end = bufio.NewWriterSize(in, 1<<16), bufio.NewReaderSize(out, 1<<16), in
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var hello struct{ Version string }
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &hello)
	}
	if err != nil {
		return nil, fmt.Errorf("%s did not say its version: %w", name, err)
	}
	p.Version = hello.Version
	return p, nil
}

func (p *peer) stop() error {
	if err := p.end.Close(); err != nil {
		return err
	}
	return p.command.Wait()
}

// askAll asks everything, without waiting for one answer before the next line.
func (p *peer) askAll(kind string, documents []string) ([]*answer, error) {
	sent := make(chan error, 1)
	go func() {
		for _, d := range documents {
			if _, err := p.in.WriteString(kind + "\t" + d + "\n"); err != nil {
				sent <- err
				return
			}
		}
		sent <- p.in.Flush()
	}()
	answers := make([]*answer, len(documents))
	for i := range documents {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s ended at %s: %w", p.Name, documents[i], err)
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, fmt.Errorf("%s answered %q: %w", p.Name, line, err)
		}
		if a.Harness != "" {
			return nil, fmt.Errorf("%s cannot take %s: %s", p.Name, documents[i], a.Harness)
		}
		slices.Sort(a.Window)
		answers[i] = &a
	}
	return answers, <-sent
}

func (p *peer) ask(kind, document string) (*answer, error) {
	answers, err := p.askAll(kind, []string{document})
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}
