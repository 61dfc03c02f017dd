package connstring_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

// fieldPreference is the cases' spelling of a preference.
type fieldPreference struct {
	Mode       string    `json:"mode"`
	TagSets    []tag.Set `json:"tag_sets"`
	MaxSeconds *int64    `json:"maxStalenessSeconds"`
}

func (f *fieldPreference) preference(t *testing.T) readpref.Preference {
	mode, ok := readpref.ParseMode(f.Mode)
	require.True(t, ok, f.Mode)
	p := readpref.Preference{Mode: mode, TagSets: f.TagSets}
	if f.MaxSeconds != nil {
		p.MaxStaleness = readpref.MaxStalenessSeconds(*f.MaxSeconds)
	}
	return p
}

func TestFieldCases(t *testing.T) {
	for _, c := range fieldCases(t, "uri") {
		t.Run(c.ID, func(t *testing.T) {
			var in struct{ URI string }
			decode(t, c.Input, &in)
			var want struct {
				ReadPreference *fieldPreference
				Hosts          []string
				ReplicaSet     *string
				Error          string
				Warnings       []json.RawMessage
			}
			decode(t, c.Expected, &want)
			got, err := connstring.Parse(in.URI)
			if want.Error != "" {
				var e *status.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, want.Error, e.Code.String())
				assert.NotEmpty(t, e.Path)
				require.Empty(t, want.Warnings, "an error comes without warnings")
				return
			}
			require.NoError(t, err)
			assert.Len(t, got.Warnings, len(want.Warnings))
			if want.ReadPreference != nil {
				p := want.ReadPreference.preference(t)
				assert.True(t, p.Equal(&got.Preference), "%v", got.Preference)
			}
			if want.Hosts != nil {
				assert.Equal(t, want.Hosts, got.Seeds())
			}
			if want.ReplicaSet != nil {
				assert.Equal(t, connstring.Maybe[string]{Value: *want.ReplicaSet, Set: true}, got.ReplicaSet)
			}
		})
	}
	for _, c := range fieldCases(t, "uri-roundtrip") {
		t.Run(c.ID, func(t *testing.T) {
			var in struct{ ReadPreference fieldPreference }
			decode(t, c.Input, &in)
			var want struct{ Query string }
			decode(t, c.Expected, &want)
			p := in.ReadPreference.preference(t)
			got, err := connstring.FormatPreference(p)
			require.NoError(t, err)
			assert.Equal(t, want.Query, got)
			_, err = url.ParseQuery(got)
			require.NoError(t, err)
			read, err := connstring.Parse("mongodb://h/?" + got)
			require.NoError(t, err)
			assert.True(t, p.Equal(&read.Preference))
		})
	}
}

func codeOf(err error) string {
	var e *status.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code.String() + " " + e.Path
}
