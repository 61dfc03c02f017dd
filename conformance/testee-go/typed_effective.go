package main

import (
	"encoding/json"

	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/wire"
)

// typedEffective asks core/command about the command that the boundary's decoder
// found in the document.
func typedEffective(document []byte) ([]byte, error) {
	var strict wire.Decoder
	var r wire.EffectiveRequest
	if err := strict.EffectiveRequest(&r, document); err != nil {
		return nil, err
	}
	use, err := command.Effective(&r.Call)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"readPreference": use.Preference, "operation": use.Operation.String(), "kind": use.Kind.String(),
		"from": use.From.String(), "selects": use.Selects}
	switch {
	case use.IgnoresArgument:
		answer["warnings"] = []map[string]string{{"code": "readPreferenceIgnored", "path": command.SourceOperation.Path(),
			"message": "this command's helper takes no read preference: it uses primary"}}
	case use.Preference.Hedge.IsDefined():
		answer["warnings"] = []map[string]string{hedgeDeprecated(use.From.Path() + ".hedge")}
	}
	return json.Marshal(answer)
}
