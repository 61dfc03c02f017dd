package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

func (s *settings) run() (err error) {
	if len(s.peers) == 0 {
		return errors.New("no -peer")
	}
	var peers []*peer
	defer func() {
		for _, p := range peers {
			err = errors.Join(err, p.stop())
		}
	}()
	for _, c := range s.peers {
		p, err := startPeer(c.name, c.name == pymongo || c.name == node, c.words...)
		if err != nil {
			return err
		}
		peers = append(peers, p)
	}
	r := &report{n: s.n, sdam: s.sdam, seed: s.seed}
	for _, p := range peers {
		r.peers = append(r.peers, &tally{p: p})
	}
	if err := s.selections(r); err != nil {
		return err
	}
	if err := s.sequences(r); err != nil {
		return err
	}
	for _, t := range r.peers {
		fmt.Printf("%s %s: %d of %d selections differ, %d of %d sequences of replies\n", t.p.Name, t.p.Version, t.differ, s.n, t.sdamDiffer, t.sdamAsked)
		for _, k := range slices.Sorted(maps.Keys(t.kinds)) {
			fmt.Printf("  %6d %s\n", t.kinds[k].count, k)
		}
	}
	if s.docs != "" {
		if err := r.write(s.docs); err != nil {
			return err
		}
	}
	if n := r.unclassified(); n > 0 {
		return fmt.Errorf("%d differences of no known kind", n)
	}
	return nil
}

// tally is what a peer's answers came to.
type tally struct {
	p                             *peer
	differ, sdamDiffer, sdamAsked int
	unknown                       int
	kinds                         map[string]*seen
}

// seen is a kind, or several together, of which there were differences.
type seen struct {
	count    int
	first    *difference // shrunk, where pages are written
	firstSeq *sdamDifference
}

func (t *tally) note(ids string) *seen {
	if t.kinds == nil {
		t.kinds = map[string]*seen{}
	}
	if t.kinds[ids] == nil {
		t.kinds[ids] = &seen{}
	}
	t.kinds[ids].count++
	return t.kinds[ids]
}

// selections puts the same selections to all.
func (s *settings) selections(r *report) error {
	g := newGenerator(s.seed)
	cases := make([]*selectCase, s.n)
	documents := make([]string, s.n)
	ours := make([]*answer, s.n)
	for i := range cases {
		cases[i] = g.selectCase()
		documents[i] = cases[i].document()
		var err error
		if ours[i], err = ourSelect(documents[i]); err != nil {
			return err
		}
	}
	for _, t := range r.peers {
		answers, err := t.p.askAll("select", documents)
		if err != nil {
			return err
		}
		for i, a := range answers {
			if a.same(ours[i]) {
				continue
			}
			t.differ++
			d := &difference{t.p.Name, cases[i], ours[i], a}
			kinds := classify(d)
			if kinds == nil {
				t.unknown++
				if t.unknown <= s.dump {
					fmt.Printf("%s\n  readpref: %s\n  %s: %s\n", documents[i], ours[i], t.p.Name, a)
				}
				continue
			}
			n := t.note(idsOf(kinds))
			if n.first == nil && len(kinds) == 1 && s.docs != "" {
				if n.first, err = shrink(t.p, d, idsOf(kinds)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sequences gives the same replies to all that reduce them.
func (s *settings) sequences(r *report) error {
	g := newGenerator(s.seed)
	cases := make([]*sdamCase, s.sdam)
	documents := make([]string, s.sdam)
	ours := make([]*answer, s.sdam)
	for i := range cases {
		cases[i] = g.sdamCase()
		documents[i] = cases[i].document()
		var err error
		if ours[i], err = ourSDAM(cases[i]); err != nil {
			return err
		}
	}
	for _, t := range r.peers {
		if !t.p.SDAM {
			continue
		}
		answers, err := t.p.askAll("sdam", documents)
		if err != nil {
			return err
		}
		t.sdamAsked = len(answers)
		for i, a := range answers {
			d := sdamDifferenceOf(t.p.Name, cases[i], ours[i], a)
			if d == nil {
				continue
			}
			t.sdamDiffer++
			k := classifySDAM(d)
			if k == nil {
				t.unknown++
				if t.unknown <= s.dump {
					fmt.Printf("%s\n  readpref: %s\n  %s: %s %s\n", d.c.document(), d.ours, t.p.Name, d.theirs, d.failed)
				}
				continue
			}
			n := t.note(k.id)
			if n.firstSeq == nil && s.docs != "" {
				if n.firstSeq, err = shrinkSDAM(t.p, d, k); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sdamDifferenceOf is the first difference of a sequence, cut after its reply.
func sdamDifferenceOf(name string, c *sdamCase, ours, theirs *answer) *sdamDifference {
	at := parts(ours, theirs)
	if at < 0 {
		return nil
	}
	d := &sdamDifference{peer: name, c: c.clone(), ours: &ours.Steps[at], failed: theirs.Error}
	d.c.Replies = d.c.Replies[:at+1]
	if at > 0 {
		d.before = &ours.Steps[at-1]
	}
	if at < len(theirs.Steps) {
		d.theirs = &theirs.Steps[at]
	}
	return d
}

func shrinkSDAM(p *peer, d *sdamDifference, k *sdamKind) (*sdamDifference, error) {
	for {
		next := (*sdamDifference)(nil)
		for _, c := range d.c.smaller() {
			theirs, err := p.ask("sdam", c.document())
			if err != nil {
				return nil, err
			}
			ours, err := ourSDAM(c)
			if err != nil {
				return nil, err
			}
			if n := sdamDifferenceOf(p.Name, c, ours, theirs); n != nil && classifySDAM(n) == k {
				next = n
				break
			}
		}
		if next == nil {
			return d, nil
		}
		d = next
	}
}

// smaller are the sequences that are one step simpler than c.
func (c *sdamCase) smaller() []*sdamCase {
	var list []*sdamCase
	add := func(change func(n *sdamCase)) {
		n := c.clone()
		change(n)
		if n.document() != c.document() && len(n.Replies) > 0 && len(n.Seeds) > 0 {
			list = append(list, n)
		}
	}
	for i := range c.Replies {
		add(func(n *sdamCase) { n.Replies = slices.Delete(n.Replies, i, i+1) })
	}
	for i := range c.Seeds {
		add(func(n *sdamCase) { n.Seeds = slices.Delete(n.Seeds, i, i+1) })
	}
	add(func(n *sdamCase) { n.ReplicaSet = "" })
	add(func(n *sdamCase) { n.DirectConnection = false })
	for i := range c.Replies {
		edit := func(change func(h *helloDoc)) { add(func(n *sdamCase) { change(&n.Replies[i].Hello) }) }
		edit(func(h *helloDoc) { *h = helloDoc{} })
		edit(func(h *helloDoc) { h.Me = "" })
		edit(func(h *helloDoc) { h.Primary = "" })
		edit(func(h *helloDoc) { h.Passives, h.Arbiters = nil, nil })
		edit(func(h *helloDoc) { h.SetVersion = nil })
		edit(func(h *helloDoc) { h.ElectionID = nil })
		edit(func(h *helloDoc) {
			if len(h.Hosts) > 1 {
				h.Hosts = h.Hosts[:1]
			}
		})
		edit(func(h *helloDoc) {
			if h.OK == 1 {
				h.MaxWireVersion = 25
			}
		})
	}
	return list
}
