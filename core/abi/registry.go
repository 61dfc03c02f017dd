package abi

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// Method describes one method of rp_call.
type Method struct {
	Name    string // what rp_call is given
	Since   string // the ABI version that has it first
	Summary string
	Request string // the JSON Schema of its request, in docs/schema
	Answer  string // and of its answer
}

type method struct {
	name, since, summary, request, answer string

	run func(c *Context, dst, in []byte) ([]byte, *status.Error)

	// changes says that a call opens or changes something: it is refused before
	// it does when its answer might not fit.
	changes bool
}

// registry is the one list of methods: `methods` and docs/methods.md come from
// it. It is filled by init, because methods itself reads it.
var registry []method

func init() {
	registry = []method{
		{"select", "1.0", "the server for an operation, and the servers left after each stage",
			"select-request.json", "select-answer.json", runSelect, false},
		{"explain", "1.0", "what select answers, and for each server the stage that dropped it and the figures that decided, also as text",
			"select-request.json", "explain-answer.json", runExplain, false},
		{"validate", "1.0", "the normal form of a read preference, and everything that is wrong with it",
			"validate-request.json", "validate-answer.json", runValidate, false},
		{"server.parse_hello", "1.0", "the server description that a hello reply gives its server",
			"parse-hello-request.json", "parse-hello-answer.json", runParseHello, false},
		{"parse_uri", "1.0", "the seeds, the read preference and the options of a connection string",
			"parse-uri-request.json", "parse-uri-answer.json", runParseURI, false},
		{"srv", "1.0", "what DNS answers make of a connection string, or of the servers of its topology",
			"srv-request.json", "srv-answer.json", runSRV, false},
		{"to_uri", "1.0", "a read preference as options of a connection string",
			"to-uri-request.json", "to-uri-answer.json", runToURI, false},
		{"rtt", "1.0", "the average and the minimum of round-trip times",
			"rtt-request.json", "rtt-answer.json", runRTT, false},
		{"command", "1.0", "the $readPreference and the flag that a command carries to its server",
			"command-request.json", "command-answer.json", runCommand, false},
		{"effective_preference", "1.0", "which of several read preferences a command uses, and how",
			"effective-preference-request.json", "effective-preference-answer.json", runEffectivePreference, false},
		{"readable", "1.0", "whether a read finds a server in a topology",
			"readable-request.json", "readable-answer.json", runReadable, false},
		{"writable", "1.0", "whether a write finds a server in a topology",
			"writable-request.json", "writable-answer.json", runWritable, false},
		{"simulate", "1.0", "the share of each server in the operations of workloads, exactly or by a number of picks, also as text",
			"simulate-request.json", "simulate-answer.json", runSimulate, false},
		{"what_if", "1.0", "what becomes of the operations of workloads when members, zones or the primary are lost or change, also as text",
			"what-if-request.json", "what-if-answer.json", runWhatIf, false},
		{"advise", "1.0", "what is unwise about the read preferences of workloads on a topology, and what to do about it, also as text",
			"advise-request.json", "advise-answer.json", runAdvise, false},
		{"diff", "1.0", "which servers gain and which lose operations between two preferences, topologies or sets of options, and why, also as text",
			"diff-request.json", "diff-answer.json", runDiff, false},
		{"import", "1.0", "topology descriptions of what operators can save: rs.status(), rs.conf(), hello, shards, drivers' logs, Atlas; and what was guessed",
			"import-request.json", "import-answer.json", runImport, false},
		{"topology.open", "1.0", "a handle for a topology: its description, its options, its servers' operation counts",
			"topology-open-request.json", "topology-open-answer.json", runTopologyOpen, true},
		{"topology.update", "1.0", "replaces the description of an open topology",
			"topology-update-request.json", "generation-answer.json", runTopologyUpdate, true},
		{"topology.hello", "1.0", "what a check of a server of a discovered topology gave",
			"topology-hello-request.json", "topology-hello-answer.json", runTopologyHello, true},
		{"topology.error", "1.0", "an error that an operation met on a server of a discovered topology",
			"topology-error-request.json", "topology-error-answer.json", runTopologyError, true},
		{"topology.srv", "1.0", "the answer of a scan of the SRV records that a discovered topology came from",
			"topology-srv-request.json", "topology-srv-answer.json", runTopologySRV, true},
		{"topology.shutdown", "1.0", "ends the discovery of a topology: its closing events",
			"topology-request.json", "generation-answer.json", runTopologyShutdown, true},
		{"topology.events", "1.0", "what happened to a discovered topology, and what is to be done",
			"topology-request.json", "topology-events-answer.json", runTopologyEvents, false},
		{"topology.events_ack", "1.0", "forgets events and effects up to a sequence number",
			"topology-events-ack-request.json", "close-answer.json", runTopologyEventsAck, true},
		{"topology.describe", "1.0", "the description and options of an open topology, as topology.open takes them",
			"topology-request.json", "topology-open-request.json", runTopologyDescribe, false},
		{"topology.select", "1.0", "a server of an open topology, with an id that is stable for its life",
			"topology-select-request.json", "topology-select-answer.json", runTopologySelect, true},
		{"topology.select_batch", "1.0", "many servers at once",
			"topology-select-batch-request.json", "topology-select-batch-answer.json", runTopologySelectBatch, true},
		{"topology.explain", "1.0", "explain for two handles",
			"topology-explain-request.json", "explain-answer.json", runTopologyExplain, false},
		{"topology.command", "1.0", "command for two handles and the id of a server",
			"topology-command-request.json", "command-answer.json", runTopologyCommand, false},
		{"topology.address", "1.0", "the address of a server by its id",
			"server-id-request.json", "topology-address-answer.json", runTopologyAddress, false},
		{"topology.release", "1.0", "an operation on a server has ended: its operation count goes down by one",
			"server-id-request.json", "topology-release-answer.json", runTopologyRelease, true},
		{"topology.generation", "1.0", "the generation of an open topology: it changes with every accepted description",
			"topology-request.json", "generation-answer.json", runTopologyGeneration, false},
		{"readpref.open", "1.0", "a handle for a read preference, in any form that validate takes",
			"validate-request.json", "readpref-open-answer.json", runReadprefOpen, true},
		{"close", "1.0", "closes a handle",
			"close-request.json", "close-answer.json", runClose, true},
		{"build_info", "1.0", "the version of readpref and of its ABI",
			"empty-request.json", "build-info-answer.json", runBuildInfo, false},
		{"methods", "1.0", "this list",
			"empty-request.json", "methods-answer.json", runMethods, false},
	}
}

