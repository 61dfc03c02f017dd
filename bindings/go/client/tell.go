package client

import "github.com/readpref/readpref/core/sdam"

// tell tells listeners what waits, in order. One goroutine tells at a time; a
// callback may call any method, so those that come while another is telling
// leave it to that one.
func (t *Topology) tell() {
	t.mu.Lock()
	if t.telling {
		t.tellAgain = true
		t.mu.Unlock()
		return
	}
	t.telling = true
	t.mu.Unlock()
	for {
		t.tellOnce()
		t.mu.Lock()
		if !t.tellAgain {
			t.telling = false
			t.mu.Unlock()
			return
		}
		t.tellAgain = false
		t.mu.Unlock()
	}
}

func (t *Topology) tellOnce() {
	defer func() {
		if p := recover(); p != nil { // of a callback: whoever tells next must be able to
			t.mu.Lock()
			t.telling, t.tellAgain = false, false
			t.mu.Unlock()
			panic(p)
		}
	}()
	for {
		t.mu.Lock()
		checks := t.checks
		t.checks = nil
		t.mu.Unlock()
		for _, address := range checks {
			t.options.OnEffect(sdam.Effect{Kind: sdam.RequestCheck, Address: address})
		}
		changes := t.deployment.Changes()
		if len(changes) == 0 {
			return
		}
		// Before telling: a callback that panics is not told the same again.
		if err := t.deployment.Acknowledge(changes[len(changes)-1].Sequence); err != nil {
			return // Shutdown by another hand
		}
		for _, c := range changes {
			switch {
			case c.Event != nil && t.options.OnEvent != nil:
				t.options.OnEvent(*c.Event)
			case c.Effect != nil && t.options.OnEffect != nil:
				t.options.OnEffect(*c.Effect)
			}
		}
	}
}
