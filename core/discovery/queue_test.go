package discovery_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/sdam"
)

func effects(changes []discovery.Change) (list []string) {
	for _, c := range changes {
		if c.Effect != nil {
			list = append(list, c.Effect.Kind.String()+" "+strings.TrimSuffix(c.Effect.Address, ":27017"))
		}
	}
	return list
}

// Whatever servers say and whenever a host asks and acknowledges: once it has
// done all effects, it has the monitors and pools that there should be, and was
// never asked for nonsense.
func TestAHostEndsRight(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	rapid.Check(t, func(rt *rapid.T) {
		d, err := discovery.Open(settings("a", "b"))
		require.NoError(rt, err)
		h := newHost()
		steps := rapid.IntRange(1, 60).Draw(rt, "steps")
		for range steps {
			name := rapid.SampledFrom(names).Draw(rt, "name")
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0, 1, 2:
				hosts := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 4, rapid.ID[string]).Draw(rt, "hosts")
				_, err = d.Hello(reply(name, "primary", hosts...))
			case 3:
				_, err = d.Hello(reply(name, "secondary", names...))
			case 4:
				_, err = d.Hello(reply(name, "failed"))
			case 5:
				_, err = d.Error(&sdam.ApplicationError{Address: name, Kind: sdam.NetworkError})
			case 6, 7:
				h.do(d.Changes())
			case 8:
				h.do(d.Changes())
				if err = d.Acknowledge(h.last); err == nil {
					require.Empty(rt, d.Changes())
				}
			case 9: // a host that has only a part of an answer
				most := rapid.IntRange(1, 10).Draw(rt, "part")
				dropped := d.Visit(func(c discovery.Change) bool {
					h.do([]discovery.Change{c})
					most--
					return most > 0
				})
				d.Delivered(h.last, dropped)
				err = d.Acknowledge(h.last)
			}
			require.NoError(rt, err)
		}
		h.do(d.Changes())
		_, _, pools := d.Describe()
		require.Empty(rt, h.is(pools))
		require.Empty(rt, h.wrong)
		_, err = d.Shutdown()
		require.NoError(rt, err)
		h.do(d.Changes())
		require.Empty(rt, h.is(nil))
		require.Empty(rt, h.wrong)
	})
}

// A server that comes and goes before anybody was told leaves nothing; one that
// somebody was told of is stopped.
func TestEffectsCoalesce(t *testing.T) {
	d, err := discovery.Open(settings("a"))
	require.NoError(t, err)
	hello := func(hosts ...string) {
		_, err := d.Hello(reply("a", "primary", hosts...))
		require.NoError(t, err)
	}
	hello("a", "b")
	hello("a")
	assert.Equal(t, []string{"startMonitor a", "poolReady a"}, effects(d.Changes()), "b was never seen")
	hello("a", "b")
	assert.Equal(t, []string{"startMonitor a", "poolReady a", "startMonitor b"}, effects(d.Changes()))
	hello("a")
	assert.Equal(t, []string{"startMonitor a", "poolReady a", "stopMonitor b"}, effects(d.Changes()), "its start may have been acted upon")
	hello("a", "b")
	hello("a")
	assert.Equal(t, []string{"startMonitor a", "poolReady a", "stopMonitor b"}, effects(d.Changes()), "it came back unseen")
	hello("a", "b")
	assert.Equal(t, []string{"startMonitor a", "poolReady a", "stopMonitor b", "startMonitor b"}, effects(d.Changes()))

	for range 3 {
		_, err = d.Hello(reply("b", "secondary"))
		require.NoError(t, err)
		_, err = d.Error(&sdam.ApplicationError{Address: "b", Kind: sdam.NetworkError})
		require.NoError(t, err)
	}
	_, err = d.Hello(&sdam.Reply{Address: "b", RTTNS: -1, Network: true, Timeout: true})
	require.NoError(t, err)
	_, err = d.Hello(reply("b", "secondary"))
	require.NoError(t, err)
	_, err = d.Error(&sdam.ApplicationError{Address: "b", Kind: sdam.NetworkError})
	require.NoError(t, err)
	changes := d.Changes()
	assert.Equal(t, []string{"startMonitor a", "poolReady a", "stopMonitor b", "startMonitor b", "poolReady b", "poolClear b", "cancelCheck b"}, effects(changes))
	clear := changes[len(changes)-2].Effect
	assert.Equal(t, int64(5), clear.Generation, "the newest")
	assert.True(t, clear.InterruptInUse, "kept from the timeout of the check")
	hello("a")
	assert.Equal(t, []string{"startMonitor a", "poolReady a", "stopMonitor b"}, effects(d.Changes()), "all that waited for b is pointless")
}

