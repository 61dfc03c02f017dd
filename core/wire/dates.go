package wire

import (
	"math"

	"github.com/readpref/readpref/core/status"
)

// date reads milliseconds since 1970: an integer, or Extended JSON's $date (of
// $numberLong or an ISO 8601 string) or $numberLong.
func (d *Decoder) date() (ms int64, ok bool) {
	switch c := d.look(); {
	case d.failed:
		return 0, false
	case c == '-' || c-'0' <= 9:
		return d.integer(math.MinInt64, math.MaxInt64)
	case c != '{':
		d.wrongType(dateForms)
		return 0, false
	}
	if d.nextKeyIsDate() {
		d.open()
		key, _ := d.nextKey()
		if d.look() != '"' {
			ms, ok = d.integer(math.MinInt64, math.MaxInt64)
			d.leaveObject(key, false)
			return ms, ok && !d.failed
		}
		off := d.pos
		s := d.scanString()
		if ms, ok = parseISODate(s); !ok && !d.failed {
			d.report(status.OutOfRange, off, "", "expected a date such as 2026-10-26T07:33:20Z, found "+quote(s))
		}
		d.leaveObject(key, false)
		return ms, ok && !d.failed
	}
	return d.integer(math.MinInt64, math.MaxInt64)
}

const dateForms = `a date: integer milliseconds, or {"$date": …}`

// nextKeyIsDate looks ahead into the object that is next, and changes nothing.
func (d *Decoder) nextKeyIsDate() bool {
	look := Decoder{in: d.in, pos: d.pos + 1}
	return look.peek() == '"' && look.scanString() == "$date"
}

// parseISODate reads YYYY-MM-DDTHH:MM:SS[.fff…](Z|±HH:MM|±HHMM) into
// milliseconds since 1970, cutting what is finer.
func parseISODate(s string) (ms int64, ok bool) {
	p := isoParser{s: s, ok: true}
	year := p.number(4)
	p.expect('-')
	month := p.number(2)
	p.expect('-')
	day := p.number(2)
	p.expect('T')
	hour := p.number(2)
	p.expect(':')
	minute := p.number(2)
	p.expect(':')
	second := p.number(2)
	milli := p.fraction()
	offset := p.offset()
	if !p.ok || p.i != len(s) || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) ||
		hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	days := daysSince1970(year, month, day)
	return ((days*24+hour)*60+minute-offset)*60_000 + second*1000 + milli, true
}

type isoParser struct {
	s  string
	i  int
	ok bool
}

//go:noinline
func (p *isoParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

//go:noinline
func (p *isoParser) expect(c byte) {
	p.ok = p.ok && p.peek() == c
	p.i++
}

//go:noinline
func (p *isoParser) number(digits int) (n int64) {
	for ; digits > 0; digits-- {
		c := p.peek() - '0'
		p.ok = p.ok && c <= 9
		n = n*10 + int64(c)
		p.i++
	}
	return n
}

func (p *isoParser) fraction() (milli int64) {
	if p.peek() != '.' {
		return 0
	}
	p.i++
	from := p.i
	for unit := int64(100); p.peek()-'0' <= 9; unit /= 10 {
		milli += int64(p.peek()-'0') * unit
		p.i++
	}
	p.ok = p.ok && p.i > from
	return milli
}

func (p *isoParser) offset() (minutes int64) {
	sign := int64(1)
	switch p.peek() {
	case 'Z':
		p.i++
		return 0
	case '-':
		sign = -1
	case '+':
	default:
		p.ok = false
		return 0
	}
	p.i++
	h := p.number(2)
	if p.peek() == ':' {
		p.i++
	}
	m := p.number(2)
	p.ok = p.ok && h <= 23 && m <= 59
	return sign * (h*60 + m)
}

func daysIn(year, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysSince1970 counts days of the proleptic Gregorian calendar, with years
// that begin in March, so that the leap day is the last.
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	return 365*year + floorDiv(year, 4) - floorDiv(year, 100) + floorDiv(year, 400) +
		(153*(month-3)+2)/5 + day - 1 - 719468
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
