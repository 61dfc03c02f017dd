package abi

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

func runReadable(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.request
	if err := c.decoder.ReadableRequest(r, in); err != nil {
		return dst, err
	}
	readable, err := c.selector.HasReadableServer(&r.Topology, r.Preference, r.Options.HeartbeatFrequencyMS)
	if err != nil {
		return dst, err.(*status.Error)
	}
	return appendVerdict(dst, `{"readable":`, readable), nil
}

func runWritable(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.WritableRequest(&c.request, in); err != nil {
		return dst, err
	}
	return appendVerdict(dst, `{"writable":`, selection.HasWritableServer(&c.request.Topology)), nil
}

func appendVerdict(dst []byte, key string, verdict bool) []byte {
	return append(str.AppendBool(str.Append(dst, key), verdict), '}')
}
