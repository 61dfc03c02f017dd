// Package heapsort sorts in place by callbacks. The standard library's sort is
// faster, but generic: it is compiled for each type again, some 20 kB of
// WebAssembly each time. What is sorted here is only ever long in hostile input.
package heapsort

// Sort sorts n elements, in n log n steps whatever their order. It does not
// keep equal elements in order.
func Sort(n int, less func(i, j int) bool, swap func(i, j int)) {
	for i := n/2 - 1; i >= 0; i-- {
		down(i, n, less, swap)
	}
	for end := n - 1; end > 0; end-- {
		swap(0, end)
		down(0, end, less, swap)
	}
}

// down moves element i below those that are greater, in the heap of the first n.
func down(i, n int, less func(i, j int) bool, swap func(i, j int)) {
	for {
		child := 2*i + 1
		if child >= n {
			return
		}
		if child+1 < n && less(child, child+1) {
			child++
		}
		if !less(i, child) {
			return
		}
		swap(i, child)
		i = child
	}
}
