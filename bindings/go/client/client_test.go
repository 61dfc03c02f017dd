package client_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/readpref/readpref/bindings/go/client"
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const uri = "mongodb://a.example,b.example/?replicaSet=rs0"

func open(t *testing.T, uri string, o client.Options) *client.Topology {
	t.Helper()
	topo, err := client.Open(uri, o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, topo.Close()) })
	return topo
}

func prefer(t *testing.T, p readpref.Preference) *cluster.Preference {
	t.Helper()
	made, err := cluster.NewPreference(p)
	require.NoError(t, err)
	return made
}

func member(isPrimary bool) *sdam.Hello {
	return &sdam.Hello{OK: true, SetName: "rs0", HasIsWritablePrimary: true, IsWritablePrimary: isPrimary, Secondary: !isPrimary,
		Hosts: []string{"a.example", "b.example"}, MaxWireVersion: topology.NewInt(25)}
}

func feed(t *testing.T, topo *client.Topology, address string, h *sdam.Hello) {
	t.Helper()
	accepted, err := topo.Hello(client.Reply{Address: address, Hello: h, RoundTripTime: 2 * time.Millisecond})
	require.NoError(t, err)
	assert.True(t, accepted)
}

// 3.3: what is known is enough; nobody waits for the rest of the set.
func TestSelectsWhatIsKnown(t *testing.T) {
	topo := open(t, uri, client.Options{Seed: 1})
	feed(t, topo, "B.example", member(false))
	s, err := topo.Select(context.Background(), prefer(t, readpref.Preference{Mode: readpref.PrimaryPreferred}), client.Operation{})
	require.NoError(t, err)
	assert.Equal(t, "b.example:27017", s.Address)
	assert.Equal(t, topology.RSSecondary, s.Description.Type)
	feed(t, topo, "a.example", member(true))
	s, err = topo.Select(context.Background(), nil, client.Operation{Kind: selection.Write})
	require.NoError(t, err)
	assert.Equal(t, "a.example:27017", s.Address)
}

// 3.1 (7): a change of the topology wakes whoever waits, and all of them.
func TestWaitersWakeOnChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topo := open(t, uri, client.Options{})
		const waiters = 50
		got := make(chan string, waiters)
		for range waiters {
			go func() {
				s, err := topo.Select(context.Background(), nil, client.Operation{})
				assert.NoError(t, err)
				got <- s.Address
			}()
		}
		synctest.Wait()
		assert.Empty(t, got)
		feed(t, topo, "b.example", member(false)) // a change that serves nobody
		synctest.Wait()
		assert.Empty(t, got)
		time.Sleep(29 * time.Second)
		feed(t, topo, "a.example", member(true))
		synctest.Wait()
		require.Len(t, got, waiters)
		assert.Equal(t, "a.example:27017", <-got)
	})
}

// 3.40 and 3.41: 30 seconds, or what the connection string says, or what is left of the
// operation's own time, whichever is first; and the error says why.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		name, uri string
		options   client.Options
		deadline  time.Duration
		want      time.Duration
	}{
		{"default", uri, client.Options{}, 0, 30 * time.Second},
		{"connection string", uri + "&serverSelectionTimeoutMS=2500", client.Options{}, 0, 2500 * time.Millisecond},
		{"connection string with 0", uri + "&serverSelectionTimeoutMS=0", client.Options{}, 0, 0},
		{"option", uri + "&serverSelectionTimeoutMS=2500", client.Options{ServerSelectionTimeout: time.Second}, 0, time.Second},
		{"operation", uri, client.Options{}, 5 * time.Second, 5 * time.Second},
		{"operation has longer", uri, client.Options{}, 50 * time.Second, 30 * time.Second},
		{"no wait", uri, client.Options{ServerSelectionTimeout: -1}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				topo := open(t, c.uri, c.options)
				feed(t, topo, "b.example", member(false))
				ctx := context.Background()
				if c.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.deadline)
					defer cancel()
				}
				began := time.Now()
				_, err := topo.Select(ctx, nil, client.Operation{})
				assert.Equal(t, c.want, time.Since(began))
				var timeout *client.TimeoutError
				require.ErrorAs(t, err, &timeout)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				assert.True(t, timeout.Timeout())
				assert.Equal(t, c.want, timeout.Waited)
				assert.Contains(t, timeout.Error(), "primary")
				assert.Contains(t, timeout.Explanation, "b.example:27017")
			})
		})
	}
}

