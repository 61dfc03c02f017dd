package sdam_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// The official cases of the SDAM specification, read from $SPEC_TESTS (default
// ../shared/spec-tests beside the checkout). The conformance runner asks them of
// every runtime; here they run through the machine itself.
func specSuite(t *testing.T, name string) []string {
	root := os.Getenv("SPEC_TESTS")
	if root == "" {
		root = "../../../shared/spec-tests"
	}
	var files []string
	for _, dir := range []string{filepath.Join(root, name), filepath.Join(root, "source", filepath.Dir(name), "tests", filepath.Base(name))} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".json") {
				files = append(files, path)
			}
			return nil
		})
	}
	if len(files) == 0 {
		if os.Getenv("SPEC_TESTS") != "" || os.Getenv("CI") != "" {
			t.Fatalf("no cases of %s below %s", name, root)
		}
		t.Skipf("not run: no cases of %s beside the checkout", name)
	}
	return files
}

type specCase struct {
	Description string
	URI         string
	Phases      []specPhase
}

type specPhase struct {
	Description       string
	Responses         [][2]json.RawMessage
	ApplicationErrors []specError
	Outcome           specOutcome
}

type specError struct {
	Address        string
	When           string
	Type           string
	MaxWireVersion int64
	Generation     *int64
	Response       *struct {
		OK              json.Number
		Code            *int64
		ErrMsg          string
		TopologyVersion *topology.Version
		WriteErrors     []json.RawMessage
	}
}

type specOutcome struct {
	Servers                      map[string]map[string]json.RawMessage
	TopologyType                 string
	SetName                      json.RawMessage
	LogicalSessionTimeoutMinutes json.RawMessage
	MaxSetVersion                json.RawMessage
	MaxElectionID                json.RawMessage `json:"maxElectionId"`
	Compatible                   *bool
	Events                       []map[string]json.RawMessage
}

func TestSpec(t *testing.T) {
	for _, suite := range []string{"rs", "single", "sharded", "load-balanced", "errors", "monitoring"} {
		for _, file := range specSuite(t, "server-discovery-and-monitoring/"+suite) {
			t.Run(suite+"/"+strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
				raw, err := os.ReadFile(file)
				require.NoError(t, err)
				var c specCase
				require.NoError(t, json.Unmarshal(raw, &c))
				runSpec(t, &c)
			})
		}
	}
}

func settings(t *testing.T, uri string) sdam.Settings {
	rest, ok := strings.CutPrefix(uri, "mongodb://")
	require.True(t, ok)
	hosts, query, _ := strings.Cut(rest, "?")
	options, err := url.ParseQuery(query)
	require.NoError(t, err)
	return sdam.Settings{
		Seeds:            strings.Split(strings.TrimSuffix(hosts, "/"), ","),
		SetName:          options.Get("replicaSet"),
		DirectConnection: options.Get("directConnection") == "true",
		LoadBalanced:     options.Get("loadBalanced") == "true",
		WireVersions:     topology.DefaultWireVersions,
	}
}

func runSpec(t *testing.T, c *specCase) {
	var changes sdam.Changes
	m, err := sdam.NewMachine(settings(t, c.URI), &changes)
	require.NoError(t, err)
	for n := range c.Phases {
		p := &c.Phases[n]
		for _, r := range p.Responses {
			feed(t, m, r, &changes)
		}
		for i := range p.ApplicationErrors {
			applicationError(m, &p.ApplicationErrors[i], &changes)
		}
		checkOutcome(t, m, &p.Outcome, &changes, fmt.Sprintf("phase %d %s", n, p.Description))
		changes = sdam.Changes{}
	}
}

func feed(t *testing.T, m *sdam.Machine, response [2]json.RawMessage, changes *sdam.Changes) {
	var address string
	require.NoError(t, json.Unmarshal(response[0], &address))
	reply := &sdam.Reply{Address: address, RTTNS: 5_000_000, NowMS: 1}
	if string(response[1]) == "{}" {
		reply.Network, reply.Error = true, "connection refused"
	}
	var d wire.Decoder
	var r wire.HelloRequest
	if err := d.HelloRequest(&r, fmt.Appendf(nil, `{"address":%q,"hello":%s}`, address, response[1])); err != nil {
		t.Fatal(err)
	}
	reply.Hello = &r.Hello
	m.Hello(reply, changes)
}

