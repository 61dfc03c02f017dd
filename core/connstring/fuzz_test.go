package connstring_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// Whatever the bytes, there is an answer. What was read can be written again,
// and reads as the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "mongodb://", "mongodb://h", "mongodb+srv://a.b.c/?srvMaxHosts=1&srvServiceName=x", "mongodb://u%40:p@[fe80::1%25a]:1,%2Fx.sock,1.2.3.4/d.b?w=1&w=x",
		"mongodb://h/?readPreference=nearest&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=&maxStalenessSeconds=120",
		"mongodb://h?tls=1&ssl=true&wtimeout=3&compressors=a,b&authMechanismProperties=A:b:c,D:&proxyHost=h&heartbeatFrequencyMS=1",
		"mongodb://h/?loadBalanced=true", "mongodb://a,b/?directConnection=false&replicaSet=%00", "mongodb://h/?appname=%ff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		c, err := connstring.Parse(uri)
		if err != nil {
			require.Nil(t, c)
			var e *status.Error
			require.ErrorAs(t, err, &e)
			require.NotEqual(t, "unknown", e.Code.String())
			require.True(t, utf8.ValidString(e.Path))
			return
		}
		for _, w := range c.Warnings {
			require.NotEmpty(t, w.Path)
			require.True(t, utf8.ValidString(w.Path+w.Message), "%q", w)
		}
		require.Equal(t, c.SRV, len(c.Seeds()) == 0)
		require.NoError(t, c.Preference.Validate())

		again, err := connstring.Parse(format(t, c))
		require.NoError(t, err)
		require.Empty(t, again.Warnings)
		require.Equal(t, c.Seeds(), again.Seeds())
		require.True(t, c.Preference.Equal(&again.Preference))
		again.Warnings = c.Warnings
		again.Preference = c.Preference
		require.Equal(t, c, again)
		if c.SRV {
			rng := selection.SplitMix64(1)
			r, err := c.Resolve(records("x."+c.SRVHost, "y."+c.SRVHost), [][]string{{"authSource=x"}}, rng.Next)
			if err == nil {
				require.NotEmpty(t, r.Seeds())
			}
		}
	})
}

// format writes a connection string back, by means that the parser does not
// share.
func format(t *testing.T, c *connstring.ConnString) string {
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	var hosts []string
	for _, h := range c.Hosts {
		text := escape(h.Name)
		if h.Kind == connstring.IPLiteral {
			text = "[" + text + "]"
		}
		if h.Port != 0 {
			text += fmt.Sprint(":", h.Port)
		}
		hosts = append(hosts, text)
	}
	scheme := "mongodb://"
	if c.SRV {
		scheme, hosts = "mongodb+srv://", []string{escape(c.SRVHost)}
	}
	user := ""
	if c.HasUsername {
		user = escape(c.Username)
		if c.HasPassword {
			user += ":" + escape(c.Password)
		}
		user += "@"
	}
	query, err := connstring.FormatPreference(c.Preference)
	require.NoError(t, err)
	options := []string{query}
	for _, o := range c.Options {
		text := ""
		switch o.Kind {
		case connstring.KindList:
			for i, s := range o.List {
				text += strings.Repeat(",", min(i, 1)) + escape(s)
			}
		case connstring.KindPairs:
			for i, p := range o.Pairs {
				text += strings.Repeat(",", min(i, 1)) + escape(p.Name) + ":" + escape(p.Value)
			}
		default:
			text = escape(fmt.Sprint(value(t, o)))
		}
		options = append(options, o.Name+"="+text)
	}
	return scheme + user + strings.Join(hosts, ",") + "/" + escape(c.Database) + "?" + strings.Join(options, "&")
}