// The oldest events go, and those that nobody was told of are counted until that
// was told and acknowledged.
func TestEventsOverflow(t *testing.T) {
	d, err := discovery.Open(settings("a", "b"))
	require.NoError(t, err)
	var reported int64
	count := func() (events int, first, last uint32) {
		dropped := d.Visit(func(c discovery.Change) bool {
			if c.Event != nil {
				if events++; first == 0 {
					first = c.Sequence
				}
			}
			last = c.Sequence
			return true
		})
		reported = dropped
		return events, first, last
	}
	change := func(times int) { // two events each: of the server and of the topology
		for i := range times {
			_, err := d.Hello(&sdam.Reply{Address: "a", RTTNS: -1, Error: fmt.Sprint("refused ", i)})
			require.NoError(t, err)
		}
	}
	events, first, _ := count()
	require.Equal(t, 4, events)
	require.Equal(t, uint32(1), first)
	change(4999)
	events, first, last := count()
	assert.Equal(t, discovery.MaxEvents, events, "2 + 2 + 2 · 4999 = 10,002, less the two oldest")
	assert.Equal(t, uint32(3), first)
	assert.Equal(t, int64(2), reported)
	d.Delivered(last, reported)
	change(10)
	events, _, _ = count()
	assert.Equal(t, discovery.MaxEvents, events)
	assert.Equal(t, int64(2), reported, "what was told is not lost")
	require.NoError(t, d.Acknowledge(last))
	events, first, _ = count()
	assert.Equal(t, 20, events)
	assert.Greater(t, first, uint32(10_000))
	assert.Equal(t, int64(0), reported)

	change(5000)
	_, _, last = count()
	assert.Equal(t, int64(20), reported)
	d.Delivered(last, reported)
	change(5001)
	_, _, _ = count()
	assert.Equal(t, int64(22), reported, "two more than were told of")
	require.NoError(t, d.Acknowledge(last))
	_, _, _ = count()
	assert.Equal(t, int64(2), reported, "and they are still to tell")
}

// Large topologies bound the events, too.
func TestEventServers(t *testing.T) {
	hosts := make([]string, 1000)
	for i := range hosts {
		hosts[i] = fmt.Sprintf("h%d:27017", i)
	}
	d, err := discovery.Open(settings(hosts...))
	require.NoError(t, err)
	for i := range 500 {
		_, err := d.Hello(&sdam.Reply{Address: "h0", RTTNS: -1, Error: fmt.Sprint(i)})
		require.NoError(t, err)
	}
	topologies, effects := 0, 0
	d.Visit(func(c discovery.Change) bool {
		switch {
		case c.Effect != nil:
			effects++
		case c.Event.Kind == sdam.TopologyDescriptionChanged:
			topologies++
		}
		return true
	})
	assert.Equal(t, discovery.MaxEventServers/1000, topologies)
	assert.Equal(t, 1001, effects, "a monitor for each, and one pool to clear")
}

// And so do long texts, of which a list that members share counts once.
func TestEventBytes(t *testing.T) {
	d, err := discovery.Open(settings("a", "b"))
	require.NoError(t, err)
	events := func() (n int) {
		d.Visit(func(c discovery.Change) bool {
			if c.Event != nil && c.Event.Kind == sdam.ServerDescriptionChanged {
				n++
			}
			return true
		})
		return n
	}
	for i := range 100 {
		_, err := d.Hello(&sdam.Reply{Address: "a", RTTNS: -1, Error: fmt.Sprint(i%10, strings.Repeat("x", 1<<20-1))})
		require.NoError(t, err)
	}
	assert.Equal(t, discovery.MaxEventBytes>>20, events(), "of a MiB each")
	require.NoError(t, d.Acknowledge(lastOf(d)))

	hosts := make([]string, 1<<12+20)
	for i := range hosts {
		hosts[i] = fmt.Sprintf("%01000d.example:27017", i) // 1,014 bytes, and 16 for each in the list
	}
	for _, role := range []string{"secondary", "failed", "secondary", "failed"} {
		_, err := d.Hello(reply("a", role, hosts[:1<<12]...))
		require.NoError(t, err)
	}
	for i := range 20 {
		_, err := d.Hello(reply("a", "secondary", hosts[i:i+1<<12]...))
		require.NoError(t, err)
	}
	assert.Equal(t, 15, events(), "64 MiB are 15 lists of 4,096 · 1,030 bytes = 4.02 MiB")
}

