// Package plain makes strings that came from outside safe to print.
package plain

import "unicode/utf8"

const maxBytes = 200 // of one foreign string in a text

// Append appends a string that came from outside for a terminal: control
// characters, line breaks and direction marks as \u escapes, and cut to a
// readable length. Tags can be hostile, and terminals obey.
func Append(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	start := len(dst)
	for _, r := range s {
		if len(dst)-start > maxBytes {
			return append(dst, "..."...)
		}
		if !obeyed(r) {
			dst = utf8.AppendRune(dst, r)
			continue
		}
		if r > 0xffff {
			dst = append(dst, '\\', 'U', '0', '0', '0', hex[r>>16&15])
		} else {
			dst = append(dst, '\\', 'u')
		}
		dst = append(dst, hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
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
		r == 0xad || r == 0x180e || r == 0xfeff || r >= 0xfff9 && r <= 0xfffb || // invisible, annotations
		r >= 0xe0000 && r <= 0xe007f // tag characters
}
