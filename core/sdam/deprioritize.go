package sdam

import "github.com/readpref/readpref/core/topology"

// Deprioritize reports whether a retry of an operation that failed on a server
// should avoid it: behind several mongoses always, elsewhere only for an error
// labelled SystemOverloadedError, and where enableOverloadRetargeting is on.
//
// Retryable Reads specification, "Executing Retryable Read Commands"; Client
// Backpressure specification, "Overload retry policy".
func Deprioritize(t topology.Type, e *ApplicationError, enableOverloadRetargeting bool) bool {
	return t == topology.Sharded || enableOverloadRetargeting && e.Overloaded()
}
