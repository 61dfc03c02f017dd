package sdam_test

import (
	"fmt"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// What a monitor learnt from one check becomes a description.
func ExampleDescribe() {
	var s topology.Server
	sdam.Describe(&s,
		&sdam.Check{Address: "DB1.example", RoundTripTime: topology.NewRTT(2_400_000), NowMS: 1793000000950},
		&sdam.Hello{OK: true, SetName: "rs0", Secondary: true, LastWriteDate: topology.NewDate(1793000000000)})
	fmt.Println(s.Address, s.Type, s.SetName)

	sdam.Describe(&s, &sdam.Check{Address: "DB1.example", Error: "connection refused"}, &sdam.Hello{})
	fmt.Println(s.Address, s.Type, s.Error)
	// Output:
	// db1.example:27017 RSSecondary rs0
	// db1.example:27017 Unknown connection refused
}
