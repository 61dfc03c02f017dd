package simulate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// In pieces of any size the picks are those of one call, to the last word.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		whole := run(t, r)
		left, state := r.Picks, ""
		var last *simulate.Result
		for left > 0 {
			piece := *r
			piece.Picks = rapid.Int64Range(1, left).Draw(t, "piece")
			piece.State = state
			last = run(t, &piece)
			left -= piece.Picks
			state = last.State
		}
		require.Equal(t, whole, last)
		require.Equal(t, string(whole.AppendText(nil, r)), string(last.AppendText(nil, r)))
	})
}

// A state goes on with its own request only.
func TestStateOfAnother(t *testing.T) {
	make := func(change func(*simulate.Request)) *simulate.Request {
		r := request(set(member("a", topology.RSPrimary, ms, 0), member("b", topology.RSSecondary, ms, 1)), reads(readpref.Nearest), writes())
		r.Picks, r.Clients, r.ServiceTimesNS = 10, 2, []int64{1, 2}
		change(r)
		return r
	}
	state := run(t, make(func(*simulate.Request) {})).State
	refused := &status.Error{Code: status.OutOfRange}
	for name, change := range map[string]func(*simulate.Request){
		"topology": func(r *simulate.Request) { r.Topology.Servers[1].Address = "c" },
		"counts":   func(r *simulate.Request) { r.Topology.Servers[1].OperationCount = 2 },
		"rtt":      func(r *simulate.Request) { r.Topology.Servers[1].RoundTripTime = topology.NewRTT(0) },
		"type":     func(r *simulate.Request) { r.Topology.Servers[1].Type = topology.RSArbiter },
		"weight":   func(r *simulate.Request) { r.Workloads[0].Weight = 2 },
		"mode":     func(r *simulate.Request) { r.Workloads[0].Preference.Mode = readpref.Secondary },
		"seed":     func(r *simulate.Request) { r.Seed++ },
		"pick":     func(r *simulate.Request) { r.Pick++ },
		"clients":  func(r *simulate.Request) { r.Clients++ },
		"service":  func(r *simulate.Request) { r.ServiceTimesNS[0]++ },
	} {
		r := make(change)
		r.State = state
		_, err := simulate.Run(r)
		require.ErrorIs(t, err, refused, name)
		assert.Equal(t, "state", err.(*status.Error).Path)
	}
	r := make(func(r *simulate.Request) { r.Picks = 3 }) // another number is no other request
	r.State = state
	assert.Equal(t, int64(13), run(t, r).Picks)
}

// Any text at all is taken up or refused.
func TestStateIsChecked(t *testing.T) {
	r := request(set(member("a", topology.RSPrimary, ms, 0)), reads(readpref.Primary))
	r.Picks, r.Clients = 5, 2
	state := run(t, r).State
	words := strings.Split(state, " ")
	require.Len(t, words, 4+2+2*2)
	refuse := func(state string) {
		again := *r
		again.State = state
		_, err := simulate.Run(&again)
		require.ErrorIs(t, err, &status.Error{Code: status.OutOfRange}, state)
	}
	with := func(i int, word string) string {
		changed := append([]string(nil), words...)
		changed[i] = word
		return strings.Join(changed, " ")
	}
	for i := range words {
		for _, word := range []string{"", "x", "-1", "1.5", "18446744073709551616", "+1"} {
			refuse(with(i, word))
		}
		refuse(strings.Join(words[:i], " ") + " ")
	}
	refuse(state + " ")
	refuse(state + " 0")
	refuse(with(0, "2"))             // another form
	refuse(with(1, "1"))             // another request
	refuse(with(4, "1099511627777")) // 2^40 + 1 failures
	refuse(with(6, "2"))             // a server that there is not
	refuse(with(7, "1"))             // the first client is not next
	refuse(with(9, "120000000001"))  // longer than an operation takes
	again := *r
	again.State = state
	assert.Equal(t, int64(10), run(t, &again).Picks)
}

func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*simulate.Request)
		code   status.Code
		path   string
	}{
		"no servers":   {func(r *simulate.Request) { r.Topology.Servers = nil }, status.OutOfRange, "topology.servers"},
		"servers":      {func(r *simulate.Request) { r.Topology.Servers = make([]topology.Server, 1025) }, status.LimitExceeded, "topology.servers"},
		"no workloads": {func(r *simulate.Request) { r.Workloads = nil }, status.OutOfRange, "workloads"},
		"picks":        {func(r *simulate.Request) { r.Picks = 10_000_001 }, status.OutOfRange, "picks"},
		"clients":      {func(r *simulate.Request) { r.Clients = 1025 }, status.OutOfRange, "clients"},
	} {
		r := request(set(member("a", topology.RSPrimary, ms, 0)), reads(readpref.Primary))
		c.change(r)
		_, err := simulate.Run(r)
		require.ErrorIs(t, err, &status.Error{Code: c.code}, name)
		assert.Equal(t, c.path, err.(*status.Error).Path)
	}
}
