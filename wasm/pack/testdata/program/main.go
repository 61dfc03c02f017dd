// Command program does what the packed tables of functions are for: it unwinds
// stacks that grow, recovers panics, and has the collector look at them.
package main

import (
	"errors"
	"runtime"
)

type node struct {
	left, right *node
	value       int
}

func tree(depth, value int) *node {
	if depth == 0 {
		return &node{value: value}
	}
	return &node{tree(depth-1, 2*value), tree(depth-1, 2*value+1), value}
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.left.sum() + n.right.sum() + n.value
}

//go:noinline
func deep(n int, list []*node) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	var frame [64]*node // pointers that only this frame holds
	frame[n%64] = tree(3, n)
	list = append(list, frame[n%64])
	s := deep(n-1, list)
	return s + frame[n%64].sum() - list[len(list)-1].sum() + list[0].value
}

var errOwn = errors.New("own")

func inlined(list []int, i int) int { return list[i] }

func index(list []int, i int) (v int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err, _ = r.(error)
		}
	}()
	return inlined(list, i), nil
}

type closer struct{ what error }

func (c closer) recovered(err *error) {
	if r := recover(); r != nil {
		*err = r.(error)
	}
}

func method(panics bool) (err error) {
	c := closer{errOwn}
	defer c.recovered(&err)
	if panics {
		panic(c.what)
	}
	return nil
}

// A recover that a deferred function calls only indirectly does not count.
func nested() (seen any) {
	defer func() { seen = recover() }()
	defer func() {
		func() {
			if recover() != nil {
				panic("recovered in a nested function")
			}
		}()
	}()
	panic("outer")
}

func main() {
	println("deep", deep(3000, nil))
	for i := -1; i < 3; i++ {
		v, err := index([]int{7, 8}, i)
		println("index", v, err != nil)
	}
	println("method", method(true) == errOwn, method(false) == nil)
	println("nested", nested().(string))

	results := make(chan int)
	for g := range 20 {
		go func() {
			defer func() {
				recover()
				results <- deep(50*g, nil)
			}()
			panic(g)
		}()
	}
	total := 0
	for range 20 {
		total += <-results
	}
	println("goroutines", total)

	keep := map[string]*node{}
	for i := range 2000 {
		keep[string(rune('a'+i%26))+string(rune('a'+i/26%26))] = tree(4, i)
	}
	runtime.GC()
	total = 0
	for _, n := range keep {
		total += n.sum()
	}
	println("map", len(keep), total)
	var list []int
	_ = inlined(list, 3)
}
