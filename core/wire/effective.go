package wire

import (
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
)

// EffectiveRequest is a decoded request of effective_preference. It keeps its
// memory.
type EffectiveRequest struct {
	command.Call

	preferences [len(command.SourceNames)]readpref.Preference
}

var effectiveKeys = []string{"command", "runCommand", "clientReadPreference", "databaseReadPreference", "collectionReadPreference",
	"readPreference", "sessionReadPreference", "transaction"}

const (
	effCommand = iota
	effRunCommand
	effClient
	effDatabase
	effCollection
	effOperation
	effSession
	effTransaction
)

// EffectiveRequest decodes {"command", "runCommand", "clientReadPreference", …}.
func (d *Decoder) EffectiveRequest(r *EffectiveRequest, in []byte) *status.Error {
	d.start(in)
	r.Call = command.Call{}
	var f fields
	if !d.failed && d.object(&f, effectiveKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case effCommand:
				d.command(&r.Call)
			case effRunCommand:
				r.RunCommand, _ = d.boolean()
			case effClient:
				d.given(r, command.SourceClient)
			case effDatabase:
				d.given(r, command.SourceDatabase)
			case effCollection:
				d.given(r, command.SourceCollection)
			case effOperation:
				d.given(r, command.SourceOperation)
			case effSession:
				d.given(r, command.SourceSession)
			case effTransaction:
				d.transaction(r)
			}
		}
		d.require(&f, 1<<effCommand)
	}
	return d.end()
}

// given reads a preference that a source gives.
//
//go:noinline
func (d *Decoder) given(r *EffectiveRequest, from command.Source) {
	p := &r.preferences[from]
	d.preference(p)
	r.Given[from] = p
}

var transactionKeys = []string{"readPreference", "pinned"}

func (d *Decoder) transaction(r *EffectiveRequest) {
	var f fields
	if !d.object(&f, transactionKeys) {
		return
	}
	r.InTransaction = true
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		if i == 0 {
			d.given(r, command.SourceTransaction)
		} else {
			r.Pinned, _ = d.boolean()
		}
	}
}

// command reads the name of a command, or its document, whose first key that is.
func (d *Decoder) command(c *command.Call) {
	c1 := d.peek()
	off := d.pos
	switch c1 {
	case '"':
		c.Name, _ = d.text()
	case '{':
		d.keysOf(func(i int, key string) bool {
			switch {
			case i == 0:
				c.Name = key
			case key == "pipeline" && uri.EqualFold(c.Name, "aggregate"):
				return d.pipeline(c)
			case key == "out" && uri.EqualFold(c.Name, "mapReduce"):
				return d.keysOf(func(_ int, key string) bool {
					c.InlineOutput = c.InlineOutput || key == "inline"
					return false
				})
			}
			return false
		})
	default:
		d.wrongType("a command's name or its document")
		return
	}
	if c.Name == "" && !d.failed {
		d.report(status.OutOfRange, off, "", "a command has a name")
	}
}

// pipeline looks for a write stage, which can only be the last.
func (d *Decoder) pipeline(c *command.Call) bool {
	if d.peek() != '[' {
		return false
	}
	d.open()
	for d.more(']') {
		c.WriteStage = false
		if !d.keysOf(func(i int, key string) bool {
			c.WriteStage = c.WriteStage || i == 0 && (key == "$out" || key == "$merge")
			return false
		}) {
			d.skip()
		}
	}
	return true
}

// keysOf calls visit for each key of the object that is next, with its number;
// visit reports whether it read the value. Where something else is next, keysOf
// reads nothing and returns false.
func (d *Decoder) keysOf(visit func(i int, key string) bool) bool {
	if d.peek() != '{' {
		return false
	}
	d.open()
	mark := len(d.keys)
	for i := 0; ; i++ {
		key, ok := d.nextKey()
		if !ok {
			break
		}
		d.keys = append(d.keys, seenKey{key, d.key})
		if !visit(i, key) {
			d.skip()
		}
	}
	d.checkDuplicates(d.keys[mark:])
	d.keys = d.keys[:mark]
	return true
}

// readPreferenceIgnored is the code of the warning that a preference was given
// to a helper that takes none.
const readPreferenceIgnored = "readPreferenceIgnored"

// AppendUse appends the answer of effective_preference.
func AppendUse(dst []byte, u *command.Use) []byte {
	dst = AppendPreference(str.Append(dst, `{"readPreference":`), &u.Preference)
	dst = appendNamed(dst, `,"operation":`, u.Operation.String())
	dst = appendNamed(dst, `,"kind":`, u.Kind.String())
	dst = appendNamed(dst, `,"from":`, u.From.String())
	dst = str.AppendBool(str.Append(dst, `,"selects":`), u.Selects)
	switch {
	case u.IgnoresArgument:
		dst = appendWarningList(dst, []status.Warning{{Code: readPreferenceIgnored, Path: command.SourceOperation.Path(),
			Message: "this command's helper takes no read preference: it uses primary"}})
	default:
		dst = appendWarnings(dst, &u.Preference, u.From.Path()+".hedge")
	}
	return str.AppendByte(dst, '}')
}
