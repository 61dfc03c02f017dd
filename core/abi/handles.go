package abi

import (
	"unsafe"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

// MinBuffer is the smallest answer buffer of the functions that open or change
// something: any error document fits, so that a refusal never has to be asked
// for twice.
const MinBuffer = 4096

// handles returns the table the context works with.
func (c *Context) handles() *Table {
	if c.Table == nil {
		c.Table = new(Table)
	}
	return c.Table
}

// find returns what an open handle stands for, or nil, where it may take a call more.
//
//go:noinline
func (c *Context) find(handle uint32) *entry { return c.handles().find(handle) }

//go:noinline
func badHandle(path string) *status.Error {
	return status.New(status.Handle, path, "no open handle of this kind has this number")
}

func tooManyHandles() *status.Error {
	return status.New(status.LimitExceeded, "", "more than 65536 handles")
}

// openTopology is the engine of rp_topology_open and topology.open.
func (c *Context) openTopology(in []byte) (uint32, *status.Error) {
	e, err := c.newTopology(in)
	if err != nil {
		return 0, err
	}
	h, ok := c.handles().open(e)
	if !ok {
		return 0, tooManyHandles()
	}
	return h, nil
}

func (c *Context) newTopology(in []byte) (*entry, *status.Error) {
	r := &c.open
	if err := c.decoder.OpenRequest(r, in); err != nil {
		return nil, err
	}
	if r.Form != wire.OpenDescription {
		d, err := c.discover()
		if err != nil {
			return nil, err
		}
		return &entry{topology: d.Topology(), deployment: d}, nil
	}
	t, err := cluster.Open(&r.Topology, cluster.Settings{Options: r.Options, Pick: r.Pick, Seed: r.Seed})
	if err != nil {
		return nil, err.(*status.Error)
	}
	return &entry{topology: t}, nil
}

func (c *Context) newPreference(in []byte) (*cluster.Preference, *status.Error) {
	v := &c.validation
	if err := c.decoder.Validate(v, in); err != nil {
		return nil, err
	}
	if len(v.Problems) > 0 {
		return nil, v.Problems[0]
	}
	p, err := cluster.NewPreference(v.Preference)
	if err != nil {
		return nil, err.(*status.Error)
	}
	return p, nil
}

// openPreference is the engine of rp_readpref_open and readpref.open.
func (c *Context) openPreference(in []byte) (uint32, *status.Error) {
	p, err := c.newPreference(in)
	if err != nil {
		return 0, err
	}
	h, ok := c.handles().open(&entry{preference: p})
	if !ok {
		return 0, tooManyHandles()
	}
	return h, nil
}

// updateTopology replaces the description of an open topology.
func (c *Context) updateTopology(handle uint32, in []byte) *status.Error {
	e := c.find(handle)
	if e == nil || e.topology == nil {
		return badHandle("topology")
	}
	if err := c.decoder.UpdateRequest(&c.open, in, false); err != nil {
		return err
	}
	return c.update(e)
}

// update gives a topology the description that was decoded. A server keeps its
// operation count where the document does not say one.
func (c *Context) update(e *entry) *status.Error {
	if e.deployment != nil {
		return status.New(status.Argument, "topology", "this topology is discovered: topology.hello and topology.error change it")
	}
	if err := e.topology.Update(&c.open.Topology, func(i int) bool { return !c.open.Counted[i] }); err != nil {
		return err.(*status.Error)
	}
	return nil
}

func (c *Context) describe(dst []byte, handle uint32) ([]byte, *status.Error) {
	e := c.find(handle)
	switch {
	case e == nil || e.topology == nil:
		return dst, badHandle("topology")
	case e.deployment != nil:
		dst = describeDiscovered(dst, e.deployment)
	default:
		d, s := e.topology.Describe()
		dst = wire.AppendState(dst, &d, &s.Options, s.Pick, s.Seed)
	}
	if len(dst) > wire.MaxAnswerBytes {
		return dst, tooLong()
	}
	return dst, nil
}

// selectExcept is the engine of rp_select_ex.
func (c *Context) selectExcept(t *cluster.Topology, p *cluster.Preference, op selection.Operation, e *wire.Extras, checkout bool) (int32, status.Code) {
	var custom selection.CustomSelector
	if e.HasKeepOnly {
		c.keepOnly.Reset(e.KeepOnly)
		custom = &c.keepOnly
	}
	return t.SelectExcept(&c.scratch, p, op, e.Deprioritized, custom, checkout)
}

// SelectExPointers is rp_select_ex: rp_select with deprioritized servers and a
// custom selector. It allocates nothing.
func (c *Context) SelectExPointers(topology, preference, f uint32, in unsafe.Pointer, inLen uint64) (result int32) {
	defer recovered(&result)
	op, checkout, ok := flags(f)
	if err := checkInput(in, inLen); err != nil {
		return int32(err.Code)
	}
	if !ok {
		return int32(status.Argument)
	}
	t, p := c.handles().topology(topology), c.handles().preference(preference)
	if t == nil || p == nil {
		return int32(status.Handle)
	}
	if err := c.decoder.Extras(&c.extras, input(in, inLen)); err != nil {
		return int32(err.Code)
	}
	id, code := c.selectExcept(t, p, op, &c.extras, checkout)
	if code != status.OK {
		return int32(code)
	}
	return id
}

// again runs the selection of two handles once more, for its words. Counts and
// the random state stay as they are.
func (c *Context) again(t *cluster.Topology, p *cluster.Preference, op selection.Operation, e *wire.Extras) (*selection.Result, cluster.Settings, *status.Error) {
	d, s := t.Describe()
	c.selection = selection.Request{Topology: &d, Preference: p.Document(), Operation: op, Deprioritized: e.Deprioritized, Options: s.Options}
	if e.HasKeepOnly {
		c.keepOnly.Reset(e.KeepOnly)
		c.selection.CustomSelector = &c.keepOnly
	}
	res, err := c.selector.Select(&c.selection)
	if err != nil {
		return nil, s, err.(*status.Error)
	}
	return res, s, nil
}

// explainHandles explains what rp_select would do now.
func (c *Context) explainHandles(dst []byte, t *cluster.Topology, p *cluster.Preference, op selection.Operation, e *wire.Extras) ([]byte, *status.Error) {
	res, s, err := c.again(t, p, op, e)
	if err != nil {
		return dst, err
	}
	rng := selection.SplitMix64(s.Seed)
	chosen := s.Pick.Choose(c.selection.Topology, res.InLatencyWindow, &rng, s.Seed)
	c.explanation.Explain(&c.selection, res, s.Pick, chosen)
	if dst = wire.AppendExplanation(dst, &c.explanation); len(dst) > wire.MaxAnswerBytes {
		return dst, tooLong()
	}
	return dst, nil
}

// whyNot makes the error of a selection that gave no server.
func (c *Context) whyNot(t *cluster.Topology, p *cluster.Preference, op selection.Operation, e *wire.Extras) *status.Error {
	res, _, err := c.again(t, p, op, e)
	switch {
	case err != nil:
		return err
	case len(res.InLatencyWindow) > 0: // an update came in between
		return status.New(status.NoServer, "", "no server was suitable")
	}
	return &status.Error{Code: status.NoServer, Message: string(explain.AppendNone(nil, &c.selection, res))}
}

// TopologyOpenPointers is rp_topology_open: a handle, or minus the length of an
// error document.
func (c *Context) TopologyOpenPointers(in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.apply(in, inLen, out, outCap, func(document []byte) (uint32, *status.Error) { return c.openTopology(document) })
}

// ReadprefOpenPointers is rp_readpref_open.
func (c *Context) ReadprefOpenPointers(in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.apply(in, inLen, out, outCap, func(document []byte) (uint32, *status.Error) { return c.openPreference(document) })
}

// TopologyUpdatePointers is rp_topology_update: 0, or minus the length of an
// error document.
func (c *Context) TopologyUpdatePointers(handle uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.apply(in, inLen, out, outCap, func(document []byte) (uint32, *status.Error) { return 0, c.updateTopology(handle, document) })
}

// TopologyDescribePointers is rp_topology_describe.
func (c *Context) TopologyDescribePointers(handle uint32, out unsafe.Pointer, outCap uint64) int32 {
	return c.tell(nil, 0, out, outCap, func(dst, _ []byte) ([]byte, *status.Error) { return c.describe(dst, handle) })
}

// ExplainPointers is rp_explain. The document may be empty, or have operation,
// deprioritized and customSelector.
func (c *Context) ExplainPointers(topology, preference uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.tell(in, inLen, out, outCap, func(dst, document []byte) ([]byte, *status.Error) {
		if len(document) == 0 {
			document = emptyObject
		}
		r := &c.byHandle
		if err := c.decoder.Handles(r, document, 0, wire.KeyOperation|wire.KeyDeprioritized|wire.KeyCustomSelector); err != nil {
			return dst, err
		}
		r.Topology, r.ReadPreference = topology, preference
		t, p, err := c.both(r)
		if err != nil {
			return dst, err
		}
		return c.explainHandles(dst, t, p, r.Operation, &r.Extras)
	})
}

var emptyObject = []byte("{}")

// apply runs a function that opens or changes something: it is refused before
// anything is done when its error document might not fit.
func (c *Context) apply(in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64, do func([]byte) (uint32, *status.Error)) (result int32) {
	room := buffer(out, outCap)
	refuse := func(err *status.Error) int32 {
		answer, _ := c.refuse(err)
		return deliver(answer, false, room)
	}
	defer func() {
		if p := recover(); p != nil {
			result = refuse(status.New(status.Internal, "", "a fault inside readpref"+panicText(p)))
		}
	}()
	if out == nil && outCap > 0 {
		return refuse(nullPointer("out"))
	}
	if outCap < MinBuffer {
		return refuse(smallBuffer(MinBuffer))
	}
	if err := checkInput(in, inLen); err != nil {
		return refuse(err)
	}
	handle, err := do(input(in, inLen))
	if err != nil {
		return refuse(err)
	}
	return int32(handle)
}

// tell runs a function that only answers.
func (c *Context) tell(in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64, do func(dst, document []byte) ([]byte, *status.Error)) (result int32) {
	room := buffer(out, outCap)
	refuse := func(err *status.Error) int32 {
		answer, _ := c.refuse(err)
		return deliver(answer, false, room)
	}
	defer func() {
		if p := recover(); p != nil {
			result = refuse(status.New(status.Internal, "", "a fault inside readpref"+panicText(p)))
		}
	}()
	if out == nil && outCap > 0 {
		return refuse(nullPointer("out"))
	}
	if err := checkInput(in, inLen); err != nil {
		return refuse(err)
	}
	c.room = len(room)
	answer, err := do(c.answer[:0], input(in, inLen))
	if err != nil {
		return refuse(err)
	}
	c.answer = answer
	return deliver(answer, true, room)
}

// The rp_call twins: the same functions with handles in documents, so that one
// testee protocol, and hosts that have only rp_call, can use them.

func runTopologyOpen(c *Context, dst, in []byte) ([]byte, *status.Error) {
	h, err := c.openTopology(in)
	return appendNumber(dst, "topology", int64(h)), err
}

func runReadprefOpen(c *Context, dst, in []byte) ([]byte, *status.Error) {
	h, err := c.openPreference(in)
	return appendNumber(dst, "readPreference", int64(h)), err
}

func runTopologyUpdate(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.UpdateRequest(&c.open, in, true); err != nil {
		return dst, err
	}
	e := c.find(c.open.Handle)
	if e == nil || e.topology == nil {
		return dst, badHandle("handle")
	}
	if err := c.update(e); err != nil {
		return dst, err
	}
	return appendNumber(dst, "generation", int64(e.topology.Generation())), nil
}

func runTopologyDescribe(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology, 0); err != nil {
		return dst, err
	}
	return c.describe(dst, r.Topology)
}