// 3.41: where no server is available, the servers' errors are the reason.
func TestTimeoutTellsErrors(t *testing.T) {
	topo := open(t, "mongodb://a.example/?replicaSet=rs0", client.Options{ServerSelectionTimeout: -1})
	_, err := topo.Hello(client.Reply{Address: "a.example", Err: errors.New("connection refused"), Network: true})
	require.NoError(t, err)
	_, err = topo.Select(context.Background(), nil, client.Operation{})
	require.ErrorContains(t, err, "connection refused")
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topo := open(t, uri, client.Options{})
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			time.Sleep(time.Second)
			cancel()
		}()
		began := time.Now()
		_, err := topo.Select(ctx, nil, client.Operation{})
		assert.Equal(t, time.Second, time.Since(began))
		require.ErrorIs(t, err, context.Canceled)
		var timeout *client.TimeoutError
		require.ErrorAs(t, err, &timeout)
		assert.False(t, timeout.Timeout())
	})
}

// 3.2 and 3.6: what waiting cannot help fails at once, and recovers.
func TestFailsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topo := open(t, uri, client.Options{})
		old := member(true)
		old.MaxWireVersion = topology.NewInt(7)
		feed(t, topo, "a.example", old)
		began := time.Now()
		_, err := topo.Select(context.Background(), nil, client.Operation{})
		var failure *status.Error
		require.ErrorAs(t, err, &failure)
		assert.Equal(t, status.IncompatibleWireVersion, failure.Code)
		feed(t, topo, "a.example", member(true))
		_, err = topo.Select(context.Background(), nil, client.Operation{})
		require.NoError(t, err)
		_, err = topo.Select(context.Background(), prefer(t, readpref.Preference{Mode: readpref.Nearest, MaxStaleness: readpref.MaxStalenessSeconds(89)}), client.Operation{})
		require.ErrorAs(t, err, &failure)
		assert.Equal(t, status.MaxStalenessTooSmall, failure.Code)
		assert.Zero(t, time.Since(began))
	})
}

// 3.2: a topology that becomes incompatible ends the wait.
func TestIncompatibleWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topo := open(t, uri, client.Options{})
		go func() {
			time.Sleep(time.Second)
			old := member(false)
			old.MaxWireVersion = topology.NewInt(7)
			feed(t, topo, "b.example", old)
		}()
		began := time.Now()
		_, err := topo.Select(context.Background(), nil, client.Operation{})
		var failure *status.Error
		require.ErrorAs(t, err, &failure)
		assert.Equal(t, status.IncompatibleWireVersion, failure.Code)
		assert.Equal(t, time.Second, time.Since(began))
	})
}

func TestCloseEndsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topo := open(t, uri, client.Options{})
		failed := make(chan error, 1)
		go func() {
			_, err := topo.Select(context.Background(), nil, client.Operation{})
			failed <- err
		}()
		synctest.Wait()
		require.NoError(t, topo.Close())
		require.ErrorIs(t, <-failed, client.ErrClosed)
		_, err := topo.Select(context.Background(), nil, client.Operation{})
		require.ErrorIs(t, err, client.ErrClosed)
		accepted, err := topo.Hello(client.Reply{Address: "a.example", Hello: member(true)})
		require.NoError(t, err)
		assert.False(t, accepted)
	})
}

