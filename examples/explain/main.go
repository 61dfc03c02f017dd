// Command explain prints why: the explanation of a saved request, as the line
// for mongosh in the README makes it.
//
//	go run ./examples/explain mine.json
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/readpref/readpref/core/abi"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "explain:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return errors.New("which file? (make explain FILE=request.json)")
	}
	request, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var c abi.Context
	document, _ := c.Answer("explain", request)
	var answer explanation
	if err := json.Unmarshal(document, &answer); err != nil {
		return err
	}
	if answer.Shards == nil {
		return answer.print(out)
	}
	// In the order of the request, which a map has lost.
	decoder := json.NewDecoder(bytes.NewReader(answer.Shards))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	failed := 0
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var shard explanation
		if err := decoder.Decode(&shard); err != nil {
			return err
		}
		fmt.Fprintf(out, "shard %q\n\n", name)
		if err := shard.print(out); err != nil {
			fmt.Fprintln(out, err)
			failed++
		}
		fmt.Fprintln(out)
	}
	if failed > 0 {
		return fmt.Errorf("%d shards have errors", failed)
	}
	return nil
}

// explanation is the part of an answer that people read.
type explanation struct {
	Text   string          `json:"text"`
	Shards json.RawMessage `json:"shards"`
	Error  *struct {
		Code, Message, Path string
	} `json:"error"`
}

func (e *explanation) print(out io.Writer) error {
	if e.Error != nil {
		return fmt.Errorf("%s (%s at %q)", e.Error.Message, e.Error.Code, e.Error.Path)
	}
	_, err := io.WriteString(out, e.Text)
	return err
}
