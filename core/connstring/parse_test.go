package connstring_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/tag"
)

func TestFields(t *testing.T) {
	c, err := connstring.Parse("mongodb://u%40x:p%3A@Example.com,[::1]:27018,%2Ftmp%2FM.sock/some.db?replicaSet=rs&localThresholdMS=1&serverSelectionTimeoutMS=2" +
		"&heartbeatFrequencyMS=1500&connectTimeoutMS=4&socketTimeoutMS=5&timeoutMS=6&serverMonitoringMode=poll&serverSelectionTryOnce=false" +
		"&maxAdaptiveRetries=7&enableOverloadRetargeting=true&ssl=false&directConnection=false&loadBalanced=false&w=majority&compressors=snappy,zlib" +
		"&authMechanismProperties=A:mongodb://x,B:&authSource=$external")
	require.NoError(t, err)
	assert.Empty(t, c.Warnings)
	assert.False(t, c.SRV)
	assert.Equal(t, []string{"u@x", "p:", "some.db"}, []string{c.Username, c.Password, c.Database})
	assert.Equal(t, []connstring.Host{
		{Name: "Example.com"}, {Name: "::1", Port: 27018, Kind: connstring.IPLiteral}, {Name: "/tmp/M.sock", Kind: connstring.UnixSocket},
	}, c.Hosts)
	assert.Equal(t, []string{"example.com:27017", "[::1]:27018", "/tmp/M.sock"}, c.Seeds())
	assert.Equal(t, given("rs"), c.ReplicaSet)
	assert.Equal(t, given(int64(1)), c.LocalThresholdMS)
	assert.Equal(t, given(int64(2)), c.ServerSelectionTimeoutMS)
	assert.Equal(t, given(int64(1500)), c.HeartbeatFrequencyMS)
	assert.Equal(t, given(int64(4)), c.ConnectTimeoutMS)
	assert.Equal(t, given(int64(5)), c.SocketTimeoutMS)
	assert.Equal(t, given(int64(6)), c.TimeoutMS)
	assert.Equal(t, given("poll"), c.ServerMonitoringMode)
	assert.Equal(t, given(false), c.ServerSelectionTryOnce)
	assert.Equal(t, given(int64(7)), c.MaxAdaptiveRetries)
	assert.Equal(t, given(true), c.EnableOverloadRetargeting)
	assert.Equal(t, given(false), c.TLS)
	assert.Equal(t, given(false), c.DirectConnection)
	assert.Equal(t, given(false), c.LoadBalanced)
	assert.Zero(t, c.SRVMaxHosts)
	assert.Zero(t, c.SRVServiceName)
	require.Len(t, c.Options, 18)
	assert.Equal(t, []connstring.Option{
		{Name: "tls", Kind: connstring.KindBool},
		{Name: "directConnection", Kind: connstring.KindBool},
		{Name: "loadBalanced", Kind: connstring.KindBool},
		{Name: "w", Text: "majority"},
		{Name: "compressors", Kind: connstring.KindList, List: []string{"snappy", "zlib"}},
		{Name: "authMechanismProperties", Kind: connstring.KindPairs, Pairs: tag.Set{{Name: "A", Value: "mongodb://x"}, {Name: "B"}}},
		{Name: "authSource", Text: "$external"},
	}, c.Options[11:])

	srv, txt := c.Lookup()
	assert.Empty(t, srv+txt)
	same, err := c.Resolve(nil, nil, nil)
	require.NoError(t, err)
	assert.Same(t, c, same)
}

func given[T any](v T) connstring.Maybe[T] { return connstring.Maybe[T]{Value: v, Set: true} }

// The last valid value of a repeated option counts, and a deprecated name only
// without its replacement.
func TestWhichValueCounts(t *testing.T) {
	for options, want := range map[string]string{
		"appname=a&appname=b":               "appname=b",
		"wTimeoutMS=1&wTimeoutMS=x":         "wTimeoutMS=1",
		"wtimeout=5":                        "wTimeoutMS=5",
		"wtimeout=5&wTimeoutMS=6":           "wTimeoutMS=6",
		"wTimeoutMS=6&wtimeout=5":           "wTimeoutMS=6",
		"wtimeout=x":                        "",
		"w=3&w=majority":                    "w=majority",
		"w=majority&w=3":                    "w=3",
		"maxPoolSize=1&foo=2&minPoolSize=3": "maxPoolSize=1 minPoolSize=3",
		"ssl=true&tls=true":                 "tls=true",
		"ssl=x&tls=false":                   "tls=false",
		"journal=y":                         "journal=true",
		"journal=-1":                        "journal=false",
		"tlsCertificateKeyFilePassword=":    "tlsCertificateKeyFilePassword=",
	} {
		c, err := connstring.Parse("mongodb://h/?" + options)
		require.NoError(t, err)
		var got []string
		for _, o := range c.Options {
			got = append(got, fmt.Sprint(o.Name, "=", value(t, o)))
		}
		assert.Equal(t, want, strings.Join(got, " "), options)
	}
}

