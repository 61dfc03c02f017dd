//go:build race

package cluster_test

// raceDetector is true where tests run under the race detector, which allocates
// for its own ends.
const raceDetector = true
