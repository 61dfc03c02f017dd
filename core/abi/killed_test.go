package abi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
)

// saved is what a host writes down after each reply: the description, and the
// servers that the topology picked next.
type saved struct {
	Described string
	Picks     []int32
}

const nextPicks = 8

// picksOf picks some servers, busy ones counted.
func picksOf(table *abi.Table, topology, preference uint32) []int32 {
	list := make([]int32, nextPicks)
	for i := range list {
		list[i] = table.Select(topology, preference, 4)
	}
	return list
}

// openFor opens a document and a preference that takes any member.
func openFor(c *abi.Context, document string) (topology, preference uint32, err error) {
	out := make([]byte, 1<<16)
	open := func(n int32) (uint32, error) {
		if n <= 0 {
			return 0, fmt.Errorf("%s", out[:max(-n, 0)])
		}
		return uint32(n), nil
	}
	d := []byte(document)
	if topology, err = open(c.TopologyOpenPointers(at(d), uint64(len(d)), at(out), uint64(len(out)))); err != nil {
		return 0, 0, err
	}
	p := []byte(nearest)
	preference, err = open(c.ReadprefOpenPointers(at(p), uint64(len(p)), at(out), uint64(len(out))))
	return topology, preference, err
}

// beKilled is the host: it never ends by itself.
func beKilled() {
	table := new(abi.Table)
	c := abi.Context{Table: table}
	topology, preference, err := openFor(&c, `{"seeds":["a.example"],"replicaSet":"rs0","seed":11}`)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	out, lines := make([]byte, 1<<16), json.NewEncoder(os.Stdout)
	for i := 0; ; i++ {
		hosts := []string{"a.example", "b.example", "c.example", "d.example"}[:2+i%3]
		reply, _ := json.Marshal(map[string]any{"address": hosts[i%len(hosts)], "nowMS": i, "roundTripTimeMS": 1 + i%7, "hello": map[string]any{
			"ok": 1, "setName": "rs0", "hosts": hosts, "isWritablePrimary": i%len(hosts) == 0, "secondary": i%len(hosts) != 0,
			"setVersion": i / 3, "electionId": map[string]any{"$oid": fmt.Sprintf("%024x", i/5)}, "maxWireVersion": 25,
			"lastWrite": map[string]any{"lastWriteDate": map[string]any{"$date": 1793000000000 + i}}}})
		if n := c.TopologyHelloPointers(topology, at(reply), uint64(len(reply)), at(out), uint64(len(out))); n < 0 {
			fmt.Fprintf(os.Stderr, "%s\n", out[:-n])
			return
		}
		n := c.TopologyDescribePointers(topology, at(out), uint64(len(out)))
		s := saved{Described: string(out[:n])}
		if s.Picks = picksOf(table, topology, preference); lines.Encode(s) != nil {
			return
		}
	}
}

// A host that is killed in the middle of its updates, and starts again from what
// it had written down, goes on exactly as the killed one went on.
func TestKilledAndStartedAgain(t *testing.T) {
	if os.Getenv("READPREF_BE_KILLED") != "" {
		beKilled()
		return
	}
	for round := range 5 {
		host := exec.Command(os.Args[0], "-test.run=^TestKilledAndStartedAgain$")
		host.Env = append(os.Environ(), "READPREF_BE_KILLED=1")
		host.Stderr = os.Stderr
		pipe, err := host.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, host.Start())
		timer := time.AfterFunc(time.Duration(20+30*round)*time.Millisecond, func() { _ = host.Process.Kill() })
		var last saved
		seen := 0
		for r := bufio.NewReader(pipe); ; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				break // the line that was being written when the host was killed
			}
			last = saved{}
			require.NoError(t, json.Unmarshal(line, &last))
			if seen++; seen == 1 {
				timer.Reset(time.Duration(5+30*round) * time.Millisecond) // a busy machine starts slowly
			}
		}
		require.ErrorContains(t, host.Wait(), "killed")
		require.Positive(t, seen)

		table := new(abi.Table)
		c := abi.Context{Table: table}
		topology, preference, err := openFor(&c, last.Described)
		require.NoError(t, err)
		out := make([]byte, 1<<16)
		n := c.TopologyDescribePointers(topology, at(out), uint64(len(out)))
		assert.Equal(t, last.Described, string(out[:n]))
		assert.Equal(t, last.Picks, picksOf(table, topology, preference))
		assert.NotContains(t, last.Picks, int32(-1))
		assert.True(t, bytes.Contains(out[:n], []byte(`"rs0"`)))
	}
}
