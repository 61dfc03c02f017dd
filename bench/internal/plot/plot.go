// Package plot draws the two plots of docs/performance.md as SVG.
package plot

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// Bar is a row of a panel: a span on the axis, and a mark for each value.
type Bar struct {
	Label  string
	Colour string
	Values []float64 // nanoseconds, above 0
}

// Panel is a group of rows with a title.
type Panel struct {
	Title string
	Bars  []Bar
}

// Line is a curve of points above 0.
type Line struct {
	Label  string
	Colour string
	X, Y   []float64
}

const (
	width  = 920
	left   = 310
	right  = 40
	rowH   = 18
	titleH = 30
	style  = `font-family="system-ui, sans-serif" font-size="12"`
)

// axis is logarithmic, in whole decades.
type axis struct {
	low, high  float64 // log10
	start, end float64 // where they are drawn
}

func newAxis(start, end float64, values ...float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	a := axis{math.Floor(math.Log10(low)), math.Ceil(math.Log10(high)), start, end}
	if a.low == a.high {
		a.high++
	}
	return a
}

func (a axis) at(v float64) float64 {
	return a.start + (a.end-a.start)*(math.Log10(v)-a.low)/(a.high-a.low)
}

func (a axis) decades() []float64 {
	var list []float64
	for d := a.low; d <= a.high; d++ {
		list = append(list, math.Pow(10, d))
	}
	return list
}

// duration names a decade of nanoseconds.
func duration(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%g ms", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%g µs", v/1e3)
	}
	return fmt.Sprintf("%g ns", v)
}

type drawing struct{ strings.Builder }

func (d *drawing) add(format string, arguments ...any) { fmt.Fprintf(d, format+"\n", arguments...) }

func (d *drawing) text(x, y float64, anchor, weight, s string) {
	d.add(`<text x="%.1f" y="%.1f" text-anchor="%s" font-weight="%s">%s</text>`, x, y, anchor, weight, html.EscapeString(s))
}

func (d *drawing) begin(height float64, title string) {
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" viewBox="0 0 %d %.0f" %s>`, width, height, width, height, style)
	d.add(`<title>%s</title>`, html.EscapeString(title))
	d.add(`<rect width="100%%" height="100%%" fill="white"/>`)
}

// Bars writes panels of rows over one logarithmic axis of time.
func Bars(w io.Writer, title string, panels []Panel) error {
	var values []float64
	height := float64(titleH + 40)
	for _, p := range panels {
		height += titleH + rowH*float64(len(p.Bars))
		for _, b := range p.Bars {
			values = append(values, b.Values...)
		}
	}
	if err := check(values); err != nil {
		return err
	}
	x := newAxis(left, width-right, values...)
	var d drawing
	d.begin(height, title)
	d.text(10, 20, "start", "bold", title)
	for _, v := range x.decades() {
		d.add(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, x.at(v), titleH, x.at(v), height-32)
		d.text(x.at(v), height-14, "middle", "normal", duration(v))
	}
	y := float64(titleH)
	for _, p := range panels {
		d.text(10, y+20, "start", "bold", p.Title)
		y += titleH
		for _, b := range p.Bars {
			middle := y + rowH/2
			d.text(left-10, middle+4, "end", "normal", b.Label)
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range b.Values {
				low, high = min(low, v), max(high, v)
			}
			d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/>`, x.at(low), middle, x.at(high), middle, b.Colour)
			for _, v := range b.Values {
				d.add(`<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`, x.at(v), middle, b.Colour)
			}
			y += rowH
		}
	}
	d.add(`</svg>`)
	_, err := io.WriteString(w, d.String())
	return err
}

// Lines writes curves over two logarithmic axes: a number below, time at the side.
func Lines(w io.Writer, title, below string, lines []Line) error {
	const height, top, bottom = 380.0, 40.0, 320.0
	var xs, ys []float64
	for _, l := range lines {
		if len(l.X) != len(l.Y) {
			return fmt.Errorf("%s: %d and %d values", l.Label, len(l.X), len(l.Y))
		}
		xs, ys = append(xs, l.X...), append(ys, l.Y...)
	}
	if err := check(append(append([]float64(nil), xs...), ys...)); err != nil {
		return err
	}
	x, y := newAxis(70, width-160, xs...), newAxis(bottom, top, ys...)
	var d drawing
	d.begin(height, title)
	d.text(10, 20, "start", "bold", title)
	for _, v := range x.decades() {
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, x.at(v), top, x.at(v), bottom)
		d.text(x.at(v), bottom+18, "middle", "normal", fmt.Sprintf("%g", v))
	}
	for _, v := range y.decades() {
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, x.start, y.at(v), x.end, y.at(v))
		d.text(x.start-8, y.at(v)+4, "end", "normal", duration(v))
	}
	d.text((x.start+x.end)/2, bottom+40, "middle", "normal", below)
	for _, l := range lines {
		var points []string
		for i := range l.X {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x.at(l.X[i]), y.at(l.Y[i])))
			d.add(`<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`, x.at(l.X[i]), y.at(l.Y[i]), l.Colour)
		}
		d.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(points, " "), l.Colour)
		last := len(l.X) - 1
		d.text(x.at(l.X[last])+10, y.at(l.Y[last])+4, "start", "normal", l.Label)
	}
	d.add(`</svg>`)
	_, err := io.WriteString(w, d.String())
	return err
}

func check(values []float64) error {
	if len(values) == 0 {
		return fmt.Errorf("nothing to plot")
	}
	for _, v := range values {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%v cannot be plotted on a logarithmic axis", v)
		}
	}
	return nil
}
