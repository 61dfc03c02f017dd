package explain

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

// AppendPreference appends a preference as people read it:
// secondary, tags [{dc: ny}, {}], maxStalenessSeconds 120.
func AppendPreference(dst []byte, p *readpref.Preference) []byte {
	dst = str.Append(dst, p.Mode.String())
	if len(p.TagSets) > 0 && p.Mode != readpref.Primary {
		dst = str.Append(dst, ", tags [")
		for i, set := range p.TagSets {
			if i == maxSetsShown {
				dst = str.Append(dst, ", ...")
				break
			}
			if i > 0 {
				dst = str.Append(dst, ", ")
			}
			dst = appendSet(dst, set)
		}
		dst = str.AppendByte(dst, ']')
	}
	if s, ok := p.MaxStaleness.Seconds(); ok {
		dst = decimal.Append(str.Append(dst, ", maxStalenessSeconds "), s)
	}
	if p.Hedge.IsDefined() {
		dst = str.Append(dst, ", hedge")
	}
	return dst
}

const (
	maxSetsShown = 8
	maxTagsShown = 8
)

func appendSet(dst []byte, set tag.Set) []byte {
	dst = str.AppendByte(dst, '{')
	for i, t := range set {
		if i == maxTagsShown {
			dst = str.Append(dst, ", ...")
			break
		}
		if i > 0 {
			dst = str.Append(dst, ", ")
		}
		dst = plain.Append(dst, t.Name)
		dst = str.Append(dst, ": ")
		dst = plain.Append(dst, t.Value)
	}
	return str.AppendByte(dst, '}')
}

// appendSeconds appends milliseconds as seconds with up to 3 decimals.
func appendSeconds(dst []byte, ms int64) []byte {
	u := uint64(ms)
	if ms < 0 {
		dst = str.AppendByte(dst, '-')
		u = -u
	}
	dst = decimal.AppendUint(dst, u/1000)
	if frac := u % 1000; frac > 0 {
		dst = str.AppendByte(dst, '.')
		for unit := uint64(100); frac > 0; unit /= 10 {
			dst = append(dst, byte('0'+frac/unit))
			frac %= unit
		}
	}
	return dst
}
