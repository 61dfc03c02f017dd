package sdam_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// 6.24: RSPrimary, then PossiblePrimary, then the oldest known, then the oldest
// Unknown or ghost; Unknowns within their cooldown are passed over.
func TestScanningOrder(t *testing.T) {
	const start = 100_000
	d := &topology.Description{Type: topology.ReplicaSetWithPrimary, Servers: []topology.Server{
		{Address: "ghost", Type: topology.RSGhost, LastUpdateTimeMS: 10},
		{Address: "new"},
		{Address: "secondary", Type: topology.RSSecondary, LastUpdateTimeMS: 90_000},
		{Address: "arbiter", Type: topology.RSArbiter, LastUpdateTimeMS: 80_000},
		{Address: "cooling", Error: "refused", LastUpdateTimeMS: start - sdam.CooldownMS + 1},
		{Address: "cooled", Error: "refused", LastUpdateTimeMS: start - sdam.CooldownMS},
		{Address: "hinted", Type: topology.PossiblePrimary},
		{Address: "primary", Type: topology.RSPrimary, LastUpdateTimeMS: 99_000},
		{Address: "done", Type: topology.RSSecondary, LastUpdateTimeMS: start},
	}}
	var order []string
	for range len(d.Servers) + 1 {
		i, ok := sdam.NextToScan(d, start)
		if !ok {
			break
		}
		order = append(order, d.Servers[i].Address)
		d.Servers[i].LastUpdateTimeMS, d.Servers[i].Type = start+int64(len(order)), topology.RSSecondary
	}
	assert.Equal(t, []string{"primary", "hinted", "arbiter", "secondary", "new", "ghost", "cooled"}, order)

	// Found in the middle of it: scanned as well, also when the clock began at 0.
	d.Servers = append(d.Servers, topology.Server{Address: "found"})
	i, ok := sdam.NextToScan(d, start)
	assert.True(t, ok)
	assert.Equal(t, "found", d.Servers[i].Address)
	_, ok = sdam.NextToScan(&topology.Description{}, start)
	assert.False(t, ok, "nothing to scan")
	_, ok = sdam.NextToScan(&topology.Description{Servers: []topology.Server{{Address: "new"}}}, 1)
	assert.True(t, ok, "a clock that began just now")
}

// 3.37, 3.38.
func TestSingleThreadedLoop(t *testing.T) {
	assert.False(t, sdam.ScanIsDue(1000, 60_999, 60_000))
	assert.True(t, sdam.ScanIsDue(1000, 61_000, 60_000))

	sleep, ok := sdam.BeforeScan(1000, 1200, 1500, false)
	assert.True(t, ok)
	assert.Equal(t, int64(300), sleep)
	_, ok = sdam.BeforeScan(1000, 1200, 1499, false)
	assert.False(t, ok, "ready 1 ms after the deadline")
	sleep, ok = sdam.BeforeScan(1000, 1200, 0, true)
	assert.True(t, ok, "with tryOnce the timeout has no effect")
	assert.Equal(t, int64(300), sleep)
	sleep, _ = sdam.BeforeScan(1000, 5000, 9000, false)
	assert.Zero(t, sleep)

	assert.True(t, sdam.AfterNone(1000, 1000, 1000, 0, true), "no scan since it started")
	assert.False(t, sdam.AfterNone(1001, 1000, 1001, 9999, true), "tried once")
	assert.True(t, sdam.AfterNone(1001, 1000, 9999, 9999, false))
	assert.False(t, sdam.AfterNone(1001, 1000, 10_000, 9999, false))
}

// 7.6: not writable primary and shutdown, but not the rest of recovering.
func TestMarksStale(t *testing.T) {
	for code, want := range map[int64]bool{10107: true, 13435: true, 10058: true, 11600: true, 91: true, 11602: false, 13436: false, 189: false, 6: false} {
		e := sdam.ApplicationError{Reply: sdam.ErrorReply{Code: topology.NewInt(code), Message: "not master"}}
		assert.Equal(t, want, e.MarksStale(), "%d", code)
	}
	for message, want := range map[string]bool{"Not Master": true, "not master or secondary": false, "node is recovering": false, "not master: node is recovering": false, "x": false, "": false} {
		e := sdam.ApplicationError{Reply: sdam.ErrorReply{Message: message}}
		assert.Equal(t, want, e.MarksStale(), "%q", message)
	}
	assert.False(t, (&sdam.ApplicationError{Kind: sdam.NetworkError}).MarksStale())
}
