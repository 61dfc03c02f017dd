package connstring

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
)

// FormatPreference writes a preference as options of a connection string:
// readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags=. Parse
// reads it back as it was.
//
// It fails for an invalid preference, and where options cannot say what the
// preference does: hedge, a comma in a tag, a colon in a tag's name, more than
// 100 tag sets or tags. The error is a *status.Error whose path is that of the
// $readPreference document.
func FormatPreference(p readpref.Preference) (string, error) {
	if err := p.Validate(); err != nil {
		return "", err
	}
	if p.Hedge.IsDefined() {
		return "", fault(status.InvalidURIOption, "hedge", "no option of a connection string sets hedge")
	}
	if len(p.TagSets) > readpref.MaxTagSets {
		return "", fault(status.LimitExceeded, "tags", "more than 100 tag sets")
	}
	b := append([]byte("readPreference="), p.Mode.String()...)
	for i, set := range p.TagSets {
		b = str.Append(b, "&readPreferenceTags=")
		start := len(b)
		for j, t := range set {
			if j > 0 {
				b = str.AppendByte(b, ',')
			}
			b = uri.AppendEncoded(b, t.Name)
			b = str.AppendByte(b, ':')
			b = uri.AppendEncoded(b, t.Value)
		}
		if len(set) > 0 {
			// Escapes are decoded before the value is split, so they cannot save a
			// comma: what is read decides.
			text, ok := uri.Decode(string(b[start:]))
			read, pairs := uri.Tags(text, readpref.MaxTags)
			if !ok || !pairs || !read.Equal(set) {
				return "", fault(status.InvalidURIOption, element("tags", i), "a tag with a comma, or a colon in its name, cannot be written in a connection string")
			}
		}
	}
	if seconds, ok := p.MaxStaleness.Seconds(); ok {
		b = decimal.Append(str.Append(b, "&maxStalenessSeconds="), seconds)
	}
	return string(b), nil
}
