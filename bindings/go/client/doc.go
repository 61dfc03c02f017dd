// Package client adds Go's manners to discovery and selection: a context, a
// deadline, a logger, and a Select that waits.
//
//	t, err := client.Open("mongodb://a.example,b.example/?replicaSet=rs0", client.Options{OnEffect: monitors.Do})
//	go func() { t.Hello(client.Reply{Address: address, Hello: hello, RoundTripTime: rtt}) }()
//
//	secondary, err := cluster.NewPreference(readpref.Preference{Mode: readpref.Secondary})
//	server, release, err := t.Checkout(ctx, secondary, client.Operation{})
//	defer release()
//
// It opens no connection: monitors are the caller's, told by effects when to
// start, to stop and to check. Package discovery is the same without clock and
// waiting; everything that is decided is decided there.
//
// All methods may be called from any goroutine, and from the callbacks.
package client
