//go:build !linux

package contestant

import (
	"errors"
	"time"
)

var errLinux = errors.New("the bench reads the processor time of other processes, which it can do on Linux only")

func cpuTime(int) (time.Duration, error) { return 0, errLinux }

// CPU is the processor time the process took so far.
func (p *Process) CPU() (time.Duration, error) { return 0, errLinux }

// RSS is the memory of the process that is resident, in bytes.
func (p *Process) RSS() (int64, error) { return 0, errLinux }
