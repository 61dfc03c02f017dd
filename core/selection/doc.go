// Package selection chooses the server an operation goes to, as the MongoDB
// Server Selection and Max Staleness specifications say, and shows every step.
//
// The steps are separate functions over views: lists of indices into
// topology.Description.Servers, in input order.
//
//	deprioritized  WithoutDeprioritized   addresses to avoid while others serve
//	type and mode  Candidates             which kinds of members may serve
//	staleness      Fresh                  maxStalenessSeconds
//	tag sets       MatchTagSets           the first tag set that matches somebody
//	custom         CustomSelector         the application's own filter
//	window         LatencyWindow          the fastest and those close to it
//	pick           Pick.Choose               least busy of two random choices
//
// A Selector runs them in order and keeps every intermediate view. It reuses
// its memory: from a description and a preference to a pick nothing is
// allocated.
//
//	var s selection.Selector
//	rng := selection.SplitMix64(seed)
//	result, err := s.Select(&selection.Request{Topology: &description, Preference: preference, Options: selection.DefaultOptions()})
//	if err == nil {
//		i := selection.LeastBusyOfTwo.Choose(&description, result.InLatencyWindow, &rng, 0) // -1: no server
//	}
//
// No function here reads a clock or keeps state between calls but for reusable
// memory.
package selection
