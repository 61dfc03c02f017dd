// Package generate draws selections for property tests, pushed to the edges:
// servers exactly on the end of the latency window or of maxStalenessSeconds and
// one unit beside it, ties, missing figures, empty topologies, numbers at the
// ends of int64, everything deprioritized.
package generate