const selectKeys = wire.KeyOperation | wire.KeyCheckout | wire.KeyDeprioritized | wire.KeyCustomSelector

func runTopologySelect(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology|wire.KeyReadPreference, selectKeys); err != nil {
		return dst, err
	}
	t, p, err := c.both(r)
	if err != nil {
		return dst, err
	}
	var id int32
	var code status.Code
	if len(r.Extras.Deprioritized) > 0 || r.Extras.HasKeepOnly {
		id, code = c.selectExcept(t, p, r.Operation, &r.Extras, r.Checkout)
	} else {
		id, code = t.Select(p, r.Operation, r.Checkout)
	}
	if code != status.OK {
		return dst, c.whyNot(t, p, r.Operation, &r.Extras)
	}
	address, _ := t.Address(id)
	dst = decimal.Append(str.Append(dst, `{"server":{"id":`), int64(id))
	dst = wire.AppendString(str.Append(dst, `,"address":`), address)
	return str.Append(dst, `}}`), nil
}

func runTopologySelectBatch(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology|wire.KeyReadPreference|wire.KeyCount, wire.KeyOperation|wire.KeyCheckout); err != nil {
		return dst, err
	}
	t, p, err := c.both(r)
	if err != nil {
		return dst, err
	}
	if need := 10 + 11*int(r.Count); need > c.room { // 10 digits and a comma each
		return dst, smallBuffer(need)
	}
	ids := make([]int32, r.Count)
	if code := t.SelectInto(ids, p, r.Operation, r.Checkout); code != status.OK {
		return dst, c.whyNot(t, p, r.Operation, &r.Extras)
	}
	dst = str.Append(dst, `{"ids":[`)
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = decimal.Append(dst, int64(id))
	}
	return str.Append(dst, "]}"), nil
}