func applicationError(m *sdam.Machine, s *specError, changes *sdam.Changes) {
	e := &sdam.ApplicationError{Address: s.Address, Message: "an error"}
	if s.When == "beforeHandshakeCompletes" {
		e.Stage = sdam.ConnectAndHello
	}
	switch s.Type {
	case "network":
		e.Kind = sdam.NetworkError
	case "timeout":
		e.Kind = sdam.NetworkTimeout
	}
	// App. A2: the runner labels what a driver's pool would label.
	if e.Stage == sdam.ConnectAndHello && e.Kind != sdam.CommandError {
		e.Labels = []string{sdam.LabelSystemOverloaded}
	}
	if s.Generation != nil {
		e.Generation = topology.NewInt(*s.Generation)
	}
	if r := s.Response; r != nil && r.OK == "0" {
		e.Reply.Message = r.ErrMsg
		if r.Code != nil {
			e.Reply.Code = topology.NewInt(*r.Code)
		}
		if r.TopologyVersion != nil {
			e.Reply.TopologyVersion = *r.TopologyVersion
		}
	}
	m.ApplicationError(e, changes)
}

func checkOutcome(t *testing.T, m *sdam.Machine, want *specOutcome, changes *sdam.Changes, phase string) {
	d := m.Description()
	if want.TopologyType != "" {
		assert.Equal(t, want.TopologyType, d.Type.String(), phase)
	}
	if want.SetName != nil {
		assert.JSONEq(t, string(want.SetName), orNull(d.SetName != "", fmt.Sprintf("%q", d.SetName)), "%s: setName", phase)
	}
	if want.LogicalSessionTimeoutMinutes != nil {
		assert.JSONEq(t, string(want.LogicalSessionTimeoutMinutes), intOrNull(d.LogicalSessionTimeoutMinutes), "%s: session timeout", phase)
	}
	if want.MaxSetVersion != nil {
		assert.JSONEq(t, string(want.MaxSetVersion), intOrNull(d.MaxSetVersion), "%s: maxSetVersion", phase)
	}
	if want.MaxElectionID != nil {
		assert.JSONEq(t, string(want.MaxElectionID), idOrNull(d.MaxElectionID), "%s: maxElectionId", phase)
	}
	if want.Compatible != nil {
		assert.Equal(t, *want.Compatible, m.CheckCompatible() == nil, "%s: compatible", phase)
	}
	if want.Servers != nil {
		require.Len(t, d.Servers, len(want.Servers), phase)
		for i := range d.Servers {
			checkServer(t, m, &d.Servers[i], want.Servers[d.Servers[i].Address], phase)
		}
	}
	if want.Events != nil {
		checkEvents(t, want.Events, changes.Events, phase)
	}
}

func checkServer(t *testing.T, m *sdam.Machine, s *topology.Server, want map[string]json.RawMessage, phase string) {
	require.NotNil(t, want, "%s: %s should not be there", phase, s.Address)
	for key, value := range want {
		at := fmt.Sprintf("%s: %s of %s", phase, key, s.Address)
		switch key {
		case "type":
			assert.JSONEq(t, string(value), fmt.Sprintf("%q", s.Type), at)
		case "setName":
			assert.JSONEq(t, string(value), orNull(s.SetName != "", fmt.Sprintf("%q", s.SetName)), at)
		case "setVersion":
			assert.JSONEq(t, string(value), intOrNull(s.SetVersion), at)
		case "electionId":
			assert.JSONEq(t, string(value), idOrNull(s.ElectionID), at)
		case "logicalSessionTimeoutMinutes":
			assert.JSONEq(t, string(value), intOrNull(s.LogicalSessionTimeoutMinutes), at)
		case "minWireVersion":
			assert.JSONEq(t, string(value), intOrNull(s.MinWireVersion), at)
		case "maxWireVersion":
			assert.JSONEq(t, string(value), intOrNull(s.MaxWireVersion), at)
		case "topologyVersion":
			var v *topology.Version
			require.NoError(t, json.Unmarshal(value, &v))
			if v == nil {
				v = &topology.Version{}
			}
			assert.Equal(t, *v, s.TopologyVersion, at)
		case "error":
			var text string
			require.NoError(t, json.Unmarshal(value, &text))
			assert.Contains(t, s.Error, text, at)
		case "pool":
			assert.JSONEq(t, string(value), fmt.Sprintf(`{"generation":%d}`, m.PoolGeneration(s.Address, topology.ObjectID{})), at)
		default:
			t.Errorf("%s: no check for this key", at)
		}
	}
}

