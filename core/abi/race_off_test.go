//go:build !race

package abi_test

const raceDetector = false
