package report

import (
	"io"

	"github.com/readpref/readpref/bench/internal/contestant"
	"github.com/readpref/readpref/bench/internal/plot"
)

const (
	pickColour = "#0a7d38"
	coldColour = "#1f5fbf"
	peerColour = "#b3422e"
)

// Bars plots every contestant by topology; a mark is a preference.
func (r *Report) Bars(w io.Writer) error {
	var panels []plot.Panel
	for _, topology := range r.topologies() {
		p := plot.Panel{Title: topology}
		for _, metric := range []string{contestant.Pick, contestant.Cold} {
			for _, x := range r.Cases[0].Results {
				if x.Metric != metric {
					continue
				}
				b := plot.Bar{Label: x.Label + map[string]string{contestant.Pick: ", plan pick", contestant.Cold: ", cold"}[metric], Colour: pickColour}
				switch {
				case x.Peer:
					b.Label, b.Colour = x.Label, peerColour
				case metric == contestant.Cold:
					b.Colour = coldColour
				}
				for i := range r.Cases {
					if c := &r.Cases[i]; c.Topology == topology && c.NS(x.Contestant, metric) > 0 {
						b.Values = append(b.Values, c.NS(x.Contestant, metric))
					}
				}
				p.Bars = append(p.Bars, b)
			}
		}
		panels = append(panels, p)
	}
	return plot.Bars(w, "Processor time of one selection; each mark is a read preference", panels)
}

// Curves plots the growth by servers.
func (r *Report) Curves(w io.Writer) error {
	pick := plot.Line{Label: "plan pick", Colour: pickColour}
	cold := plot.Line{Label: "cold selection", Colour: coldColour}
	for _, g := range r.Growth {
		pick.X, pick.Y = append(pick.X, float64(g.Servers)), append(pick.Y, g.Pick.MedianNS)
		cold.X, cold.Y = append(cold.X, float64(g.Servers)), append(cold.Y, g.Cold.MedianNS)
	}
	return plot.Lines(w, "readpref Go, nearest: processor time by servers", "servers", []plot.Line{pick, cold})
}
