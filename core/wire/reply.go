package wire

import (
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
)

// Hello decodes a server's reply as EJSON.stringify(db.hello()) prints it. What
// h holds then is of in's memory.
func (d *Decoder) Hello(h *sdam.Hello, in []byte) *status.Error {
	d.start(in)
	h.Reset()
	if !d.failed {
		d.hello(h)
	}
	return d.end()
}
