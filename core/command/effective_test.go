package command_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// given makes a call with a mode for each source that is named.
func given(name string, modes map[command.Source]readpref.Mode) *command.Call {
	c := &command.Call{Name: name}
	for s, m := range modes {
		p := mode(m)
		c.Given[s] = &p
	}
	return c
}

type sources = map[command.Source]readpref.Mode

// everywhere is another mode from each source.
func everywhere() sources {
	return sources{command.SourceOperation: readpref.Nearest, command.SourceCollection: readpref.Secondary,
		command.SourceDatabase: readpref.SecondaryPreferred, command.SourceClient: readpref.PrimaryPreferred}
}

// 1.12: the narrower configuration counts, and is taken as a whole.
func TestInheritance(t *testing.T) {
	modes := everywhere()
	for _, c := range []struct {
		from command.Source
		want readpref.Mode
	}{
		{command.SourceOperation, readpref.Nearest},
		{command.SourceCollection, readpref.Secondary},
		{command.SourceDatabase, readpref.SecondaryPreferred},
		{command.SourceClient, readpref.PrimaryPreferred},
		{command.SourceDefault, readpref.Primary},
	} {
		u, err := command.Effective(given("find", modes))
		require.NoError(t, err)
		assert.Equal(t, command.Use{Preference: mode(c.want), Kind: command.MayUseSecondary, From: c.from, Selects: true}, u)
		delete(modes, c.from)
	}

	call := given("find", sources{command.SourceClient: readpref.Nearest})
	tagged := mode(readpref.Secondary, ny)
	call.Given[command.SourceClient] = &tagged
	own := stale(readpref.Nearest, 90)
	call.Given[command.SourceOperation] = &own
	u, err := command.Effective(call)
	require.NoError(t, err)
	assert.Equal(t, own, u.Preference, "no tags of the client's are mixed in")

	primary := readpref.Preference{}
	call.Given[command.SourceOperation] = &primary
	u, err = command.Effective(call)
	require.NoError(t, err)
	assert.Equal(t, command.SourceOperation, u.From, "primary is a preference, too")
	assert.Equal(t, primary, u.Preference)
}

// 3.44, 3.46, App. D: what each command does outside a transaction.
func TestKinds(t *testing.T) {
	for kind, names := range map[command.Kind][]string{
		command.Write:            {"insert", "update", "delete", "findAndModify", "findandmodify", "bulkWrite"},
		command.MustUsePrimary:   {"createIndexes", "create", "drop", "dropDatabase", "dropIndexes", "renameCollection", "collMod", "mapReduce", "commitTransaction", "abortTransaction"},
		command.ShouldUsePrimary: {"listDatabases", "listCollections", "listIndexes"},
		command.MayUseSecondary: {"aggregate", "collStats", "count", "dbStats", "distinct", "find", "geoNear", "geoSearch", "group",
			"parallelCollectionScan", "FIND", "collstats"},
		command.Generic: {"ping", "serverStatus", "runCommand", "", "finds", "fınd"},
	} {
		for _, name := range names {
			u, err := command.Effective(given(name, everywhere()))
			require.NoError(t, err)
			want := command.Use{Kind: kind, Selects: true}
			switch kind {
			case command.MayUseSecondary, command.Generic:
				want.Preference, want.From = mode(readpref.Nearest), command.SourceOperation
			case command.Write:
				want.Operation = selection.Write
				fallthrough
			default:
				want.From, want.IgnoresArgument = command.SourceHelper, true
			}
			assert.Equal(t, want, u, name)
		}
	}
	call := given("mapReduce", sources{command.SourceClient: readpref.Secondary})
	call.InlineOutput = true
	u, err := command.Effective(call)
	require.NoError(t, err)
	assert.Equal(t, command.Use{Preference: mode(readpref.Secondary), Kind: command.MayUseSecondary, From: command.SourceClient, Selects: true}, u)
}

