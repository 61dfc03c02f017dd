package explain_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

func TestAppendPreference(t *testing.T) {
	many := make([]tag.Set, 9)
	for i := range many {
		many[i] = set("n", string(rune('1'+i)))
	}
	wide := set("a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8", "i", "9")
	for want, p := range map[string]readpref.Preference{
		"primary":                                 {},
		"secondary, tags [{dc: ny}, {}]":          mode(readpref.Secondary, set("dc", "ny"), tag.Set{}),
		"nearest, maxStalenessSeconds 120, hedge": {Mode: readpref.Nearest, MaxStaleness: readpref.MaxStalenessSeconds(120), Hedge: readpref.HedgeDisabled},
		"nearest, tags [{dc: ny, rack: 1}]":       mode(readpref.Nearest, set("dc", "ny", "rack", "1")),
		`nearest, tags [{a\u000a: \u001b}]`:       mode(readpref.Nearest, set("a\n", "\x1b")),
		"nearest, tags [{n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 5}, {n: 6}, {n: 7}, {n: 8}, ...]": mode(readpref.Nearest, many...),
		"nearest, tags [{a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, ...}]":               mode(readpref.Nearest, wide),
	} {
		assert.Equal(t, want, string(explain.AppendPreference(nil, &p)))
	}
}
