package client_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/bindings/go/client"
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

func TestCommand(t *testing.T) {
	mongos := &sdam.Hello{OK: true, HasIsWritablePrimary: true, IsWritablePrimary: true, Message: "isdbgrid", MaxWireVersion: topology.NewInt(25)}
	standalone := &sdam.Hello{OK: true, HasIsWritablePrimary: true, IsWritablePrimary: true, MaxWireVersion: topology.NewInt(25)}
	for _, c := range []struct {
		what, uri string
		hello     *sdam.Hello
		given     *readpref.Preference // nil: none
		kind      selection.Operation
		want      *readpref.Preference // nil: nothing is attached
	}{
		{"4.3: of a replica set, what is not primary", uri, member(false), &readpref.Preference{Mode: readpref.Secondary}, selection.Read,
			&readpref.Preference{Mode: readpref.Secondary}},
		{"4.3: none is that of the connection string", uri + "&readPreference=nearest", member(false), nil, selection.Read,
			&readpref.Preference{Mode: readpref.Nearest}},
		{"4.3: primary is not sent", uri, member(true), nil, selection.Read, nil},
		{"4.1: a write never carries one", uri, member(true), &readpref.Preference{Mode: readpref.Secondary}, selection.Write, nil},
		{"4.2: a bare secondaryPreferred to a mongos", "mongodb://a.example", mongos, &readpref.Preference{Mode: readpref.SecondaryPreferred},
			selection.Read, &readpref.Preference{Mode: readpref.SecondaryPreferred}},
		{"4.1: a standalone server", "mongodb://a.example/?directConnection=true", standalone, &readpref.Preference{Mode: readpref.Nearest},
			selection.Read, nil},
		{"4.4: a member that is connected to directly", "mongodb://a.example/?directConnection=true", member(false), nil, selection.Read,
			&readpref.Preference{Mode: readpref.PrimaryPreferred}},
	} {
		t.Run(c.what, func(t *testing.T) {
			topo := open(t, c.uri, client.Options{Seed: 1})
			feed(t, topo, "a.example", c.hello)
			o := client.Operation{Kind: c.kind}
			var p *cluster.Preference
			if c.given != nil {
				p = prefer(t, *c.given)
			}
			s, err := topo.Select(context.Background(), p, o)
			require.NoError(t, err)
			d := topo.Command(s, p, o)
			require.Equal(t, c.want != nil, d.Attach)
			if c.want != nil {
				assert.Equal(t, c.want.Mode, d.Document.Mode)
				assert.Empty(t, d.Document.TagSets)
			}
		})
	}

	// 4.4, last words: a server that went away meanwhile is Unknown, and of a replica set the preference is still sent (4.3).
	topo := open(t, uri, client.Options{})
	made := prefer(t, readpref.Preference{Mode: readpref.Nearest})
	d := topo.Command(client.Server{Address: "gone.example:27017"}, made, client.Operation{})
	assert.True(t, d.Attach)
}
