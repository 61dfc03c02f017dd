package host

import "strings"

// head is a writer that keeps the beginning of what it was given: the first
// line of a Go panic says what happened, the stacks that follow say little.
type head struct{ text []byte }

const headSize = 4096

func (h *head) Write(p []byte) (int, error) {
	h.text = append(h.text, p[:min(len(p), headSize-len(h.text))]...)
	return len(p), nil
}

func (h *head) String() string { return string(h.text) }

func (h *head) suffix() string {
	if len(h.text) == 0 {
		return ""
	}
	return ": " + strings.TrimSpace(h.String())
}