// 3.45: a generic method ignores what is configured, and honours its argument
// for any command.
func TestGeneric(t *testing.T) {
	for _, name := range []string{"find", "insert", "createIndexes", "getMore", "hello", "ping", "mapReduce"} {
		modes := everywhere()
		call := given(name, modes)
		call.RunCommand, call.WriteStage, call.InlineOutput = true, true, true
		u, err := command.Effective(call)
		require.NoError(t, err)
		assert.Equal(t, command.Use{Preference: mode(readpref.Nearest), From: command.SourceOperation, Selects: true}, u, name)
		call.Given[command.SourceOperation] = nil
		u, err = command.Effective(call)
		require.NoError(t, err)
		assert.Equal(t, command.Use{From: command.SourceDefault, Selects: true}, u, name)
	}
}

// 3.47: the last stage makes another operation, whose preference the servers'
// versions decide about later.
func TestWriteStage(t *testing.T) {
	call := given("aggregate", sources{command.SourceCollection: readpref.Secondary})
	call.WriteStage = true
	u, err := command.Effective(call)
	require.NoError(t, err)
	assert.Equal(t, command.Use{Preference: mode(readpref.Secondary), Operation: selection.AggregateWithWriteStage, Kind: command.MayUseSecondary,
		From: command.SourceCollection, Selects: true}, u)
	call.Name = "find"
	u, err = command.Effective(call)
	require.NoError(t, err)
	assert.Equal(t, selection.Read, u.Operation)
}

// 3.48, App. D: in a transaction its own preference counts, else the session's,
// else the client's; a read with another mode than primary is an error.
func TestTransaction(t *testing.T) {
	const primary, nearest = readpref.Primary, readpref.Nearest
	for _, c := range []struct {
		name    string
		command string
		modes   sources
		from    command.Source
		fails   bool
	}{
		{"nothing", "find", nil, command.SourceDefault, false},
		{"the client's", "find", sources{command.SourceClient: nearest}, command.SourceClient, true},
		{"the session's over the client's", "find", sources{command.SourceClient: nearest, command.SourceSession: primary}, command.SourceSession, false},
		{"the session's", "find", sources{command.SourceSession: nearest}, command.SourceSession, true},
		{"the transaction's over the session's", "find", sources{command.SourceTransaction: primary, command.SourceSession: nearest}, command.SourceTransaction, false},
		{"the transaction's", "aggregate", sources{command.SourceTransaction: nearest, command.SourceClient: primary}, command.SourceTransaction, true},
		{"collection and database do not count", "find", sources{command.SourceCollection: nearest, command.SourceDatabase: nearest}, command.SourceDefault, false},
		{"the operation's own", "find", sources{command.SourceTransaction: primary, command.SourceOperation: nearest}, command.SourceOperation, true},
		{"the operation's own over the transaction's", "find", sources{command.SourceTransaction: nearest, command.SourceOperation: primary}, command.SourceOperation, false},
		{"a generic command", "ping", sources{command.SourceTransaction: nearest}, command.SourceTransaction, true},
		{"a generic command, its own", "ping", sources{command.SourceOperation: nearest}, command.SourceOperation, true},
		{"a generic command, the client's", "ping", sources{command.SourceClient: nearest}, command.SourceClient, true},
		{"a write is not checked", "insert", sources{command.SourceTransaction: nearest}, command.SourceHelper, false},
		{"nor a helper that uses primary", "createIndexes", sources{command.SourceTransaction: nearest}, command.SourceHelper, false},
		{"nor the commit", "commitTransaction", sources{command.SourceTransaction: nearest}, command.SourceHelper, false},
		{"monitoring is in no transaction", "hello", sources{command.SourceClient: nearest}, command.SourceDefault, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := given(c.command, c.modes)
			call.InTransaction = true
			u, err := command.Effective(call)
			if !c.fails {
				require.NoError(t, err)
				assert.Equal(t, c.from, u.From)
				assert.Equal(t, readpref.Preference{}, u.Preference)
				return
			}
			require.Equal(t, command.Use{}, u)
			var e *status.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, status.TransactionReadPreferenceNotPrimary, e.Code)
			assert.Equal(t, c.from.Path(), e.Path)
			assert.Contains(t, e.Message, "read preference in a transaction must be primary")
			assert.Contains(t, e.Message, "nearest")
			assert.Contains(t, e.Message, "set the transaction's read preference to primary")

			call.InTransaction = false
			_, err = command.Effective(call)
			assert.NoError(t, err, "without a transaction nothing is wrong")
		})
	}
}

