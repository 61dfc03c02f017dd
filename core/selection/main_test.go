package selection_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more cases of each property than rapid does by default; the
// flag still decides where it is given.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := f.Value.Set("2000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
