package readpref

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

// URIOptionNames are the connection string options that make a preference.
var URIOptionNames = [...]string{"readPreference", "readPreferenceTags", "maxStalenessSeconds"}

// URIResult is a preference read from connection string options.
type URIResult struct {
	Preference Preference
	// Problems make the URI an error: a pair without =, or a combination that
	// no preference allows. Path is the option's name.
	Problems []status.Error
	// Warnings are options that were ignored, as the specification wants.
	Warnings []status.Warning

	full bool // the limit of tag sets was reported
}

// FromURIOptions reads the options of a connection string, the part behind the
// question mark: readPreference=secondary&readPreferenceTags=dc:ny. Other
// options are passed over. Names compare ignoring ASCII case; readPreferenceTags may
// be repeated, in order; an empty one is {}. A value that cannot be read is
// ignored with a warning.
//
// URI Options specification; Connection String specification, "Connection
// Options".
func FromURIOptions(query string) URIResult {
	var r URIReader
	if str.HasPrefix(query, "?") || str.Contains(query, "://") {
		r.problem("", "these are the options alone: the part of the connection string behind the question mark")
		return r.URIResult
	}
	for query != "" {
		var pair uri.Pair
		pair, query = uri.Next(query)
		switch {
		case pair.Problem != "":
			r.unreadable(&pair)
		case !r.Option(pair.Name, pair.Value):
			r.unknown(pair.Name)
		}
	}
	r.End()
	return r.URIResult
}

// unreadable tells of a pair that is none. It quotes nothing but the names of our
// own options: what is cut at an & may be a part of a password.
func (r *URIResult) unreadable(pair *uri.Pair) {
	option := uri.Find(URIOptionNames[:], pair.Name)
	switch {
	case option < 0 && pair.Problem == uri.BadEscape:
		r.problem("", uri.BadEscape)
	case option < 0:
		r.problem("", "an option is not name=value")
	default:
		r.problem(URIOptionNames[option], pair.Problem)
	}
}

// URIReader reads the options of a preference one at a time, for a parser that
// reads other options as well. The zero value is ready to use.
type URIReader struct {
	URIResult
	seen [len(URIOptionNames)]bool
}

// Option reads one option, decoded; it reports whether it is one of a
// preference.
func (r *URIReader) Option(name, value string) bool {
	option := uri.Find(URIOptionNames[:], name)
	if option < 0 {
		return false
	}
	if r.seen[option] && option != 1 {
		r.warn("repeatedURIOption", URIOptionNames[option], "the option is given more than once; the last one is used")
	}
	r.seen[option] = true
	r.option(option, value)
	return true
}

// End adds what is wrong with the preference as a whole: options come in any
// order.
func (r *URIReader) End() {
	for n := 0; ; n++ {
		p, ok := r.Preference.Problem(n)
		if !ok {
			return
		}
		r.Problems = append(r.Problems, status.Error{Code: p.Code, Message: p.Message, Path: uriPath(p.Part)})
	}
}

func uriPath(p Part) string {
	switch p {
	case PartTags:
		return URIOptionNames[1]
	case PartMaxStaleness:
		return URIOptionNames[2]
	}
	return URIOptionNames[0]
}

func (r *URIResult) problem(path, message string) {
	if len(r.Problems) >= uri.MaxListed {
		return
	}
	r.Problems = append(r.Problems, status.Error{Code: status.InvalidURIOption, Message: message, Path: path})
}

func (r *URIResult) warn(code, path, message string) {
	if len(r.Warnings) >= uri.MaxListed {
		return
	}
	r.Warnings = append(r.Warnings, status.Warning{Code: code, Message: message, Path: path})
}

const invalidValue = "invalidURIOptionValue"

func (r *URIResult) option(option int, value string) {
	name := URIOptionNames[option]
	switch option {
	case 0:
		mode, ok := ParseMode(value)
		if !ok {
			r.warn(invalidValue, name, `"`+uri.Shorten(value)+`" is no read preference mode; the option is ignored`)
			return
		}
		r.Preference.Mode = mode
	case 1:
		set, ok := tag.Set{}, true
		if value != "" {
			set, ok = uri.Tags(value, MaxTags)
		}
		if !ok {
			r.warn(invalidValue, name, `"`+uri.Shorten(value)+`" is no list of name:value; the option is ignored`)
			return
		}
		if len(r.Preference.TagSets) == MaxTagSets {
			if r.full {
				return
			}
			r.full = true
			r.Problems = append(r.Problems, status.Error{Code: status.LimitExceeded, Message: "more than 100 tag sets", Path: name})
			return
		}
		r.Preference.TagSets = append(r.Preference.TagSets, set)
	case 2:
		n, ok := decimal.Parse(value)
		if !ok || n < NoMaxStaleness {
			r.warn(invalidValue, name, `"`+uri.Shorten(value)+`" is no number of seconds; the option is ignored`)
			return
		}
		r.Preference.MaxStaleness = MaxStalenessSeconds(n)
	}
}

func (r *URIResult) unknown(name string) {
	if meant := uri.Meant(name, URIOptionNames[:]); meant != "" {
		r.warn("unknownURIOption", uri.Shorten(name), `no option has this name; did you mean "`+meant+`"?`)
	}
}
