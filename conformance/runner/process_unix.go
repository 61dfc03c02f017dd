//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a testee in a process group of its own, so that what it
// started ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killProcess(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
