// Package table lays out what people read: lists and tables, as text with
// aligned columns or as Markdown. All runtimes print what it makes.
package table

import (
	"unicode/utf8"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
)

// Format is how a table is written. The zero value is Text.
type Format uint8

// The formats.
const (
	Text     Format = iota // columns aligned by code points, two spaces between them
	Markdown               // as GitHub renders it
)

// FormatNames lists the documents' names of the formats, in the order of their values.
var FormatNames = [...]string{"text", "markdown"}

// Table is a table that is being filled, cell by cell, row by row: append what
// a cell says to Buf, which must be plain already (package plain), and call End.
type Table struct {
	Buf []byte

	format   Format
	columns  int
	headings bool
	ends     []int // where each cell ends in Buf
}

// New returns a table with these headings, one for each column.
func New(format Format, headings ...string) *Table {
	t := &Table{format: format, columns: len(headings), headings: true}
	for _, h := range headings {
		t.Say(h)
	}
	return t
}

// NewList returns a table of two columns without headings: labels and values.
func NewList(format Format) *Table { return &Table{format: format, columns: 2} }

// End ends a cell.
//
//go:noinline
func (t *Table) End() { t.ends = append(t.ends, len(t.Buf)) }

// Say fills a cell with a text of our own.
//
//go:noinline
func (t *Table) Say(s string) {
	t.Buf = str.Append(t.Buf, s)
	t.End()
}

// Rows returns the number of rows that are full, without the headings.
func (t *Table) Rows() int {
	n := len(t.ends) / t.columns
	if t.headings {
		n--
	}
	return n
}

func (t *Table) cell(i int) []byte {
	if i == 0 {
		return t.Buf[:t.ends[0]]
	}
	return t.Buf[t.ends[i-1]:t.ends[i]]
}

// Append appends the rows that are full, each with a line feed.
func (t *Table) Append(dst []byte) []byte {
	full := len(t.ends) - len(t.ends)%t.columns
	if t.format == Markdown {
		return t.appendMarkdown(dst, full)
	}
	widths := make([]int, t.columns)
	for i := range full {
		widths[i%t.columns] = max(widths[i%t.columns], utf8.RuneCount(t.cell(i)))
	}
	for i := range full {
		cell, column := t.cell(i), i%t.columns
		dst = append(dst, cell...)
		if column < t.columns-1 {
			for n := utf8.RuneCount(cell); n < widths[column]+2; n++ {
				dst = str.AppendByte(dst, ' ')
			}
			continue
		}
		for len(dst) > 0 && dst[len(dst)-1] == ' ' { // cells at the end that say nothing
			dst = dst[:len(dst)-1]
		}
		dst = str.AppendByte(dst, '\n')
	}
	return dst
}

func (t *Table) appendMarkdown(dst []byte, full int) []byte {
	for i := range full {
		switch {
		case !t.headings && i%2 == 0:
			dst = str.Append(dst, "- ")
		case !t.headings:
			dst = str.Append(dst, ": ")
		case i%t.columns == 0:
			dst = str.Append(dst, "| ")
		default:
			dst = str.Append(dst, " | ")
		}
		dst = appendEscaped(dst, t.cell(i))
		if i%t.columns < t.columns-1 {
			continue
		}
		if t.headings {
			dst = str.Append(dst, " |")
		}
		dst = str.AppendByte(dst, '\n')
		if t.headings && i == t.columns-1 {
			dst = str.AppendByte(dst, '|')
			for range t.columns {
				dst = str.Append(dst, " --- |")
			}
			dst = str.AppendByte(dst, '\n')
		}
	}
	return dst
}

// appendEscaped appends a text so that Markdown shows it and does nothing else.
//
// CommonMark, "Backslash escapes"; GitHub Flavored Markdown, "Tables".
func appendEscaped(dst, s []byte) []byte {
	for _, c := range s {
		if str.IndexByte("\\`*_[]<>|~#&", c) >= 0 {
			dst = str.AppendByte(dst, '\\')
		}
		dst = append(dst, c)
	}
	return dst
}

// AppendPercent appends parts per million as a percentage with four decimals,
// as long for all from 0 to 100 %.
func AppendPercent(dst []byte, ppm int64) []byte {
	whole := ppm / 10_000
	for least := int64(100); least > 1; least /= 10 {
		if whole < least {
			dst = str.AppendByte(dst, ' ')
		}
	}
	dst = str.AppendByte(decimal.Append(dst, whole), '.')
	for unit := int64(1_000); unit > 0; unit /= 10 {
		dst = append(dst, byte('0'+ppm/unit%10))
	}
	return str.AppendByte(dst, '%')
}

// AppendChange appends a change in parts per million as AppendPercent does, with
// its sign behind the spaces.
func AppendChange(dst []byte, ppm int64) []byte {
	sign := byte(' ')
	switch {
	case ppm > 0:
		sign = '+'
	case ppm < 0:
		sign, ppm = '-', -ppm
	}
	at := len(dst)
	dst = AppendPercent(str.AppendByte(dst, ' '), ppm)
	for at+1 < len(dst) && dst[at+1] == ' ' {
		at++
	}
	dst[at] = sign
	return dst
}
