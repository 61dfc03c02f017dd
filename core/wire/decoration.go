package wire

import (
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
)

// AppendDecoration appends the answer of command: what a command carries, for
// the preference p that was given.
func AppendDecoration(dst []byte, d *command.Decoration, p *readpref.Preference, op selection.Operation, opcode command.Opcode) []byte {
	dst = str.Append(dst, `{"$readPreference":`)
	if d.Attach {
		dst = AppendPreference(dst, &d.Document)
	} else {
		dst = str.Append(dst, "null")
	}
	if opcode == command.OpQuery {
		dst = str.AppendBool(str.Append(dst, `,"secondaryOk":`), d.SecondaryOk)
	}
	if op == selection.AggregateWithWriteStage {
		dst = AppendPreference(str.Append(dst, `,"effectiveReadPreference":`), &d.Effective)
	}
	return str.AppendByte(appendWarnings(dst, p, "readPreference.hedge"), '}')
}
