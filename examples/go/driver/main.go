// Command driver is a small MongoDB driver on readpref. It discovers the replica
// set of examples/replicaset, routes reads and writes through a failover, a lost data
// centre and a restart, and prints which member served each.
//
//	go run . python3 ../../replicaset
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/readpref/readpref/bindings/go/client"
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"go.mongodb.org/mongo-driver/v2/bson"
)

const selectionTimeout = 3 * time.Second

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: driver COMMAND...")
		os.Exit(2)
	}
	if err := failover(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

// script is a driver, and the set that it is connected to.
type script struct {
	set    *replicaSet
	driver *driver
	err    error // the first; nothing is done after it
}

func failover(command []string) error {
	set, err := start(command)
	if err != nil {
		return err
	}
	d, err := open(set.uri)
	if err != nil {
		return err
	}
	s := &script{set: set, driver: d}
	d.heartbeat()
	fmt.Println("start")
	s.write()
	s.read(`{}`)
	s.read(`{"mode":"secondaryPreferred"}`)
	s.read(`{"mode":"secondary","tags":[{"dc":"sf"}]}`)
	s.read(`{"mode":"nearest","tags":[{"dc":"mars"},{"dc":"ldn"}]}`)
	s.happens("c lags 300 s behind", `{"do":"lag","member":"c","seconds":300}`)
	d.heartbeat()
	s.read(`{"mode":"secondary","tags":[{"dc":"sf"},{}],"maxStalenessSeconds":150}`)
	s.happens("a steps down", `{"do":"stepDown","member":"a"}`)
	s.write()
	d.heartbeat()
	s.read(`{"mode":"secondaryPreferred"}`)
	s.happens("ny is lost", `{"do":"kill","tags":{"dc":"ny"}}`)
	s.read(`{"mode":"secondaryPreferred"}`)
	s.write()
	d.heartbeat()
	s.read(`{"mode":"secondaryPreferred"}`)
	s.read(`{"mode":"secondary","tags":[{"dc":"ny"}]}`)
	s.happens("ny is back", `{"do":"restart","tags":{"dc":"ny"}}`)
	d.heartbeat()
	s.read(`{"mode":"secondary","tags":[{"rack":"2"}]}`)
	s.write()
	s.happens("a is elected", `{"do":"elect","member":"a"}`)
	s.write()
	s.happens("b restarts", `{"do":"restart","member":"b"}`)
	s.read(`{"mode":"secondary","tags":[{"rack":"2"}]}`)
	s.happens("a is cut off", `{"do":"partition","groups":[["a"]]}`)
	d.heartbeat()
	s.write()
	s.read(`{"mode":"secondaryPreferred"}`)
	s.happens("a is joined again", `{"do":"heal"}`)
	d.heartbeat()
	s.read(`{"mode":"secondaryPreferred"}`)
	if s.err != nil {
		return s.err
	}
	return d.topology.Close()
}

func (s *script) happens(what, request string) {
	if s.err == nil {
		fmt.Println(what)
		s.err = s.set.do(request)
	}
}

func (s *script) write() {
	fmt.Print("  write:")
	s.run(`{}`, selection.Write, bson.D{{Key: "insert", Value: "orders"}, {Key: "documents", Value: bson.A{bson.D{}}}, {Key: "$db", Value: "shop"}}, "member")
}

func (s *script) read(preference string) {
	fmt.Printf("  read %s:", preference)
	s.run(preference, selection.Read, bson.D{{Key: "find", Value: "orders"}, {Key: "$db", Value: "shop"}}, "cursor", "firstBatch", "0", "member")
}

// run runs an operation and prints the member that served it, which stands at
// this place in the reply.
func (s *script) run(preference string, op selection.Operation, c bson.D, member ...string) {
	var document readpref.Preference
	if err := json.Unmarshal([]byte(preference), &document); err != nil {
		s.err = err
	}
	p, err := cluster.NewPreference(document)
	if s.err != nil || err != nil {
		return
	}
	reply, err := s.driver.run(context.Background(), p, op, c, func(address string, reply bson.Raw) {
		if reply == nil {
			fmt.Printf(" %s lost,", s.name(address))
		} else {
			fmt.Printf(" %s refused (%d),", s.name(address), reply.Lookup("code").AsInt64())
		}
	})
	var timeout *client.TimeoutError
	switch {
	case err == nil:
		fmt.Println("", reply.Lookup(member...).StringValue())
	case errors.As(err, &timeout):
		fmt.Println(" no server")
		fmt.Fprintln(os.Stderr, timeout)
	default:
		s.err = err
	}
}

// name returns a member's name: they are a, b, c and so on in the order of the
// URI.
func (s *script) name(address string) string {
	before, _, found := strings.Cut(s.set.uri, address)
	if !found {
		return "?"
	}
	return string(rune('a' + strings.Count(before, ",")))
}
