package generate

import (
	"flag"
	"testing"
)

// RunTests is the body of a TestMain that runs so many cases of each property,
// and as few as rapid's default under the race detector, where the flag
// rapid.checks does not say how many.
func RunTests(m *testing.M, checks string) int {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue && !raceDetector {
		if err := f.Value.Set(checks); err != nil {
			panic(err)
		}
	}
	return m.Run()
}
