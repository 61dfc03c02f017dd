package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// maxBarrenStarts is how often a testee may end without a single answer before
// it is given up; its remaining cases then fail at once.
const maxBarrenStarts = 3

// testee is one runtime's subprocess. It is started on the first request and
// again after it died, hung or left the protocol.
type testee struct {
	name         string
	command      []string
	startTimeout time.Duration
	timeout      time.Duration

	proc         *process
	nextID       int64
	barrenStarts int
	givenUp      error
}

// process is one life of a testee.
type process struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	stdout   *bufio.Reader
	stderr   *tail
	answered bool
	timedOut atomic.Bool
}

func newTestee(spec testeeSpec, startTimeout, timeout time.Duration) *testee {
	return &testee{name: spec.name, command: spec.command, startTimeout: startTimeout, timeout: timeout}
}

// ask sends one request and waits for its answer. Any error has ended the
// subprocess; the next request starts another.
func (t *testee) ask(s *step, via string) (reply, error) {
	if t.givenUp != nil {
		return reply{}, t.givenUp
	}
	if t.proc == nil {
		p, err := startProcess(t.command)
		if err != nil {
			t.givenUp = fmt.Errorf("the testee does not start: %w", err)
			return reply{}, t.givenUp
		}
		t.proc = p
	}
	p := t.proc
	t.nextID++
	limit := t.timeout
	if !p.answered {
		limit = t.startTimeout
	}
	// Killing it also ends a write or a read that would wait forever.
	watchdog := time.AfterFunc(limit, func() {
		p.timedOut.Store(true)
		killProcess(p.cmd)
	})
	_, writeErr := p.stdin.Write(s.line(t.nextID, via))
	line, readErr := p.stdout.ReadBytes('\n')
	watchdog.Stop()

	if readErr == nil && writeErr == nil && !p.timedOut.Load() {
		p.answered = true
		t.barrenStarts = 0
		r, err := parseReply(line, t.nextID)
		if err != nil {
			t.end()
		}
		return r, err
	}
	return reply{}, t.died(limit)
}

// died ends the subprocess and says what happened to it.
func (t *testee) died(limit time.Duration) error {
	p := t.proc
	state := t.end()
	what := "the testee died (" + state + ")"
	if p.timedOut.Load() {
		what = fmt.Sprintf("no answer within %s", limit)
	}
	if text := p.stderr.String(); text != "" {
		what += "; its last words: " + text
	}
	err := errors.New(what)
	if !p.answered {
		if t.barrenStarts++; t.barrenStarts >= maxBarrenStarts {
			t.givenUp = fmt.Errorf("given up after %d starts without an answer: %w", t.barrenStarts, err)
			return t.givenUp
		}
	}
	return err
}

// end stops the subprocess at once and returns its exit state.
func (t *testee) end() string {
	p := t.proc
	t.proc = nil
	p.stdin.Close()
	killProcess(p.cmd)
	if err := p.cmd.Wait(); err != nil {
		return err.Error()
	}
	return "exit status 0"
}

// close ends the subprocess the polite way: the end of its stdin.
func (t *testee) close() {
	if t.proc == nil {
		return
	}
	p := t.proc
	t.proc = nil
	p.stdin.Close()
	watchdog := time.AfterFunc(t.timeout, func() { killProcess(p.cmd) })
	defer watchdog.Stop()
	p.cmd.Wait() // the answers are in; how it ends changes none of them
}

func startProcess(command []string) (*process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	ownGroup(cmd)
	p := &process{cmd: cmd, stderr: &tail{}}
	cmd.Stderr = p.stderr
	cmd.WaitDelay = 2 * time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.stdin, p.stdout = stdin, bufio.NewReaderSize(stdout, 1<<16)
	return p, cmd.Start()
}

// tail keeps the end of a testee's stderr for the failure message.
type tail struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *tail) Write(p []byte) (int, error) {
	const most = 800
	w.mu.Lock()
	defer w.mu.Unlock()
	w.b.Write(p)
	if n := w.b.Len(); n > most {
		w.b.Next(n - most)
	}
	return len(p), nil
}

func (w *tail) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.TrimSpace(w.b.String())
}
