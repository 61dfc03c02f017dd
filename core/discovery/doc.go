// Package discovery keeps a deployment known and selectable: what servers say
// and how operations fail goes in, a topology to select servers from comes out,
// with the events that happened and the effects that the host has to bring about.
//
//	d, err := discovery.Open(settings)
//	for _, c := range d.Changes() { … start monitors, tell listeners … ; d.Acknowledge(c.Sequence) }
//	d.Hello(&sdam.Reply{Address: address, Hello: &hello, RTTNS: rtt, NowMS: now})
//	id, code := d.Topology().Select(preference, selection.Read, true)
//
// It joins sdam, which knows the rules of discovery, with cluster, which knows
// those of selection. It does no I/O, starts no goroutine and reads no clock.
// All methods may be called from any goroutine; selecting takes no lock.
package discovery
