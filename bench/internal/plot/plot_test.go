package plot

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// elements counts the elements of a well-formed document.
func elements(t *testing.T, document string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return counts
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			counts[e.Name.Local]++
		}
	}
}

func TestBars(t *testing.T) {
	var s strings.Builder
	require.NoError(t, Bars(&s, "Title & more", []Panel{
		{"rs3", []Bar{{"a <b>", "#123456", []float64{20, 30}}, {"c", "#654321", []float64{1000}}}},
		{"rs7", []Bar{{"a <b>", "#123456", []float64{25}}}},
	}))
	counts := elements(t, s.String())
	assert.Equal(t, 4, counts["circle"])
	assert.Equal(t, 3+3, counts["line"], "one for each row, and for 10, 100 and 1000 ns")
	assert.Contains(t, s.String(), "a &lt;b&gt;")
	assert.Contains(t, s.String(), "10 ns")
	assert.Contains(t, s.String(), "1 µs")
}

func TestLines(t *testing.T) {
	var s strings.Builder
	require.NoError(t, Lines(&s, "Growth", "servers", []Line{{"pick", "#123456", []float64{1, 10, 5000}, []float64{20, 20, 40}}}))
	counts := elements(t, s.String())
	assert.Equal(t, 3, counts["circle"])
	assert.Equal(t, 1, counts["polyline"])
	assert.Error(t, Lines(&s, "", "", []Line{{"pick", "", []float64{1}, nil}}))
}

func TestAxis(t *testing.T) {
	a := newAxis(100, 400, 20, 3000)
	assert.Equal(t, []float64{10, 100, 1000, 10000}, a.decades())
	assert.InDelta(t, 100, a.at(10), 1e-9)
	assert.InDelta(t, 200, a.at(100), 1e-9)
	assert.InDelta(t, 400, a.at(10000), 1e-9)
	one := newAxis(0, 1, 10)
	assert.Equal(t, []float64{10, 100}, one.decades())
}

func TestNothingToPlot(t *testing.T) {
	for _, values := range [][]float64{nil, {0}, {-1}, {math.NaN()}, {math.Inf(1)}} {
		assert.Error(t, Bars(io.Discard, "", []Panel{{"", []Bar{{"", "", values}}}}), "%v", values)
	}
}
