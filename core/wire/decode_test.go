package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// The documents of docs/json.md, each decoded alone.

func decodeServer(in []byte) (s topology.Server, err *status.Error) {
	var d Decoder
	var hello sdam.Hello
	if d.start(in); !d.failed {
		d.server(&s, &hello)
	}
	return s, d.end()
}

func decodeTopology(in []byte) (t topology.Description, err *status.Error) {
	var d Decoder
	var hello sdam.Hello
	var order []addressOrder
	if d.start(in); !d.failed {
		d.topology(&t, &hello, &order)
	}
	return t, d.end()
}

func decodePreference(in []byte) (p readpref.Preference, err *status.Error) {
	var d Decoder
	if d.start(in); !d.failed {
		d.preference(&p)
	}
	return p, d.end()
}

func decodeRequest(in []byte) (*Request, *status.Error) {
	var d Decoder
	r := new(Request)
	return r, d.Request(r, in)
}

func decodeHelloRequest(in []byte) (*HelloRequest, *status.Error) {
	var d Decoder
	r := new(HelloRequest)
	return r, d.HelloRequest(r, in)
}

func decodeValidation(in []byte) (*Validation, *status.Error) {
	var d Decoder
	v := new(Validation)
	return v, d.Validate(v, in)
}

// refusal is what a case expects of a document that is refused.
type refusal struct {
	name, in string
	code     status.Code
	path     string
}

// checkRefusal holds an error against its case, and its document against the
// promises that docs/json.md makes for all of them.
func checkRefusal(t *testing.T, c refusal, err *status.Error) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: accepted; want %v at %q", c.name, c.code, c.path)
		return
	}
	if err.Code != c.code || err.Path != c.path {
		t.Errorf("%s: %v at %q (%s); want %v at %q", c.name, err.Code, err.Path, err.Message, c.code, c.path)
	}
	checkErrorDocument(t, err)
}

func checkErrorDocument(t *testing.T, err *status.Error) {
	t.Helper()
	doc := AppendError(nil, err)
	if len(doc) >= 4096 {
		t.Errorf("an error document of %d bytes: %.200s", len(doc), doc)
	}
	if !utf8.Valid(doc) {
		t.Errorf("an error document that is not UTF-8: %q", doc)
	}
	var read struct {
		Error struct {
			Code, Message, Path string
			Status              int
		}
	}
	if bad := json.Unmarshal(doc, &read); bad != nil {
		t.Fatalf("%v: %s", bad, doc)
	}
	code, known := status.Parse(read.Error.Code)
	if !known || int(code) != read.Error.Status || read.Error.Message == "" {
		t.Errorf("not an error document: %s", doc)
	}
	if read.Error.Path != err.Path {
		t.Errorf("path %q is printed as %q", err.Path, read.Error.Path)
	}
}

// request puts the rest of a request after a topology of one server.
func request(rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return `{"topology":{"servers":[{"address":"a","type":"Standalone"}]}` + rest + `}`
}

// nested returns n levels of nesting: arrays, or objects when open is {"k":.
func nested(open, inner, closing string, n int) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
}
