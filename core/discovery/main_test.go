package discovery_test

import (
	"os"
	"testing"

	"github.com/readpref/readpref/core/internal/generate"
)

func TestMain(m *testing.M) { os.Exit(generate.RunTests(m, "300")) }