// 3.34: the count goes up with a checkout, and down once. 3.27: a deprioritized
// server is avoided while another serves.
func TestCheckout(t *testing.T) {
	topo := open(t, uri, client.Options{})
	feed(t, topo, "a.example", member(true))
	feed(t, topo, "b.example", member(false))
	nearest := prefer(t, readpref.Preference{Mode: readpref.Nearest})
	s, release, err := topo.Checkout(context.Background(), nearest, client.Operation{Deprioritized: []string{"A.example"}})
	require.NoError(t, err)
	assert.Equal(t, "b.example:27017", s.Address)
	count := func() int64 { n, _ := topo.Deployment().Topology().OperationCount(s.ID); return n }
	assert.EqualValues(t, 1, count())
	for range 20 { // with exactly two the less busy one always wins
		other, err := topo.Select(context.Background(), nearest, client.Operation{})
		require.NoError(t, err)
		assert.Equal(t, "a.example:27017", other.Address)
	}
	release()
	release()
	assert.EqualValues(t, 0, count())
	_, release, err = topo.Checkout(context.Background(), prefer(t, readpref.Preference{Mode: readpref.Nearest, MaxStaleness: readpref.MaxStalenessSeconds(1)}), client.Operation{})
	require.Error(t, err)
	release()
}

// 6.25, 6.26 and 6.28: events and effects come in order; a callback may call the
// Topology, as a monitor that answers at once does.
func TestTellsInOrder(t *testing.T) {
	var told []string
	var topo *client.Topology
	ready := make(chan struct{})
	topo, err := client.Open(uri, client.Options{
		OnEvent: func(e sdam.Event) { told = append(told, strings.TrimSpace(e.Kind.String()+" "+e.Address)) },
		OnEffect: func(e sdam.Effect) {
			told = append(told, e.Kind.String()+" "+e.Address)
			select {
			case <-ready:
			default:
				return
			}
			if e.Kind == sdam.RequestCheck {
				_, err := topo.Hello(client.Reply{Address: e.Address, Hello: member(e.Address == "a.example:27017"), RoundTripTime: time.Millisecond})
				assert.NoError(t, err)
			}
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"topologyOpening", "topologyDescriptionChanged", "serverOpening a.example:27017", "serverOpening b.example:27017",
		"startMonitor a.example:27017", "startMonitor b.example:27017"}, told)
	told = nil
	close(ready)
	s, err := topo.Select(context.Background(), nil, client.Operation{})
	require.NoError(t, err)
	assert.Equal(t, "a.example:27017", s.Address)
	assert.Equal(t, []string{
		"requestCheck a.example:27017", "requestCheck b.example:27017",
		"serverDescriptionChanged a.example:27017", "topologyDescriptionChanged", "poolReady a.example:27017",
		"serverDescriptionChanged b.example:27017", "topologyDescriptionChanged", "poolReady b.example:27017"}, told)
	told = nil
	require.NoError(t, topo.Close())
	assert.Equal(t, []string{"serverClosed a.example:27017", "serverClosed b.example:27017", "topologyDescriptionChanged", "topologyClosed",
		"stopMonitor a.example:27017", "stopMonitor b.example:27017"}, told)
}

// 3.42.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "topologyDescription" && a.Value.String() != "" {
				return slog.Attr{}
			}
			return a
		}}))
		topo := open(t, uri, client.Options{Logger: logger})
		go func() {
			time.Sleep(time.Second)
			feed(t, topo, "b.example", member(false))
			time.Sleep(time.Second)
			feed(t, topo, "a.example", member(true))
		}()
		_, err := topo.Select(context.Background(), nil, client.Operation{Name: "find", ID: 7})
		require.NoError(t, err)
		assert.Equal(t, `level=DEBUG msg="Server selection started" selector=primary operation=find operationId=7
level=INFO msg="Waiting for suitable server to become available" selector=primary operation=find remainingTimeMS=30000 operationId=7
level=DEBUG msg="Server selection succeeded" selector=primary operation=find serverHost=a.example serverPort=27017 operationId=7
`, out.String())
		out.Reset()
		_, err = topo.Error(sdam.ApplicationError{Address: "a.example", Kind: sdam.NetworkError})
		require.NoError(t, err)
		_, err = topo.Select(context.Background(), nil, client.Operation{Name: "find"})
		require.Error(t, err)
		assert.Equal(t, `level=DEBUG msg="Server selection started" selector=primary operation=find
level=INFO msg="Waiting for suitable server to become available" selector=primary operation=find remainingTimeMS=30000
level=DEBUG msg="Server selection failed" selector=primary operation=find failure="server selection timed out after 30s"
`, out.String())
	})
}

