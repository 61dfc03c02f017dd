package explain

import (
	"strconv"
	"unicode/utf8"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

const maxPlainBytes = 200 // of one foreign string in a text

// AppendPlain appends a string that came from outside for a terminal: control
// characters, line breaks and direction marks as \u escapes, and cut to a
// readable length. Tags can be hostile, and terminals obey.
func AppendPlain(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	start := len(dst)
	for _, r := range s {
		if len(dst)-start > maxPlainBytes {
			return append(dst, "..."...)
		}
		if !obeyed(r) {
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
	return dst
}

// obeyed reports whether a terminal or a renderer acts on r instead of showing
// it. All such characters are in the basic plane but for the tag characters,
// which render as nothing.
func obeyed(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || // C0, DEL, C1
		r == 0x61c || r >= 0x200b && r <= 0x200f || // zero width and direction marks
		r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x2069 || // separators, embeddings, isolates
		r == 0xfeff
}

// AppendPreference appends a preference as people read it:
// secondary, tags [{dc: ny}, {}], maxStalenessSeconds 120.
func AppendPreference(dst []byte, p *readpref.Preference) []byte {
	dst = append(dst, p.Mode.String()...)
	if len(p.TagSets) > 0 && p.Mode != readpref.Primary {
		dst = append(dst, ", tags ["...)
		for i, set := range p.TagSets {
			if i == maxSetsShown {
				dst = append(dst, ", ..."...)
				break
			}
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendSet(dst, set)
		}
		dst = append(dst, ']')
	}
	if s, ok := p.MaxStaleness.Seconds(); ok {
		dst = strconv.AppendInt(append(dst, ", maxStalenessSeconds "...), s, 10)
	}
	if p.Hedge.IsDefined() {
		dst = append(dst, ", hedge"...)
	}
	return dst
}

const (
	maxSetsShown = 8
	maxTagsShown = 8
)

func appendSet(dst []byte, set tag.Set) []byte {
	dst = append(dst, '{')
	for i, t := range set {
		if i == maxTagsShown {
			dst = append(dst, ", ..."...)
			break
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendPlain(dst, t.Name)
		dst = append(dst, ": "...)
		dst = AppendPlain(dst, t.Value)
	}
	return append(dst, '}')
}

// appendSeconds appends milliseconds as seconds with up to 3 decimals.
func appendSeconds(dst []byte, ms int64) []byte {
	u := uint64(ms)
	if ms < 0 {
		dst = append(dst, '-')
		u = -u
	}
	dst = strconv.AppendUint(dst, u/1000, 10)
	if frac := u % 1000; frac > 0 {
		dst = append(dst, '.')
		for unit := uint64(100); frac > 0; unit /= 10 {
			dst = append(dst, byte('0'+frac/unit))
			frac %= unit
		}
	}
	return dst
}
