// Package suggest finds the name that somebody meant.
package suggest

import "github.com/readpref/readpref/core/internal/str"

// Closest returns the name that s was probably meant to be, or "" when none is
// close: a few letters away, in another case or with underscores, or a beginning.
func Closest(s string, names []string) string {
	if len(s) > 40 {
		return ""
	}
	best, closest := 1+len(s)/3, ""
	for _, n := range names {
		if d := distance(fold(s), fold(n)); d < best || d == best && closest == "" {
			best, closest = d, n
		}
	}
	for _, n := range names {
		if f, g := fold(s), fold(n); closest == "" && min(len(f), len(g)) >= 4 && (str.HasPrefix(f, g) || str.HasPrefix(g, f)) {
			closest = n
		}
	}
	return closest
}

// fold makes the spellings of other interfaces comparable: tag_sets, tagSets.
func fold(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != '_' && c != '-' {
			b = append(b, c)
		}
	}
	return string(b)
}

// distance is the number of bytes to insert, delete, replace or swap with their
// neighbour to make a into b (optimal string alignment).
func distance(a, b string) int {
	var rows [3][64]int
	if len(b) >= len(rows[0]) || len(a) >= len(rows[0]) {
		return len(a) + len(b)
	}
	for j := 0; j <= len(b); j++ {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := &rows[(i+1)%3], &rows[(i+2)%3], &rows[i%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := 1
			if a[i-1] == b[j-1] {
				replace = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
