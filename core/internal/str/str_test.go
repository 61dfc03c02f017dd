package str_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/str"
)

// Texts of few letters, so that one is often in another.
func texts(r *rapid.T) (s, sep string) {
	return rapid.StringMatching(`[aAbZ,é]{0,12}`).Draw(r, "s"), rapid.StringMatching(`[ab,]{1,3}`).Draw(r, "sep")
}

func TestAsStrings(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, sep := texts(r)
		assert.Equal(r, strings.HasPrefix(s, sep), str.HasPrefix(s, sep))
		assert.Equal(r, strings.HasSuffix(s, sep), str.HasSuffix(s, sep))
		assert.Equal(r, strings.TrimPrefix(s, sep), str.TrimPrefix(s, sep))
		assert.Equal(r, strings.TrimSuffix(s, sep), str.TrimSuffix(s, sep))
		assert.Equal(r, strings.Index(s, sep), str.Index(s, sep))
		assert.Equal(r, strings.Contains(s, sep), str.Contains(s, sep))
		assert.Equal(r, strings.IndexAny(s, sep), str.IndexAny(s, sep))
		assert.Equal(r, strings.ContainsAny(s, sep), str.ContainsAny(s, sep))
		assert.Equal(r, strings.IndexByte(s, sep[0]), str.IndexByte(s, sep[0]))
		assert.Equal(r, strings.LastIndexByte(s, sep[0]), str.LastIndexByte(s, sep[0]))
		assert.Equal(r, strings.Count(s, sep[:1]), str.Count(s, sep[0]))
		n := rapid.IntRange(1, 5).Draw(r, "n")
		assert.Equal(r, strings.SplitN(s, sep, n), str.SplitN(s, sep, n))

		after, found := str.CutPrefix(s, sep)
		wantAfter, want := strings.CutPrefix(s, sep)
		assert.Equal(r, []any{wantAfter, want}, []any{after, found})
		before, after, found := str.Cut(s, sep)
		wantBefore, wantAfter, want := strings.Cut(s, sep)
		assert.Equal(r, []any{wantBefore, wantAfter, want}, []any{before, after, found})

		ascii := strings.ReplaceAll(s, "é", "")
		assert.Equal(r, strings.ToLower(ascii), str.LowerASCII(ascii))
		assert.Equal(r, s, str.Clone(s))
	})
}

func TestCloneIsItsOwn(t *testing.T) {
	s := strings.Repeat("x", 5)
	assert.NotSame(t, unsafe.StringData(s), unsafe.StringData(str.Clone(s)))
	assert.Equal(t, "É", str.LowerASCII("É"), "only ASCII")
}

func TestAppendBool(t *testing.T) {
	assert.Equal(t, "x:true,false", string(str.AppendBool(append(str.AppendBool([]byte("x:"), true), ','), false)))
}
