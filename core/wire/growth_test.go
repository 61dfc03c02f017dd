package wire_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/readpref/readpref/core/abi"
)

// adversarial are documents made to be slow: each of about n bytes, for a
// method, through the whole engine.
var adversarial = []struct {
	name, method string
	answer       string // how the answer begins
	document     func(n int) string
}{
	{"keys in one object", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string {
		return hello(`{"x":{` + many(n/16, func(i int) string { return fmt.Sprintf(`"k%d":%d`, scramble(i), i) }) + `}}`)
	}},
	{"keys of a hello", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string {
		return hello(`{` + many(n/16, func(i int) string { return fmt.Sprintf(`"k%d":%d`, scramble(i), i) }) + `}`)
	}},
	{"keys with a long equal beginning", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string {
		long := strings.Repeat("k", 1000)
		return hello(`{"x":{` + many(n/1010, func(i int) string { return fmt.Sprintf(`"%s%d":0`, long, scramble(i)) }) + `}}`)
	}},
	{"escaped keys", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string {
		return hello(`{"x":{` + many(n/20, func(i int) string { return fmt.Sprintf(`"\u006b%d":0`, scramble(i)) }) + `}}`)
	}},
	{"a duplicate key at the end", "server.parse_hello", `{"error":{"code":"duplicateKey"`, func(n int) string {
		return hello(`{"x":{` + many(n/16, func(i int) string { return fmt.Sprintf(`"k%d":0`, scramble(i)) }) + `,"k0":0}}`)
	}},
	{"small objects", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string {
		return hello(`{"x":[` + many(n/42, func(int) string { return `{"a":{"b":{"c":{}}},"d":{"e":[{"f":0}]}}` }) + `]}`)
	}},
	{"nesting", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string {
		deep := strings.Repeat("[", 60) + strings.Repeat("]", 60)
		return hello(`{"x":[` + many(n/120, func(int) string { return deep }) + `]}`)
	}},
	{"nesting of objects with a broken end", "server.parse_hello", `{"error":{"code":"invalidJSON"`, func(n int) string {
		deep := strings.Repeat(`{"key":`, 60) + "0" + strings.Repeat("}", 60)
		return hello(`{"x":[` + many(n/480, func(int) string { return deep }) + `,!]}`)
	}},
	{"one string of escapes", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string { return hello(`{"setName":"` + strings.Repeat(`\u00e9`, n/6) + `"}`) }},
	{"one string of quotes", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string { return hello(`{"x":"` + strings.Repeat(`\"`, n/2) + `"}`) }},
	{"hosts", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string {
		return hello(`{"ok":1,"setName":"rs","secondary":true,"hosts":[` + many(n/24, func(i int) string { return fmt.Sprintf(`"H%d.example"`, scramble(i)) }) + `]}`)
	}},
	{"one long number", "server.parse_hello", `{"server":{"address":"a:27017"`, func(n int) string { return `{"roundTripTimeMS":0.` + strings.Repeat("1", n) + `,` + hello("{}")[1:] }},
	{"one long whole number", "server.parse_hello", `{"error":{"code":"outOfRange"`, func(n int) string { return `{"nowMS":1` + strings.Repeat("0", n) + `,` + hello("{}")[1:] }},
	{"white space", "server.parse_hello", `{"error":{"code":"unknownKey"`, func(n int) string {
		return `{"address":"a",` + strings.Repeat(" ", n) + `"hello":{},"x":1}`
	}},

	{"servers", "select", `{"server":{"index":`, func(n int) string {
		return selectFrom(n/140, func(i int) string { return fmt.Sprintf("h%d.example:27017", scramble(i)) }, "")
	}},
	{"servers with a long equal beginning", "select", `{"server":{"index":`, func(n int) string {
		long := strings.Repeat("x", 1000)
		return selectFrom(n/1060, func(i int) string { return fmt.Sprintf("%s%d:27017", long, scramble(i)) }, "")
	}},
	{"a few very long addresses", "select", `{"server":{"index":`, func(n int) string {
		return selectFrom(n/240, func(i int) string { // where a sort looks for its pivot
			count := n / 240
			if quarter := count / 4; i%quarter <= 1 || i%quarter == quarter-1 {
				return fmt.Sprintf("h5%s%d", strings.Repeat("x", n/24), i)
			}
			return fmt.Sprintf("h%d", scramble(i))
		}, "")
	}},
	{"the same address again", "select", `{"error":{"code":"duplicateAddress"`, func(n int) string {
		return selectFrom(n/140, func(i int) string { return fmt.Sprintf("h%d", scramble(i%(n/140-1))) }, "")
	}},
	{"servers and as many deprioritized", "select", `{"server":{"index":`, func(n int) string {
		return selectFrom(n/140, func(i int) string { return fmt.Sprintf("h%d", scramble(i)) }, `,"deprioritized":[`+
			many(n/140, func(i int) string { return fmt.Sprintf(`"H%d:27017"`, scramble(i+5)) })+`]`)
	}},
	{"servers and one very long deprioritized", "select", `{"server":{"index":`, func(n int) string {
		return selectFrom(n/240, func(i int) string { return fmt.Sprintf("h%d", scramble(i)) }, `,"deprioritized":["`+strings.Repeat("x", n/2)+`"]`)
	}},
	{"servers and as many kept", "select", `{"server":{"index":`, func(n int) string {
		return selectFrom(n/140, func(i int) string { return fmt.Sprintf("h%d", scramble(i)) }, `,"customSelector":{"keepOnly":[`+
			many(n/140, func(i int) string { return fmt.Sprintf(`"h%d"`, scramble(i+5)) })+`]}`)
	}},
	{"explain", "explain", `{"server":{"index":`, func(n int) string {
		return selectFrom(n/240, func(i int) string { return fmt.Sprintf("h%d", scramble(i)) }, `,"deprioritized":["h1"]`)
	}},
	{"dates", "select", `{"server":null,`, func(n int) string {
		return `{"topology":{"servers":[` + many(n/160, func(i int) string {
			return fmt.Sprintf(`{"address":"h%d","type":"RSSecondary","lastWriteDate":{"\u0024date":"2026-10-26T01:46:40.%sZ"}}`, i, strings.Repeat("1", 50))
		}) + `]}}`
	}},
	{"one long date", "select", `{"server":null,`, func(n int) string {
		return `{"topology":{"servers":[{"address":"h","type":"RSSecondary","lastWriteDate":{"$date":"2026-10-26T01:46:40.` + strings.Repeat("1", n) + `Z"}}]}}`
	}},
	{"tags", "select", `{"server":null,`, func(n int) string {
		long := strings.Repeat("t", 100)
		tags := many(100, func(i int) string { return fmt.Sprintf(`"%s%d":"v"`, long, scramble(i)) })
		return `{"topology":{"servers":[` + many(n/11000, func(i int) string {
			return fmt.Sprintf(`{"address":"h%d","type":"RSSecondary","tags":{%s}}`, i, tags)
		}) + `]}}`
	}},
	{"two shards", "select", `{"shards":{"a":{"server":null`, func(n int) string {
		one := func(name string) string {
			return `"` + name + `":{"servers":[` + many(n/140, func(i int) string { return fmt.Sprintf(`{"address":"h%d","type":"RSSecondary"}`, scramble(i)) }) + `]}`
		}
		return `{"shards":{` + one("a") + `,` + one("b") + `}}`
	}},
	{"an unknown key at the end", "select", `{"error":{"code":"unknownKey"`, func(n int) string {
		return selectFrom(n/140, func(i int) string { return fmt.Sprintf("h%d", i) }, `,"x":1`)
	}},

	{"unknown keys of a preference", "validate", `{"valid":false`, func(n int) string {
		return `{"readPreference":{` + many(n/16, func(i int) string { return fmt.Sprintf(`"k%d":%d`, scramble(i), i) }) + `}}`
	}},
	{"arguments", "validate", `{"valid":false`, func(n int) string { return `{"mongosh":["nearest",[],{}` + strings.Repeat(",0", n/2) + `]}` }},
	{"URI options", "validate", `{"valid":false`, func(n int) string { return `{"uriOptions":"` + strings.Repeat("x&readPref=x&", n/13) + `"}` }},
	{"one long URI option", "validate", `{"valid":true`, func(n int) string {
		return `{"uriOptions":"readPreferenceTags=` + strings.Repeat("a:b,%41:b,", n/10) + `"}`
	}},
}