func runTopologyExplain(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology|wire.KeyReadPreference, wire.KeyOperation|wire.KeyDeprioritized|wire.KeyCustomSelector); err != nil {
		return dst, err
	}
	t, p, err := c.both(r)
	if err != nil {
		return dst, err
	}
	return c.explainHandles(dst, t, p, r.Operation, &r.Extras)
}

func runTopologyAddress(c *Context, dst, in []byte) ([]byte, *status.Error) {
	t, id, err := c.server(in)
	if err != nil {
		return dst, err
	}
	address, ok := t.Address(id)
	if !ok {
		return dst, unknownID()
	}
	dst = wire.AppendString(str.Append(dst, `{"address":`), address)
	return append(dst, '}'), nil
}

func runTopologyRelease(c *Context, dst, in []byte) ([]byte, *status.Error) {
	t, id, err := c.server(in)
	if err != nil {
		return dst, err
	}
	if !t.Release(id) {
		return dst, unknownID()
	}
	n, _ := t.OperationCount(id)
	return appendNumber(dst, "operationCount", n), nil
}

func runTopologyGeneration(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology, 0); err != nil {
		return dst, err
	}
	t := c.handles().topology(r.Topology)
	if t == nil {
		return dst, badHandle("topology")
	}
	return appendNumber(dst, "generation", int64(t.Generation())), nil
}

