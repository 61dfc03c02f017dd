package topology_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/topology"
)

func TestNormalizeAddress(t *testing.T) {
	for _, c := range []struct{ rule, address, want string }{
		{"5.4 lower case", "DB1.Example:27018", "db1.example:27018"},
		{"5.4 the default port", "db1.example", "db1.example:27017"},
		{"5.4 both", "DB1", "db1:27017"},
		{"5.4 normal already", "db1.example:27017", "db1.example:27017"},
		{"5.4 IPv6 with brackets and port", "[::1]:27017", "[::1]:27017"},
		{"5.4 with brackets only", "[FE80::A]", "[fe80::a]:27017"},
		{"5.4 without brackets", "fe80::A", "[fe80::a]:27017"},
		{"5.4 IPv6 with an IPv4 tail", "::FFFF:10.0.0.1", "[::ffff:10.0.0.1]:27017"},
		{"5.4 IPv4", "10.0.0.1", "10.0.0.1:27017"},
		{"2.4 a socket path keeps its case and has no port", "/run/MongoDB-27017.sock", "/run/MongoDB-27017.sock"},
		{"2.4 a name without a slash is a host", "X.sock", "x.sock:27017"},
		{"2.3 other letters keep their case", "É.example", "É.example:27017"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			assert.Equal(t, c.want, topology.NormalizeAddress(c.address))
			assert.Equal(t, c.want, topology.NormalizeAddress(c.want), "a normal form stays")
			assert.True(t, topology.SameAddress(c.address, c.want))
		})
	}
}

func TestSameAddress(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"A", "a:27017", true},
		{"a:27017", "a:27018", false},
		{"a:27017", "b:27017", false},
		{"a", "a.example", false},
		{"::1", "[::1]", true},
		{"::1", "[::1]:27017", true},
		{"[::1]", "[::1]:27018", false},
		{"::1", "::2", false},
		{"/run/a.sock", "/run/a.sock", true},
		{"/run/a.sock", "/run/A.sock", false},
		{"/run/a.sock", "/run/a.sock:27017", false},
		{"é.example", "É.example", false},
		{"K.example", "\u212a.example", false}, // the Kelvin sign
		{"@", "`", false},                      // 0x20 apart, but no letters
		{"[", "{", false},
		{"Z", "z", true},
		{"", "a", false},
	} {
		assert.Equal(t, c.same, topology.SameAddress(c.a, c.b), "%q %q", c.a, c.b)
		assert.Equal(t, c.same, topology.SameAddress(c.b, c.a), "%q %q", c.b, c.a)
		assert.Equal(t, c.same, topology.CompareAddress(c.a, c.b) == 0)
		assert.Equal(t, c.same, topology.NormalizeAddress(c.a) == topology.NormalizeAddress(c.b))
	}
}

// 3.26, 5.4: spellings of one server are the same, of two servers different.
func TestSpellings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, j := rapid.IntRange(0, 12).Draw(t, "i"), rapid.IntRange(0, 12).Draw(t, "j")
		a, b := generate.Address(t, i), generate.Address(t, j)
		require.Equal(t, i == j, topology.SameAddress(a, b), "%q %q", a, b)
		require.Equal(t, oracle.Canonical(a), topology.NormalizeAddress(a))
	})
}

// CompareAddress orders as the normal forms do, whatever the strings.
func TestCompareAddressIsTheOrderOfNormalForms(t *testing.T) {
	any := rapid.StringOf(rapid.SampledFrom([]rune("aAbBzZ:[]0127./-é@`\x00")))
	address := rapid.OneOf(any, any, rapid.Custom(func(t *rapid.T) string {
		return generate.Address(t, rapid.IntRange(0, 6).Draw(t, "i"))
	}))
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(address, 2, 5).Draw(t, "addresses")
		if rapid.Bool().Draw(t, "related") {
			list[1] = strings.ToUpper(list[0]) + rapid.SampledFrom([]string{"", ":27017", ":", "7", "]:27017"}).Draw(t, "tail")
		}
		for _, a := range list {
			for _, b := range list {
				na, nb := topology.NormalizeAddress(a), topology.NormalizeAddress(b)
				require.Equal(t, strings.Compare(na, nb), sign(topology.CompareAddress(a, b)), "%q %q", a, b)
				require.Equal(t, na == nb, topology.SameAddress(a, b), "%q %q", a, b)
				ka, kb := topology.KeyOfAddress(a), topology.KeyOfAddress(b)
				require.True(t, na != nb || ka.Hash() == kb.Hash(), "%q %q", a, b)
			}
		}
		slices.SortFunc(list, topology.CompareAddress)
		require.True(t, slices.IsSortedFunc(list, func(a, b string) int {
			return strings.Compare(topology.NormalizeAddress(a), topology.NormalizeAddress(b))
		}))
	})
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestAddressesAllocateNothing(t *testing.T) {
	list := []string{"A.Example", "a.example:27017", "::1", "[::1]:27017", "/run/a.sock"}
	same := 0
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		for _, a := range list {
			for _, b := range list {
				if topology.SameAddress(a, b) {
					same++
				}
			}
		}
	}))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		same += len(topology.NormalizeAddress(list[1])) + len(topology.NormalizeAddress(list[3])) + len(topology.NormalizeAddress(list[4]))
	}), "addresses that are normal already")
	assert.NotZero(t, same)
}

func ExampleNormalizeAddress() {
	fmt.Println(topology.NormalizeAddress("DB1.example"))
	fmt.Println(topology.NormalizeAddress("::1"))
	fmt.Println(topology.NormalizeAddress("/run/mongodb-27017.sock"))
	// Output:
	// db1.example:27017
	// [::1]:27017
	// /run/mongodb-27017.sock
}
