package selection_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

func TestCustomSelector(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p", rtt(1*ms)), secondary("a", rtt(100*ms)), secondary("b", rtt(110*ms)), secondary("c", rtt(200*ms)))
	var given []int32
	answer := func(list ...int32) selection.CustomSelector {
		return selection.CustomSelectorFunc(func(got *topology.Description, suitable, dst []int32) []int32 {
			assert.Same(t, d, got)
			given = append([]int32(nil), suitable...)
			return append(dst, list...)
		})
	}
	for _, c := range []struct {
		rule             string
		keep             []int32
		suitable, window string
	}{
		{"3.36 it runs before the window", []int32{2, 3}, "b c", "b"},
		{"3.5 the window is that of what it leaves", []int32{1, 2}, "a b", "a b"},
		{"3.36 it may keep none", nil, "", ""},
		{"the order is that of the servers", []int32{3, 1}, "a c", "a"},
		{"a server is kept once", []int32{2, 2, 2}, "b", "b"},
		{"servers that it was not given are ignored", []int32{0, 1}, "a", "a"},
		{"so are indices that there are not", []int32{-1, 4, 1 << 30, -1 << 31, 3}, "c", "c"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := request(d, mode(readpref.Secondary))
			r.CustomSelector = answer(c.keep...)
			res := selected(t, r)
			assert.Equal(t, []int32{1, 2, 3}, given)
			assert.Equal(t, c.suitable, names(d, res.Suitable))
			assert.Equal(t, c.window, names(d, res.InLatencyWindow))
			assert.Equal(t, "a b c", names(d, res.Fresh), "earlier steps stay as they were")
		})
	}
}

// 3.36: only when there are suitable servers.
func TestCustomSelectorIsNotAskedAboutNothing(t *testing.T) {
	d := with(topology.ReplicaSetNoPrimary, server("u", topology.ServerUnknown))
	r := request(d, mode(readpref.Secondary))
	r.CustomSelector = selection.CustomSelectorFunc(func(*topology.Description, []int32, []int32) []int32 {
		t.Error("it was asked")
		return nil
	})
	assert.Empty(t, selected(t, r).Suitable)
}

func TestKeepOnly(t *testing.T) {
	d := with(topology.Sharded, server("a:27017", topology.Mongos), server("B", topology.Mongos), server("c", topology.Mongos))
	r := request(d, mode(readpref.Primary))
	var k selection.KeepOnly
	k.Reset([]string{"b:27017", "A", "z"})
	r.CustomSelector = &k
	assert.Equal(t, "a:27017 B", names(d, selected(t, r).Suitable))
	k.Reset(nil)
	assert.Empty(t, selected(t, r).Suitable, "an empty list keeps none")
}
