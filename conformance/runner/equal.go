package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// parseJSON reads a document with its numbers kept as text.
func parseJSON(data string) (any, error) {
	dec := json.NewDecoder(bytes.NewReader([]byte(data)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("text after the document")
	}
	return v, nil
}

// difference compares two values of parseJSON; it returns "" when they are
// equal and otherwise the first place where they differ. Key order and the
// spelling of numbers do not count.
func difference(got, want any, path string) string {
	return differenceBy(sameNumber, got, want, path)
}

// differenceBy is difference with another notion of equal numbers.
func differenceBy(same func(a, b string) bool, got, want any, path string) string {
	differ := func() string {
		return fmt.Sprintf("at %q: got %s, want %s", path, compact(got), compact(want))
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return differ()
		}
		for _, k := range sortedKeys(w, g) {
			wv, inWant := w[k]
			gv, inGot := g[k]
			switch {
			case !inWant:
				return fmt.Sprintf("at %q: unexpected %q: %s", path, k, compact(gv))
			case !inGot:
				return fmt.Sprintf("at %q: %q is missing, want %s", path, k, compact(wv))
			}
			if d := differenceBy(same, gv, wv, path+"."+k); d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return differ()
		}
		for i := range w {
			if d := differenceBy(same, g[i], w[i], fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		g, ok := got.(json.Number)
		if !ok || !same(string(g), string(w)) {
			return differ()
		}
		return ""
	}
	if got != want {
		return differ()
	}
	return ""
}

func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > 64 || len(b) > 64 || bytes.ContainsAny([]byte(a+b), "eE") {
		return false // no document of ours prints such a number
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

// sameDouble is for typed APIs, whose decimals may be doubles. Integers are exact.
func sameDouble(a, b string) bool {
	if !strings.Contains(a, ".") || !strings.Contains(b, ".") {
		return sameNumber(a, b)
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

func sortedKeys(maps ...map[string]any) []string {
	var keys []string
	for _, m := range maps {
		for k := range m {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return shorten(string(b))
}
