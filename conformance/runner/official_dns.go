package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// zone is the DNS of the cases of initial-dns-seedlist-discovery: zone.json,
// which is beside their folders.
type zone struct {
	SRV map[string][]srvPair  `json:"srv"`
	TXT map[string][][]string `json:"txt"`
}

// srvPair is a record: [target, port].
type srvPair struct {
	target string
	port   int
}

func (p *srvPair) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[2]any{&p.target, &p.port})
}

// srvRecord is a record as method srv takes it.
type srvRecord struct {
	Target     string `json:"target"`
	Port       int    `json:"port"`
	TTLSeconds int    `json:"ttlSeconds"`
}

// zoneTTL is the TTL that the records of the specification's zone have.
const zoneTTL = 86400

// readZone reads the zone for the cases of a folder.
func readZone(folder string) (*zone, error) {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(folder), "zone.json"))
	if err != nil {
		return nil, err
	}
	z := new(zone)
	if err := decodeStrict(data, z); err != nil {
		return nil, fmt.Errorf("zone.json: %w", err)
	}
	if len(z.SRV) == 0 {
		return nil, errors.New("zone.json has no SRV records")
	}
	// App. A9: the specification's zone has the record of port 27017 only, where
	// replica-set/srv-service-name.json expects two.
	const custom = "_customname._tcp.test22.test.build.10gen.cc"
	if records := z.SRV[custom]; len(records) == 1 && records[0].port == 27017 {
		z.SRV[custom] = append(records, srvPair{records[0].target, 27018})
	}
	return z, nil
}

// answers gives the records of a name as a resolver does: with a dot at the
// end of the target.
func (z *zone) answers(name string) []srvRecord {
	records := []srvRecord{}
	for _, p := range z.SRV[name] {
		records = append(records, srvRecord{p.target + ".", p.port, zoneTTL})
	}
	return records
}

// dnsCase is a file of initial-dns-seedlist-discovery.
type dnsCase struct {
	URI           string                     `json:"uri"`
	Seeds         []string                   `json:"seeds"`
	NumSeeds      *int                       `json:"numSeeds"`
	Options       map[string]json.RawMessage `json:"options"`
	ParsedOptions *struct {
		User            *string `json:"user"`
		Password        *string `json:"password"`
		AuthDatabase    *string `json:"auth_database"`
		DefaultDatabase *string `json:"defaultDatabase"`
		DB              *string `json:"db"`
	} `json:"parsed_options"`
	Error   bool   `json:"error"`
	Comment string `json:"comment"`
	// What only a deployment can answer: the hosts that discovery finds behind
	// the seeds, and whether they answer a ping.
	Hosts    []string `json:"hosts"`
	NumHosts *int     `json:"numHosts"`
	Ping     *bool    `json:"ping"`
}

func loadDNSCase(z *zone, zoneErr error, file string, data []byte) testCase {
	c := testCase{file: file, name: "discovery", typed: true}
	c.loadErr = func() error {
		var f dnsCase
		if err := decodeStrict(data, &f); err != nil {
			return err
		}
		if zoneErr != nil {
			return zoneErr
		}
		if f.URI == "" || !f.Error && f.Seeds == nil && f.NumSeeds == nil {
			return errors.New("no uri, or nothing that is expected")
		}
		in, err := encode(map[string]string{"uri": f.URI})
		if err != nil {
			return err
		}
		c.steps = []step{
			{method: "parse_uri", in: in, check: f.checkParsed},
			{method: "srv", build: func(earlier []reply) ([]byte, error) { return f.discovery(z, earlier[0]) }, check: f.checkResolved},
		}
		c.finish = f.sameRefusal
		return nil
	}()
	return c
}

// discovery is the request of srv with what DNS answers to the names of
// parse_uri; where that was refused, there is nothing to ask DNS.
func (f *dnsCase) discovery(z *zone, parsed reply) ([]byte, error) {
	request := struct {
		URI string      `json:"uri"`
		SRV []srvRecord `json:"srv"`
		TXT [][]string  `json:"txt"`
	}{f.URI, []srvRecord{}, [][]string{}}
	if parsed.status == 0 {
		a, err := connStringAnswer(parsed)
		if err != nil {
			return nil, err
		}
		if a.Lookup != nil {
			request.SRV = z.answers(a.Lookup.SRV)
			request.TXT = append(request.TXT, z.TXT[a.Lookup.TXT]...)
		}
	}
	return encode(request)
}

// checkParsed: before the answers of DNS no seeds are known. A URI may be wrong
// in itself, or only with them.
func (f *dnsCase) checkParsed(got reply) error {
	if got.status < 0 && f.Error {
		return nil
	}
	a, err := connStringAnswer(got)
	if err != nil {
		return err
	}
	if *a.SRV && len(a.Hosts)+len(a.Seeds) > 0 {
		return errors.New("there are seeds before DNS has answered")
	}
	return nil
}

func (f *dnsCase) checkResolved(got reply) error {
	if f.Error {
		return got.refused()
	}
	a, err := connStringAnswer(got)
	if err != nil {
		return err
	}
	if len(a.Warnings) > 0 {
		return fmt.Errorf("a warning: %+v", a.Warnings[0])
	}
	// Rule 2.24: the lowest TTL, over a minute; a load balancer is not polled for.
	rescan := json.RawMessage("86400000")
	if string(a.Options["loadBalanced"]) == "true" {
		rescan = json.RawMessage("null")
	}
	if err := sameDocument("rescanMS", []byte(compact(a.RescanMS)), rescan); err != nil {
		return err
	}
	if f.NumSeeds != nil && len(a.Seeds) != *f.NumSeeds {
		return fmt.Errorf("%d seeds, want %d", len(a.Seeds), *f.NumSeeds)
	}
	if f.Seeds != nil {
		if err := sameSet("seeds", a.Seeds, f.Seeds); err != nil {
			return err
		}
	}
	if err := a.checkOptions(f.Options); err != nil {
		return err
	}
	if w := f.ParsedOptions; w != nil {
		for _, text := range []struct {
			name      string
			got, want *string
		}{
			{"username", a.Username, w.User}, {"password", a.Password, w.Password},
			{"database", a.Database, w.AuthDatabase}, {"database", a.Database, w.DefaultDatabase}, {"database", a.Database, w.DB},
		} {
			if text.want != nil {
				if err := sameText(text.name, text.got, text.want); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sameRefusal: what parse_uri refuses, srv refuses for the same reason.
func (f *dnsCase) sameRefusal(replies []reply) error {
	if replies[0].status < 0 && replies[1] != replies[0] {
		return fmt.Errorf("parse_uri and srv refuse the URI in different ways: %s and %s", replies[0].out, replies[1].out)
	}
	return nil
}
