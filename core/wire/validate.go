package wire

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
)

// Validation is what validate finds out about a preference.
type Validation struct {
	Preference readpref.Preference
	Problems   []*status.Error
	Warnings   []status.Warning
}

var validateKeys = []string{"readPreference", "uriOptions", "mongosh"}

const (
	valDocument = iota
	valURIOptions
	valMongosh
)

// Validate decodes a request of validate: a preference in one of three forms.
// Problems of the preference are gathered in v; the error is about the request
// itself.
func (d *Decoder) Validate(v *Validation, in []byte) *status.Error {
	d.start(in)
	*v = Validation{}
	var f fields
	if !d.failed && d.object(&f, validateKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case valDocument:
				d.collect = true
				d.preference(&v.Preference)
				v.hedge("readPreference.hedge")
			case valURIOptions:
				if s, ok := d.text(); ok {
					v.uriOptions(s)
				}
			case valMongosh:
				d.collect = true
				d.mongosh(&v.Preference)
				v.hedge("mongosh[2]")
			}
			d.collect = false
		}
		switch {
		case d.failed:
		case f.given == 0:
			d.missing(&f, validateKeys[0])
		case f.given&(f.given-1) != 0:
			d.report(status.UnknownKey, f.at, "", "only one of readPreference, uriOptions, mongosh may stand here")
		}
	}
	find := pathFinder{in: d.in}
	for _, f := range d.found {
		v.Problems = append(v.Problems, f.error(&find))
	}
	return d.end()
}

func (v *Validation) hedge(path string) {
	if v.Preference.Hedge.IsDefined() {
		v.Warnings = append(v.Warnings, hedgeWarning(path))
	}
}

func (v *Validation) uriOptions(query string) {
	r := readpref.FromURIOptions(query)
	v.Preference = r.Preference
	for _, p := range r.Problems {
		p.Path = uriOptionPath(p.Path)
		v.Problems = append(v.Problems, &p)
	}
	for _, w := range r.Warnings {
		w.Path = uriOptionPath(w.Path)
		v.Warnings = append(v.Warnings, w)
	}
}

func uriOptionPath(option string) string {
	if option == "" {
		return "uriOptions"
	}
	return string(appendKey([]byte("uriOptions"), AppendString(nil, option), false))
}

// mongosh reads the arguments of Mongo.setReadPref(mode, tagSets, hedge).
func (d *Decoder) mongosh(p *readpref.Preference) {
	resetPreference(p)
	if d.peek() != '[' {
		d.wrongType("the arguments of setReadPref: [mode, tagSets, hedgeOptions]")
		return
	}
	var parts partOffsets
	start := d.pos
	for i := range parts {
		parts[i] = start
	}
	d.open()
	n := 0
	for ; d.more(']'); n++ {
		d.peek()
		if n < 3 {
			parts[[3]readpref.Part{readpref.PartMode, readpref.PartTags, readpref.PartHedge}[n]] = d.pos
		}
		switch {
		case n > 2:
			d.report(status.UnknownKey, d.pos, "", "setReadPref takes three arguments")
			d.skip()
		case n == 0:
			d.mode(p)
		case d.peek() == 'n':
			d.scanWord("null")
		case n == 1:
			d.tagSets(p)
		case n == 2:
			d.hedge(p)
		}
	}
	if n == 0 {
		d.report(status.MissingKey, start, "[0]", "the mode is required")
	}
	d.checkPreference(p, &parts)
}

// AppendValidation appends the answer of validate.
func AppendValidation(dst []byte, v *Validation) []byte {
	dst = str.AppendBool(str.Append(dst, `{"valid":`), len(v.Problems) == 0)
	dst = str.Append(dst, `,"readPreference":`)
	if len(v.Problems) == 0 {
		dst = AppendPreference(dst, &v.Preference)
	} else {
		dst = str.Append(dst, "null")
	}
	dst = str.Append(dst, `,"problems":[`)
	for i, p := range v.Problems {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		dst = appendErrorFields(dst, p)
	}
	dst = str.Append(dst, `],"warnings":[`)
	for i, w := range v.Warnings {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		dst = appendWarning(dst, w)
	}
	return str.Append(dst, `]}`)
}

// Empty decodes the request of a method that takes none: {} or nothing.
func (d *Decoder) Empty(in []byte) *status.Error {
	if len(in) == 0 {
		return nil
	}
	d.start(in)
	var f fields
	if !d.failed && d.object(&f, nil) {
		d.next(&f)
	}
	return d.end()
}