func checkEvents(t *testing.T, want []map[string]json.RawMessage, got []sdam.Event, phase string) {
	names := map[string]string{"topology_opening_event": "topologyOpening", "topology_description_changed_event": "topologyDescriptionChanged",
		"topology_closed_event": "topologyClosed", "server_opening_event": "serverOpening",
		"server_description_changed_event": "serverDescriptionChanged", "server_closed_event": "serverClosed"}
	var kinds, wanted []string
	for _, e := range got {
		kinds = append(kinds, e.Kind.String()+" "+e.Address)
	}
	for _, e := range want {
		for name, body := range e {
			var fields struct{ Address string }
			require.NoError(t, json.Unmarshal(body, &fields))
			wanted = append(wanted, names[name]+" "+fields.Address)
		}
	}
	require.Equal(t, wanted, kinds, phase)
	for i, e := range want {
		for _, body := range e {
			var fields struct{ PreviousDescription, NewDescription map[string]json.RawMessage }
			require.NoError(t, json.Unmarshal(body, &fields))
			at := fmt.Sprintf("%s: event %d", phase, i)
			switch got[i].Kind {
			case sdam.ServerDescriptionChanged:
				checkEventServer(t, fields.PreviousDescription, got[i].OldServer, at)
				checkEventServer(t, fields.NewDescription, got[i].NewServer, at)
			case sdam.TopologyDescriptionChanged:
				checkEventTopology(t, fields.PreviousDescription, got[i].OldTopology, at)
				checkEventTopology(t, fields.NewDescription, got[i].NewTopology, at)
			}
		}
	}
}

func checkEventTopology(t *testing.T, want map[string]json.RawMessage, d *topology.Description, at string) {
	if d == nil {
		d = &topology.Description{}
	}
	assert.JSONEq(t, string(want["topologyType"]), fmt.Sprintf("%q", d.Type), at)
	if name := want["setName"]; name != nil {
		assert.JSONEq(t, string(name), fmt.Sprintf("%q", d.SetName), at)
	}
	var servers []map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(want["servers"], &servers))
	require.Len(t, d.Servers, len(servers), at)
	for i := range servers {
		checkEventServer(t, servers[i], &d.Servers[i], at)
	}
}

func checkEventServer(t *testing.T, want map[string]json.RawMessage, s *topology.Server, at string) {
	list := func(l []string) string {
		if l == nil {
			l = []string{}
		}
		b, _ := json.Marshal(l)
		return string(b)
	}
	for key, value := range want {
		at := at + ": " + key
		switch key {
		case "address":
			assert.JSONEq(t, string(value), fmt.Sprintf("%q", s.Address), at)
		case "type":
			assert.JSONEq(t, string(value), fmt.Sprintf("%q", s.Type), at)
		case "hosts":
			assert.JSONEq(t, string(value), list(s.Hosts), at)
		case "passives":
			assert.JSONEq(t, string(value), list(s.Passives), at)
		case "arbiters":
			assert.JSONEq(t, string(value), list(s.Arbiters), at)
		case "primary":
			assert.JSONEq(t, string(value), fmt.Sprintf("%q", s.Primary), at)
		case "setName":
			assert.JSONEq(t, string(value), fmt.Sprintf("%q", s.SetName), at)
		default:
			t.Errorf("%s: no check for this key", at)
		}
	}
}

func orNull(is bool, text string) string {
	if is {
		return text
	}
	return "null"
}

func intOrNull(n topology.Int) string {
	v, ok := n.Get()
	return orNull(ok, fmt.Sprint(v))
}

func idOrNull(id topology.ObjectID) string {
	return orNull(id.IsDefined(), `{"$oid":"`+string(id.AppendHex(nil))+`"}`)
}
