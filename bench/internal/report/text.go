package report

import (
	"fmt"
	"math"
	"strconv"
)

// ns prints nanoseconds to three figures, in a unit that reads well.
func ns(x float64) string {
	switch {
	case !(x > 0):
		return "–"
	case x < 99.95:
		return figures3(x) + " ns"
	case x < 9_995:
		return thousands(int(math.Round(x))) + " ns"
	case x < 9_995_000:
		return figures3(x/1e3) + " µs"
	}
	return figures3(x/1e6) + " ms"
}

// figures3 prints a number with three figures and no exponent.
func figures3(x float64) string {
	switch {
	case x >= 99.95:
		return thousands(int(math.Round(x)))
	case x >= 9.995:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// times prints a ratio.
func times(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x < 0.995:
		return fmt.Sprintf("%.2f ×", x)
	case x < 9.95:
		return fmt.Sprintf("%.1f ×", x)
	}
	return thousands(int(math.Round(x))) + " ×"
}

// thousands prints a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
