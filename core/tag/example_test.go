package tag_test

import (
	"fmt"

	"github.com/readpref/readpref/core/tag"
)

// A tag set matches a server that carries all of its tags.
func ExampleSet_Matches() {
	server := tag.Set{{Name: "dc", Value: "ny"}, {Name: "disk", Value: "ssd"}}
	fmt.Println(tag.Set{{Name: "dc", Value: "ny"}}.Matches(server))
	fmt.Println(tag.Set{{Name: "dc", Value: "sf"}}.Matches(server))
	fmt.Println(tag.Set{}.Matches(server))
	// Output:
	// true
	// false
	// true
}

func ExampleSet_Missing() {
	server := tag.Set{{Name: "dc", Value: "ny"}}
	missing, ok := tag.Set{{Name: "dc", Value: "ny"}, {Name: "disk", Value: "ssd"}}.Missing(server)
	fmt.Println(missing, ok)
	// Output: {disk ssd} true
}
