package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/status"
)

func decodeDate(date string) (ms int64, ok bool, err *status.Error) {
	s, err := decodeServer([]byte(`{"address":"a","type":"Mongos","lastWriteDate":` + date + `}`))
	ms, ok = s.LastWriteDate.UnixMS()
	return ms, ok, err
}

func TestDates(t *testing.T) {
	for in, want := range map[string]int64{
		"0": 0, "-1": -1, "1793000000000": 1793000000000, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
		`{"$numberLong":"1793000000000"}`: 1793000000000, `{"$numberInt":"-5"}`: -5, `{"$date":1793000000000}`: 1793000000000,
		`{"$date":{"$numberLong":"1793000000000"}}`: 1793000000000, `{"$date":{"$numberLong":"-62135596800000"}}`: -62135596800000, `{"$date":{"$numberInt":"5"}}`: 5,
		`{"$date":"2026-10-26T01:46:40Z"}`: 1792979200000, `{"$date":"1970-01-01T00:00:00Z"}`: 0, `{"$date":"1970-01-01T00:00:00.001Z"}`: 1,
		`{"$date":"1969-12-31T23:59:59.999Z"}`: -1, `{"$date":"1970-01-01T00:00:00.0009999999999999999999Z"}`: 0, `{"$date":"1969-12-31T23:59:59.9999Z"}`: -1,
		`{"$date":"1970-01-01T05:30:00+05:30"}`: 0, `{"$date":"1970-01-01T05:30:00+0530"}`: 0, `{"$date":"1969-12-31T20:00:00-04:00"}`: 0, `{"$date":"1970-01-01T00:00:00-00:00"}`: 0,
		`{"$date":"2000-02-29T00:00:00Z"}`: 951782400000, `{"$date":"0000-01-01T00:00:00Z"}`: -62167219200000, `{"$date":"9999-12-31T23:59:59.999Z"}`: 253402300799999,
		`{ "\u0024date" : "1970-01-01T00:00:00\u005a" }`: 0,
	} {
		ms, ok, err := decodeDate(in)
		if err != nil || !ok || ms != want {
			t.Errorf("%s: %d (%v), want %d", in, ms, describe(err), want)
		}
	}
	if _, ok, err := decodeDate("null"); ok || err != nil {
		t.Errorf("null: %v, %v", ok, describe(err))
	}
	for _, text := range []string{
		"", "Z", "2026", "2026-10-26", "2026-10-26T01:46:40", "2026-10-26 01:46:40Z", "2026-10-26t01:46:40z", "2026-10-26T01:46Z", "2026-10-26T01:46:40.Z", "2026-10-26T01:46:40,5Z",
		"2026-10-26T01:46:40Z ", " 2026-10-26T01:46:40Z", "2026-10-26T01:46:40ZZ", "2026-10-26T01:46:40+05", "2026-10-26T01:46:40+5:30", "2026-10-26T01:46:40+05:3", "2026-10-26T01:46:40+05:60",
		"2026-10-26T01:46:40+24:00", "2026-10-26T24:00:00Z", "2026-10-26T23:60:00Z", "2026-10-26T23:59:60Z", "2026-00-26T01:46:40Z", "2026-13-26T01:46:40Z", "2026-10-00T01:46:40Z",
		"2026-10-32T01:46:40Z", "2026-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-06-31T00:00:00Z",
		"+2026-10-26T01:46:40Z", "-026-10-26T01:46:40Z", "12026-10-26T01:46:40Z", "2026-1-26T01:46:40Z", "２026-10-26T01:46:40Z", "2026-10-26T01:46:40.5", "1793000000000",
	} {
		_, _, err := decodeDate(fmt.Sprintf(`{"$date":%q}`, text))
		checkRefusal(t, refusal{text, "", status.OutOfRange, "lastWriteDate.$date"}, err)
	}
	for _, c := range []refusal{
		{"", `{"$date":null}`, status.WrongType, ".$date"}, {"", `{"$date":true}`, status.WrongType, ".$date"}, {"", `{"$date":{}}`, status.WrongType, ".$date"},
		{"", `{"$date":1.5}`, status.WrongType, ".$date"}, {"", `{"$date":{"$date":1}}`, status.WrongType, ".$date"}, {"", `{"$date":"x","y":1}`, status.OutOfRange, ".$date"},
		{"", `{"$date":1,"y":1}`, status.UnknownKey, ".y"}, {"", `{"$date":1,"$date":1}`, status.UnknownKey, ".$date"}, {"", `{"y":1,"$date":1}`, status.WrongType, ""},
		{"", `{"$numberLong":"1","$date":1}`, status.UnknownKey, ".$date"}, {"", `{}`, status.WrongType, ""}, {"", `{"$timestamp":{"t":1,"i":1}}`, status.WrongType, ""},
		{"", `{"$numberDouble":"1"}`, status.WrongType, ""}, {"", `1.5`, status.WrongType, ""}, {"", `"1"`, status.WrongType, ""}, {"", `[]`, status.WrongType, ""},
		{"", `9223372036854775808`, status.OutOfRange, ""}, {"", `{"$date":{"$numberLong":"9223372036854775808"}}`, status.OutOfRange, ".$date.$numberLong"},
	} {
		c.name, c.path = c.in, "lastWriteDate"+c.path
		_, _, err := decodeDate(c.in)
		checkRefusal(t, c, err)
	}
}

// Every day of a leap cycle, and the days that are none.
func TestDaysOfTheCalendar(t *testing.T) {
	for _, year := range []int{0, 4, 100, 1600, 1700, 1900, 1969, 1970, 1972, 2000, 2023, 2024, 2100, 2400, 9999} {
		for month := 1; month <= 12; month++ {
			for day := 1; day <= 31; day++ {
				text := fmt.Sprintf("%04d-%02d-%02dT00:00:00Z", year, month, day)
				want, bad := time.Parse(time.RFC3339, text)
				ms, ok := parseISODate(text)
				if ok != (bad == nil) || ok && ms != want.UnixMilli() {
					t.Errorf("%s: %d, %v; package time: %v, %v", text, ms, ok, want.UnixMilli(), bad)
				}
			}
		}
	}
}

func TestDatesAgainstTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		two := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
		text := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", two("year", 9999), two("month", 13), two("day", 32), two("hour", 24), two("minute", 60), two("second", 61))
		if n := two("decimals", 12); n > 0 {
			text += "." + strings.Repeat("0", two("zeros", n-1)) + rapid.StringMatching(fmt.Sprintf("[0-9]{%d}", n)).Draw(t, "fraction")
		}
		zone := "Z"
		if rapid.Bool().Draw(t, "offset") {
			zone = fmt.Sprintf("%s%02d:%02d", rapid.SampledFrom([]string{"+", "-"}).Draw(t, "sign"), two("zone hour", 23), two("zone minute", 59))
		}
		want, bad := time.Parse(time.RFC3339, text+zone)
		ms, ok := parseISODate(text + zone)
		if ok != (bad == nil) || ok && ms != want.UnixMilli() {
			t.Fatalf("%s: %d, %v; package time: %d, %v", text+zone, ms, ok, want.UnixMilli(), bad)
		}
		short, ok2 := parseISODate(text + strings.ReplaceAll(zone, ":", ""))
		if ok2 != ok || short != ms {
			t.Fatalf("%s without its colon: %d, %v", text+zone, short, ok2)
		}
	})
}
