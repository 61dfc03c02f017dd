//go:build !unix

package wire_test

import (
	"testing"
	"time"
)

var start = time.Now()

// cpuTime is the time since the start, where the processor's is not to be had.
func cpuTime(*testing.T) time.Duration { return time.Since(start) }
