package client

import (
	"log/slog"
	"time"

	"github.com/readpref/readpref/core/sdam"
)

// DefaultServerSelectionTimeout is how long a Select waits at most.
//
// Server Selection specification, "serverSelectionTimeoutMS".
const DefaultServerSelectionTimeout = 30 * time.Second

// Options are what a Topology tells, and to whom. The zero value waits for 30
// seconds and tells nobody.
type Options struct {
	// ServerSelectionTimeout is how long Select waits for a server. 0 is what
	// the connection string says, or 30 seconds; below 0 it does not wait.
	ServerSelectionTimeout time.Duration
	// OnEvent is told what happened, in order, from one goroutine at a time.
	// Descriptions must not be changed. Telling is done before the call that
	// caused it returns, or by another call that is telling just then.
	OnEvent func(sdam.Event)
	// OnEffect is told what to do, the same way. A Select that waits asks it to
	// check all servers.
	OnEffect func(sdam.Effect)
	// Logger gets the messages of server selection; nil is silence.
	//
	// Server Selection specification, "Logging".
	Logger *slog.Logger
	// Seed makes the choice among servers repeatable. 0 is entropy.
	Seed uint64
}
