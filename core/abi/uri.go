package abi

import (
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
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
//
//go:noinline
func inURI(e error) *status.Error {
	err := e.(*status.Error)
	if err.Path == "" {
		err.Path = "uri"
	}
	return err
}

// runSRV serves the first discovery, and the polling of a topology whose
// servers the request names.
func runSRV(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.srv
	if err := c.decoder.SRVRequest(r, in); err != nil {
		return dst, err
	}
	s, err := connstring.Parse(r.URI)
	if err != nil {
		return dst, inURI(err)
	}
	if !s.SRV {
		return dst, status.New(status.Argument, "uri", "only mongodb+srv:// asks DNS")
	}
	rng := selection.SplitMix64(r.Seed)
	if r.Polling {
		heartbeat := r.HeartbeatFrequencyMS
		switch {
		case heartbeat > 0:
		case s.HeartbeatFrequencyMS.Set:
			heartbeat = s.HeartbeatFrequencyMS.Value
		default:
			heartbeat = selection.DefaultHeartbeatFrequencyMS
		}
		rescan := s.Poll(r.Current, r.SRV, heartbeat, rng.Next)
		return wire.AppendRescan(dst, &rescan), nil
	}
	resolved, err := s.Resolve(r.SRV, r.TXT, rng.Next)
	if err != nil {
		return dst, inURI(err)
	}
	return wire.AppendResolved(dst, resolved, r.SRV), nil
}

func runToURI(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.request
	if err := c.decoder.PreferenceRequest(r, in); err != nil {
		return dst, err
	}
	query, err := connstring.FormatPreference(r.Preference)
	if err != nil {
		err := err.(*status.Error)
		err.Path = "readPreference." + err.Path
		return dst, err
	}
	return append(wire.AppendString(str.Append(dst, `{"query":`), query), '}'), nil
}
