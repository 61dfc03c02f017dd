package abi

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/status"
)

// A panic becomes an error document, and the Context serves on.
func TestFault(t *testing.T) {
	run := registry[0].run
	defer func() { registry[0].run = run }()
	var c Context
	for _, f := range []struct {
		panics any
		want   string
	}{
		{"boom", "a fault inside readpref: boom"},
		{errors.New("broken"), "a fault inside readpref: broken"},
		{7, "a fault inside readpref"},
	} {
		registry[0].run = func(*Context, []byte, []byte) ([]byte, *status.Error) { panic(f.panics) }
		answer, ok := c.Answer("select", nil)
		assert.False(t, ok)
		assert.Equal(t, `{"error":{"code":"internal","status":-6,"message":"`+f.want+`","path":""}}`, string(answer))
	}
	registry[0].run = func(*Context, []byte, []byte) ([]byte, *status.Error) {
		var none []int
		return nil, &status.Error{MinimumSeconds: int64(none[3])}
	}
	answer, ok := c.Answer("select", nil)
	assert.False(t, ok)
	assert.Contains(t, string(answer), `a fault inside readpref: runtime error: index out of range [3] with length 0`)
	_, ok = c.Answer("build_info", nil)
	assert.True(t, ok)
}
