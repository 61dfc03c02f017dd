package connstring

import (
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
)

// The codes of warnings.
const (
	warnInvalid         = "invalidURIOptionValue"
	warnRepeated        = "repeatedURIOption"
	warnUnknown         = "unknownURIOption"
	warnDeprecated      = "deprecatedURIOption"
	warnDeprecatedValue = "deprecatedURIOptionValue"
	warnOutsideDomain   = "invalidSRVRecord"
)

// hiddenValue is the message where a value may be a part of a password.
const hiddenValue = "the value is invalid; the option is ignored"

//go:noinline
func (c *ConnString) warn(code, path, message string) {
	if len(c.Warnings) < uri.MaxListed {
		c.Warnings = append(c.Warnings, status.Warning{Code: code, Message: message, Path: path})
	}
}

// get returns an option that was set, or nil.
//
//go:noinline
func (c *ConnString) get(id int) *Option {
	if i := c.at[id]; i != 0 {
		return &c.Options[i-1]
	}
	return nil
}

//go:noinline
func (c *ConnString) set(id int, o *Option) {
	o.Name = table[id].name
	if old := c.get(id); old != nil {
		*old = *o
		return
	}
	c.Options = append(c.Options, *o)
	c.at[id] = uint8(len(c.Options))
}

// reader reads options, those of a connection string or those of a TXT record.
type reader struct {
	c        *ConnString
	where    string // options or txt
	secret   bool   // what stands there may be a part of a password
	seen     [len(table)]bool
	wtimeout *Option // waits for wTimeoutMS
}

// path is where an option stands. A name that is no plain word is not in it, nor
// one that may be a secret.
//
//go:noinline
func (r *reader) path(name string) string {
	if r.secret && !isOption(name) {
		return r.where
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && c != '_' && c != '-' {
			return r.where
		}
	}
	if name == "" || len(name) > 64 {
		return r.where
	}
	return r.where + "." + name
}

func findOption(name string) int {
	for id := range table {
		if uri.EqualFold(table[id].name, name) {
			return id
		}
	}
	return -1
}

func isOption(name string) bool {
	return findOption(name) >= 0 || uri.Find(readpref.URIOptionNames[:], name) >= 0
}

// notAPair is what is wrong with an option that has no name or no =. It quotes
// nothing but options' names: a password with an & goes on there.
func (r *reader) notAPair(name string) *status.Error {
	if isOption(name) {
		return fault(status.InvalidURIOption, r.path(name), quoted(name)+" is not name=value")
	}
	return fault(status.InvalidURIOption, r.where, "an option is not name=value")
}

func (c *ConnString) readOptions(query string, secret bool) *status.Error {
	r := reader{c: c, where: "options", secret: secret}
	var pref readpref.URIReader
	for query != "" {
		var pair uri.Pair
		pair, query = uri.Next(query)
		if pair.Problem != "" {
			if pair.Problem != uri.BadEscape {
				return r.notAPair(pair.Name)
			}
			return fault(status.InvalidURIOption, r.path(pair.Name), pair.Problem)
		}
		if pref.Option(pair.Name, pair.Value) {
			continue
		}
		id := findOption(pair.Name)
		if id < 0 {
			r.unknown(pair.Name)
			continue
		}
		if err := r.option(id, pair.Value); err != nil {
			return err
		}
	}
	r.end()
	for _, w := range pref.Warnings {
		if secret && w.Code == warnInvalid {
			w.Message = hiddenValue
		}
		c.warn(w.Code, r.path(w.Path), w.Message)
	}
	pref.End()
	if len(pref.Problems) > 0 {
		p := pref.Problems[0]
		return fault(p.Code, r.path(p.Path), p.Message)
	}
	c.Preference = pref.Preference
	return r.conflicts()
}

func (r *reader) unknown(name string) {
	if len(r.c.Warnings) >= uri.MaxListed {
		return // and no time is spent on a hint
	}
	names := readpref.URIOptionNames[:]
	for i := range optionCount {
		names = append(names, table[i].name)
	}
	path := r.path(name)
	if path == r.where { // it may be a part of a secret
		r.c.warn(warnUnknown, path, "there is an unknown option; it is ignored")
		return
	}
	message := quoted(name) + " is no option; it is ignored"
	if meant := uri.Meant(name, names); meant != "" {
		message += `; did you mean "` + meant + `"?`
	}
	r.c.warn(warnUnknown, path, message)
}

// option reads an option of the table.
func (r *reader) option(id int, text string) *status.Error {
	name := table[id].name
	path := r.path(name)
	o := new(Option)
	problem := o.parse(id, text)
	if id == aliasSSL {
		id = optionTLS
	}
	if r.seen[id] {
		switch {
		case id >= optionProxyHost && id <= optionProxyPassword:
			return fault(status.ConflictingOptions, path, "the option is given more than once")
		case id != optionTLS:
			r.c.warn(warnRepeated, path, "the option is given more than once; the last one is used")
		}
	}
	r.seen[id] = true
	if problem != "" {
		if problem += "; the option is ignored"; r.secret {
			problem = hiddenValue
		}
		r.c.warn(warnInvalid, path, problem)
		return nil
	}
	if o.Kind == KindBool && text != "true" && text != "false" {
		meant := "false"
		if o.Bool {
			meant = "true"
		}
		r.c.warn(warnDeprecatedValue, path, quoted(text)+" is deprecated; write "+meant)
	}
	switch id {
	case aliasWTimeout:
		r.wtimeout = o
		return nil
	case optionTLS:
		if old := r.c.get(id); old != nil && old.Bool != o.Bool {
			return fault(status.ConflictingOptions, path, "tls and ssl contradict each other")
		}
	}
	r.c.set(id, o)
	return nil
}

// end applies what waits for the last option: a replacement may follow its
// deprecated name.
func (r *reader) end() {
	if !r.seen[aliasWTimeout] {
		return
	}
	path := r.path(table[aliasWTimeout].name)
	if r.seen[optionWTimeoutMS] {
		r.c.warn(warnDeprecated, path, "the option is deprecated, and ignored since wTimeoutMS is given")
		return
	}
	r.c.warn(warnDeprecated, path, "the option is deprecated; write wTimeoutMS")
	if r.wtimeout != nil {
		r.c.set(optionWTimeoutMS, r.wtimeout)
	}
}
