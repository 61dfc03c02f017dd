package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

const (
	opMsg      = 2013
	headSize   = 16 + 4 + 1 // header, flags, the kind of the one section
	maxMessage = 48_000_000
	ioTimeout  = 5 * time.Second
)

// connection is a TCP connection to a server, which takes one command at a time,
// as OP_MSG. After an error it is of no more use.
type connection struct{ net.Conn }

func dial(address string) (*connection, error) {
	c, err := net.DialTimeout("tcp", address, ioTimeout)
	if err != nil {
		return nil, err
	}
	return &connection{c}, nil
}

func (c *connection) run(command bson.D) (bson.Raw, error) {
	body, err := bson.Marshal(command)
	if err != nil {
		return nil, err
	}
	if err := c.SetDeadline(time.Now().Add(ioTimeout)); err != nil {
		return nil, err
	}
	message := make([]byte, headSize, headSize+len(body))
	binary.LittleEndian.PutUint32(message, uint32(headSize+len(body)))
	binary.LittleEndian.PutUint32(message[12:], opMsg)
	if _, err := c.Write(append(message, body...)); err != nil {
		return nil, err
	}
	head := make([]byte, headSize)
	if _, err := io.ReadFull(c, head); err != nil {
		return nil, err
	}
	length, opcode := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[12:])
	if opcode != opMsg || length <= headSize || length > maxMessage {
		return nil, fmt.Errorf("a reply of %d bytes with opcode %d", length, opcode)
	}
	reply := make(bson.Raw, length-headSize)
	if _, err := io.ReadFull(c, reply); err != nil {
		return nil, err
	}
	return reply, reply.Validate()
}
