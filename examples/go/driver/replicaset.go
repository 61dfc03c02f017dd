package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// replicaSet is a set of examples/replicaset, as a child process. It ends with
// this program, since its standard input then does.
type replicaSet struct {
	uri     string
	stdin   io.Writer
	answers *bufio.Scanner
}

func start(command []string) (*replicaSet, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &replicaSet{stdin: stdin, answers: bufio.NewScanner(stdout)}
	var first struct{ URI string }
	err = s.answer(&first)
	s.uri = first.URI
	return s, err
}

func (s *replicaSet) answer(to any) error {
	if !s.answers.Scan() {
		return fmt.Errorf("the replica set has ended: %w", s.answers.Err())
	}
	return json.Unmarshal(s.answers.Bytes(), to)
}

// do has something happen to the set: a request as JSON.
func (s *replicaSet) do(request string) error {
	if _, err := fmt.Fprintln(s.stdin, request); err != nil {
		return err
	}
	var answer struct{ Error string }
	if err := s.answer(&answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return fmt.Errorf("%s: %s", request, answer.Error)
	}
	return nil
}
