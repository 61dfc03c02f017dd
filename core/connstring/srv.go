package connstring

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/status"
)

// SRVRecord is an SRV record of a DNS answer. Its priority and weight do not
// count.
type SRVRecord struct {
	Target     string // with or without a dot at its end
	Port       uint16
	TTLSeconds uint32 // 0 where it is not known
}

// Lookup returns the names to ask DNS for: one for SRV records, one for TXT
// records. Both are empty for mongodb://.
//
// Initial DNS Seedlist Discovery specification, "Querying DNS".
func (c *ConnString) Lookup() (srv, txt string) {
	if !c.SRV {
		return "", ""
	}
	service := "mongodb"
	if c.SRVServiceName.Set {
		service = c.SRVServiceName.Value
	}
	return "_" + service + "._tcp." + c.SRVHost, c.SRVHost
}

// Resolve returns the connection string with the hosts of the SRV records and
// the options of the TXT record, a list of strings; the connection string's own
// options win. No TXT record is fine; a DNS error of either lookup is the
// caller's to report. A mongodb:// connection string is its own answer.
//
// draw makes random 64-bit numbers, such as a SplitMix64 does. They choose the
// hosts where srvMaxHosts is less than there are. The error is a *status.Error
// whose path is srv, srv[1] or txt where an answer is at fault.
//
// Initial DNS Seedlist Discovery specification, "Seedlist Discovery" and
// "Default Connection String Options".
func (c *ConnString) Resolve(srv []SRVRecord, txt [][]string, draw func() uint64) (*ConnString, error) {
	if !c.SRV {
		return c, nil
	}
	r := *c
	r.Options = append([]Option(nil), c.Options...)
	r.Warnings = append([]status.Warning(nil), c.Warnings...)
	if err := r.resolve(srv, txt, draw); err != nil {
		return nil, err
	}
	return &r, nil
}

func (c *ConnString) resolve(srv []SRVRecord, txt [][]string, draw func() uint64) *status.Error {
	if len(srv) == 0 {
		return fault(status.NoSRVRecords, "srv", "there are no SRV records")
	}
	if len(srv) > MaxHosts {
		return fault(status.LimitExceeded, "srv", "more than 65536 SRV records")
	}
	c.Hosts = nil
	known := map[string]bool{}
	for i, record := range srv {
		h, problem := c.target(record)
		if problem != "" {
			return fault(status.InvalidSRVRecord, element("srv", i), problem)
		}
		if a := h.Address(); !known[a] {
			known[a] = true
			c.Hosts = append(c.Hosts, h)
		}
	}
	if err := c.readTXT(txt); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	if n := c.SRVMaxHosts.Value; n > 0 && n < int64(len(c.Hosts)) {
		chooseFirst(c.Hosts, int(n), draw)
		c.Hosts = c.Hosts[:n:n]
	}
	return nil
}

// target reads a record, which must name a host inside the domain. That is the
// host asked for without its first label, or all of it where it has fewer than
// three; so a target inside always has one label more than such a host.
//
// Initial DNS Seedlist Discovery specification, "Connection String Format".
func (c *ConnString) target(record SRVRecord) (h Host, problem string) {
	name, domain := str.TrimSuffix(record.Target, "."), c.SRVHost
	if str.Count(domain, '.') >= 2 {
		_, domain, _ = str.Cut(domain, ".")
	}
	switch at := len(name) - len(domain) - 1; {
	case !isHostname(name) || record.Port == 0:
		return h, "the record names no host and port"
	case at < 1 || name[at] != '.' || !uri.EqualFold(name[at+1:], domain):
		return h, quoted(name) + " is not in the domain " + quoted(domain)
	}
	return Host{Name: name, Port: record.Port}, ""
}

// readTXT adds the options of the TXT record that are not set yet.
func (c *ConnString) readTXT(records [][]string) *status.Error {
	if len(records) > 1 {
		return fault(status.InvalidTXTRecord, "txt", "there is more than one TXT record")
	}
	if len(records) == 0 {
		return nil
	}
	var found ConnString
	r := reader{c: &found, where: "txt"}
	var joined []byte
	for _, part := range records[0] {
		joined = append(joined, part...)
	}
	query := string(joined)
	for query != "" {
		var pair uri.Pair
		pair, query = uri.Next(query)
		if pair.Problem != "" {
			return fault(status.InvalidTXTRecord, r.path(pair.Name), pair.Problem)
		}
		id := findOption(pair.Name)
		if id != optionAuthSource && id != optionReplicaSet && id != optionLoadBalanced {
			return fault(status.InvalidTXTRecord, r.path(pair.Name), "a TXT record sets authSource, replicaSet and loadBalanced only")
		}
		if err := r.option(id, pair.Value); err != nil {
			return err // none of the three conflicts with itself, so far
		}
	}
	for _, w := range found.Warnings {
		c.warn(w.Code, w.Path, w.Message)
	}
	for i := range found.Options {
		o := &found.Options[i]
		if id := findOption(o.Name); c.get(id) == nil {
			c.set(id, o)
		}
	}
	return nil
}
