package connstring_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/tag"
)

type specCase struct {
	Description string
	URI         string
	Valid       bool
	Warning     *bool
	Hosts       []struct {
		Type string
		Host string
		Port *uint16
	}
	Auth *struct {
		Username, Password, DB *string
	}
	Options map[string]json.RawMessage
}

func TestSpec(t *testing.T) {
	for _, suite := range []string{"connection-string", "uri-options"} {
		for _, file := range specFiles(t, suite) {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			var cases struct{ Tests []specCase }
			decode(t, raw, &cases)
			require.NotEmpty(t, cases.Tests)
			for _, c := range cases.Tests {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".json")+"/"+c.Description, func(t *testing.T) { runSpec(t, &c) })
			}
		}
	}
}

func runSpec(t *testing.T, c *specCase) {
	got, err := connstring.Parse(c.URI)
	if !c.Valid {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	if c.Warning != nil {
		assert.Equal(t, *c.Warning, len(got.Warnings) > 0, "%v", got.Warnings)
	}
	if c.Hosts != nil {
		require.Len(t, got.Hosts, len(c.Hosts))
	}
	for i, h := range c.Hosts {
		assert.Equal(t, h.Host, got.Hosts[i].Name)
		assert.Equal(t, h.Type, got.Hosts[i].Kind.String())
		port := uint16(0)
		if h.Port != nil {
			port = *h.Port
		}
		assert.Equal(t, port, got.Hosts[i].Port)
	}
	if c.Auth != nil {
		checkText(t, c.Auth.Username, got.HasUsername, got.Username)
		checkText(t, c.Auth.Password, got.HasPassword, got.Password)
		checkText(t, c.Auth.DB, got.Database != "", got.Database)
	}
	checkOptions(t, got, c.Options)
}

func checkText(t *testing.T, want *string, has bool, got string) {
	t.Helper()
	if assert.Equal(t, want != nil, has) && has {
		assert.Equal(t, *want, got)
	}
}

// checkOptions compares the options that a case lists.
func checkOptions(t *testing.T, c *connstring.ConnString, want map[string]json.RawMessage) {
	t.Helper()
	got := map[string]any{"readpreference": c.Preference.Mode.String(), "readpreferencetags": object(c.Preference.TagSets...)}
	if seconds, ok := c.Preference.MaxStaleness.Seconds(); ok {
		got["maxstalenessseconds"] = seconds
	}
	for _, o := range c.Options {
		got[strings.ToLower(o.Name)] = value(t, o)
	}
	if c.TLS.Set {
		got["tls"], got["ssl"] = c.TLS.Value, c.TLS.Value
	}
	for name, v := range want {
		found, ok := got[strings.ToLower(name)]
		require.True(t, ok, name)
		text, err := json.Marshal(found)
		require.NoError(t, err)
		assert.JSONEq(t, string(v), string(text), name)
	}
}

func value(t *testing.T, o connstring.Option) any {
	switch o.Kind {
	case connstring.KindString:
		return o.Text
	case connstring.KindInt:
		return o.Int
	case connstring.KindBool:
		return o.Bool
	case connstring.KindList:
		return o.List
	case connstring.KindPairs:
		return object(o.Pairs)[0]
	}
	t.Fatalf("kind %d", o.Kind)
	return nil
}

func object(sets ...tag.Set) []map[string]string {
	objects := make([]map[string]string, len(sets))
	for i, s := range sets {
		objects[i] = map[string]string{}
		for _, x := range s {
			objects[i][x.Name] = x.Value
		}
	}
	return objects
}