// 3.9: behind a load balancer the one server serves, without monitoring.
func TestLoadBalanced(t *testing.T) {
	topo := open(t, "mongodb://lb.example/?loadBalanced=true", client.Options{})
	s, err := topo.Select(context.Background(), prefer(t, readpref.Preference{Mode: readpref.Secondary}), client.Operation{})
	require.NoError(t, err)
	assert.Equal(t, "lb.example:27017", s.Address)
}

// 5.7 and 5.10: a probe moves the average, a streamed reply does not.
func TestRoundTrip(t *testing.T) {
	topo := open(t, uri, client.Options{})
	feed(t, topo, "a.example", member(true)) // 2 ms
	_, err := topo.Hello(client.Reply{Address: "a.example", Hello: member(true), Streamed: true, RoundTripTime: time.Hour})
	require.NoError(t, err)
	require.NoError(t, topo.RoundTrip("a.example", 7*time.Millisecond)) // (7 + 4·2) / 5
	s, err := topo.Select(context.Background(), nil, client.Operation{})
	require.NoError(t, err)
	ns, ok := s.Description.RoundTripTime.Nanoseconds()
	assert.True(t, ok)
	assert.EqualValues(t, 3_000_000, ns)
}

func TestHammer(t *testing.T) {
	topo := open(t, uri, client.Options{OnEvent: func(sdam.Event) {}, OnEffect: func(sdam.Effect) {}})
	nearest := prefer(t, readpref.Preference{Mode: readpref.Nearest})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for i, address := range []string{"a.example", "b.example"} {
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				if n%5 == 4 {
					_, err := topo.Error(sdam.ApplicationError{Address: address, Kind: sdam.NetworkError})
					assert.NoError(t, err)
				}
				_, err := topo.Hello(client.Reply{Address: address, Hello: member(i == 0), RoundTripTime: time.Millisecond})
				assert.NoError(t, err)
			}
		})
	}
	for range 8 {
		readers.Go(func() {
			for range 500 {
				_, release, err := topo.Checkout(ctx, nearest, client.Operation{})
				if !assert.NoError(t, err) {
					return
				}
				release()
			}
		})
	}
	readers.Wait()
	close(stop)
	writers.Wait()
	topo.View(func(d *topology.Description) { assert.Len(t, d.Servers, 2) })
	known, _ := topo.Deployment().Topology().Describe()
	for _, s := range known.Servers {
		assert.Zero(t, s.OperationCount)
	}
}

func TestParseHello(t *testing.T) {
	document := []byte(`{"ok":{"$numberDouble":"1.0"},"ismaster":true,"setName":"rs0","hosts":["A.example"],"tags":{"dc":"ny"}}`)
	h, err := client.ParseHello(document)
	require.NoError(t, err)
	clear(document) // what was read does not depend on it
	assert.Equal(t, topology.RSPrimary, h.ServerType())
	assert.Equal(t, "rs0", h.SetName)
	_, err = client.ParseHello([]byte(`{"ok":1,"hosts":"a.example"}`))
	var failure *status.Error
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, status.WrongType, failure.Code)
	assert.Equal(t, "hosts", failure.Path)
}

// 1.12: an operation without a preference uses the client's.
func TestPreferenceOfConnectionString(t *testing.T) {
	topo := open(t, uri+"&readPreference=secondary", client.Options{})
	feed(t, topo, "a.example", member(true))
	feed(t, topo, "b.example", member(false))
	s, err := topo.Select(context.Background(), nil, client.Operation{})
	require.NoError(t, err)
	assert.Equal(t, "b.example:27017", s.Address)
	text, err := topo.Explain(nil, client.Operation{})
	require.NoError(t, err)
	assert.Contains(t, text, "secondary")
}
