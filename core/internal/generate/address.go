package generate

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Address returns a spelling of the i-th address. Different i are different
// servers, all spellings of one i the same.
func Address(t *rapid.T, i int) string {
	bare := rapid.Bool().Draw(t, "bare")
	var s string
	switch i % 5 {
	case 0: // the default port may be left out
		s = fmt.Sprintf("host%d.example", i)
		if !bare {
			s += ":27017"
		}
	case 1:
		s = fmt.Sprintf("host%d.example:27018", i)
	case 2: // so may the brackets of an IPv6 literal
		s = fmt.Sprintf("fe80::%d:a", i)
		if !bare {
			s = "[" + s + "]:27017"
		}
	case 3:
		s = fmt.Sprintf("[fe80::%d:a]:27019", i)
	default: // a socket path has one spelling only
		return fmt.Sprintf("/run/mongodb-%d-A.sock", i)
	}
	if rapid.Bool().Draw(t, "upper") {
		s = strings.ToUpper(s)
	}
	return s
}

// addresses draws a list of addresses, each of which may name one of the n
// servers, in any spelling, twice too, or none of them.
func addresses(t *rapid.T, n int, label string) []string {
	list := []string{}
	chance := rapid.SampledFrom([]int{0, 1, 1, 2, 3}).Draw(t, label+"Chance") // in 3
	for i := range n {
		if chance == 3 || chance > 0 && rapid.IntRange(1, 3).Draw(t, label) <= chance {
			list = append(list, Address(t, i))
		}
	}
	switch rapid.IntRange(0, 9).Draw(t, label+"More") {
	case 0:
		list = append(list, Address(t, n+rapid.IntRange(0, 4).Draw(t, "stranger")))
	case 1:
		list = append(list, "", "/RUN/mongodb-4-A.sock", "host0.example:1")
	case 2:
		if len(list) > 0 {
			list = append(list, list[0])
		}
	case 3: // long lists are searched in another way
		for i := range 70 {
			list = append([]string{fmt.Sprintf("stranger%d:27017", i)}, list...)
		}
	}
	return list
}