func runClose(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyHandle, 0); err != nil {
		return dst, err
	}
	if c.handles().Close(r.Handle) < 0 {
		return dst, badHandle("handle")
	}
	return str.Append(dst, "{}"), nil
}

func (c *Context) both(r *wire.HandleRequest) (*cluster.Topology, *cluster.Preference, *status.Error) {
	t, p := c.handles().topology(r.Topology), c.handles().preference(r.ReadPreference)
	switch {
	case t == nil:
		return nil, nil, badHandle("topology")
	case p == nil:
		return nil, nil, badHandle("readPreference")
	}
	return t, p, nil
}

func (c *Context) server(in []byte) (*cluster.Topology, int32, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology|wire.KeyID, 0); err != nil {
		return nil, 0, err
	}
	t := c.handles().topology(r.Topology)
	if t == nil {
		return nil, 0, badHandle("topology")
	}
	return t, int32(r.ID), nil
}

func smallBuffer(need int) *status.Error {
	return status.New(status.Buffer, "out", "this needs an answer buffer of "+decimal.String(int64(need))+" bytes; nothing was done")
}

func unknownID() *status.Error {
	return status.New(status.Argument, "id", "no server of this topology has this id")
}

func appendNumber(dst []byte, key string, v int64) []byte {
	dst = wire.AppendString(append(dst, '{'), key)
	dst = decimal.Append(append(dst, ':'), v)
	return append(dst, '}')
}
