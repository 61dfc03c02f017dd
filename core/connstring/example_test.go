package connstring_test

import (
	"fmt"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
)

func ExampleParse() {
	c, err := connstring.Parse("mongodb://Ada.example.com,[::1]:27018/?replicaSet=rs0&readPreference=secondary&maxStalenessSecond=90")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Seeds(), c.ReplicaSet.Value, c.Preference.Mode)
	for _, w := range c.Warnings {
		fmt.Printf("%s: %s\n", w.Path, w.Message)
	}

	_, err = connstring.Parse("mongodb://a,b/?directConnection=true")
	fmt.Println(err)
	// Output:
	// [ada.example.com:27017 [::1]:27018] rs0 secondary
	// options.maxStalenessSecond: "maxStalenessSecond" is no option; it is ignored; did you mean "maxStalenessSeconds"?
	// options.directConnection: a direct connection takes one host, and no mongodb+srv://
}

// The caller asks DNS.
func ExampleConnString_Resolve() {
	c, err := connstring.Parse("mongodb+srv://cluster.example.com/")
	if err != nil {
		fmt.Println(err)
		return
	}
	srv, txt := c.Lookup()
	fmt.Println(srv, txt)

	rng := selection.SplitMix64(1) // seed it with something random
	c, err = c.Resolve([]connstring.SRVRecord{
		{Target: "a.example.com.", Port: 27017, TTLSeconds: 300},
		{Target: "b.example.com.", Port: 27018, TTLSeconds: 300},
	}, [][]string{{"authSource=admin&replicaSet=rs0"}}, rng.Next)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Seeds(), c.ReplicaSet.Value, c.TLS.Value)
	// Output:
	// _mongodb._tcp.cluster.example.com cluster.example.com
	// [a.example.com:27017 b.example.com:27018] rs0 true
}

func ExampleFormatPreference() {
	query, err := connstring.FormatPreference(readpref.Preference{
		Mode:    readpref.SecondaryPreferred,
		TagSets: []tag.Set{{{Name: "dc", Value: "New York"}}, {}},
	})
	fmt.Println(query, err)
	// Output:
	// readPreference=secondaryPreferred&readPreferenceTags=dc:New%20York&readPreferenceTags= <nil>
}
