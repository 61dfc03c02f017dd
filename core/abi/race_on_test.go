//go:build race

package abi_test

// raceDetector is true where tests run under the race detector, which allocates
// for its own ends.
const raceDetector = true
