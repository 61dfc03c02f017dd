package command

import (
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// Source is where the preference comes from that a command uses. The zero value
// is SourceDefault.
type Source uint8

// The sources.
const (
	SourceDefault     Source = iota // none was given: primary
	SourceOperation                 // the operation's own argument
	SourceCollection                // the collection's configuration
	SourceDatabase                  // the database's
	SourceClient                    // the client's
	SourceTransaction               // the options of the transaction
	SourceSession                   // the session's options for its transactions
	SourceHelper                    // the command's helper uses primary, whatever is given
	sourceCount
)

// SourceNames lists the names of the sources, in the order of their values. Do
// not modify it.
var SourceNames = [...]string{"default", "operation", "collection", "database", "client", "transaction", "session", "helper"}

// String returns the documents' name of the source.
func (s Source) String() string { return nameOf(SourceNames[:], int(s)) }

// sourcePaths are where the documents have the preferences of the sources.
var sourcePaths = [sourceCount]string{
	SourceOperation: "readPreference", SourceCollection: "collectionReadPreference", SourceDatabase: "databaseReadPreference",
	SourceClient: "clientReadPreference", SourceTransaction: "transaction.readPreference", SourceSession: "sessionReadPreference",
}

// Path returns where the documents have a preference of this source; "" for
// SourceDefault and SourceHelper.
func (s Source) Path() string {
	if s < sourceCount {
		return sourcePaths[s]
	}
	return ""
}

// Call is a command with all that decides what preference it uses.
type Call struct {
	Name string // such as "find"; its case does not count
	// RunCommand says that a generic method runs the command, no helper.
	RunCommand bool
	// WriteStage says that this is an aggregate whose last stage is $out or
	// $merge; InlineOutput that this is a mapReduce with out: {inline: 1}.
	WriteStage   bool
	InlineOutput bool
	// Given are the preferences that were given, by their source; nil where none
	// was. They must be valid.
	Given [sourceCount]*readpref.Preference
	// InTransaction and Pinned tell of the session: whether a transaction runs,
	// and whether it is bound to a server.
	InTransaction bool
	Pinned        bool
}

// Use is what a command does with read preferences.
type Use struct {
	Preference readpref.Preference
	Operation  selection.Operation // to select a server for, and to Decorate
	Kind       Kind
	From       Source
	// Selects is false where the server is fixed: by a pinned transaction, by a
	// cursor, by the connection that is monitored or authenticated.
	Selects bool
	// IgnoresArgument says that the operation's own preference does not count:
	// the command's helper takes none.
	IgnoresArgument bool
}

// outside and inside are the sources of a command that may use secondaries, the
// first that is given counts: without and with a transaction.
var (
	outside = [...]Source{SourceOperation, SourceCollection, SourceDatabase, SourceClient}
	inside  = [...]Source{SourceOperation, SourceTransaction, SourceSession, SourceClient}
)

// Effective returns what a command uses. The error, a *status.Error, is that of
// a read in a transaction with another mode than primary; its path is the
// Source's.
//
// Server Selection specification, "Read preference configuration" and "Use of
// read preferences with commands"; Transactions specification, "readPreference".
func Effective(c *Call) (Use, error) {
	kind, selects := kindOf(c)
	u := Use{Kind: kind, Selects: selects && !(c.InTransaction && c.Pinned)}
	switch kind {
	case Write, MustUsePrimary, ShouldUsePrimary:
		if kind == Write {
			u.Operation = selection.Write
		}
		u.From = SourceHelper
		u.IgnoresArgument = c.Given[SourceOperation] != nil
		return u, nil
	case Generic:
		switch {
		case !selects: // monitoring, authentication: no operation of anybody
		case c.InTransaction:
			u.From = c.first(inside[:])
		default:
			u.From = c.first(inside[:1])
		}
	case MayUseSecondary:
		if c.WriteStage && uri.EqualFold(c.Name, "aggregate") {
			u.Operation = selection.AggregateWithWriteStage
		}
		if c.InTransaction {
			u.From = c.first(inside[:])
		} else {
			u.From = c.first(outside[:])
		}
	}
	if p := c.Given[u.From]; p != nil {
		u.Preference = *p
	}
	if c.InTransaction && u.Preference.Mode != readpref.Primary {
		return Use{}, &status.Error{Code: status.TransactionReadPreferenceNotPrimary, Path: u.From.Path(),
			Message: "read preference in a transaction must be primary, not " + u.Preference.Mode.String() + ": set the transaction's read preference to primary"}
	}
	return u, nil
}

// first returns the first source that gives a preference.
func (c *Call) first(sources []Source) Source {
	for _, s := range sources {
		if c.Given[s] != nil {
			return s
		}
	}
	return SourceDefault
}
