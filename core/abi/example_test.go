package abi_test

import (
	"fmt"

	"github.com/readpref/readpref/core/abi"
)

// Documents in, documents out: what every other runtime does through rp_call.
func ExampleContext_Call() {
	var c abi.Context // holds memory for one caller at a time
	out := make([]byte, 4096)

	request := `{"topology": {"servers": [
	  {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2.4},
	  {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5}]},
	 "readPreference": {"mode": "secondary"}}`
	n := c.Call("select", []byte(request), out)
	fmt.Println(string(out[:n]))

	// A negative length is that of an error document.
	n = c.Call("select", []byte(`{"topology": {"servers": []}, "readPreference": {"mode": "secundary"}}`), out)
	fmt.Println(n < 0, string(out[:-n]))

	// A length beyond the buffer's: nothing was written; call again with more.
	n = c.Call("build_info", nil, out[:10])
	fmt.Println(n > 10)
	// Output:
	// {"server":{"index":1,"address":"b.example:27017","type":"RSSecondary"},"candidates":["b.example:27017"],"fresh":["b.example:27017"],"suitable":["b.example:27017"],"inLatencyWindow":["b.example:27017"]}
	// true {"error":{"code":"unknownMode","status":-20,"message":"unknown read preference mode \"secundary\"; did you mean \"secondary\"?","path":"readPreference.mode"}}
	// true
}

// Answer needs no buffer; its bytes are the Context's until the next call.
func ExampleContext_Answer() {
	var c abi.Context
	answer, ok := c.Answer("validate", []byte(`{"uriOptions": "readPreference=secondary&readPreferenceTags=dc:ny"}`))
	fmt.Println(ok, string(answer))
	// Output: true {"valid":true,"readPreference":{"mode":"secondary","tags":[{"dc":"ny"}]},"problems":[],"warnings":[]}
}

func ExampleMethods() {
	for _, m := range abi.Methods() {
		fmt.Println(m.Name)
	}
	// Output:
	// select
	// explain
	// validate
	// server.parse_hello
	// parse_uri
	// srv
	// to_uri
	// rtt
	// command
	// effective_preference
	// readable
	// writable
	// simulate
	// what_if
	// advise
	// diff
	// import
	// topology.open
	// topology.update
	// topology.hello
	// topology.error
	// topology.srv
	// topology.shutdown
	// topology.events
	// topology.events_ack
	// topology.describe
	// topology.select
	// topology.select_batch
	// topology.explain
	// topology.command
	// topology.address
	// topology.release
	// topology.generation
	// readpref.open
	// close
	// build_info
	// methods
}
