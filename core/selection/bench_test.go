package selection_test

import (
	"fmt"
	"testing"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// BenchmarkCold is a whole selection, each time on another description.
func BenchmarkCold(b *testing.B) {
	for _, n := range []int{3, 7, 50} {
		for _, mode := range []readpref.Mode{readpref.Primary, readpref.Nearest} {
			b.Run(fmt.Sprintf("%d/%s", n, mode), func(b *testing.B) {
				var copies [8]topology.Description
				for c := range copies {
					d := &copies[c]
					d.Type = topology.ReplicaSetWithPrimary
					for i := range n {
						s := d.Grow()
						s.Address = fmt.Sprintf("node%d.example:27017", i)
						s.Type = topology.RSSecondary
						if i == n/2 {
							s.Type = topology.RSPrimary
						}
						s.RoundTripTime = topology.NewRTT(int64(i%20) * 1_000_000)
						s.MinWireVersion, s.MaxWireVersion = topology.NewInt(0), topology.NewInt(25)
					}
				}
				var s selection.Selector
				r := selection.Request{Preference: readpref.Preference{Mode: mode}, Options: selection.DefaultOptions()}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					r.Topology = &copies[i%len(copies)]
					i++
					if _, err := s.Select(&r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
