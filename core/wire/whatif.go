package wire

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/whatif"
)

// WhatIfRequest is a decoded request of what_if.
type WhatIfRequest struct {
	Question
	Events                 []whatif.Event
	AtOnce                 int
	EverySingle, EveryPair bool
}

var whatIfKeys = []string{"topology", "workloads", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "format",
	"events", "atOnce", "everySingle", "everyPair"}

const (
	whaEvents = iota + queFormat + 1
	whaAtOnce
	whaEverySingle
	whaEveryPair
)

// WhatIfRequest decodes {"topology", "workloads", "events", …}.
func (d *Decoder) WhatIfRequest(r *WhatIfRequest, in []byte) *status.Error {
	d.start(in)
	r.Question.reset()
	r.Events, r.AtOnce, r.EverySingle, r.EveryPair = nil, 1, false, false
	var f fields
	if !d.failed && d.object(&f, whatIfKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case whaEvents:
				d.events(r)
			case whaAtOnce:
				n, _ := d.integer(1, whatif.MaxAtOnce)
				r.AtOnce = int(n)
			case whaEverySingle:
				r.EverySingle, _ = d.boolean()
			case whaEveryPair:
				r.EveryPair, _ = d.boolean()
			default:
				d.questionKey(&r.Question, i)
			}
		}
		d.require(&f, 1<<queTopology|1<<queWorkloads)
	}
	return d.end()
}

func (d *Decoder) events(r *WhatIfRequest) {
	if !d.list("events") {
		return
	}
	for d.more(']') {
		if !d.room(len(r.Events), whatif.MaxEvents, "more than 100 events") {
			return
		}
		r.Events = append(r.Events, whatif.Event{})
		d.event(r, &r.Events[len(r.Events)-1])
	}
}

var eventKeys = []string{"type", "address", "tags", "lagSeconds", "roundTripTimeMS", "server"}

const (
	eveType = iota
	eveAddress
	eveTags
	eveLagSeconds
	eveRTT
	eveServer
	eveCount
)

// eventTakes are the keys beside type that each kind of event has, as bits.
var eventTakes = [...]uint64{
	whatif.MemberDown:         1 << eveAddress,
	whatif.ZoneDown:           1 << eveTags,
	whatif.NetworkSplit:       1 << eveTags,
	whatif.PrimarySteppedDown: 0,
	whatif.MemberLags:         1<<eveAddress | 1<<eveLagSeconds,
	whatif.ZoneSlower:         1<<eveTags | 1<<eveRTT,
	whatif.MemberAdded:        1 << eveServer,
	whatif.TagsChanged:        1<<eveAddress | 1<<eveTags,
}

func (d *Decoder) event(r *WhatIfRequest, e *whatif.Event) {
	var f fields
	var keyAt [eveCount]int
	if !d.object(&f, eventKeys) {
		return
	}
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		keyAt[i] = d.key
		switch i {
		case eveType:
			k, _ := d.name(whatif.KindNames[:], status.UnknownValue, "event")
			e.Kind = whatif.Kind(k)
		case eveAddress:
			d.address(&e.Address)
		case eveTags:
			e.Tags = d.tags(tag.Set{}, "an object of strings")
		case eveLagSeconds:
			e.Seconds, _ = d.integer(1, whatif.MaxLagSeconds)
		case eveRTT:
			e.AddNS, _ = d.decimalMS()
		case eveServer:
			counted := d.counted
			d.server(&e.Server, &r.hello)
			d.counted = counted
		}
	}
	if d.require(&f, 1<<eveType); d.failed {
		return
	}
	takes := eventTakes[e.Kind] | 1<<eveType
	if more := f.given &^ takes; more != 0 {
		for i := range keyAt {
			if more>>i&1 != 0 {
				d.report(status.UnknownKey, keyAt[i], "", "an event "+quote(e.Kind.String())+" has no "+quote(eventKeys[i]))
				return
			}
		}
	}
	d.require(&f, takes)
}

// AppendWhatIf appends the answer of what_if.
func AppendWhatIf(dst []byte, r *whatif.Request, res *whatif.Result) []byte {
	before := whatif.Scenario{Primary: r.Topology.Primary()}
	dst = str.Append(dst, `{"before":{"primary":`)
	dst = appendPrimary(dst, r, &before)
	dst = str.Append(dst, `,"outcomes":[`)
	for i := range r.Workloads {
		w, o := &r.Workloads[i], &whatif.Outcome{Outcome: res.Before[i]}
		if o.Code != "" {
			o.Status = whatif.Fails
		}
		dst = str.AppendByte(appendWorkload(appendComma(dst, i), w, i), ',')
		dst = appendOutcome(dst, r, &before, o)
	}
	dst = str.Append(dst, `]},"scenarios":[`)
	for i := range res.Scenarios {
		s := &res.Scenarios[i]
		dst = str.Append(appendComma(dst, i), `{"name":`)
		dst = AppendString(dst, alias(s.AppendName(nil)))
		dst = appendNamed(dst, `,"phase":`, whatif.PhaseNames[s.Phase])
		dst = appendPrimary(str.Append(dst, `,"primary":`), r, s)
		dst = str.Append(dst, `,"outcomes":[`)
		for k := range s.Outcomes {
			dst = str.AppendByte(appendComma(dst, k), '{')
			if dst = appendOutcome(dst, r, s, &s.Outcomes[k]); len(dst) > MaxAnswerBytes {
				return dst // too long to be an answer; whoever asked refuses it
			}
		}
		dst = str.Append(dst, "]}")
	}
	dst = str.Append(dst, `],"text":`)
	dst = appendPlainText(dst, func(b []byte) []byte { return res.AppendText(b, r) })
	return str.AppendByte(dst, '}')
}

func appendPrimary(dst []byte, r *whatif.Request, s *whatif.Scenario) []byte {
	if s.Primary < 0 {
		return str.Append(dst, "null")
	}
	return AppendString(dst, s.Address(r, s.Primary))
}

// appendOutcome appends the keys of an outcome and closes the object.
func appendOutcome(dst []byte, r *whatif.Request, s *whatif.Scenario, o *whatif.Outcome) []byte {
	dst = appendNamed(dst, `"status":`, whatif.StatusNames[o.Status])
	dst = str.Append(dst, `,"servers":[`)
	for k, i := range o.Window {
		dst = AppendString(appendComma(dst, k), s.Address(r, int(i)))
	}
	dst = str.AppendByte(dst, ']')
	if o.Why != 0 {
		n := 0
		dst = str.Append(dst, `,"why":[`)
		o.Reasons(func(name string) {
			dst = AppendString(appendComma(dst, n), name)
			n++
		})
		dst = str.AppendByte(dst, ']')
	}
	return str.AppendByte(appendReason(dst, &o.Outcome), '}')
}