func TestAcknowledge(t *testing.T) {
	d, err := discovery.Open(settings("a"))
	require.NoError(t, err)
	assert.Error(t, d.Acknowledge(5))
	assert.Error(t, d.Acknowledge(1<<32-1))
	assert.NoError(t, d.Acknowledge(0))
	require.Len(t, d.Changes(), 4)
	require.NoError(t, d.Acknowledge(3))
	assert.Equal(t, []string{"startMonitor a"}, effects(d.Changes()))
	assert.NoError(t, d.Acknowledge(3), "again")
	assert.NoError(t, d.Acknowledge(1), "an earlier one")
	require.NoError(t, d.Acknowledge(4))
	assert.Empty(t, d.Changes())
}

// Memory is given back when changes are acknowledged, however many there were.
func TestRandomAcknowledgements(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d, err := discovery.Open(settings("a", "b", "c"))
	require.NoError(t, err)
	last := uint32(0)
	for i := range 3000 {
		_, err := d.Hello(&sdam.Reply{Address: "a", RTTNS: -1, Error: fmt.Sprint(i)})
		require.NoError(t, err)
		if rng.IntN(3) > 0 {
			continue
		}
		previous := last
		d.Visit(func(c discovery.Change) bool {
			require.Greater(t, c.Sequence, previous)
			previous = c.Sequence
			return rng.IntN(10) > 0
		})
		last = previous
		require.NoError(t, d.Acknowledge(last))
		d.Visit(func(c discovery.Change) bool {
			require.Greater(t, c.Sequence, last)
			return false
		})
	}
}

// Behind 2^32-1 comes 1 again, and acknowledgements go on.
func TestSequenceWraps(t *testing.T) {
	d, err := discovery.Open(settings("a"))
	require.NoError(t, err)
	require.NoError(t, d.Acknowledge(4))
	d.SetLast(1<<32 - 2)
	fail := func(why string) {
		_, err := d.Hello(&sdam.Reply{Address: "a", RTTNS: -1, Error: why})
		require.NoError(t, err)
	}
	sequences := func() (list []uint32) {
		d.Visit(func(c discovery.Change) bool { list = append(list, c.Sequence); return true })
		return list
	}
	fail("1")
	assert.Equal(t, []uint32{1<<32 - 1, 1, 2}, sequences(), "the server, the topology, the pool to clear")
	require.NoError(t, d.Acknowledge(1<<32-1))
	assert.Equal(t, []uint32{1, 2}, sequences())
	fail("2")
	assert.Equal(t, []uint32{1, 3, 4, 5}, sequences())
	require.NoError(t, d.Acknowledge(3))
	assert.Equal(t, []uint32{4, 5}, sequences())
	require.NoError(t, d.Acknowledge(1<<32-5), "one of before")
	assert.Equal(t, []uint32{4, 5}, sequences())
	require.NoError(t, d.Acknowledge(5))
	assert.Empty(t, sequences())
}

// A server that goes just when its start is being delivered is stopped: no step
// comes between looking at the changes and noting that they were delivered.
func TestDeliveryIsOneStep(t *testing.T) {
	d, err := discovery.Open(settings("a"))
	require.NoError(t, err)
	_, err = d.Hello(reply("a", "primary", "a", "b"))
	require.NoError(t, err)
	gone := make(chan struct{})
	last := uint32(0)
	d.Deliver(func(c discovery.Change) bool { last = c.Sequence; return true }, func(int64) (uint32, bool) {
		go func() {
			defer close(gone)
			_, err := d.Hello(reply("a", "primary", "a"))
			assert.NoError(t, err)
		}()
		select {
		case <-gone:
		case <-time.After(50 * time.Millisecond):
		}
		return last, true
	})
	<-gone
	require.NoError(t, d.Acknowledge(last))
	assert.Equal(t, []string{"stopMonitor b"}, effects(d.Changes()))
}