// scramble is a permutation of the small integers: no order to profit from.
func scramble(i int) int { return i * 7919 % 1_000_003 }

func hello(reply string) string { return `{"address":"a","hello":` + reply + `}` }

func many(count int, element func(i int) string) string {
	var b strings.Builder
	for i := range count {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(element(i))
	}
	return b.String()
}

func selectFrom(count int, address func(i int) string, rest string) string {
	return `{"readPreference":{"mode":"nearest"},"topology":{"type":"ReplicaSetNoPrimary","servers":[` +
		many(count, func(i int) string {
			return `{"address":"` + address(i) + `","type":"RSSecondary","roundTripTimeMS":1.5}`
		}) + `]}` + rest + `}`
}

// An eightfold document takes about eightfold time. Sorting makes it a little
// more, and caches end; five times that is left to them. What is quadratic takes 64-fold.
func TestTimeGrowsLinearly(t *testing.T) {
	const times, most, tries = 8, 40, 8
	small, large := 1<<20, 8<<20
	if testing.Short() {
		small, large = small/8, large/8
	}
	var c abi.Context
	took := func(method, document string) time.Duration {
		in := []byte(document)
		start := cpuTime(t)
		c.Answer(method, in)
		return cpuTime(t) - start
	}
	for _, a := range adversarial {
		t.Run(a.name, func(t *testing.T) {
			one, eight := a.document(small), a.document(large)
			for _, document := range []string{one, eight} {
				if answer, _ := c.Answer(a.method, []byte(document)); !strings.HasPrefix(string(answer), a.answer) {
					t.Fatalf("%.300s\nwant %s", answer, a.answer)
				}
			}
			if ratio := float64(len(eight)) / float64(len(one)); ratio < times*0.8 || ratio > times*1.2 {
				t.Fatalf("documents of %d and %d bytes", len(one), len(eight))
			}
			least := func(d, best time.Duration) time.Duration {
				if best == 0 {
					return d
				}
				return min(d, best)
			}
			var short, long time.Duration
			for range tries { // the least of some: caches are shared
				short = least(took(a.method, one), least(took(a.method, one), short))
				long = least(took(a.method, eight), long)
				if long < most*short {
					return
				}
			}
			t.Errorf("%d bytes take %v, %d bytes %v: %.1f times", len(one), short, len(eight), long, float64(long)/float64(short))
		})
	}
}

// At the limits themselves.
func TestLargestTopology(t *testing.T) {
	const servers = 60_000
	address := func(i int) string { return fmt.Sprintf("h%d", scramble(i)) }
	document := selectFrom(servers, address, `,"deprioritized":[`+many(servers, func(i int) string { return `"` + strings.ToUpper(address(i)) + `:27017"` })+`]`)
	var c abi.Context
	answer, ok := c.Answer("select", []byte(document))
	if !ok || !strings.Contains(string(answer), `"server":{"index":`) {
		t.Fatalf("%.300s", answer) // all are deprioritized, so none is avoided
	}
	if n := strings.Count(string(answer), `"h`); n != 4*servers+1 {
		t.Errorf("%d addresses in the answer", n)
	}
	hosts := many(10_000, func(i int) string { return fmt.Sprintf(`"H%d.Example"`, i) })
	answer, ok = c.Answer("server.parse_hello", []byte(hello(`{"ok":1,"setName":"rs","secondary":true,"hosts":[`+hosts+`]}`)))
	if !ok || strings.Count(string(answer), ".example:27017") != 10_000 {
		t.Errorf("%.300s", answer)
	}
}
