package client

import (
	"bytes"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/wire"
)

// ParseHello reads a server's reply to hello in Extended JSON, as
// bson.MarshalExtJSON and EJSON.stringify(db.hello()) write it. The error is a
// *status.Error.
func ParseHello(extendedJSON []byte) (*sdam.Hello, error) {
	var d wire.Decoder
	h := new(sdam.Hello)
	if err := d.Hello(h, bytes.Clone(extendedJSON)); err != nil {
		return nil, err
	}
	return h, nil
}
