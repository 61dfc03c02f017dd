package readpref_test

import (
	"encoding/json"
	"testing"

	"github.com/mailru/easyjson/jwriter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

// A value that is no mode has no text, and text that is no mode is refused.
func TestTextOfModes(t *testing.T) {
	text, err := readpref.Nearest.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "nearest", string(text))
	for _, m := range []readpref.Mode{readpref.Nearest + 1, 255} {
		_, err := m.MarshalText()
		assert.ErrorContains(t, err, "none of the five")
	}
	m := readpref.Secondary
	require.ErrorContains(t, m.UnmarshalText([]byte("Primary")), `unknown read preference mode "Primary"`) // rule 1.2: exact spelling
	assert.Equal(t, readpref.Secondary, m, "what cannot be read changes nothing")
	require.NoError(t, m.UnmarshalText([]byte("primary")))
	assert.Equal(t, readpref.Primary, m)
}

// A part that is read replaces what was there; null is no maximum and no hedge.
func TestPartsReplaceWhatWasThere(t *testing.T) {
	seconds := readpref.MaxStalenessSeconds(120)
	require.NoError(t, json.Unmarshal([]byte("null"), &seconds))
	require.NoError(t, seconds.UnmarshalJSON([]byte("null")))
	assert.False(t, seconds.IsDefined())
	require.NoError(t, seconds.UnmarshalJSON([]byte("90")))
	assert.Equal(t, readpref.MaxStalenessSeconds(90), seconds)
	require.Error(t, seconds.UnmarshalJSON([]byte(`"90"`)))

	hedge := readpref.HedgeEnabled
	require.NoError(t, hedge.UnmarshalJSON([]byte("null")))
	assert.Equal(t, readpref.HedgeAbsent, hedge)
	require.NoError(t, hedge.UnmarshalJSON([]byte(`{"enabled":false}`)))
	assert.Equal(t, readpref.HedgeDisabled, hedge)
	require.NoError(t, hedge.UnmarshalJSON([]byte(`{}`)))
	assert.Equal(t, readpref.HedgeEmpty, hedge)
	require.Error(t, hedge.UnmarshalJSON([]byte(`{"enabled":1}`)))
	require.ErrorIs(t, hedge.UnmarshalJSON([]byte(`{"enable":true}`)), &status.Error{Code: status.UnknownKey}) // no unknown key is passed over

	p := readpref.Preference{Mode: readpref.Secondary, MaxStaleness: seconds, Hedge: readpref.HedgeEnabled}
	require.NoError(t, p.UnmarshalJSON([]byte(`{"mode":"nearest"}`)))
	assert.Equal(t, readpref.Preference{Mode: readpref.Nearest}, p)
}

// Each part prints as the document has it, null where it is absent.
func TestPartsPrint(t *testing.T) {
	for want, part := range map[string]json.Marshaler{
		"{}": readpref.HedgeEmpty, `{"enabled":true}`: readpref.HedgeEnabled, `{"enabled":false}`: readpref.HedgeDisabled, "null": readpref.HedgeAbsent,
		"120": readpref.MaxStalenessSeconds(120),
	} {
		got, err := part.MarshalJSON()
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	none, err := readpref.MaxStaleness{}.MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, "null", string(none))
}

// A preference prints the same to any writer, with < and > as they are.
func TestAnyWriterPrintsTheSame(t *testing.T) {
	p := readpref.Preference{Mode: readpref.Secondary, TagSets: []tag.Set{{{Name: "dc", Value: "<ny>"}}}}
	var w jwriter.Writer
	p.MarshalEasyJSON(&w)
	got, err := w.BuildBytes()
	require.NoError(t, err)
	assert.Equal(t, `{"mode":"secondary","tags":[{"dc":"<ny>"}]}`, string(got))
}

// What an unreadable pair is told of depends on what is wrong with it, whether
// its name is one of ours or not.
func TestUnreadablePairs(t *testing.T) {
	const escape = "% must be followed by two hex digits, and escapes must make UTF-8"
	for query, want := range map[string]struct{ path, message string }{
		"appName=%zz":        {"", escape},
		"appName":            {"", "an option is not name=value"},
		"readPreference=%zz": {"readPreference", escape},
	} {
		r := readpref.FromURIOptions(query)
		if assert.Len(t, r.Problems, 1, query) {
			assert.Equal(t, want.path, r.Problems[0].Path, query)
			assert.Equal(t, want.message, r.Problems[0].Message, query)
		}
	}
}
