package explain

import (
	"unicode/utf8"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/topology"
)

// AppendText appends the whole explanation as text: English, LF, ASCII but for
// names that are not, control characters escaped, columns aligned by code
// points.
func (e *Explanation) AppendText(dst []byte) []byte {
	t, res := e.Request.Topology, e.Result
	dst = AppendTopology(str.Append(dst, "topology    "), t)
	dst = str.Append(dst, "\noperation   ")
	dst = str.Append(dst, e.Request.Operation.String())
	dst = str.Append(dst, "\npreference  ")
	dst = AppendPreference(dst, &res.Preference)
	dst = str.Append(dst, "\nserver      ")
	if e.Chosen >= 0 {
		s := &t.Servers[e.Chosen]
		dst = plain.Append(dst, s.Address)
		dst = str.Append(dst, " (")
		dst = str.Append(dst, s.Type.String())
		if n := len(res.InLatencyWindow); n == 1 {
			dst = str.Append(dst, "), the only one")
		} else {
			dst = decimal.Append(str.Append(dst, "), one of "), int64(n))
		}
		dst = str.Append(dst, " in the latency window")
	} else {
		dst = str.Append(dst, "none: ")
		dst = AppendNone(dst, e.Request, res)
	}
	if res.Window.Known {
		dst = str.Append(dst, "\nwindow      ")
		dst = topology.AppendMS(dst, res.Window.FastestNS)
		dst = str.Append(dst, " ms to ")
		dst = topology.AppendMS(dst, res.Window.EndNS)
		dst = str.Append(dst, " ms")
	}
	dst = str.AppendByte(dst, '\n')
	if len(t.Servers) > 0 {
		dst = str.AppendByte(dst, '\n')
		dst = e.appendTable(dst)
	}
	for i, n := range e.Notes(nil) {
		if i == 0 {
			dst = str.AppendByte(dst, '\n')
		}
		dst = str.Append(dst, "note: ")
		dst = append(dst, n.Message...)
		dst = str.AppendByte(dst, '\n')
	}
	return dst
}

// AppendTopology appends a topology in a few words: its type, its name, how
// many servers it has.
func AppendTopology(dst []byte, t *topology.Description) []byte {
	dst = str.Append(dst, t.Type.String())
	if t.SetName != "" {
		dst = str.AppendByte(dst, ' ')
		dst = plain.Append(dst, t.SetName)
	}
	dst = str.Append(dst, ", ")
	return appendCount(dst, len(t.Servers), " server", " servers")
}

const columns = 5

var headings = [columns]string{"address", "type", "RTT ms", "stage", "why"}

func (e *Explanation) appendTable(dst []byte) []byte {
	var widths [columns]int
	for c, h := range headings {
		widths[c] = len(h)
	}
	var cell []byte
	for i := range e.Stages {
		for c := 0; c < columns-1; c++ { // the last column needs no width
			cell = e.appendCell(cell[:0], i, c)
			widths[c] = max(widths[c], utf8.RuneCount(cell))
		}
	}
	for i := -1; i < len(e.Stages); i++ {
		for c := range columns {
			if i < 0 {
				cell = append(cell[:0], headings[c]...)
			} else {
				cell = e.appendCell(cell[:0], i, c)
			}
			dst = append(dst, cell...)
			if c == columns-1 {
				break
			}
			for n := utf8.RuneCount(cell); n < widths[c]+2; n++ {
				dst = str.AppendByte(dst, ' ')
			}
		}
		dst = str.AppendByte(dst, '\n')
	}
	return dst
}

func (e *Explanation) appendCell(dst []byte, i, column int) []byte {
	s := &e.Request.Topology.Servers[i]
	switch column {
	case 0:
		return plain.Append(dst, s.Address)
	case 1:
		return str.Append(dst, s.Type.String())
	case 2:
		if ns, ok := s.RoundTripTime.Nanoseconds(); ok {
			return topology.AppendMS(dst, ns)
		}
		return str.AppendByte(dst, '-')
	case 3:
		return str.Append(dst, e.Stages[i].String())
	}
	return e.AppendWhy(dst, i)
}
