package client_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/readpref/readpref/bindings/go/client"
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
)

// A monitor of a real client opens a connection, sends hello, and measures; this
// one answers from a map.
func Example() {
	replies := map[string]string{
		"a.example:27017": `{"ok":1,"isWritablePrimary":true,"setName":"rs0","hosts":["a.example","b.example"],"maxWireVersion":25}`,
		"b.example:27017": `{"ok":1,"isWritablePrimary":false,"secondary":true,"setName":"rs0","hosts":["a.example","b.example"],"maxWireVersion":25}`,
	}
	checks := make(chan string, 10)
	topology, err := client.Open("mongodb://a.example/?replicaSet=rs0", client.Options{
		ServerSelectionTimeout: time.Second,
		OnEffect: func(e sdam.Effect) {
			if e.Kind == sdam.StartMonitor {
				checks <- e.Address
			}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer topology.Close()
	go func() {
		for address := range checks {
			hello, err := client.ParseHello([]byte(replies[address]))
			topology.Hello(client.Reply{Address: address, Hello: hello, RoundTripTime: 2 * time.Millisecond, Err: err})
		}
	}()

	secondary, err := cluster.NewPreference(readpref.Preference{Mode: readpref.Secondary})
	if err != nil {
		fmt.Println(err)
		return
	}
	server, release, err := topology.Checkout(context.Background(), secondary, client.Operation{Name: "find"})
	if err != nil {
		var timeout *client.TimeoutError
		if errors.As(err, &timeout) {
			fmt.Println(timeout.Explanation)
		}
		fmt.Println(err)
		return
	}
	defer release()
	fmt.Println(server.Address, server.Description.Type)
	// Output: b.example:27017 RSSecondary
}
