package main

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/readpref/readpref/wasm/host"
)

// capacity of the answer buffer in probes: more than any of their answers.
const capacity = 64 << 10

// probe calls rp_call with what no JSON can express, each time in an instance
// of its own.
func probe(ctx context.Context, h *host.Host, name string) (host.Answer, error) {
	i, err := h.NewInstance(ctx)
	if err != nil {
		return host.Answer{}, err
	}
	defer i.Close(ctx)
	p := prober{ctx: ctx, instance: i}
	if p.in, err = i.Buffer(ctx, 0, capacity); err != nil {
		return host.Answer{}, err
	}
	if p.out, err = i.Buffer(ctx, 1, capacity); err != nil {
		return host.Answer{}, err
	}
	switch name {
	case "nullMethod":
		return p.document(call{method: null, methodLen: 6, in: p.put(0, "{}"), inLen: 2})
	case "nullIn":
		return p.document(call{method: p.put(0, "select"), methodLen: 6, in: null, inLen: 2})
	case "absurdLength":
		return p.document(call{method: p.put(0, "select"), methodLen: 6, in: p.put(6, "{}"), inLen: math.MaxUint32})
	case "emptyIn":
		return p.document(call{method: p.put(0, "select"), methodLen: 6, in: p.put(6, "{}"), inLen: 0})
	case "nullOut":
		return p.verdict(p.nullOut())
	case "shortOut":
		return p.verdict(p.shortOut())
	case "askLength":
		return p.verdict(p.askLength())
	}
	return host.Answer{}, fmt.Errorf("unknown probe %q", name)
}

const null = 0

type prober struct {
	ctx      context.Context
	instance *host.Instance
	in, out  uint32
}

// call is the first four arguments of rp_call.
type call struct{ method, methodLen, in, inLen uint32 }

// put writes text into the in buffer and returns its address.
func (p *prober) put(offset uint32, text string) uint32 {
	p.instance.Write(p.in+offset, []byte(text))
	return p.in + offset
}

func (p *prober) raw(c call, out, capacity uint32) (int32, error) {
	return p.instance.RawCall(p.ctx, c.method, c.methodLen, c.in, c.inLen, out, capacity)
}

func (p *prober) document(c call) (host.Answer, error) {
	n, err := p.raw(c, p.out, capacity)
	if err != nil {
		return host.Answer{}, err
	}
	text, _ := p.instance.Read(p.out, uint32(max(n, -n)))
	return host.Answer{Document: text, IsError: n < 0}, nil
}

func (p *prober) buildInfo() call {
	return call{method: p.put(0, "build_info"), methodLen: 10, in: p.put(10, "{}"), inLen: 2}
}

// verdict is what a probe prints that has no document to show.
func (p *prober) verdict(kept bool, err error) (host.Answer, error) {
	if !kept {
		return host.Answer{Document: []byte("the contract was not kept")}, err
	}
	return host.Answer{Document: []byte("ok")}, err
}

// nullOut: a null buffer with a capacity is an error that cannot be written
// anywhere. The sign is all there is.
func (p *prober) nullOut() (bool, error) {
	n, err := p.raw(p.buildInfo(), null, capacity)
	return n < 0, err
}

// shortOut: below the answer's length nothing is written, and the length is the
// same each time.
func (p *prober) shortOut() (bool, error) {
	c := p.buildInfo()
	n, err := p.raw(c, null, 0)
	if err != nil || n <= 0 {
		return false, err
	}
	untouched := bytes.Repeat([]byte{0xa5}, capacity)
	p.instance.Write(p.out, untouched)
	for short := range uint32(n) {
		again, err := p.raw(c, p.out, short)
		if err != nil || again != n {
			return false, err
		}
		if after, _ := p.instance.Read(p.out, capacity); !bytes.Equal(after, untouched) {
			return false, nil
		}
	}
	return true, nil
}

// askLength: null and 0 ask for the length, and it is that of the answer.
func (p *prober) askLength() (bool, error) {
	c := p.buildInfo()
	n, err := p.raw(c, null, 0)
	if err != nil || n <= 0 {
		return false, err
	}
	again, err := p.raw(c, p.out, uint32(n))
	return again == n, err
}
