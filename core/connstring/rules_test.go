package connstring_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/connstring"
)

// The numbers are those of the rules that the specifications give; most of what
// is here no official case covers.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ rule, uri, want string }{
		{"2.1 no scheme", "localhost", "invalidURI "},
		{"2.1 the scheme is exact", "MONGODB://h", "invalidURI "},
		{"2.1 another scheme", "mongodb+srvx://h", "invalidURI "},
		{"not UTF-8", "mongodb://h\xff", "invalidUTF8 "},

		{"2.2 empty user", "mongodb://@h", "invalidURI userInfo"},
		{"2.2 empty user with a password", "mongodb://:p@h", "invalidURI userInfo"},
		{"2.2 two colons", "mongodb://u:p:q@h", "invalidURI userInfo"},
		{"2.2 at-sign", "mongodb://u@v@h", "invalidURI userInfo"},
		{"2.2 escape", "mongodb://u:%4@h", "invalidURI userInfo"},
		{"2.2 escapes that are not UTF-8", "mongodb://u:%ff@h", "invalidURI userInfo"},

		{"2.3 no host", "mongodb:///", "invalidHost hosts[0]"},
		{"2.3 empty", "mongodb://a,,b", "invalidHost hosts[1]"},
		{"2.3 empty, last", "mongodb://a,b,", "invalidHost hosts[2]"},
		{"2.3 no port", "mongodb://a,localhost:", "invalidHost hosts[1]"},
		{"2.3 no name", "mongodb://:27017", "invalidHost hosts[0]"},
		{"2.3 port with a sign", "mongodb://h:+1", "invalidHost hosts[0]"},
		{"2.3 port that overflows", "mongodb://h:18446744073709551617", "invalidHost hosts[0]"},
		{"2.3 IPv6 without brackets", "mongodb://::1", "invalidHost hosts[0]"},
		{"2.3 not closed", "mongodb://[::1", "invalidHost hosts[0]"},
		{"2.3 empty brackets", "mongodb://[]", "invalidHost hosts[0]"},
		{"2.3 after the bracket", "mongodb://[::1]27017", "invalidHost hosts[0]"},
		{"2.3 no port after the bracket", "mongodb://[::1]:", "invalidHost hosts[0]"},
		{"2.3 IPv4 in brackets", "mongodb://[127.0.0.1]", "invalidHost hosts[0]"},
		{"2.3 a name in brackets", "mongodb://[localhost]", "invalidHost hosts[0]"},
		{"2.3 space", "mongodb://a b", "invalidHost hosts[0]"},
		{"2.3 escaped bracket", "mongodb://%5B::1]", "invalidHost hosts[0]"},
		{"2.3 empty label", "mongodb://a..b", "invalidHost hosts[0]"},
		{"2.3 escape", "mongodb://a%2", "invalidHost hosts[0]"},
		{"2.3 zone", "mongodb://[fe80::1%25]", "invalidHost hosts[0]"},
		{"2.4 socket", "mongodb://%2Ftmp%2Fm.socket", "invalidHost hosts[0]"},
		{"2.4 socket with a port", "mongodb://%2Ftmp%2Fm.sock:1", "invalidHost hosts[0]"},
		{"2.4 a slash that is not escaped", "mongodb:///tmp/m.sock", "invalidHost hosts[0]"},

		{"2.5 slash", "mongodb://h/a%2Fb", "invalidURI database"},
		{"2.5 backslash", `mongodb://h/a\b`, "invalidURI database"},
		{"2.5 space", "mongodb://h/a%20b", "invalidURI database"},
		{"2.5 quote", "mongodb://h/%22", "invalidURI database"},
		{"2.5 dollar", "mongodb://h/$cmd", "invalidURI database"},
		{"2.5 escape", "mongodb://h/%", "invalidURI database"},

		{"2.6 no =", "mongodb://h/?tls", "invalidURIOption options.tls"},
		{"2.6 nothing between &", "mongodb://h/?tls=true&&w=1", "invalidURIOption options"},
		{"2.6 no name", "mongodb://h/?=1", "invalidURIOption options"},
		{"2.6 escape in a value", "mongodb://h/?appname=%zz", "invalidURIOption options.appname"},
		{"2.6 escape in a name", "mongodb://h/?a%=1", "invalidURIOption options"},
		{"2.6 the path is no foreign text", "mongodb://h/?a b", "invalidURIOption options"},

		{"2.8 proxyHost twice", "mongodb://h/?proxyHost=a&PROXYHOST=a", "conflictingOptions options.proxyHost"},
		{"2.8 tls and ssl", "mongodb://h/?tls=true&ssl=false", "conflictingOptions options.ssl"},
		{"2.8 ssl and tls", "mongodb://h/?ssl=true&tls=false", "conflictingOptions options.tls"},
		{"2.8 tls twice", "mongodb://h/?tls=true&tls=false", "conflictingOptions options.tls"},
		{"2.8 the third", "mongodb://h/?tls=true&ssl=true&tls=false", "conflictingOptions options.tls"},
		{"2.8 tlsInsecure, whatever the value", "mongodb://h/?tlsInsecure=x&tlsAllowInvalidHostnames=true", "conflictingOptions options.tlsAllowInvalidHostnames"},

		{"2.15 tags with primary", "mongodb://h/?readPreferenceTags=dc:ny", "tagsWithPrimary options.readPreferenceTags"},
		{"2.15 tags with primary and {}", "mongodb://h/?readPreference=primary&readPreferenceTags=&readPreferenceTags=dc:ny", "tagsWithPrimary options.readPreferenceTags"},
		{"2.14 maximum with primary", "mongodb://h/?maxStalenessSeconds=90", "maxStalenessWithPrimary options.maxStalenessSeconds"},
		{"100 tag sets", "mongodb://h/?readPreference=nearest" + strings.Repeat("&readPreferenceTags=", 101), "limitExceeded options.readPreferenceTags"},

		{"2.17 several hosts", "mongodb://a,b/?directConnection=true", "directConnectionWithMultipleHosts options.directConnection"},
		{"2.17 SRV", "mongodb+srv://a.b.c/?directConnection=true", "directConnectionWithMultipleHosts options.directConnection"},
		{"2.18 several hosts", "mongodb://a,b/?loadBalanced=true", "loadBalancedWithMultipleHosts options.loadBalanced"},
		{"2.18 a set", "mongodb://a/?loadBalanced=true&replicaSet=x", "loadBalancedWithReplicaSet options.loadBalanced"},
		{"2.18 direct", "mongodb://a/?directConnection=true&loadBalanced=true", "loadBalancedWithDirectConnection options.loadBalanced"},
		{"2.18 srvMaxHosts", "mongodb+srv://a.b.c/?loadBalanced=true&srvMaxHosts=1", "conflictingOptions options.srvMaxHosts"},
		{"2.19 srvMaxHosts without SRV", "mongodb://a/?srvMaxHosts=0", "conflictingOptions options.srvMaxHosts"},
		{"2.19 whatever its value", "mongodb://a/?srvMaxHosts=x", "conflictingOptions options.srvMaxHosts"},
		{"2.19 srvServiceName without SRV", "mongodb://a/?srvServiceName=x", "conflictingOptions options.srvServiceName"},
		{"2.19 a set", "mongodb+srv://a.b.c/?srvMaxHosts=1&replicaSet=x", "conflictingOptions options.srvMaxHosts"},
		{"2.20 two hosts", "mongodb+srv://a.b.c,d.b.c", "invalidHost hosts[1]"},
		{"2.20 a port", "mongodb+srv://a.b.c:27017", "invalidHost hosts[0]"},
		{"2.20 an address", "mongodb+srv://127.0.0.1", "invalidHost hosts[0]"},
		{"2.20 an IPv6 address", "mongodb+srv://[::1]", "invalidHost hosts[0]"},
		{"2.20 a socket", "mongodb+srv://%2Fa.sock", "invalidHost hosts[0]"},
		{"2.20 the root", "mongodb+srv://.", "invalidHost hosts[0]"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := connstring.Parse(c.uri)
			require.Error(t, err)
			assert.Nil(t, got)
			assert.Equal(t, c.want, codeOf(err), err.Error())
		})
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ rule, options, want string }{
		{"2.6 names fold ASCII case only", "APPNAME=x&replica\u017fet=x", "unknownURIOption options"},
		{"2.7 unknown", "foo=bar", "unknownURIOption options.foo"},
		{"2.7 empty integer", "connectTimeoutMS=", "invalidURIOptionValue options.connectTimeoutMS"},
		{"2.7 empty boolean", "journal=", "invalidURIOptionValue options.journal"},
		{"2.7 empty name of a set", "replicaSet=", "invalidURIOptionValue options.replicaSet"},
		{"2.7 more than 32 bits", "socketTimeoutMS=2147483648", "invalidURIOptionValue options.socketTimeoutMS"},
		{"2.7 a fraction", "socketTimeoutMS=1.5", "invalidURIOptionValue options.socketTimeoutMS"},
		{"2.7 long appname", "appname=" + strings.Repeat("x", 129), "invalidURIOptionValue options.appname"},
		{"2.7 negative w", "w=-2", "invalidURIOptionValue options.w"},
		{"2.7 w too large", "w=2147483648", "invalidURIOptionValue options.w"},
		{"2.7 an empty compressor", "compressors=zlib,", "invalidURIOptionValue options.compressors"},
		{"2.7 no compressors", "compressors=", "invalidURIOptionValue options.compressors"},
		{"2.7 too many compressors", "compressors=" + strings.Repeat("x,", 100) + "x", "invalidURIOptionValue options.compressors"},
		{"2.7 port of a proxy", "proxyHost=h&proxyPort=65536", "invalidURIOptionValue options.proxyPort"},
		{"2.8 repeated", "appname=a&appname=b", "repeatedURIOption options.appname"},
		{"2.8 repeated readPreference", "readPreference=nearest&readPreference=nearest", "repeatedURIOption options.readPreference"},
		{"2.8 a list is not repeated", "readPreference=nearest&readPreferenceTags=a:b&readPreferenceTags=a:b", ""},
		{"2.8 tls and ssl agree", "tls=true&ssl=true&tls=true", ""},
		{"2.9 1", "loadBalanced=1", "deprecatedURIOptionValue options.loadBalanced"},
		{"2.9 -1", "journal=-1", "deprecatedURIOptionValue options.journal"},
		{"2.9 of ssl", "ssl=yes", "deprecatedURIOptionValue options.ssl"},
		{"2.9 exact", "journal=True", "invalidURIOptionValue options.journal"},
		{"2.10 alias alone", "wtimeout=5", "deprecatedURIOption options.wtimeout"},
		{"2.10 alias and its replacement", "wTimeoutMS=5&wtimeout=6", "deprecatedURIOption options.wtimeout"},
		{"2.10 the other way round", "wtimeout=6&wTimeoutMS=5", "deprecatedURIOption options.wtimeout"},
		{"2.11 an element without a colon", "authMechanismProperties=a:b,c", "invalidURIOptionValue options.authMechanismProperties"},
		{"2.12 spelling", "readPreference=Primary", "invalidURIOptionValue options.readPreference"},
		{"2.13 invalid alone", "readPreferenceTags=invalid", "invalidURIOptionValue options.readPreferenceTags"},
		{"2.14 -2", "maxStalenessSeconds=-2", "invalidURIOptionValue options.maxStalenessSeconds"},
		{"2.14 -1", "maxStalenessSeconds=-1", ""},
		{"2.14 1", "readPreference=nearest&maxStalenessSeconds=1", ""},
		{"2.16 heartbeat", "heartbeatFrequencyMS=499", "invalidURIOptionValue options.heartbeatFrequencyMS"},
		{"2.16 heartbeat, the least", "heartbeatFrequencyMS=500", ""},
		{"2.16 localThresholdMS", "localThresholdMS=-1", "invalidURIOptionValue options.localThresholdMS"},
		{"2.16 zeros", "localThresholdMS=0&serverSelectionTimeoutMS=0&connectTimeoutMS=0&socketTimeoutMS=0&timeoutMS=0&maxAdaptiveRetries=0", ""},
		{"2.16 maxConnecting", "maxConnecting=0", "invalidURIOptionValue options.maxConnecting"},
		{"2.16 maxAdaptiveRetries", "maxAdaptiveRetries=-1", "invalidURIOptionValue options.maxAdaptiveRetries"},
		{"2.16 serverMonitoringMode", "serverMonitoringMode=Stream", "invalidURIOptionValue options.serverMonitoringMode"},
		{"2.16 enableOverloadRetargeting", "enableOverloadRetargeting=on", "invalidURIOptionValue options.enableOverloadRetargeting"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := connstring.Parse("mongodb://h/?" + c.options)
			require.NoError(t, err)
			assert.Equal(t, c.want, warnings(got))
		})
	}
	for _, c := range []struct{ rule, options, want string }{
		{"2.19 negative", "srvMaxHosts=-1", "invalidURIOptionValue options.srvMaxHosts"},
		{"2.19 no number", "srvMaxHosts=x", "invalidURIOptionValue options.srvMaxHosts"},
		{"2.19 0 with a set", "srvMaxHosts=0&replicaSet=x", ""},
		{"a service name is a label", "srvServiceName=a._tcp.evil", "invalidURIOptionValue options.srvServiceName"},
		{"of letters", "srvServiceName=123", "invalidURIOptionValue options.srvServiceName"},
		{"no hyphen first", "srvServiceName=-a", "invalidURIOptionValue options.srvServiceName"},
		{"no hyphen last", "srvServiceName=a-", "invalidURIOptionValue options.srvServiceName"},
		{"no two hyphens", "srvServiceName=a--b", "invalidURIOptionValue options.srvServiceName"},
		{"long", "srvServiceName=" + strings.Repeat("a", 63), "invalidURIOptionValue options.srvServiceName"},
		{"as long as DNS allows", "srvServiceName=a-1" + strings.Repeat("a", 59), ""},
		{"2.17 directConnection=false", "directConnection=false", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := connstring.Parse("mongodb+srv://a.b.c/?" + c.options)
			require.NoError(t, err)
			assert.Equal(t, c.want, warnings(got))
		})
	}
}

