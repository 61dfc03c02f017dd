package abi

import (
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func runParseURI(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.uri
	if err := c.decoder.URIRequest(r, in); err != nil {
		return dst, err
	}
	s, err := connstring.Parse(r.URI)
	if err != nil {
		return dst, inURI(err)
	}
	return wire.AppendConnString(dst, s), nil
}

// inURI gives an error of a connection string a path where it has none.
func inURI(e error) *status.Error {
	err := e.(*status.Error)
	if err.Path == "" {
		err.Path = "uri"
	}
	return err
}
