package sdam

import (
	"github.com/readpref/readpref/core/internal/str"
	"slices"

	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// own copies every text of s, which may be somebody else's memory, and lets it
// share with the server's last description what did not change: most replies
// repeat the last one. Lists of addresses are also shared with those of the
// last member that had one, since members list the same; so a set of n members
// takes n addresses and not n².
func (m *Machine) own(s *topology.Server, old *topology.Server) {
	s.Address = old.Address
	for _, text := range [...]struct {
		to  *string
		old string
	}{{&s.SetName, old.SetName}, {&s.Primary, old.Primary}, {&s.Me, old.Me}, {&s.Error, old.Error}} {
		if *text.to == text.old {
			*text.to = text.old
		} else {
			*text.to = str.Clone(*text.to)
		}
	}
	s.Hosts = m.ownList(s.Hosts, old.Hosts, 0)
	s.Passives = m.ownList(s.Passives, old.Passives, 1)
	s.Arbiters = m.ownList(s.Arbiters, old.Arbiters, 2)
	if s.Tags.Equal(old.Tags) {
		s.Tags = old.Tags
	} else {
		set := make(tag.Set, len(s.Tags))
		for i, t := range s.Tags {
			set[i] = tag.Tag{Name: str.Clone(t.Name), Value: str.Clone(t.Value)}
		}
		s.Tags = set
	}
}

func (m *Machine) ownList(list, old []string, kind int) []string {
	switch {
	case len(list) == 0:
		return nil
	case slices.Equal(list, old):
		list = old
	case slices.Equal(list, m.lists[kind]):
		return m.lists[kind]
	default:
		list = slices.Clone(list)
		for i := range list {
			// A server that is known has its address in memory already.
			if state := m.servers[list[i]]; state != nil && state.index >= 0 {
				list[i] = m.current.Servers[state.index].Address
			} else {
				list[i] = str.Clone(list[i])
			}
		}
	}
	m.lists[kind] = list
	return list
}