func warnings(c *connstring.ConnString) string {
	var all []string
	for _, w := range c.Warnings {
		all = append(all, w.Code+" "+w.Path)
	}
	return strings.Join(all, ", ")
}

func TestHints(t *testing.T) {
	for name, meant := range map[string]string{
		"slaveOk": "readPreference", "slaveok": "readPreference",
		"acceptableLatencyMS": "localThresholdMS", "secondaryAcceptableLatencyMS": "localThresholdMS",
		"readPreferences": "readPreference", "readPreferenceTag": "readPreferenceTags", "readPreferenceTagSets": "readPreferenceTags",
		"maxStaleness": "maxStalenessSeconds", "max_staleness_seconds": "maxStalenessSeconds",
		"replica_set": "replicaSet", "repicaSet": "replicaSet", "serverSelectionTimeout": "serverSelectionTimeoutMS", "j": "journal",
		"foo": "", "x": "",
	} {
		c, err := connstring.Parse("mongodb://h/?" + name + "=1")
		require.NoError(t, err)
		require.Len(t, c.Warnings, 1, name)
		assert.Contains(t, c.Warnings[0].Message, `"`+name+`"`)
		if meant == "" {
			assert.NotContains(t, c.Warnings[0].Message, "did you mean")
		} else {
			assert.Contains(t, c.Warnings[0].Message, `did you mean "`+meant+`"?`)
		}
	}
}
