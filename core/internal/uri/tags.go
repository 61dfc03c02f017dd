package uri

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/tag"
)

// Tags reads name:value pairs with distinct names, dc:ny,rack:1, at most so
// many. A name ends at the first colon; a pair without one spoils all.
func Tags(value string, most int) (tag.Set, bool) {
	set := tag.Set{}
	for more := true; more; {
		var pair string
		pair, value, more = str.Cut(value, ",")
		name, v, ok := str.Cut(pair, ":")
		if !ok {
			return nil, false
		}
		if _, twice := set.Get(name); twice || len(set) == most {
			return nil, false
		}
		set = append(set, tag.Tag{Name: name, Value: v})
	}
	return set, true
}
