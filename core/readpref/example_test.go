package readpref_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

// A preference is a plain value: fill it in and validate it.
func ExamplePreference_Validate() {
	p := readpref.Preference{
		Mode:         readpref.SecondaryPreferred,
		TagSets:      []tag.Set{{{Name: "dc", Value: "ny"}}, {}},
		MaxStaleness: readpref.MaxStalenessSeconds(120),
	}
	fmt.Println(p.Validate())

	p.Mode = readpref.Primary
	err := p.Validate()
	fmt.Println(err)
	fmt.Println(errors.Is(err, &status.Error{Code: status.TagsWithPrimary}))
	// Output:
	// <nil>
	// tags: tag sets cannot be combined with mode primary
	// true
}

// All that is wrong, not only the first.
func ExamplePreference_Problem() {
	p := readpref.Preference{TagSets: []tag.Set{{{Name: "dc", Value: "ny"}}}, MaxStaleness: readpref.MaxStalenessSeconds(120)}
	for n := 0; ; n++ {
		problem, ok := p.Problem(n)
		if !ok {
			break
		}
		fmt.Println(problem.Code, "-", problem.Message)
	}
	// Output:
	// tagsWithPrimary - tag sets cannot be combined with mode primary
	// maxStalenessWithPrimary - maxStalenessSeconds cannot be combined with mode primary
}

// The options of a connection string. Tag sets keep their order; a value that
// cannot be read is a warning.
func ExampleFromURIOptions() {
	r := readpref.FromURIOptions("readPreference=secondary&readPreferenceTags=dc:ny,disk:ssd&readPreferenceTags=&maxStalenessSeconds=soon")
	fmt.Println(r.Preference.Mode, r.Preference.TagSets)
	for _, w := range r.Warnings {
		fmt.Printf("%s: %s\n", w.Path, w.Message)
	}
	fmt.Println(len(r.Problems), "problems")
	// Output:
	// secondary [[{dc ny} {disk ssd}] []]
	// maxStalenessSeconds: "soon" is no number of seconds; the option is ignored
	// 0 problems
}

func ExampleSmallestMaxStaleness() {
	fmt.Println(readpref.SmallestMaxStaleness(10_000))
	fmt.Println(readpref.SmallestMaxStaleness(120_000))
	// Output:
	// 90
	// 130
}

// The wire's $readPreference document, in Extended JSON too.
func ExamplePreference_UnmarshalJSON() {
	var p readpref.Preference
	err := json.Unmarshal([]byte(`{"mode": "secondary", "tags": [{"dc": "ny"}, {}], "maxStalenessSeconds": {"$numberInt": "120"}}`), &p)
	fmt.Println(p.Mode, len(p.TagSets), err)
	text, err := json.Marshal(p)
	fmt.Println(string(text), err)
	// Output:
	// secondary 2 <nil>
	// {"mode":"secondary","tags":[{"dc":"ny"},{}],"maxStalenessSeconds":120} <nil>
}
