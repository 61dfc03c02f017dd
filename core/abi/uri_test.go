package abi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/tag"
)

// answer asks a method and requires an answer.
func answer(t require.TestingT, c *abi.Context, method string, request, into any) {
	in, err := json.Marshal(request)
	require.NoError(t, err)
	out, ok := c.Answer(method, in)
	require.True(t, ok, "%s %s: %s", method, in, out)
	require.NoError(t, json.Unmarshal(out, into))
}

type parsed struct {
	SRV            bool
	Hosts          []struct{ Type, Host string }
	Seeds          []string
	ReadPreference json.RawMessage
	Options        map[string]any
	Warnings       []struct{ Code, Path string }
}

// 2.13, uri-08: a preference that options can say is read back by parse_uri and
// by validate, in its normal form.
func TestToURIReadsBack(t *testing.T) {
	text := rapid.StringOfN(rapid.OneOf(rapid.SampledFrom([]rune(`:&=%+ #?/@"é😀`+"\x00\x7f")), rapid.Rune()), 0, 6, -1)
	plain := func(t *rapid.T, label, never string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(never, r) || r == utf8.RuneError {
				return 'x'
			}
			return r
		}, text.Draw(t, label))
	}
	var c abi.Context
	rapid.Check(t, func(t *rapid.T) {
		p := generate.Preference(t, 10000)
		p.Hedge = 0
		for i, set := range p.TagSets {
			for j := range set {
				if rapid.Bool().Draw(t, "odd") {
					set[j] = tag.Tag{Name: plain(t, "name", ":,") + string(rune('a'+j%26)) + string(rune('a'+j/26)), Value: plain(t, "value", ",")}
				}
			}
			p.TagSets[i] = set
		}
		if p.Validate() != nil {
			return
		}
		request := object{{"readPreference", preferenceObject(&p)}}
		var valid, read struct{ ReadPreference json.RawMessage }
		answer(t, &c, "validate", request, &valid)
		var uri struct{ Query string }
		answer(t, &c, "to_uri", request, &uri)
		var got parsed
		answer(t, &c, "parse_uri", object{{"uri", "mongodb://a.example/?" + uri.Query}}, &got)
		require.Equal(t, string(valid.ReadPreference), string(got.ReadPreference), uri.Query)
		require.Empty(t, got.Warnings)
		require.Empty(t, got.Options)
		answer(t, &c, "validate", object{{"uriOptions", uri.Query}}, &read)
		require.Equal(t, string(valid.ReadPreference), string(read.ReadPreference))
	})
}

// Whatever the text: an answer or an error of the connection string, and the
// seeds of an answer are seeds of themselves.
func FuzzParseURI(f *testing.F) {
	for _, s := range []string{
		"mongodb://a.example", "mongodb://u:p@A.example:27018,[::1],%2Ftmp%2Fm.sock/db?readPreference=nearest&readPreferenceTags=a:b&readPreferenceTags=",
		"mongodb+srv://c.example.com/?srvMaxHosts=2&ssl=false", "mongodb://a?w=1&w=2&wtimeout=5", "mongodb://[fe80::1%25eth0]", "x", "mongodb://@,/?&=%",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // no JSON string
		}
		var c abi.Context
		in, err := json.Marshal(object{{"uri", text}})
		require.NoError(t, err)
		out, ok := c.Answer("parse_uri", in)
		if !ok {
			requireErrorDocument(t, out)
			return
		}
		var got parsed
		require.NoError(t, json.Unmarshal(out, &got), "%s", out)
		require.Equal(t, got.SRV, len(got.Hosts) == 0)
		require.LessOrEqual(t, len(got.Seeds), len(got.Hosts))
		if len(got.Seeds) == 0 {
			return
		}
		var hosts []string
		for _, seed := range got.Seeds {
			if strings.Contains(seed, "/") { // the path of a socket
				hosts = append(hosts, url.PathEscape(seed))
			} else {
				hosts = append(hosts, strings.ReplaceAll(seed, "%", "%25"))
			}
		}
		var again parsed
		answer(t, &c, "parse_uri", object{{"uri", "mongodb://" + strings.Join(hosts, ",")}}, &again)
		require.Equal(t, got.Seeds, again.Seeds)
	})
}

// 2.21, 2.22, 2.24: discovery takes every host of DNS, or so many of them as
// srvMaxHosts says; a scan with the same answer changes nothing; and after any
// scan the topology has what DNS has, or as many.
func TestSRVFollowsDNS(t *testing.T) {
	var c abi.Context
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(0, 4).Draw(t, "srvMaxHosts")
		uri := fmt.Sprintf("mongodb+srv://cluster0.example.com/?srvMaxHosts=%d", most)
		seed := fmt.Sprint(rapid.Uint64().Draw(t, "seed"))
		// Each record names one of six hosts, in any spelling.
		records := func(label string) (list []any, hosts map[string]bool) {
			hosts = map[string]bool{}
			for range rapid.IntRange(1, 8).Draw(t, label) {
				i := rapid.IntRange(0, 5).Draw(t, label+"Host")
				target := fmt.Sprintf("db%d.example.com", i)
				hosts[target+":27017"] = true
				switch rapid.IntRange(0, 2).Draw(t, label+"Spelling") {
				case 0:
					target += "."
				case 1:
					target = strings.ToUpper(target)
				}
				list = append(list, object{{"target", target}, {"port", 27017}})
			}
			return list, hosts
		}
		wanted := func(hosts int) int {
			if most > 0 {
				return min(most, hosts)
			}
			return hosts
		}
		first, hosts := records("first")
		var found parsed
		answer(t, &c, "srv", object{{"uri", uri}, {"srv", first}, {"seed", seed}}, &found)
		require.Len(t, found.Seeds, wanted(len(hosts)))
		for _, s := range found.Seeds {
			require.True(t, hosts[s], s)
		}

		scan := func(current []string, srv []any) (after []string) {
			var r struct{ Added, Removed []string }
			answer(t, &c, "srv", object{{"uri", uri}, {"srv", srv}, {"seed", seed}, {"current", current}}, &r)
			for _, s := range current {
				if !slices.Contains(r.Removed, s) {
					after = append(after, s)
				}
			}
			return append(after, r.Added...)
		}
		require.Equal(t, found.Seeds, scan(found.Seeds, first))
		require.Equal(t, found.Seeds, scan(found.Seeds, []any{}), "a failed lookup changes nothing")
		second, later := records("second")
		after := scan(found.Seeds, second)
		require.Len(t, after, wanted(len(later)))
		for _, s := range after {
			require.True(t, later[s], s)
		}
		for _, s := range found.Seeds { // survivors stay
			require.Equal(t, later[s], slices.Contains(after, s), s)
		}
	})
}
