package tag_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/tag"
)

// An index answers as comparing each with each does, whatever the lengths: 3.24.
func TestIndexAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.IntRange(0, 400), 0, 300, rapid.ID[int]).Draw(t, "server")
		var server tag.Set
		for _, n := range names {
			server = append(server, tag.Tag{Name: fmt.Sprint(n), Value: fmt.Sprint(n % 2)})
		}
		var request tag.Set
		for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 400), 0, 20, rapid.ID[int]).Draw(t, "request") {
			request = append(request, tag.Tag{Name: fmt.Sprint(n), Value: rapid.SampledFrom([]string{fmt.Sprint(n % 2), "0"}).Draw(t, "value")})
		}
		var want tag.Tag
		missing := false
		for _, r := range request {
			if v, ok := server.Get(r.Name); !ok || v != r.Value {
				want, missing = r, true
				break
			}
		}
		var x tag.Index
		x.Reset(server)
		got, ok := x.Missing(request)
		require.Equal(t, missing, ok)
		require.Equal(t, want, got)
		got, ok = request.Missing(server)
		require.Equal(t, missing, ok)
		require.Equal(t, want, got)
	})
}

func TestIndexAllocations(t *testing.T) {
	var server, request tag.Set
	for i := range 100 {
		server = append(server, tag.Tag{Name: fmt.Sprint(i)})
		request = append(request, tag.Tag{Name: fmt.Sprint(99 - i)})
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if !request.Matches(server) {
			t.Error("no match")
		}
	}))
}
