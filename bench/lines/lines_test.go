package lines

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServe(t *testing.T) {
	var got []any
	load := func(d Documents) (*Loaded, error) {
		if d.Select == "bad" {
			return nil, errors.New("a bad document")
		}
		got = append(got, d)
		return &Loaded{Window: []string{"a:1"}, Picked: []string{"b:2"}, Works: map[string]Work{
			"pick": func(n, threads int, own bool) error { got = append(got, n, threads, own); return nil },
			"cold": Once(func(n int) error { return nil }),
		}}, nil
	}
	in := strings.Join([]string{
		"run\tpick\t1\t1\tshared", "load\tbad\t\t", "load\ts\to\tp", "run\tpick\t7\t2\town", "run\tjson\t7\t1\tshared",
		"run\tcold\t3\t2\tshared", "allocs\tcold\t3\t1\tshared", "dance",
	}, "\n") + "\n"
	var out bytes.Buffer
	require.NoError(t, serve(strings.NewReader(in), &out, load))
	assert.Equal(t, []any{Documents{"s", "o", "p"}, 7, 2, true}, got)
	assert.Equal(t, strings.Join([]string{
		`{"error":"run before load"}`, `{"error":"a bad document"}`, `{"window":["a:1"],"picked":["b:2"]}`, `{"done":7}`,
		`{"error":"has no json"}`, `{"error":"runs on one thread"}`, `{"done":3,"allocs":0}`,
		`{"error":"cannot \"dance\" with 0 arguments"}`,
	}, "\n")+"\n", out.String())
}