func TestHosts(t *testing.T) {
	for text, want := range map[string]string{
		"H":                       "hostname h:27017",
		"h:1":                     "hostname h:1",
		"h:00080":                 "hostname h:80",
		"h.":                      "hostname h.:27017",
		"a_b-c~d":                 "hostname a_b-c~d:27017",
		"%41":                     "hostname a:27017",
		"x.sock":                  "hostname x.sock:27017",
		"BÜCHER.example":          "hostname bÜcher.example:27017",
		"0.0.0.0":                 "ipv4 0.0.0.0:27017",
		"255.255.255.255:65535":   "ipv4 255.255.255.255:65535",
		"127.0.0.256":             "hostname 127.0.0.256:27017",
		"127.0.0.01":              "hostname 127.0.0.01:27017",
		"127.0.0":                 "hostname 127.0.0:27017",
		"127.0.0.1.1":             "hostname 127.0.0.1.1:27017",
		"[::]":                    "ip_literal [::]:27017",
		"[FE80::A]:1":             "ip_literal [fe80::a]:1",
		"[1:2:3:4:5:6:7:8]":       "ip_literal [1:2:3:4:5:6:7:8]:27017",
		"[1:2:3:4:5:6:7::]":       "ip_literal [1:2:3:4:5:6:7::]:27017",
		"[::ffff:1.2.3.4]":        "ip_literal [::ffff:1.2.3.4]:27017",
		"[1:2:3:4:5:6:1.2.3.4]":   "ip_literal [1:2:3:4:5:6:1.2.3.4]:27017",
		"[fe80::1%25eth0]":        "ip_literal [fe80::1%eth0]:27017",
		"%2FTmp%2Fa%3Ab%2Cc.sock": "unix /Tmp/a:b,c.sock",
		"rel%2Fm.sock":            "unix rel/m.sock",
		"[:1]":                    "",
		"[1:]":                    "",
		"[:::]":                   "",
		"[1::2::3]":               "",
		"[1:2:3:4:5:6:7]":         "",
		"[1:2:3:4:5:6:7:8:9]":     "",
		"[1:2:3:4:5:6:7:8::]":     "",
		"[12345::]":               "",
		"[g::]":                   "",
		"[1.2.3.4::]":             "",
		"[::1.2.3]":               "",
		"[1:2:3:4:5:6:7:1.2.3.4]": "",
		"[::1%25a b]":             "",
	} {
		c, err := connstring.Parse("mongodb://" + text)
		if want == "" {
			assert.Equal(t, "invalidHost hosts[0]", codeOf(err), text)
			continue
		}
		require.NoError(t, err, text)
		assert.Equal(t, want, c.Hosts[0].Kind.String()+" "+c.Hosts[0].Address(), text)
		assert.Equal(t, []string{c.Hosts[0].Address()}, c.Seeds())
	}
	assert.Equal(t, "invalid", connstring.HostKind(9).String())
}

// Seeds that name the same server collapse, and count once.
func TestDuplicateSeeds(t *testing.T) {
	const hosts = "mongodb://h,H:27017,%68:27017,h.,[::1],[::1]:27017"
	c, err := connstring.Parse(hosts)
	require.NoError(t, err)
	assert.Len(t, c.Hosts, 6)
	assert.Equal(t, []string{"h:27017", "h.:27017", "[::1]:27017"}, c.Seeds())
	for _, option := range []string{"directConnection", "loadBalanced"} {
		_, err = connstring.Parse("mongodb://h,H:27017/?" + option + "=true")
		require.NoError(t, err)
	}
	for _, sockets := range []string{"mongodb://%2Fa.sock,%2FA.sock"} {
		c, err = connstring.Parse(sockets)
		require.NoError(t, err)
		assert.Len(t, c.Seeds(), 2, "the case of a path counts")
	}
}

// No message shows a password, wherever an escape was forgotten.
func TestMessagesKeepSecrets(t *testing.T) {
	for _, uri := range []string{
		"mongodb://u:hunter2@x@h", "mongodb://u:hunter2:x@h", "mongodb://u:%hunter2@h", "mongodb://u:hunter2/x@h", "mongodb://u:hunter2?x@h/?w=1",
		"mongodb://u:x/hunter2@h", "mongodb://u:hunter2@h:x", "mongodb://u:hunter2@h,", "mongodb://u:hunter2@h/a b", "mongodb://h/hunter2 x",
		"mongodb://h/?proxyPassword=hunter2", "mongodb://h/?proxyHost=h&proxyPassword=hunter2&proxyPassword=hunter2",
		"mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:hunter2,x", "mongodb://u:hunter2@h/?readPreferenceTags=a:b",
		"mongodb://h/?tlsCertificateKeyFilePassword=hunter2&tlsCertificateKeyFilePassword=hunter2&tlsInsecure=1&tlsAllowInvalidHostnames=1",
		// A number before the ? or / makes user:1234 a host.
		"mongodb://user:1234?hunter2@h/", "mongodb://user:1234?hunter2@h/?w=1", "mongodb://user:1234/hunter2 @h/", "mongodb+srv://us?er:hunter2@h/",
		"mongodb://user:1234?hunter2=1@h/", "mongodb://user:1234?hunter2%zz=1@h/", "mongodb://user:1234?a&hunter2@h/", "mongodb://us?er:hunter2@h/",
		"mongodb://user:1234?localThresholdMS=hunter2@h", "mongodb://user:1234?readPreference=hunter2@h",
		// A password that goes on behind an &.
		"mongodb://h/?tlsCertificateKeyFilePassword=x&hunter2", "mongodb://h/?tlsCertificateKeyFilePassword=x&hunter2!=1",
	} {
		c, err := connstring.Parse(uri)
		if err != nil {
			assert.NotContains(t, err.Error(), "hunter2", uri)
			continue
		}
		require.NotEmpty(t, c.Warnings, uri)
		for _, w := range c.Warnings {
			assert.NotContains(t, w.Path+w.Message, "hunter2", uri)
		}
	}
	_, err := connstring.Parse("mongodb://u:pass/word@h/db")
	assert.ErrorContains(t, err, "percent-encoded")
	_, err = connstring.Parse("mongodb://user:1234?x@h/")
	assert.ErrorContains(t, err, "percent-encoded")
	_, err = connstring.Parse("mongodb://h/?x=1&tls")
	assert.EqualError(t, err, `options.tls: "tls" is not name=value`)
}

