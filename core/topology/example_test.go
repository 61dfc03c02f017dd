package topology_test

import (
	"encoding/json"
	"fmt"

	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// A description is a plain value. Figures that may be absent have their own
// types, whose zero value is "absent", because 0 means something.
func ExampleDescription() {
	servers := []topology.Server{
		{Address: "a.example:27017", Type: topology.RSPrimary, RoundTripTime: topology.NewRTT(2_400_000)},
		{Address: "b.example:27017", Type: topology.RSSecondary, RoundTripTime: topology.NewRTT(0),
			Tags: tag.Set{{Name: "dc", Value: "ny"}}, LastWriteDate: topology.NewDate(1793000000000)},
		{Address: "c.example:27017", Type: topology.ServerUnknown, Error: "connection refused"},
	}
	d := topology.Description{Type: topology.DeriveType(servers), SetName: "rs0", Servers: servers}
	fmt.Println(d.Type, "with primary", d.Servers[d.Primary()].Address)
	for _, s := range d.Servers {
		ns, measured := s.RoundTripTime.Nanoseconds()
		fmt.Println(s.Address, s.Type, s.Type.IsAvailable(), ns, measured)
	}
	// Output:
	// ReplicaSetWithPrimary with primary a.example:27017
	// a.example:27017 RSPrimary true 2400000 true
	// b.example:27017 RSSecondary true 0 true
	// c.example:27017 Unknown false 0 false
}

func ExampleSameAddress() {
	fmt.Println(topology.SameAddress("DB1.example", "db1.example:27017"))
	fmt.Println(topology.SameAddress("::1", "[::1]:27017"))
	fmt.Println(topology.SameAddress("db1.example:27017", "db1.example:27018"))
	// Output:
	// true
	// true
	// false
}

// Descriptions are read and printed as documents; a type that is absent is
// derived from the servers.
func ExampleDescription_UnmarshalJSON() {
	var d topology.Description
	err := json.Unmarshal([]byte(`{"servers": [{"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2.4}]}`), &d)
	fmt.Println(d.Type, err)
	text, err := json.Marshal(d)
	fmt.Println(string(text), err)
	// Output:
	// ReplicaSetWithPrimary <nil>
	// {"type":"ReplicaSetWithPrimary","servers":[{"address":"a.example:27017","type":"RSPrimary","roundTripTimeMS":2.4}]} <nil>
}
