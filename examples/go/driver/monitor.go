package main

import (
	"time"

	"github.com/readpref/readpref/bindings/go/client"
	"github.com/readpref/readpref/core/sdam"
	"go.mongodb.org/mongo-driver/v2/bson"
)

const (
	heartbeatFrequency    = 60 * time.Second
	minHeartbeatFrequency = 500 * time.Millisecond
)

// monitor checks one server: every heartbeat, and when asked to, but not in too
// quick succession.
type monitor struct {
	driver    *driver
	address   string
	requested chan struct{}      // one request at most waits
	now       chan chan struct{} // a check that somebody waits for
	ended     chan struct{}
	waiting   chan struct{} // closed behind the next check
	to        *connection
}

// startMonitor begins once the driver is opened.
func startMonitor(d *driver, address string, opened <-chan struct{}) *monitor {
	m := &monitor{driver: d, address: address, requested: make(chan struct{}, 1), now: make(chan chan struct{}), ended: make(chan struct{})}
	go func() {
		<-opened
		m.loop()
	}()
	return m
}

func (m *monitor) request() {
	select {
	case m.requested <- struct{}{}:
	default:
	}
}

func (m *monitor) stop() { close(m.ended) }

// checkNow waits for a check that begins after the call. It returns at once when
// the monitor has been stopped.
func (m *monitor) checkNow() {
	done := make(chan struct{})
	select {
	case m.now <- done:
		select {
		case <-done:
		case <-m.ended:
		}
	case <-m.ended:
	}
}

func (m *monitor) loop() {
	defer m.disconnect()
	for {
		m.check()
		if m.waiting != nil {
			close(m.waiting)
			m.waiting = nil
		}
		select {
		case <-time.After(minHeartbeatFrequency):
		case <-m.ended:
			return
		}
		select {
		case <-m.requested:
		case <-time.After(heartbeatFrequency):
		case m.waiting = <-m.now:
		case <-m.ended:
			return
		}
	}
}

// check checks the server.
//
// Server Monitoring specification, "Requesting an immediate check".
func (m *monitor) check() {
	begun := time.Now()
	reply := client.Reply{Address: m.address}
	reply.Hello, reply.Err = m.hello()
	reply.RoundTripTime = time.Since(begun)
	if reply.Err != nil {
		m.disconnect()
		kind := kindOf(reply.Err)
		reply.Network, reply.Timeout = kind == sdam.NetworkError, kind == sdam.NetworkTimeout
	}
	select {
	case <-m.requested: // while the check ran: it has been met
	default:
	}
	if _, err := m.driver.topology.Hello(reply); err != nil {
		panic(err) // only of replies that name more than a million addresses
	}
}

func (m *monitor) hello() (*sdam.Hello, error) {
	if m.to == nil {
		var err error
		if m.to, err = dial(m.address); err != nil {
			return nil, err
		}
	}
	reply, err := m.to.run(bson.D{{Key: "hello", Value: 1}, {Key: "$db", Value: "admin"}})
	if err != nil {
		return nil, err
	}
	text, err := bson.MarshalExtJSON(reply, false, false)
	if err != nil {
		return nil, err
	}
	return client.ParseHello(text)
}

func (m *monitor) disconnect() {
	if m.to != nil {
		_ = m.to.Close()
		m.to = nil
	}
}
