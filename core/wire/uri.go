package wire

import (
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
)

// URIRequest is a decoded request of parse_uri.
type URIRequest struct {
	URI string
}

var uriKeys = []string{"uri"}

// URIRequest decodes {"uri"}.
func (d *Decoder) URIRequest(r *URIRequest, in []byte) *status.Error {
	d.start(in)
	*r = URIRequest{}
	var f fields
	if !d.failed && d.object(&f, uriKeys) {
		for d.next(&f) >= 0 {
			r.URI, _ = d.text()
		}
		d.require(&f, 1<<0)
	}
	return d.end()
}

// AppendConnString appends the answer of parse_uri.
func AppendConnString(dst []byte, c *connstring.ConnString) []byte {
	dst = appendConnString(dst, c)
	return str.AppendByte(appendWarningList(dst, c.Warnings), '}')
}

// appendConnString appends all but the warnings and the end.
func appendConnString(dst []byte, c *connstring.ConnString) []byte {
	dst = str.AppendBool(str.Append(dst, `{"srv":`), c.SRV)
	dst = str.Append(dst, `,"hosts":[`)
	for i := range c.Hosts {
		h := &c.Hosts[i]
		dst = appendComma(dst, i)
		dst = appendNamed(dst, `{"type":`, h.Kind.String())
		dst = appendNamed(dst, `,"host":`, h.Name)
		dst = str.Append(dst, `,"port":`)
		if h.Port != 0 {
			dst = appendInt(dst, int64(h.Port))
		} else {
			dst = str.Append(dst, "null")
		}
		dst = str.AppendByte(dst, '}')
	}
	dst = appendStrings(str.Append(dst, `],"seeds":`), c.Seeds())
	if c.SRV {
		srv, txt := c.Lookup()
		dst = appendNamed(dst, `,"lookup":{"srv":`, srv)
		dst = appendNamed(dst, `,"txt":`, txt)
		dst = str.AppendByte(dst, '}')
	}
	dst = appendTextOrNull(str.Append(dst, `,"username":`), c.Username, c.HasUsername)
	dst = appendTextOrNull(str.Append(dst, `,"password":`), c.Password, c.HasPassword)
	dst = appendTextOrNull(str.Append(dst, `,"database":`), c.Database, c.Database != "")
	dst = AppendPreference(str.Append(dst, `,"readPreference":`), &c.Preference)
	dst = str.Append(dst, `,"options":{`)
	implicitTLS := c.SRV
	for i := range c.Options {
		o := &c.Options[i]
		dst = str.AppendByte(AppendString(appendComma(dst, i), o.Name), ':')
		dst = appendOption(dst, o)
		implicitTLS = implicitTLS && o.Name != "tls"
	}
	if implicitTLS {
		dst = str.Append(appendComma(dst, len(c.Options)), `"tls":true`)
	}
	return str.AppendByte(dst, '}')
}

func appendOption(dst []byte, o *connstring.Option) []byte {
	switch o.Kind {
	case connstring.KindInt:
		return appendInt(dst, o.Int)
	case connstring.KindBool:
		return str.AppendBool(dst, o.Bool)
	case connstring.KindList:
		return appendStrings(dst, o.List)
	case connstring.KindPairs:
		return appendTags(dst, o.Pairs)
	}
	return AppendString(dst, o.Text)
}

func appendTextOrNull(dst []byte, s string, given bool) []byte {
	if !given {
		return str.Append(dst, "null")
	}
	return AppendString(dst, s)
}

// appendWarningList appends the key warnings with its list, however short.
func appendWarningList(dst []byte, list []status.Warning) []byte {
	dst = str.Append(dst, `,"warnings":[`)
	for i, w := range list {
		dst = appendWarning(appendComma(dst, i), w)
	}
	return str.AppendByte(dst, ']')
}

// appendComma appends a comma before all elements but the first.
//
//go:noinline
func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		dst = str.AppendByte(dst, ',')
	}
	return dst
}

var toURIKeys = []string{"readPreference"}

// PreferenceRequest decodes {"readPreference"}, the request of to_uri.
func (d *Decoder) PreferenceRequest(r *Request, in []byte) *status.Error {
	d.start(in)
	r.reset()
	var f fields
	if !d.failed && d.object(&f, toURIKeys) {
		for d.next(&f) >= 0 {
			d.requestKey(r, reqReadPreference)
		}
		d.require(&f, 1<<0)
	}
	return d.end()
}
