package table_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/table"
)

func filled(f table.Format) *table.Table {
	t := table.New(f, "server", "share", "note")
	for _, cell := range []string{"délicat", "1", "", "b|c", "100", "<i>*x_`", "cut off"} {
		t.Say(cell)
	}
	return t
}

// Columns are as wide as their widest cell, in code points, and two spaces; no
// line ends in spaces, and a row that is not full is not there.
func TestText(t *testing.T) {
	assert.Equal(t, "server   share  note\ndélicat  1\nb|c      100    <i>*x_`\n", string(filled(table.Text).Append(nil)))
	assert.Equal(t, 2, filled(table.Text).Rows())
}

func TestMarkdown(t *testing.T) {
	assert.Equal(t, "x| server | share | note |\n| --- | --- | --- |\n| délicat | 1 |  |\n| b\\|c | 100 | \\<i\\>\\*x\\_\\` |\n",
		string(filled(table.Markdown).Append([]byte("x"))))
}

func TestList(t *testing.T) {
	for format, want := range map[table.Format]string{
		table.Text:     "topology  a_b\npicks     3\n",
		table.Markdown: "- topology: a\\_b\n- picks: 3\n",
	} {
		l := table.NewList(format)
		for _, cell := range []string{"topology", "a_b", "picks", "3"} {
			l.Say(cell)
		}
		assert.Equal(t, want, string(l.Append(nil)))
		assert.Equal(t, 2, l.Rows())
	}
}

func TestPercent(t *testing.T) {
	for ppm, want := range map[int64]string{
		0: "  0.0000%", 1: "  0.0001%", 9_999: "  0.9999%", 10_000: "  1.0000%", 333_333: " 33.3333%", 100_000: " 10.0000%", 1_000_000: "100.0000%", 999_999: " 99.9999%",
	} {
		assert.Equal(t, want, string(table.AppendPercent(nil, ppm)))
	}
}

func TestChange(t *testing.T) {
	for ppm, want := range map[int64]string{
		0: "   0.0000%", 1: "  +0.0001%", -9_999: "  -0.9999%", 100_000: " +10.0000%", -333_333: " -33.3333%", 1_000_000: "+100.0000%", -1_000_000: "-100.0000%",
	} {
		assert.Equal(t, "x"+want, string(table.AppendChange([]byte("x"), ppm)))
	}
}
