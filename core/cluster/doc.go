// Package cluster keeps a deployment's description and answers which server an
// operation goes to, again and again: the hot path of a driver or proxy.
//
//	t, err := cluster.Open(&description, cluster.DefaultSettings())
//	p, err := cluster.NewPreference(readpref.Preference{Mode: readpref.Nearest})
//	id, code := t.Select(p, selection.Read, true) // code is status.OK; the server's operation count is one more
//	defer t.Release(id)
//
// What selection makes of a preference (the servers in the latency window, or
// the error) is computed once per description and preference, published
// atomically, and read without locks: a Select then draws a random number and
// compares two operation counts. It allocates nothing.
//
// All methods may be called from any goroutine. Nothing here starts one, waits
// for anything but another Update, or reads a clock.
package cluster
