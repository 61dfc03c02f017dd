package wire

import (
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
)

// AppendDecoration appends the answer of command: what a command carries, for
// the preference p that was given.
func AppendDecoration(dst []byte, d *command.Decoration, p *readpref.Preference, op selection.Operation, opcode command.Opcode) []byte {
	dst = appendText(dst, `{"$readPreference":`)
	if d.Attach {
		dst = AppendPreference(dst, &d.Document)
	} else {
		dst = appendText(dst, "null")
	}
	if opcode == command.OpQuery {
		dst = appendBool(appendText(dst, `,"secondaryOk":`), d.SecondaryOk)
	}
	if op == selection.AggregateWithWriteStage {
		dst = AppendPreference(appendText(dst, `,"effectiveReadPreference":`), &d.Effective)
	}
	return append(appendWarnings(dst, p, "readPreference.hedge"), '}')
}
