//go:build unix

package wire_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is the processor time this process has used: unlike the clock, it
// stands still while other programs run.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
