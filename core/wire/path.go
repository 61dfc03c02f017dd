package wire

import (
	"unicode/utf8"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
)

// pathFinder turns offsets of a document into paths. It walks the document
// again, up to the offset, so that decoding need not keep track of where it is;
// asked for a later offset, it walks on from the last. The document may be broken
// behind the offsets.
type pathFinder struct {
	in      []byte
	at      int // where the walk stands
	stack   [MaxDepth + 2]frame
	depth   int
	wantKey bool
}

// frame is an object or array that the walk is in.
type frame struct {
	array    bool
	index    int
	from, to int // the key's token, where there is one
}

// appendPath appends the path of the value or key at an offset, such as
// readPreference.tags[1].dc. below is a part of the value there: a key that it
// lacks, or an element such as [3].address.
func (p *pathFinder) appendPath(dst []byte, off int, below string) []byte {
	p.walk(off)
	start := len(dst)
	for _, f := range p.stack[1 : p.depth+1] {
		switch {
		case f.array:
			dst = str.AppendByte(dst, '[')
			dst = decimal.Append(dst, int64(f.index))
			dst = str.AppendByte(dst, ']')
		case f.to > f.from:
			dst = appendKey(dst, p.in[f.from:f.to], len(dst) == start)
		}
		if end := start + maxPathBytes; len(dst) > end {
			for !utf8.RuneStart(dst[end]) {
				end--
			}
			return str.Append(dst[:end], "...")
		}
	}
	if below != "" && below[0] != '[' && len(dst) > start {
		dst = str.AppendByte(dst, '.')
	}
	dst = append(dst, below...)
	return dst
}

// walk stops before the token that holds the offset.
func (p *pathFinder) walk(off int) {
	if off < p.at {
		*p = pathFinder{in: p.in}
	}
	for p.at < len(p.in) {
		c := p.in[p.at]
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			p.at++
			continue
		}
		end := tokenEnd(p.in, p.at)
		here := off < end
		switch c {
		case '{', '[':
			if here || p.depth+1 == len(p.stack) {
				return
			}
			p.depth++
			p.stack[p.depth] = frame{array: c == '['}
			p.wantKey = c == '{'
		case '}', ']':
			if here || p.depth == 0 {
				return
			}
			p.depth--
			p.wantKey = false
		case ',':
			if here {
				return
			}
			if f := &p.stack[p.depth]; f.array {
				f.index++
			} else {
				f.to, p.wantKey = 0, true
			}
		case ':':
			if p.wantKey = false; here {
				return
			}
		default:
			if p.wantKey && c == '"' {
				f := &p.stack[p.depth]
				f.from, f.to = p.at, end
			}
			if here {
				return
			}
		}
		p.at = end
	}
}

// tokenEnd returns where the token at i ends; a broken one ends with the
// document.
func tokenEnd(in []byte, i int) int {
	switch in[i] {
	case '{', '}', '[', ']', ',', ':':
		return i + 1
	case '"':
		for j := i + 1; j < len(in); j++ {
			switch in[j] {
			case '\\':
				j++
			case '"':
				return j + 1
			}
		}
		return len(in)
	}
	for j := i + 1; j < len(in); j++ {
		switch in[j] {
		case '{', '}', '[', ']', ',', ':', '"', ' ', '\n', '\t', '\r':
			return j
		}
	}
	return len(in)
}

// appendKey appends one segment of a path: .key, or ["a key"] where it has
// other characters than names have.
func appendKey(dst, token []byte, first bool) []byte {
	var d Decoder
	d.in = token
	key := d.scanString()
	if d.failed || d.pos != len(token) {
		key = "?"
	}
	bare := key != ""
	for i := 0; i < len(key) && bare; i++ {
		c := key[i]
		bare = c-'0' <= 9 || c|0x20-'a' < 26 || c == '_' || c == '-' || c == '$'
	}
	if !bare {
		dst = str.AppendByte(dst, '[')
		dst = plain.Append(dst, string(AppendString(nil, cut(key))))
		return str.AppendByte(dst, ']')
	}
	if !first {
		dst = str.AppendByte(dst, '.')
	}
	return append(dst, cut(key)...)
}

// ShardPath returns the path of a shard's topology in a request.
func ShardPath(name string) string {
	return string(appendKey([]byte("shards"), AppendString(nil, name), false))
}