// Methods returns the registry, for documentation.
func Methods() []Method {
	list := make([]Method, len(registry))
	for i := range registry {
		m := &registry[i]
		list[i] = Method{m.name, m.since, m.summary, m.request, m.answer}
	}
	return list
}

func unknownMethod(name string) *status.Error {
	names := make([]string, len(registry))
	for i := range registry {
		names[i] = registry[i].name
	}
	return &status.Error{Code: status.UnknownMethod, Message: wire.Unknown("method", name, names)}
}

func runSelect(c *Context, dst, in []byte) ([]byte, *status.Error) {
	return c.selectInto(dst, in, false)
}

func runExplain(c *Context, dst, in []byte) ([]byte, *status.Error) {
	return c.selectInto(dst, in, true)
}

func (c *Context) selectInto(dst, in []byte, explained bool) ([]byte, *status.Error) {
	r := &c.request
	if err := c.decoder.Request(r, in); err != nil {
		return dst, err
	}
	// Once for all shards: the lists may be long.
	c.deprioritized.Reset(r.Deprioritized)
	c.keepOnly.Reset(r.KeepOnly)
	if !r.Sharded {
		return c.one(dst, &r.Topology, "", r.Seed, explained)
	}
	dst = str.Append(dst, `{"shards":{`)
	for i := range r.Shards {
		if i > 0 {
			dst = append(dst, ',')
		}
		name := r.Shards[i].Name
		dst = append(wire.AppendString(dst, name), ':')
		var err *status.Error
		if dst, err = c.one(dst, &r.Shards[i].Topology, name, selection.ShardSeed(r.Seed, name), explained); err != nil {
			if err.Code == status.LimitExceeded {
				return dst, err
			}
			dst = wire.AppendError(dst, err)
		}
	}
	return str.Append(dst, "}}"), nil
}

// one answers for one topology; on an error it appends nothing.
func (c *Context) one(dst []byte, t *topology.Description, shard string, seed uint64, explained bool) ([]byte, *status.Error) {
	r := &c.request
	c.selection = selection.Request{Topology: t, Preference: r.Preference, Operation: r.Operation,
		Deprioritized: r.Deprioritized, DeprioritizedSet: &c.deprioritized, Options: r.Options}
	if r.HasKeepOnly {
		c.selection.CustomSelector = &c.keepOnly
	}
	res, err := c.selector.Select(&c.selection)
	if err != nil {
		return dst, inTopology(err, shard, r.Sharded)
	}
	rng := selection.SplitMix64(seed)
	chosen := r.Pick.Choose(t, res.InLatencyWindow, &rng, seed)
	if explained {
		c.explanation.Explain(&c.selection, res, r.Pick, chosen)
		dst = wire.AppendExplanation(dst, &c.explanation)
	} else {
		dst = wire.AppendSelection(dst, &c.selection, res, chosen)
	}
	if len(dst) > wire.MaxAnswerBytes {
		return dst, tooLong()
	}
	return dst, nil
}

//go:noinline
func tooLong() *status.Error {
	return status.New(status.LimitExceeded, "", "the answer would be larger than 128 MiB")
}

func runValidate(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.Validate(&c.validation, in); err != nil {
		return dst, err
	}
	return wire.AppendValidation(dst, &c.validation), nil
}

func runParseHello(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.HelloRequest(&c.hello, in); err != nil {
		return dst, err
	}
	var s topology.Server
	sdam.Describe(&s, &c.hello.Check, &c.hello.Hello)
	dst = str.Append(dst, `{"server":`)
	return append(wire.AppendServer(dst, &s), '}'), nil
}

func runBuildInfo(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.Empty(in); err != nil {
		return dst, err
	}
	dst = append(dst, `{"name":"readpref","version":"`+Release+`","abi":{"major":`...)
	dst = decimal.Append(dst, Major)
	dst = decimal.Append(str.Append(dst, `,"minor":`), Minor)
	return str.Append(dst, "}}"), nil
}

func runMethods(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.Empty(in); err != nil {
		return dst, err
	}
	dst = str.Append(dst, `{"methods":[`)
	for i := range registry {
		m := &registry[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(str.Append(dst, `{"name":`), m.name)
		dst = wire.AppendString(str.Append(dst, `,"since":`), m.since)
		dst = wire.AppendString(str.Append(dst, `,"summary":`), m.summary)
		dst = wire.AppendString(str.Append(dst, `,"request":`), m.request)
		dst = wire.AppendString(str.Append(dst, `,"answer":`), m.answer)
		dst = append(dst, '}')
	}
	return str.Append(dst, "]}"), nil
}