// 3.48: what skips selection.
func TestSelects(t *testing.T) {
	for _, name := range []string{"getMore", "killCursors", "hello", "isMaster", "ismaster", "saslStart", "saslContinue", "authenticate"} {
		u, err := command.Effective(given(name, nil))
		require.NoError(t, err)
		assert.False(t, u.Selects, name)
	}
	for _, name := range []string{"find", "insert", "createIndexes", "ping"} {
		call := given(name, nil)
		call.Pinned = true
		u, err := command.Effective(call)
		require.NoError(t, err)
		assert.True(t, u.Selects, "%s: pinned, but not in a transaction", name)
		call.InTransaction = true
		u, err = command.Effective(call)
		require.NoError(t, err)
		assert.False(t, u.Selects, name)
	}
}

func TestNames(t *testing.T) {
	assert.Equal(t, "mayUseSecondary", command.MayUseSecondary.String())
	assert.Equal(t, "invalid", command.Kind(99).String())
	assert.Equal(t, "helper", command.SourceHelper.String())
	assert.Equal(t, "", command.SourceHelper.Path())
	assert.Equal(t, "", command.Source(99).Path())
	assert.Equal(t, "transaction.readPreference", command.SourceTransaction.Path())
}

// Every combination of preferences, read off the specifications in their order:
// what the command's helper does, then the transaction, then who gives what.
func TestEffectiveForEveryCombination(t *testing.T) {
	all := []command.Source{command.SourceOperation, command.SourceCollection, command.SourceDatabase, command.SourceClient,
		command.SourceTransaction, command.SourceSession}
	combinations := 1
	for range all {
		combinations *= 3 // none, primary, another
	}
	failures := 0
	for n := range combinations {
		modes := sources{}
		for i, rest := 0, n; i < len(all); i, rest = i+1, rest/3 {
			if rest%3 > 0 {
				modes[all[i]] = []readpref.Mode{readpref.Primary, readpref.Secondary}[rest%3-1]
			}
		}
		for _, name := range []string{"find", "ping", "insert", "listIndexes"} {
			for _, inTransaction := range []bool{false, true} {
				for _, generic := range []bool{false, true} {
					call := given(name, modes)
					call.InTransaction, call.RunCommand = inTransaction, generic
					u, err := command.Effective(call)
					want := mode(readpref.Primary)
					takes := func(list ...command.Source) {
						for _, s := range list {
							if m, ok := modes[s]; ok {
								want.Mode = m
								return
							}
						}
					}
					primaryOnly := (name == "insert" || name == "listIndexes") && !generic
					switch {
					case primaryOnly:
					case inTransaction:
						takes(command.SourceOperation, command.SourceTransaction, command.SourceSession, command.SourceClient)
					case name == "find" && !generic:
						takes(command.SourceOperation, command.SourceCollection, command.SourceDatabase, command.SourceClient)
					default:
						takes(command.SourceOperation)
					}
					fails := inTransaction && want.Mode != readpref.Primary
					require.Equal(t, fails, err != nil, "%s %v %v", name, inTransaction, modes)
					if fails {
						failures++
						continue
					}
					require.Equal(t, want, u.Preference, "%s %v %v", name, inTransaction, modes)
					_, argument := modes[command.SourceOperation]
					require.Equal(t, primaryOnly && argument, u.IgnoresArgument)
				}
			}
		}
	}
	// In a transaction 40 of the 81 ways to give the four preferences that count
	// begin with another mode: 27 + 9 + 3 + 1. Each comes with 9 ways to give the
	// other two, and for six of the eight calls.
	assert.Equal(t, 40*9*6, failures)
}
