package main

import "fmt"

var members = []string{"a.example:27017", "b.example:27017", "c.example:27017", "d.example:27018"}

// sdamCase draws a client and what servers tell it: mostly the members of one
// set, through elections old and new, reconfigurations, failures, and servers
// that turn out to be of another set or no set at all.
func (g generator) sdamCase() *sdamCase {
	c := &sdamCase{}
	for _, i := range g.Perm(len(members))[:oneOf(g, 1, 1, 2, 2, 3)] {
		c.Seeds = append(c.Seeds, members[i])
	}
	if g.chance(45) {
		c.ReplicaSet = oneOf(g, "rs0", "rs0", "rs0", "other")
	}
	c.DirectConnection = len(c.Seeds) == 1 && g.chance(15)
	sharded := c.ReplicaSet == "" && g.chance(12)
	wire := oneOf(g, 25, 25, 21, 17, 16, 13)
	elections := g.chance(85)
	config := members[:oneOf(g, 2, 3, 3, 4)]
	for range 1 + g.IntN(8) {
		r := reply{Address: oneOf(g, members...)}
		if g.chance(60) {
			r.Address = oneOf(g, c.Seeds...)
		}
		if g.chance(6) { // reconfigured
			config = members[:oneOf(g, 1, 2, 3, 4)]
		}
		if g.chance(4) { // upgraded
			wire = oneOf(g, 25, 17, 16)
		}
		switch {
		case g.chance(10):
		case sharded && g.chance(80):
			r.Hello = helloDoc{OK: 1, Msg: "isdbgrid", MaxWireVersion: wire}
		default:
			r.Hello = g.hello(r.Address, config, wire, elections)
		}
		c.Replies = append(c.Replies, r)
	}
	return c
}

func (g generator) hello(address string, config []string, wire int, elections bool) helloDoc {
	h := helloDoc{OK: 1, MaxWireVersion: wire}
	role := g.weighted(38, 36, 5, 6, 4, 4, 4)
	switch role {
	case 4:
		h.IsReplicaSet = true
		return h
	case 5:
		h.Msg = "isdbgrid"
		return h
	case 6:
		return h // a Standalone
	case 0:
		h.IsWritablePrimary = true
	case 1:
		h.Secondary = true
	case 2:
		h.ArbiterOnly = true
	case 3:
		h.Hidden = true
	}
	h.SetName = "rs0"
	if g.chance(6) {
		h.SetName = oneOf(g, "other", "RS0")
	}
	h.Hosts = config
	if len(config) > 2 && g.chance(15) {
		h.Hosts, h.Passives = config[:2], config[2:]
	} else if len(config) > 2 && g.chance(15) {
		h.Hosts, h.Arbiters = config[:2], config[2:]
	}
	if g.chance(60) {
		h.Me = address
		if g.chance(6) {
			h.Me = oneOf(g, members...)
		}
	}
	if role != 0 && g.chance(40) {
		h.Primary = oneOf(g, config...)
	}
	if role == 0 && elections || g.chance(3) {
		if g.chance(90) {
			v := 1 + g.IntN(3)
			h.SetVersion = &v
		}
		if g.chance(90) {
			h.ElectionID = &objectID{fmt.Sprintf("00000000000000000000000%d", 1+g.IntN(3))}
		}
	}
	return h
}
