package tag

// indexFrom is how many comparisons a match may take before an Index pays.
const indexFrom = 512

// maxIndexed is the most tags an Index takes, well above the documents' limit.
const maxIndexed = 256

// Index finds tags of one set by name in a few steps. It is for sets that are
// long and for requests that are: a hundred tags against a hundred tags for
// each of a hundred tag sets and thousands of servers would be too much by
// comparing each with each. The zero value is empty; it needs no allocation.
type Index struct {
	set   Set
	order [maxIndexed]uint8 // the set's indices in the order of their names
	ok    bool
}

// Reset indexes a set, which it borrows. A set of more than 256 tags is not indexed,
// and searched one by one.
func (x *Index) Reset(set Set) {
	x.set, x.ok = set, len(set) <= maxIndexed
	if !x.ok {
		return
	}
	for i := range set {
		x.order[i] = uint8(i)
	}
	for i := len(set)/2 - 1; i >= 0; i-- { // heapsort: hostile orders cost no more
		x.down(i, len(set))
	}
	for end := len(set) - 1; end > 0; end-- {
		x.order[0], x.order[end] = x.order[end], x.order[0]
		x.down(0, end)
	}
}

func (x *Index) name(i int) string { return x.set[x.order[i]].Name }

func (x *Index) down(i, n int) {
	for {
		child := 2*i + 1
		if child >= n {
			return
		}
		if child+1 < n && x.name(child) < x.name(child+1) {
			child++
		}
		if x.name(i) >= x.name(child) {
			return
		}
		x.order[i], x.order[child] = x.order[child], x.order[i]
		i = child
	}
}

func (x *Index) has(t Tag) bool {
	if !x.ok {
		value, found := x.set.Get(t.Name)
		return found && value == t.Value
	}
	from, to := 0, len(x.set)
	for from < to {
		middle := (from + to) / 2
		if x.name(middle) < t.Name {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from < len(x.set) && x.name(from) == t.Name && x.set[x.order[from]].Value == t.Value
}

// Missing returns the first tag of a request that the indexed set does not
// have; ok is false when there is none.
func (x *Index) Missing(request Set) (t Tag, ok bool) {
	for i := range request {
		if !x.has(request[i]) {
			return request[i], true
		}
	}
	return Tag{}, false
}
