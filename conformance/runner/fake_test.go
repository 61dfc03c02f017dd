package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// The tests' testee is this test binary: TestMain answers the protocol in
// place of running tests when FAKE_TESTEE names how to behave.
func TestMain(m *testing.M) {
	if manner := os.Getenv("FAKE_TESTEE"); manner != "" {
		fakeTestee(manner)
		return
	}
	os.Exit(m.Run())
}

// fakeTestee answers every request, rightly for a topology whose only suitable
// server is the first one named in it, and then misbehaves in its manner.
func fakeTestee(manner string) {
	in := bufio.NewReader(os.Stdin)
	right, typed := newEngine(), newEngine()
	switch manner {
	case "engine with a handle":
		right.answer("topology.open", []byte(`{"seeds":["a"]}`))
	case "engine with a typed handle":
		typed.answer("topology.open", []byte(`{"seeds":["a"]}`))
	}
	for n := 0; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		address := firstAddress(r.In)
		status, id := 0, r.ID
		switch manner {
		case "lie":
			address = "liar:27017"
		case "lie typed":
			if r.Via == "typed" {
				address = "liar:27017"
			}
		case "status":
			status = -6
		case "die":
			if n == 1 {
				fmt.Fprintln(os.Stderr, "so long")
				os.Exit(3)
			}
		case "die at once":
			os.Exit(3)
		case "hang":
			if n == 1 {
				time.Sleep(time.Hour)
			}
		case "wrong id":
			id++
		case "babble":
			fmt.Println("hello there")
			continue
		}
		out := fmt.Sprintf(`{"server":{"index":0,"address":%[1]q,"type":"Mongos"},"candidates":[%[1]q],"fresh":[%[1]q],"suitable":[%[1]q],"inLatencyWindow":[%[1]q]}`, address)
		switch manner {
		case "spaces":
			out = strings.ReplaceAll(out, ",", ", ")
		case "count":
			out = fmt.Sprintf(`{"asked":%d}`, n)
		case "error":
			status, out = -20, `{"error":{"code":"unknownMode","status":-20,"message":"m","path":"readPreference.mode"}}`
		}
		if strings.HasPrefix(manner, "engine") {
			answering := right
			if r.Via == "typed" {
				answering = typed
			}
			got := answering.answer(r.Method, []byte(*r.In))
			if status, out = int(got.status), got.out; manner == "engine lies typed" && r.Via == "typed" {
				out = strings.Replace(out, `"event":"topologyOpening"`, `"event":"topologyClosed"`, 1)
			}
		}
		text, _ := json.Marshal(out)
		fmt.Printf("{\"id\":%d,\"status\":%d,\"out\":%s}\n", id, status, text)
	}
}

func firstAddress(in *string) string {
	if in != nil {
		if _, rest, ok := strings.Cut(*in, `"address":"`); ok {
			address, _, _ := strings.Cut(rest, `"`)
			return address
		}
	}
	return "a:27017"
}

// fake is a testee that behaves in a manner.
func fake(t *testing.T, manner string) *testee {
	t.Helper()
	// The manner goes by the environment of the command, so that several
	// manners can run side by side.
	spec := testeeSpec{name: manner, command: []string{"env", "FAKE_TESTEE=" + manner, os.Args[0]}}
	tt := newTestee(spec, 20*time.Second, time.Second)
	t.Cleanup(tt.close)
	return tt
}
