package wire

import "github.com/readpref/readpref/core/status"

// fields reads the keys of one object: which of a document's keys came, each at
// most once, unknown ones refused.
type fields struct {
	names []string
	seen  uint64 // keys that came
	given uint64 // keys that came with a value other than null
	last  int
	at    int  // where the object began
	mark  int  // where its unknown keys begin in Decoder.keys
	loose bool // unknown keys are ignored

	hidden uint64 // names that this document does not have
}

// object enters the object that should be next. names are its keys, at most 64.
func (d *Decoder) object(f *fields, names []string) bool {
	*f = fields{names: names, last: -1, mark: len(d.keys)}
	if d.look() != '{' {
		d.wrongType("an object")
		return false
	}
	f.at = d.pos
	d.open()
	return !d.failed
}

// next returns the index of the next key that has a value; null counts as
// absent. It returns -1 at the end of the object.
func (d *Decoder) next(f *fields) int {
	for {
		i := d.due(f)
		if i < 0 {
			key, ok := d.nextKey()
			if !ok {
				d.checkDuplicates(d.keys[f.mark:])
				d.keys = d.keys[:f.mark]
				return -1
			}
			if i = f.find(key); i < 0 {
				if !f.loose && !d.full() {
					d.report(status.UnknownKey, d.key, "", "unknown key "+quote(key)+didYouMean(key, f.shown()))
				}
				d.keys = append(d.keys, seenKey{key, d.key})
				d.skip()
				continue
			}
		}
		if f.seen>>i&1 != 0 {
			d.fail(status.DuplicateKey, d.key, "this key is there twice")
			return -1
		}
		f.seen |= 1 << i
		f.last = i
		if d.look() != 'n' {
			f.given |= 1 << i
			return i
		}
		d.scanWord("null")
	}
}

// due reads the next key with its colon and returns its index, where it is one
// that comes behind the last in the list, with no white space around it, as nearly
// all are: then it is only compared. Else it reads nothing and returns -1. No name
// has a character that a document would have to escape.
func (d *Decoder) due(f *fields) int {
	rest, from := d.in[min(d.pos, len(d.in)):], 0
	if !d.first[d.depth] {
		from = 1
	}
	if d.failed || len(rest) < 4 || rest[from] != '"' || from == 1 && rest[0] != ',' {
		return -1
	}
	rest = rest[from+1:]
	for i := f.last + 1; i < len(f.names); i++ {
		name := f.names[i]
		n := len(name)
		if n+1 < len(rest) && rest[n] == '"' && rest[n+1] == ':' && string(rest[:n]) == name && f.hidden>>i&1 == 0 {
			d.first[d.depth] = false
			d.key = d.pos + from
			d.pos += from + n + 3
			return i
		}
	}
	return -1
}

// find looks first behind the last key: documents keep an order.
func (f *fields) find(key string) int {
	for i := f.last + 1; i < len(f.names); i++ {
		if f.names[i] == key && f.hidden>>i&1 == 0 {
			return i
		}
	}
	for i := 0; i <= f.last && i < len(f.names); i++ {
		if f.names[i] == key && f.hidden>>i&1 == 0 {
			return i
		}
	}
	return -1
}

// shown returns the names that this document has.
func (f *fields) shown() []string {
	if f.hidden == 0 {
		return f.names
	}
	var names []string
	for i, name := range f.names {
		if f.hidden>>i&1 == 0 {
			names = append(names, name)
		}
	}
	return names
}

// missing reports that a required key is absent.
func (d *Decoder) missing(f *fields, name string) {
	d.report(status.MissingKey, f.at, name, "the key "+quote(name)+" is required")
}

// require reports those of the keys, as bits, that are absent. Keys that this
// document does not have are none of them.
func (d *Decoder) require(f *fields, keys uint64) {
	absent := keys &^ (f.given | f.hidden)
	for i, name := range f.names {
		if !d.failed && absent>>i&1 != 0 {
			d.missing(f, name)
		}
	}
}

// name reads one of a list of names and returns its index.
func (d *Decoder) name(names []string, code status.Code, what string) (i int, ok bool) {
	if d.look(); d.failed {
		return 0, false
	}
	off := d.pos
	s, ok := d.text()
	if !ok {
		return 0, false
	}
	for i, n := range names {
		if n == s {
			return i, true
		}
	}
	d.report(code, off, "", Unknown(what, s, names))
	return 0, false
}

// hint names the closest of names, or all of them.
func hint(s string, names []string) string {
	if h := didYouMean(s, names); h != "" {
		return h
	}
	m := "; it is one of"
	for i, n := range names {
		if i > 0 {
			m += ","
		}
		m += " " + n
	}
	return m
}