func TestLimits(t *testing.T) {
	hosts := strings.Repeat("h,", connstring.MaxHosts-1) + "h"
	c, err := connstring.Parse("mongodb://" + hosts)
	require.NoError(t, err)
	assert.Len(t, c.Hosts, connstring.MaxHosts)
	_, err = connstring.Parse("mongodb://" + hosts + ",h")
	assert.Equal(t, "limitExceeded hosts", codeOf(err))

	const start = "mongodb://h/?appname="
	c, err = connstring.Parse(start + strings.Repeat("x", connstring.MaxLength-len(start)))
	require.NoError(t, err)
	assert.Len(t, c.Warnings, 1)
	_, err = connstring.Parse(start + strings.Repeat("x", connstring.MaxLength-len(start)+1))
	assert.Equal(t, "limitExceeded ", codeOf(err))

	c, err = connstring.Parse("mongodb://h/?" + strings.Repeat("x=1&", 1000))
	require.NoError(t, err)
	assert.Len(t, c.Warnings, 100)
}

// A mebibyte of anything is read in time: what took quadratic time would need
// minutes.
func TestMebibyte(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, uri := range map[string]string{
		"scheme":        fill("mongodb"),
		"users":         "mongodb://" + fill("u@") + "h",
		"colons":        "mongodb://" + fill(":") + "@h",
		"escapes":       "mongodb://" + fill("%41") + "@h",
		"host":          "mongodb://" + fill("h"),
		"labels":        "mongodb://" + fill("h."),
		"numbers":       "mongodb://" + fill("1."),
		"groups":        "mongodb://[" + fill("1:") + "]",
		"brackets":      "mongodb://" + fill("["),
		"port":          "mongodb://h:" + fill("1"),
		"hosts":         "mongodb://" + fill("h,"),
		"other hosts":   "mongodb://" + manyHosts(connstring.MaxHosts) + "/?loadBalanced=true",
		"srv":           "mongodb+srv://" + fill("h.") + "h",
		"database":      "mongodb://h/" + fill("d"),
		"slashes":       "mongodb://h" + fill("/"),
		"question":      "mongodb://h" + fill("?"),
		"ampersands":    "mongodb://h/?" + fill("&"),
		"unknown":       "mongodb://h/?" + fill("readPreferences=1&"),
		"repeated":      "mongodb://h/?" + fill("w=1&"),
		"invalid":       "mongodb://h/?" + fill("journal=x&"),
		"tag sets":      "mongodb://h/?readPreference=nearest&" + fill("readPreferenceTags=a:b,c:d&"),
		"tags":          "mongodb://h/?readPreference=nearest&readPreferenceTags=" + fill("a:b,"),
		"properties":    "mongodb://h/?authMechanismProperties=" + fill("a:b,"),
		"compressors":   "mongodb://h/?compressors=" + fill("a,"),
		"value":         "mongodb://h/?replicaSet=" + fill("%41"),
		"name":          "mongodb://h/?" + fill("a") + "=1",
		"equals":        "mongodb://h/?a" + fill("="),
		"deprecated":    "mongodb://h/?" + fill("wtimeout=1&"),
		"tls":           "mongodb://h/?" + fill("tls=true&ssl=true&"),
		"bad UTF-8":     "mongodb://" + fill("\xff"),
		"replica names": "mongodb://h/?replicaSet=" + fill("é"),
	} {
		start := time.Now()
		c, err := connstring.Parse(uri)
		assert.Less(t, time.Since(start), 5*time.Second, name)
		if err != nil {
			assert.Less(t, len(err.Error()), 400, name)
			continue
		}
		assert.LessOrEqual(t, len(c.Warnings), 100, name)
	}
}

func manyHosts(n int) string {
	hosts := make([]string, n)
	for i := range hosts {
		hosts[i] = fmt.Sprintf("h%d", i)
	}
	return strings.Join(hosts, ",")
}
