package host

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tetratelabs/wazero/api"
)

// ErrRefused says that rp_buffer refused: the buffer would be above its limit.
var ErrRefused = errors.New("readpref.wasm refused a buffer")

// Instance is one running module with its memory. It serves one call at a time.
type Instance struct {
	module     api.Module
	memory     api.Memory
	abiVersion api.Function
	call       api.Function
	buffer     api.Function
	stderr     head

	in, out region
	trapped error
}

// region is a buffer of the module as last asked for.
type region struct{ address, size uint32 }

func (i *Instance) bind(ctx context.Context) error {
	for name, f := range map[string]*api.Function{
		"rp_abi_version": &i.abiVersion, "rp_call": &i.call, "rp_buffer": &i.buffer,
	} {
		if *f = i.module.ExportedFunction(name); *f == nil {
			return fmt.Errorf("readpref.wasm does not export %s", name)
		}
	}
	version, err := i.ABIVersion(ctx)
	if err != nil {
		return err
	}
	if version>>16 != ABIMajor {
		return fmt.Errorf("readpref.wasm has ABI %d.%d, this host speaks %d", version>>16, version&0xffff, ABIMajor)
	}
	return nil
}

// Close ends the instance and frees its memory.
func (i *Instance) Close(ctx context.Context) error { return i.module.Close(ctx) }

// Call runs a method on a document; see Host.Call. After an error the instance
// is of no more use.
func (i *Instance) Call(ctx context.Context, method string, document []byte) (Answer, error) {
	methodLen, documentLen := clamp(len(method)), clamp(len(document))
	at, err := i.room(ctx, &i.in, 0, uint64(methodLen)+uint64(documentLen))
	documentAt := at + methodLen
	switch {
	case errors.Is(err, ErrRefused):
		// More than any method and document may have. The engine has the words
		// for that: it sees the true lengths, and refuses without reading.
		if at, err = i.room(ctx, &i.in, 0, 0); err != nil {
			return Answer{}, err
		}
		documentAt = at
	case err != nil:
		return Answer{}, err
	case !i.memory.WriteString(at, method) || !i.memory.Write(documentAt, document):
		return Answer{}, errors.New("readpref.wasm gave a buffer outside its memory")
	}
	out, err := i.room(ctx, &i.out, 1, 0)
	if err != nil {
		return Answer{}, err
	}
	for {
		n, err := i.RawCall(ctx, at, methodLen, documentAt, documentLen, out, i.out.size)
		if err != nil {
			return Answer{}, err
		}
		length := magnitude(n)
		if length <= i.out.size {
			// Memory may have grown in the call, so it is read anew; and copied,
			// since the next call writes over it.
			view, ok := i.memory.Read(out, length)
			if !ok {
				return Answer{}, errors.New("readpref.wasm gave a buffer outside its memory")
			}
			return Answer{Document: append([]byte(nil), view...), IsError: n < 0}, nil
		}
		if out, err = i.room(ctx, &i.out, 1, uint64(length)); err != nil {
			return Answer{}, err
		}
	}
}

// room returns the address of a buffer with room for n bytes. It asks the
// module only where the buffer has to grow.
func (i *Instance) room(ctx context.Context, r *region, which uint32, n uint64) (uint32, error) {
	const least = 64 << 10
	n = max(n, least)
	if n <= uint64(r.size) {
		return r.address, nil
	}
	if n > math.MaxUint32 {
		return 0, ErrRefused
	}
	address, err := i.Buffer(ctx, which, uint32(n))
	if err != nil {
		return 0, err
	}
	*r = region{address, uint32(n)}
	return address, nil
}

// clamp turns a length into the module's 32 bits; what does not fit is over
// every limit anyway.
func clamp(n int) uint32 { return uint32(min(uint64(n), math.MaxUint32)) }

// magnitude is |n|, for the least int32 too.
func magnitude(n int32) uint32 {
	if n < 0 {
		return uint32(-int64(n))
	}
	return uint32(n)
}
