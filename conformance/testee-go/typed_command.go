package main

import (
	"encoding/json"
	"slices"

	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

func typedCommand(document []byte) ([]byte, error) {
	var strict wire.Decoder
	if err := strict.CommandRequest(new(wire.CommandRequest), document); err != nil {
		return nil, err
	}
	var request struct {
		Topology       json.RawMessage     `json:"topology"`
		Server         string              `json:"server"`
		ReadPreference readpref.Preference `json:"readPreference"`
		Operation      string              `json:"operation"`
		Opcode         string              `json:"opcode"`
	}
	if err := json.Unmarshal(document, &request); err != nil {
		return nil, err
	}
	t, err := description(request.Topology)
	if err != nil {
		return nil, err
	}
	operation := selection.Operation(max(0, slices.Index(selection.OperationNames[:], request.Operation)))
	opcode := command.Opcode(max(0, slices.Index(command.OpcodeNames[:], request.Opcode)))
	return json.Marshal(decorationDocument(t, request.Server, request.ReadPreference, operation, opcode))
}

// decorationDocument prints what a command carries to a server.
func decorationDocument(t *topology.Description, server string, p readpref.Preference, operation selection.Operation, opcode command.Opcode) map[string]any {
	d := command.Decorate(t, t.TypeOf(server), p, operation, opcode)
	answer := map[string]any{"$readPreference": nil}
	if d.Attach {
		answer["$readPreference"] = d.Document
	}
	if opcode == command.OpQuery {
		answer["secondaryOk"] = d.SecondaryOk
	}
	if operation == selection.AggregateWithWriteStage {
		answer["effectiveReadPreference"] = d.Effective
	}
	if p.Hedge.IsDefined() {
		answer["warnings"] = []map[string]string{hedgeDeprecated("readPreference.hedge")}
	}
	return answer
}

// hedgeDeprecated is the warning that the documents add for a preference with
// hedge.
func hedgeDeprecated(path string) map[string]string {
	return map[string]string{"code": wire.HedgeDeprecated, "message": "hedge is deprecated since MongoDB server 8.0 and will be removed", "path": path}
}
