package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every byte at every place of strings up to three words long, before and behind others that
// might hide it.
func TestPlainUntil(t *testing.T) {
	for n := 1; n <= 24; n++ {
		for at := range n {
			for c := range 256 {
				for _, behind := range []byte{'a', '"', 0, 0x80, 0xff, 0x1f, 0x5b, 0x5d} {
					in := []byte(strings.Repeat("\xff", at) + string([]byte{byte(c)}) + strings.Repeat(string([]byte{behind}), n-at-1))
					want := 0
					for want < n && in[want] >= 0x20 && in[want] != '"' && in[want] != '\\' {
						want++
					}
					if got := plainUntil(in, 0); got != want {
						t.Fatalf("%q: %d, want %d", in, got, want)
					}
				}
			}
		}
	}
	assert.Equal(t, 5, plainUntil([]byte(`"abcd"`), 1), "from inside")
	assert.Equal(t, 3, plainUntil([]byte("abc"), 3), "at the end")
}

// The short way through a number gives what the long way does, whatever stands behind it.
func TestNumbersTheShortWay(t *testing.T) {
	numbers := []string{"0", "7", "10", "007", "00", "-0", "-1", "1.5", "1.", ".5", "1e3", "1E3", "2.000001", "2.0000005", "2.0000015", "0.5", "0.",
		"999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808", "123456789012", "1234567890123", "9223372036854.775807",
		"9223372036854.775808", "25a", "25.", "25_", "2 5", "", "+1"}
	for _, number := range numbers {
		for _, behind := range []string{"]", " ]", ",1]", "\n,1]", "}", "", " ", "x]", "\x00]", "\"]"} {
			read := func(text string, value func(d *Decoder) (int64, bool)) string {
				var d Decoder
				d.start([]byte(text))
				d.open()
				v, ok := value(&d)
				rest := d.in[min(d.pos, len(d.in)):]
				return fmt.Sprint(v, ok, d.failed, d.fault.code, d.fault.message, len(rest))
			}
			for _, value := range []func(d *Decoder) (int64, bool){
				func(d *Decoder) (int64, bool) { return d.integer(0, 1<<62) },
				func(d *Decoder) (int64, bool) { return d.integer(-5, 25) },
				func(d *Decoder) (int64, bool) { return d.decimalMS() },
			} {
				// White space before a number leads the long way.
				assert.Equal(t, read("[ "+number+behind, value), read("["+number+behind, value), "%s%s", number, behind)
			}
		}
	}
}
