package whatif

import "github.com/readpref/readpref/core/topology"

// elections calls yield for each state that a replica set may be in after some
// events: as it is where it has its primary still, and a majority to keep it;
// without a primary otherwise; then with each of those that may be elected.
//
// A driver's description does not say who votes: every member that it has is
// taken to, arbiters and those that are down too. A primary that reaches no
// majority of them steps down. A secondary may be elected where a majority is
// left, unless it is known to be passive (priority 0), or has just stepped down.
// Who is, is not known: each is a state of its own.
func (u *run) elections(t *topology.Description, yield func(Phase, *topology.Description)) {
	if !t.Type.IsReplicaSet() {
		yield(AsBefore, t)
		return
	}
	votes, left := 0, 0
	for i := range t.Servers {
		votes++
		if t.Servers[i].Type.IsAvailable() {
			left++
		}
	}
	majority := left > votes/2
	was, is := u.r.Topology.Primary(), -1
	for i := range t.Servers {
		if t.Servers[i].Type == topology.RSPrimary {
			is = i
			break
		}
	}
	if was < 0 || is >= 0 && majority {
		yield(AsBefore, t)
		return
	}
	if is >= 0 {
		t.Servers[is].Type = topology.RSSecondary
	}
	t.Type = topology.ReplicaSetNoPrimary
	if !majority {
		yield(NoMajority, t)
		return
	}
	yield(NoPrimary, t)
	for i := range t.Servers {
		if t.Servers[i].Type != topology.RSSecondary || i == was || u.passive.Contains(t.Servers[i].Address) {
			continue
		}
		after := *t
		after.Type = topology.ReplicaSetWithPrimary
		u.scratch[1] = append(u.scratch[1][:0], t.Servers...)
		after.Servers = u.scratch[1]
		after.Servers[i].Type = topology.RSPrimary
		yield(Elected, &after)
	}
}
