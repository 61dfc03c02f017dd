//go:build !unix

package main

import "os/exec"

func ownGroup(*exec.Cmd) {}

func killProcess(cmd *exec.Cmd) { cmd.Process.Kill() }
