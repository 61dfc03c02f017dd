package command

import "github.com/readpref/readpref/core/internal/uri"

// Kind is how a command uses read preferences. The zero value is Generic, which
// is also the kind of every command that is not listed here.
//
// Server Selection specification, "Use of read preferences with commands".
type Kind uint8

// The kinds.
const (
	// Generic is a command of a runCommand method: a read with the preference of
	// its own argument, or primary.
	Generic Kind = iota
	// Write goes by the rules of writes, which use no preference.
	Write
	// MustUsePrimary is a helper whose command only a primary runs.
	MustUsePrimary
	// ShouldUsePrimary is a helper whose command would give stale data elsewhere.
	ShouldUsePrimary
	// MayUseSecondary is a query-like helper, which uses the preference that
	// applies to it.
	MayUseSecondary
)

// KindNames lists the names of the kinds, in the order of their values. Do not
// modify it.
var KindNames = [...]string{"generic", "write", "mustUsePrimary", "shouldUsePrimary", "mayUseSecondary"}

// String returns the documents' name of the kind.
func (k Kind) String() string { return nameOf(KindNames[:], int(k)) }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid"
}

// unselected are commands that go to no server of their own choice: the rest of
// a cursor, monitoring, authentication.
//
// Server Selection specification, "Scope", "Cursors".
const unselected = Kind(0x80)

// known are the commands that have a helper of another kind than Generic, or no
// choice of a server.
var known = [...]struct {
	name string
	kind Kind
}{
	{"find", MayUseSecondary},
	{"aggregate", MayUseSecondary},
	{"count", MayUseSecondary},
	{"distinct", MayUseSecondary},
	{"collStats", MayUseSecondary},
	{"dbStats", MayUseSecondary},
	{"geoNear", MayUseSecondary},
	{"geoSearch", MayUseSecondary},
	{"group", MayUseSecondary},
	{"parallelCollectionScan", MayUseSecondary},
	{"mapReduce", MustUsePrimary}, // but for inline output

	{"insert", Write},
	{"update", Write},
	{"delete", Write},
	{"findAndModify", Write},
	{"bulkWrite", Write},

	{"listDatabases", ShouldUsePrimary},
	{"listCollections", ShouldUsePrimary},
	{"listIndexes", ShouldUsePrimary},

	{"create", MustUsePrimary},
	{"createIndexes", MustUsePrimary},
	{"createSearchIndexes", MustUsePrimary},
	{"updateSearchIndex", MustUsePrimary},
	{"dropSearchIndex", MustUsePrimary},
	{"drop", MustUsePrimary},
	{"dropDatabase", MustUsePrimary},
	{"dropIndexes", MustUsePrimary},
	{"renameCollection", MustUsePrimary},
	{"collMod", MustUsePrimary},
	{"convertToCapped", MustUsePrimary},
	{"reIndex", MustUsePrimary},
	{"createUser", MustUsePrimary},
	{"updateUser", MustUsePrimary},
	{"dropUser", MustUsePrimary},
	{"commitTransaction", MustUsePrimary},
	{"abortTransaction", MustUsePrimary},

	{"getMore", MayUseSecondary | unselected},
	{"killCursors", MayUseSecondary | unselected},
	{"hello", unselected},
	{"isMaster", unselected},
	{"saslStart", unselected},
	{"saslContinue", unselected},
	{"authenticate", unselected},
	{"getnonce", unselected},
}

// kindOf returns the kind of a call, and whether it chooses a server at all.
func kindOf(c *Call) (kind Kind, selects bool) {
	if c.RunCommand {
		return Generic, true
	}
	for i := range known {
		if !uri.EqualFold(known[i].name, c.Name) {
			continue
		}
		kind = known[i].kind
		selects = kind < unselected
		kind &^= unselected
		if c.InlineOutput && known[i].name == "mapReduce" {
			kind = MayUseSecondary
		}
		return kind, selects
	}
	return Generic, true
}
