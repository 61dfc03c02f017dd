package wire

import (
	"math"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// SRVRequest is a decoded request of srv.
type SRVRequest struct {
	URI  string
	SRV  []connstring.SRVRecord
	TXT  [][]string
	Seed uint64

	// Polling says that a topology has the servers Current already.
	Polling bool
	Current []string
	// HeartbeatFrequencyMS is 0 where the request does not say it.
	HeartbeatFrequencyMS int64
}

var srvKeys = []string{"uri", "srv", "txt", "seed", "current", "heartbeatFrequencyMS"}

const (
	dnsURI = iota
	dnsSRV
	dnsTXT
	dnsSeed
	dnsCurrent
	dnsHeartbeatFrequency
	dnsCount
)

// SRVRequest decodes {"uri", "srv", "txt", "seed"}, or with "current", for a
// topology that is polled, {"uri", "srv", "seed", "heartbeatFrequencyMS"}.
func (d *Decoder) SRVRequest(r *SRVRequest, in []byte) *status.Error {
	d.start(in)
	*r = SRVRequest{}
	var f fields
	var keyAt [dnsCount]int
	if !d.failed && d.object(&f, srvKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			keyAt[i] = d.key
			switch i {
			case dnsURI:
				r.URI, _ = d.text()
			case dnsSRV:
				r.SRV = d.srvRecords()
			case dnsTXT:
				r.TXT = d.txtRecords()
			case dnsSeed:
				r.Seed = d.seed()
			case dnsCurrent:
				r.Polling, r.Current = true, d.addresses(nil)
			case dnsHeartbeatFrequency:
				r.HeartbeatFrequencyMS, _ = d.integer(selection.SmallestHeartbeatFrequencyMS, math.MaxInt64)
			}
		}
		switch {
		case d.failed:
		case keyAt[dnsURI] == 0:
			d.missing(&f, srvKeys[dnsURI])
		case keyAt[dnsSRV] == 0:
			d.missing(&f, srvKeys[dnsSRV])
		case r.Polling && keyAt[dnsTXT] != 0:
			d.report(status.UnknownKey, keyAt[dnsTXT], "", `"txt" counts at the first discovery only: it cannot stand beside "current"`)
		case !r.Polling && keyAt[dnsHeartbeatFrequency] != 0:
			d.report(status.UnknownKey, keyAt[dnsHeartbeatFrequency], "", `"heartbeatFrequencyMS" goes with "current"`)
		}
	}
	return d.end()
}

var srvRecordKeys = []string{"target", "port", "ttlSeconds"}

// srvRecords reads the SRV records of a DNS answer.
func (d *Decoder) srvRecords() (list []connstring.SRVRecord) {
	if !d.list("SRV records") {
		return nil
	}
	for d.more(']') {
		if !d.room(len(list), connstring.MaxHosts, "more than 65536 SRV records") {
			return nil
		}
		list = append(list, d.srvRecord())
	}
	return list
}

func (d *Decoder) srvRecord() (r connstring.SRVRecord) {
	var f fields
	if !d.object(&f, srvRecordKeys) {
		return r
	}
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case 0:
			r.Target, _ = d.text()
		case 1:
			v, _ := d.integer(0, math.MaxUint16)
			r.Port = uint16(v)
		case 2:
			v, _ := d.integer(0, math.MaxUint32)
			r.TTLSeconds = uint32(v)
		}
	}
	d.require(&f, 1<<0|1<<1)
	return r
}

// txtRecords reads the TXT records of a DNS answer, each a list of strings. It
// keeps two: that there are more than one is wrong already.
func (d *Decoder) txtRecords() (list [][]string) {
	if !d.list("TXT records, each a list of strings") {
		return nil
	}
	for d.more(']') {
		if record := d.texts(nil); len(list) < 2 {
			list = append(list, record)
		}
	}
	return list
}

// AppendResolved appends the answer of srv at the first discovery: that of
// parse_uri, and the time to the first scan.
func AppendResolved(dst []byte, c *connstring.ConnString, srv []connstring.SRVRecord) []byte {
	dst = str.Append(appendConnString(dst, c), `,"rescanMS":`)
	if c.LoadBalanced.Value {
		dst = str.Append(dst, "null") // a load balancer is not polled for
	} else {
		dst = appendInt(dst, connstring.RescanMS(srv))
	}
	return str.AppendByte(appendWarningList(dst, c.Warnings), '}')
}

// AppendRescan appends the answer of srv for a topology that is polled.
func AppendRescan(dst []byte, r *connstring.Rescan) []byte {
	dst = appendStrings(str.Append(dst, `{"added":`), r.Added)
	dst = appendStrings(str.Append(dst, `,"removed":`), r.Removed)
	dst = appendCounted(dst, `,"nextMS":`, r.NextMS)
	return str.AppendByte(appendWarningList(dst, r.Warnings), '}')
}
