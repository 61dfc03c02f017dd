//go:build !race

package generate

// raceDetector is true where tests run under the race detector, which is slow
// and allocates for its own ends.
const raceDetector = false
