package command_test

import (
	"fmt"

	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// What to add to a command that goes to the server that was selected.
func ExampleDecorate() {
	description := &topology.Description{Type: topology.Single, Servers: []topology.Server{{Address: "b.example:27017", Type: topology.RSSecondary}}}
	server := description.TypeOf("B.example")
	d := command.Decorate(description, server, readpref.Preference{}, selection.Read, command.OpMsg)
	if d.Attach {
		fmt.Printf("$readPreference: %s\n", wire.AppendPreference(nil, &d.Document))
	}
	// Output: $readPreference: {"mode":"primaryPreferred"}
}

// Which preference a find uses that gives none itself.
func ExampleEffective() {
	client, collection := readpref.Preference{Mode: readpref.SecondaryPreferred}, readpref.Preference{Mode: readpref.Nearest}
	call := command.Call{Name: "find"}
	call.Given[command.SourceClient] = &client
	call.Given[command.SourceCollection] = &collection
	use, err := command.Effective(&call)
	fmt.Println(use.Preference.Mode, use.From, err)

	call.InTransaction = true
	_, err = command.Effective(&call)
	fmt.Println(err)
	// Output:
	// nearest collection <nil>
	// clientReadPreference: read preference in a transaction must be primary, not secondaryPreferred: set the transaction's read preference to primary
}
