package main

import (
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// errorReply reads what a reply with ok: 0 says of the server.
func errorReply(reply bson.Raw) sdam.ErrorReply {
	var e sdam.ErrorReply
	if code, ok := reply.Lookup("code").AsInt64OK(); ok {
		e.Code = topology.NewInt(code)
	}
	e.Message, _ = reply.Lookup("errmsg").StringValueOK()
	if id, ok := reply.Lookup("topologyVersion", "processId").ObjectIDOK(); ok {
		counter, _ := reply.Lookup("topologyVersion", "counter").AsInt64OK()
		e.TopologyVersion = topology.Version{ProcessID: topology.NewObjectID(id), Counter: counter}
	}
	return e
}

// document returns a read preference as $readPreference.
func document(p *readpref.Preference) (d bson.D) {
	if err := bson.UnmarshalExtJSON(wire.AppendPreference(nil, p), false, &d); err != nil {
		panic(err) // it is JSON
	}
	return d
}
