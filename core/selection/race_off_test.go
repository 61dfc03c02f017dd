//go:build !race

package selection_test

const raceDetector = false
