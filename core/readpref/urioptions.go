package readpref

import (
	"github.com/readpref/readpref/core/internal/suggest"
	"strconv"
	"strings"

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
	var r URIResult
	if strings.HasPrefix(query, "?") || strings.Contains(query, "://") {
		r.problem("", "these are the options alone: the part of the connection string behind the question mark")
		return r
	}
	var seen [len(URIOptionNames)]bool
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		rawName, rawValue, ok := strings.Cut(pair, "=")
		name, nameOK := percentDecode(rawName)
		if !ok || rawName == "" {
			r.problem(optionPath(name), `"`+shorten(pair)+`" is not name=value`)
			continue
		}
		value, valueOK := percentDecode(rawValue)
		if !nameOK || !valueOK {
			r.problem(optionPath(name), "% must be followed by two hex digits")
			continue
		}
		option := findOption(name)
		if option < 0 {
			r.unknown(name)
			continue
		}
		if seen[option] && option != 1 {
			r.warn("repeatedURIOption", URIOptionNames[option], "the option is given more than once; the last one is used")
		}
		seen[option] = true
		r.option(option, value)
	}
	for n := 0; ; n++ {
		p, ok := r.Preference.Problem(n)
		if !ok {
			return r
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

// maxListed bounds the problems and warnings of pairs that are listed: a hostile
// URI can hold millions.
const maxListed = 100

func (r *URIResult) problem(path, message string) {
	if len(r.Problems) >= maxListed {
		return
	}
	r.Problems = append(r.Problems, status.Error{Code: status.InvalidURIOption, Message: message, Path: path})
}

func (r *URIResult) warn(code, path, message string) {
	if len(r.Warnings) >= maxListed {
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
			r.warn(invalidValue, name, `"`+shorten(value)+`" is no read preference mode; the option is ignored`)
			return
		}
		r.Preference.Mode = mode
	case 1:
		set, ok := parseTags(value)
		if !ok {
			r.warn(invalidValue, name, `"`+shorten(value)+`" is no list of name:value; the option is ignored`)
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
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < NoMaxStaleness {
			r.warn(invalidValue, name, `"`+shorten(value)+`" is no number of seconds; the option is ignored`)
			return
		}
		r.Preference.MaxStaleness = MaxStalenessSeconds(n)
	}
}

// parseTags reads dc:ny,rack:1; the empty string is the empty set.
func parseTags(value string) (tag.Set, bool) {
	set := tag.Set{}
	if value == "" {
		return set, true
	}
	for more := true; more; {
		var pair string
		pair, value, more = strings.Cut(value, ",")
		name, v, ok := strings.Cut(pair, ":")
		if !ok {
			return nil, false
		}
		if _, twice := set.Get(name); twice || len(set) == MaxTags {
			return nil, false
		}
		set = append(set, tag.Tag{Name: name, Value: v})
	}
	return set, true
}

// otherNames are names that people write for an option of ours, older drivers'
// among them, and that are not close to its own.
var otherNames = [...][2]string{
	{"slaveok", "readPreference"},
	{"readpreferencetagsets", "readPreferenceTags"},
}

func (r *URIResult) unknown(name string) {
	meant := suggest.Closest(name, URIOptionNames[:])
	for _, s := range otherNames {
		if equalFoldASCII(name, s[0]) {
			meant = s[1]
		}
	}
	if meant != "" {
		r.warn("unknownURIOption", optionPath(name), `no option has this name; did you mean "`+meant+`"?`)
	}
}

func findOption(name string) int {
	for i, n := range URIOptionNames {
		if equalFoldASCII(n, name) {
			return i
		}
	}
	return -1
}

// equalFoldASCII compares ignoring the case of A to Z only: strings.EqualFold
// would take the Kelvin sign for a k.
func equalFoldASCII(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		x, y := a[i], b[i]
		if x != y && (x|0x20 != y|0x20 || x|0x20-'a' >= 26) {
			return false
		}
	}
	return true
}

// optionPath shortens a foreign name for a path.
func optionPath(name string) string { return shorten(name) }

func shorten(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}

// percentDecode decodes %XX; ok is false where two hex digits do not follow. A
// plus sign stands for itself.
func percentDecode(s string) (decoded string, ok bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return s, false
		}
		v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return s, false
		}
		b = append(b, byte(v))
		i += 2
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), true
}
