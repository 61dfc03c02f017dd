package wire

import "github.com/readpref/readpref/core/status"

var readableKeys = []string{"topology", "readPreference", "heartbeatFrequencyMS"}

// ReadableRequest decodes {"topology", "readPreference", "heartbeatFrequencyMS"},
// the request of readable.
func (d *Decoder) ReadableRequest(r *Request, in []byte) *status.Error {
	return d.topologyRequest(r, in, readableKeys)
}

// WritableRequest decodes {"topology"}, the request of writable.
func (d *Decoder) WritableRequest(r *Request, in []byte) *status.Error {
	return d.topologyRequest(r, in, readableKeys[:1])
}

func (d *Decoder) topologyRequest(r *Request, in []byte, keys []string) *status.Error {
	d.start(in)
	r.reset()
	var f fields
	if !d.failed && d.object(&f, keys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			d.requestKey(r, [...]int{reqTopology, reqReadPreference, reqHeartbeatFrequency}[i])
		}
		d.require(&f, 1<<0)
	}
	return d.end()
}
