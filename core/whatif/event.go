// Package whatif answers what becomes of the operations of workloads when
// something happens to a deployment.
package whatif

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// Kind is what happens.
type Kind uint8

// The kinds of events.
const (
	MemberDown         Kind = iota // Address does not answer any more
	ZoneDown                       // nor does any server with Tags
	NetworkSplit                   // seen from the servers with Tags: the others do not answer
	PrimarySteppedDown             // as replSetStepDown does
	MemberLags                     // Address is Seconds behind
	ZoneSlower                     // AddNS is added to the round-trip times of the servers with Tags
	MemberAdded                    // Server joins
	TagsChanged                    // Address has Tags in place of its tags
)

// KindNames lists the documents' names of the kinds, in the order of their values.
var KindNames = [...]string{"memberDown", "zoneDown", "networkSplit", "primarySteppedDown", "memberLags", "zoneSlower", "memberAdded", "tagsChanged"}

// String returns the documents' name of the kind.
func (k Kind) String() string { return KindNames[k] }

// MaxLagSeconds is the most that a member may lag: some thirty years.
const MaxLagSeconds = 999_999_999

// Event is something that happens; its Kind says which fields count.
type Event struct {
	Kind    Kind
	Address string
	Tags    tag.Set
	Seconds int64 // 1 to MaxLagSeconds
	AddNS   int64
	Server  topology.Server
}

// AppendText appends the event for people.
func (e *Event) AppendText(dst []byte) []byte {
	switch e.Kind {
	case MemberDown:
		return str.Append(plain.Append(dst, e.Address), " down")
	case ZoneDown:
		return str.Append(appendTags(dst, e.Tags), " down")
	case NetworkSplit:
		return appendTags(str.Append(dst, "network split, seen from "), e.Tags)
	case PrimarySteppedDown:
		return str.Append(dst, "primary steps down")
	case MemberLags:
		dst = str.Append(plain.Append(dst, e.Address), " lags ")
		return str.Append(decimal.Append(dst, e.Seconds), " s")
	case ZoneSlower:
		dst = str.Append(appendTags(dst, e.Tags), " + ")
		return str.Append(topology.AppendMS(dst, e.AddNS), " ms RTT")
	case MemberAdded:
		return str.Append(plain.Append(dst, e.Server.Address), " added")
	}
	return appendTags(str.Append(plain.Append(dst, e.Address), " has "), e.Tags)
}

func appendTags(dst []byte, set tag.Set) []byte {
	dst = str.AppendByte(dst, '{')
	for i, t := range set {
		if i > 0 {
			dst = str.Append(dst, ", ")
		}
		if i == maxShown {
			dst = str.Append(dst, "...")
			break
		}
		dst = plain.Append(dst, t.Name)
		dst = plain.Append(str.Append(dst, ": "), t.Value)
	}
	return str.AppendByte(dst, '}')
}

// apply changes a description, whose servers are its own, as the event says. It
// returns why the event is impossible, "" where it is not.
func (e *Event) apply(t *topology.Description) string {
	i := -1
	switch e.Kind {
	case MemberDown, MemberLags, TagsChanged:
		if i = find(t, e.Address); i < 0 {
			return "the topology has no server of this address"
		}
	}
	switch e.Kind {
	case MemberDown:
		if !t.Servers[i].Type.IsAvailable() {
			return "the server is down already"
		}
		if t.Type == topology.LoadBalanced {
			return "what is behind a load balancer cannot be seen"
		}
		fail(&t.Servers[i])
	case ZoneDown, NetworkSplit:
		if t.Type == topology.LoadBalanced {
			return "what is behind a load balancer cannot be seen"
		}
		return e.cut(t)
	case PrimarySteppedDown:
		p := t.Primary()
		if p < 0 {
			return "the topology has no primary"
		}
		t.Servers[p].Type = topology.RSSecondary
	case MemberLags:
		return e.lag(t, i)
	case ZoneSlower:
		return e.slow(t)
	case MemberAdded:
		if find(t, e.Server.Address) >= 0 {
			return "the topology has this server already"
		}
		if of := e.Server.Type; !(t.Type.IsReplicaSet() && (of == topology.RSSecondary || of == topology.RSArbiter || of == topology.RSOther) ||
			t.Type == topology.Sharded && of == topology.Mongos) {
			return "a server of this type cannot join the topology"
		}
		t.Servers = append(t.Servers, e.Server)
	case TagsChanged:
		t.Servers[i].Tags = e.Tags
	}
	return ""
}

const nobodyHasTags = "no available server has these tags"

// cut takes the servers down that a zone loses, or all others.
func (e *Event) cut(t *topology.Description) string {
	matched := false
	for i := range t.Servers {
		s := &t.Servers[i]
		if !s.Type.IsAvailable() {
			continue
		}
		match := e.Tags.Matches(s.Tags)
		matched = matched || match
		if match == (e.Kind == ZoneDown) {
			fail(s)
		}
	}
	if !matched {
		return nobodyHasTags
	}
	return ""
}

// fail makes a server what a client knows of one that does not answer.
//
// SDAM specification, "Network error when calling hello or legacy hello".
func fail(s *topology.Server) { *s = topology.Server{Address: s.Address, Error: "does not answer"} }

// lag moves a secondary's last write so far behind the primary's, or without
// one behind the last of the other secondaries.
func (e *Event) lag(t *topology.Description, i int) string {
	if t.Servers[i].Type != topology.RSSecondary {
		return "only a secondary lags"
	}
	var newest topology.Date
	var update int64
	primary := t.Primary()
	for k := range t.Servers {
		s := &t.Servers[k]
		w, ok := s.LastWriteDate.UnixMS()
		if !ok || k == i || s.Type != topology.RSSecondary && k != primary {
			continue
		}
		if best, known := newest.UnixMS(); !known || w > best || k == primary {
			newest, update = s.LastWriteDate, s.LastUpdateTimeMS
		}
		if k == primary {
			break // it alone is what secondaries are measured against
		}
	}
	w, ok := newest.UnixMS()
	if !ok || w < -1<<62 { // so that no difference overflows
		return "no other member's lastWriteDate is known"
	}
	t.Servers[i].LastWriteDate, t.Servers[i].LastUpdateTimeMS = topology.NewDate(w-e.Seconds*1000), update
	return ""
}

func (e *Event) slow(t *topology.Description) string {
	matched := false
	for i := range t.Servers {
		s := &t.Servers[i]
		ns, ok := s.RoundTripTime.Nanoseconds()
		if !s.Type.IsAvailable() || !e.Tags.Matches(s.Tags) {
			continue
		}
		matched = true
		if sum := ns + e.AddNS; ok && sum >= ns {
			s.RoundTripTime = topology.NewRTT(sum)
		}
	}
	if !matched {
		return nobodyHasTags
	}
	return ""
}

func find(t *topology.Description, address string) int {
	key := topology.KeyOfAddress(address)
	for i := range t.Servers {
		if topology.KeyOfAddress(t.Servers[i].Address).Compare(key) == 0 {
			return i
		}
	}
	return -1
}
