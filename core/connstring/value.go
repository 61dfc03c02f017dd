package connstring

import (
	"math"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

// Option is an option with its value, in the field that its kind names.
type Option struct {
	Name  string // as the specifications write it
	Kind  Kind
	Text  string
	Int   int64
	Bool  bool
	List  []string
	Pairs tag.Set
}

// maxListLength bounds the elements of a KindList.
const maxListLength = 100

// parse reads the value of an option; what is wrong with it comes back where it
// cannot be read.
func (o *Option) parse(id int, text string) (problem string) {
	r := &table[id]
	o.Kind = r.kind
	switch r.kind {
	case KindInt:
		most := int64(math.MaxInt32)
		if r.most > 0 {
			most = int64(r.most)
		}
		var ok bool
		if o.Int, ok = decimal.Parse(text); !ok || o.Int < int64(r.least) || o.Int > most {
			problem = quoted(text) + " is no whole number from " + decimal.String(int64(r.least))
			if r.most > 0 {
				problem += " to " + decimal.String(int64(r.most))
			}
		}
	case KindBool:
		if o.Bool = isOneOf(text, "true", "1", "yes", "y", "t"); !o.Bool && !isOneOf(text, "false", "0", "-1", "no", "n", "f") {
			problem = quoted(text) + " is neither true nor false"
		}
	case KindList:
		if o.List = str.SplitN(text, ",", maxListLength+1); isOneOf("", o.List...) || len(o.List) > maxListLength {
			problem = "the value is no list of names"
		}
	case KindPairs:
		var ok bool
		if o.Pairs, ok = uri.Tags(text, readpref.MaxTags); !ok {
			problem = "the value is no list of name:value" // which may hold a secret
		}
	case KindString:
		o.Text = text
		switch {
		case len(text) < int(r.least):
			problem = "the value is empty"
		case r.most > 0 && len(text) > int(r.most):
			problem = "the value is longer than " + decimal.String(int64(r.most)) + " bytes"
		case id == optionServerMonitoringMode && !isOneOf(text, "auto", "stream", "poll"):
			problem = quoted(text) + " is none of auto, stream, poll"
		case id == optionSRVServiceName && !isServiceName(text):
			problem = quoted(text) + " is no service name"
		case id == optionW:
			return o.parseW()
		}
	}
	return problem
}

// parseW tells the number of members from the name of a write concern.
func (o *Option) parseW() (problem string) {
	n, ok := decimal.Parse(o.Text)
	if !ok {
		return ""
	}
	if n < 0 || n > math.MaxInt32 {
		return quoted(o.Text) + " is no number of members"
	}
	o.Kind, o.Int, o.Text = KindInt, n, ""
	return ""
}

//go:noinline
func isOneOf(s string, list ...string) bool {
	for _, l := range list {
		if s == l {
			return true
		}
	}
	return false
}

// isServiceName follows RFC 6335 in all but the length: letters, digits and
// single hyphens inside, one letter at least.
func isServiceName(s string) bool {
	letters, last := 0, byte('-')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch l := c | 0x20; {
		case l >= 'a' && l <= 'z':
			letters++
		case !isDigit(c) && (c != '-' || last == '-'):
			return false
		}
		last = c
	}
	return letters > 0 && last != '-'
}

//go:noinline
func quoted(s string) string { return `"` + uri.Shorten(s) + `"` }
