package suggest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// distance is a metric, and agrees with its definition by recursion.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching("[abc]{0,6}")
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := distance(a, b), slowDistance(a, b); got != want {
			t.Fatalf("distance(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
	long := strings.Repeat("a", 64)
	if distance(long, "a") != 65 || distance("a", long) != 65 {
		t.Error("words too long for the table are far from all")
	}
}

func slowDistance(a, b string) int {
	switch {
	case a == "":
		return len(b)
	case b == "":
		return len(a)
	}
	x, y := a[:len(a)-1], b[:len(b)-1]
	replace := 1
	if a[len(a)-1] == b[len(b)-1] {
		replace = 0
	}
	d := min(slowDistance(x, b)+1, slowDistance(a, y)+1, slowDistance(x, y)+replace)
	if len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-2] && a[len(a)-2] == b[len(b)-1] {
		d = min(d, slowDistance(a[:len(a)-2], b[:len(b)-2])+1)
	}
	return d
}
