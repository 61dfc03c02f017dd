package wire

import "strconv"

// appendPath appends the path of the value or key at an offset of a document,
// such as readPreference.tags[1].dc. It walks the document again, up to the
// offset, so that decoding need not keep track of where it is. The document may
// be broken behind the offset. below is a part of the value there: a key that it
// lacks, or an element such as [3].address.
func appendPath(dst, in []byte, off int, below string) []byte {
	type frame struct {
		array    bool
		index    int
		from, to int // the key's token, where there is one
	}
	var stack [MaxDepth + 2]frame
	n, wantKey := 0, false
walk:
	for i := 0; i < len(in); {
		c := in[i]
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		end := tokenEnd(in, i)
		here := off < end
		switch c {
		case '{', '[':
			if here || n+1 == len(stack) {
				break walk
			}
			n++
			stack[n] = frame{array: c == '['}
			wantKey = c == '{'
		case '}', ']':
			if here || n == 0 {
				break walk
			}
			n--
			wantKey = false
		case ',':
			if here {
				break walk
			}
			if stack[n].array {
				stack[n].index++
			} else {
				stack[n].to, wantKey = 0, true
			}
		case ':':
			if wantKey = false; here {
				break walk
			}
		default:
			if wantKey && c == '"' {
				stack[n].from, stack[n].to = i, end
			}
			if here {
				break walk
			}
		}
		i = end
	}
	start := len(dst)
	for _, f := range stack[1 : n+1] {
		switch {
		case f.array:
			dst = append(dst, '[')
			dst = strconv.AppendInt(dst, int64(f.index), 10)
			dst = append(dst, ']')
		case f.to > f.from:
			dst = appendKey(dst, in[f.from:f.to], len(dst) == start)
		}
		if len(dst)-start > maxPathBytes {
			return append(dst[:start+maxPathBytes], "..."...)
		}
	}
	if below != "" && below[0] != '[' && len(dst) > start {
		dst = append(dst, '.')
	}
	dst = append(dst, below...)
	return dst
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
	plain := key != ""
	for i := 0; i < len(key) && plain; i++ {
		c := key[i]
		plain = c-'0' <= 9 || c|0x20-'a' < 26 || c == '_' || c == '-' || c == '$'
	}
	if !plain {
		dst = append(dst, '[')
		dst = AppendString(dst, cut(key))
		return append(dst, ']')
	}
	if !first {
		dst = append(dst, '.')
	}
	return append(dst, cut(key)...)
}

// ShardPath returns the path of a shard's topology in a request.
func ShardPath(name string) string {
	return string(appendKey([]byte("shards"), AppendString(nil, name), false))
}
