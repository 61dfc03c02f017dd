package wire

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
)

var preferenceKeys = []string{"mode", "tags", "maxStalenessSeconds", "hedge"}

const (
	prefMode = iota
	prefTags
	prefMaxStaleness
	prefHedge
)

// partOffsets remembers where the parts of a preference (readpref.Part) stand,
// so that a problem of the whole can name its part.
type partOffsets [readpref.PartHedge + 1]int

// preference reads a $readPreference document into p, whose memory it reuses,
// and validates it.
func (d *Decoder) preference(p *readpref.Preference) {
	resetPreference(p)
	var f fields
	var parts partOffsets
	if d.peek(); !d.object(&f, preferenceKeys) {
		return
	}
	for i := range parts {
		parts[i] = f.at
	}
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		parts[i] = d.pos
		switch i {
		case prefMode:
			d.mode(p)
		case prefTags:
			d.tagSets(p)
		case prefMaxStaleness:
			d.maxStaleness(p)
		case prefHedge:
			d.hedge(p)
		}
	}
	d.checkPreference(p, &parts)
}

//go:noinline
func resetPreference(p *readpref.Preference) {
	*p = readpref.Preference{TagSets: p.TagSets[:0]}
}

// checkPreference reports every problem of a preference that was read.
func (d *Decoder) checkPreference(p *readpref.Preference, parts *partOffsets) {
	for n := 0; !d.failed; n++ {
		problem, ok := p.Problem(n)
		if !ok {
			return
		}
		d.report(problem.Code, parts[problem.Part], "", problem.Message)
	}
}

func (d *Decoder) mode(p *readpref.Preference) {
	i, ok := d.name(readpref.ModeNames[:], status.UnknownMode, "read preference mode")
	if !ok {
		// Where problems are gathered, a mode that was meant to be something
		// else must not be called primary with tags as well.
		i = int(readpref.Nearest)
	}
	p.Mode = readpref.Mode(i)
}

func (d *Decoder) tagSets(p *readpref.Preference) {
	if !d.list("tag sets") {
		return
	}
	for d.more(']') {
		d.peek()
		n, off := len(p.TagSets), d.pos
		if n == MaxTagSets {
			d.fail(status.LimitExceeded, off, "more than 100 tag sets")
			return
		}
		if n < cap(p.TagSets) {
			p.TagSets = p.TagSets[:n+1]
		} else {
			p.TagSets = append(p.TagSets, nil)
		}
		p.TagSets[n] = d.tags(p.TagSets[n][:0], "a tag set: an object of strings")
	}
}

// tags reads an object of text.
func (d *Decoder) tags(set tag.Set, what string) tag.Set {
	if d.peek() != '{' {
		d.wrongType(what)
		return set
	}
	d.open()
	for {
		name, ok := d.nextKey()
		if !ok {
			return set
		}
		if len(set) == MaxTags {
			d.fail(status.LimitExceeded, d.key, "more than 100 tags")
			return set
		}
		if _, twice := set.Get(name); twice {
			d.fail(status.DuplicateKey, d.key, "this key is there twice")
			return set
		}
		// A tag whose value is wrong stays, so that its name counts as seen.
		value, _ := d.text()
		set = append(set, tag.Tag{Name: name, Value: value})
	}
}

func (d *Decoder) maxStaleness(p *readpref.Preference) {
	const most = 1<<63 - 1
	if v, ok := d.integer(-1<<63, most); ok {
		p.MaxStaleness = readpref.MaxStalenessSeconds(v)
	}
}

var hedgeKeys = []string{"enabled"}

func (d *Decoder) hedge(p *readpref.Preference) {
	var f fields
	if !d.object(&f, hedgeKeys) {
		return
	}
	p.Hedge = readpref.HedgeEmpty
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		if on, ok := d.boolean(); ok && on {
			p.Hedge = readpref.HedgeEnabled
		} else if ok {
			p.Hedge = readpref.HedgeDisabled
		}
	}
}

// AppendPreference appends the normal form of a preference: what a driver
// sends, mode first. No maximum, no tag sets and an absent hedge are omitted;
// so are the tag sets of mode primary, which can only be a lone {}.
//
// Server Selection specification, "Document structure".
func AppendPreference(dst []byte, p *readpref.Preference) []byte {
	dst = str.Append(dst, `{"mode":`)
	dst = AppendString(dst, p.Mode.String())
	if len(p.TagSets) > 0 && p.Mode != readpref.Primary {
		dst = str.Append(dst, `,"tags":[`)
		for i, set := range p.TagSets {
			if i > 0 {
				dst = str.AppendByte(dst, ',')
			}
			dst = appendTags(dst, set)
		}
		dst = str.AppendByte(dst, ']')
	}
	if s, ok := p.MaxStaleness.Seconds(); ok {
		dst = str.Append(dst, `,"maxStalenessSeconds":`)
		dst = appendInt(dst, s)
	}
	switch p.Hedge {
	case readpref.HedgeEmpty:
		dst = str.Append(dst, `,"hedge":{}`)
	case readpref.HedgeEnabled:
		dst = str.Append(dst, `,"hedge":{"enabled":true}`)
	case readpref.HedgeDisabled:
		dst = str.Append(dst, `,"hedge":{"enabled":false}`)
	}
	return str.AppendByte(dst, '}')
}

func appendTags(dst []byte, set tag.Set) []byte {
	dst = str.AppendByte(dst, '{')
	for i, t := range set {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		dst = AppendString(dst, t.Name)
		dst = str.AppendByte(dst, ':')
		dst = AppendString(dst, t.Value)
	}
	return str.AppendByte(dst, '}')
}
