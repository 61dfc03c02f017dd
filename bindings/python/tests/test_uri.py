"""Connection strings, DNS, preferences as options: what the objects say; the engine's rules are tested elsewhere."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import readpref
from readpref import ConnectionString, EngineWarning, ReadPreference, ReadPrefError, SRVLookup, URIHost

WHOLE = (
    "mongodb://app:s%40fe@DB1.example,[fd00::2]:27018/shop?replicaSet=rs0&readPreference=nearest"
    "&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=&compressors=zstd,snappy&w=majority&retryReads=false"
)


def test_what_a_connection_string_says() -> None:
    """The example of docs/json.md, "parse_uri"."""
    parsed = readpref.parse_uri(WHOLE)
    assert parsed.hosts == (URIHost("hostname", "DB1.example", None), URIHost("ip_literal", "fd00::2", 27018))
    assert parsed.seeds == ("db1.example:27017", "[fd00::2]:27018")
    assert (parsed.srv, parsed.lookup, parsed.rescan_ms) == (False, None, None)
    assert (parsed.username, parsed.password, parsed.database) == ("app", "s@fe", "shop")
    assert parsed.read_preference == ReadPreference("nearest", [{"dc": "ny", "rack": "1"}, {}])
    assert parsed.options == {
        "replicaSet": "rs0",
        "compressors": ["zstd", "snappy"],
        "w": "majority",
        "retryReads": False,
    }
    assert parsed.warnings == ()
    assert parsed.to_dict() == readpref.call("parse_uri", {"uri": WHOLE})
    assert "s@fe" not in repr(parsed)
    assert parsed == readpref.parse_uri(WHOLE)
    assert hash(parsed) == hash(readpref.parse_uri(WHOLE))
    assert pickle.loads(pickle.dumps(parsed)) == parsed


def test_warnings_are_told_once_and_those_of_others_not_by_a_preference() -> None:
    uri = "mongodb://a.example/?readPreference=secondry&tiemoutMS=5"
    with pytest.warns(EngineWarning) as told:
        parsed = readpref.parse_uri(uri)
    assert {(one.code, one.path) for one in parsed.warnings} == {
        ("invalidURIOptionValue", "options.readPreference"),
        ("unknownURIOption", "options.tiemoutMS"),
    }
    assert [one.message for one in told] == list(parsed.warnings)
    assert {one.filename for one in told} == {__file__}
    with pytest.warns(EngineWarning) as told:
        preference = ReadPreference.from_uri(uri)
    assert [one.path for one in preference.warnings] == ["options.readPreference"]
    assert len(told) == 1
    assert told[0].filename == __file__


def test_dns() -> None:
    """The examples of docs/json.md, "srv"."""
    uri = "mongodb+srv://cluster0.example.com/?readPreference=nearest"
    assert readpref.parse_uri(uri).lookup == SRVLookup("_mongodb._tcp.cluster0.example.com", "cluster0.example.com")
    records = [
        {"target": "DB1.example.com.", "port": 27017, "ttlSeconds": 300},
        {"target": "db2.example.com", "port": 27018, "ttlSeconds": 120},
    ]
    parsed = readpref.resolve_srv(uri, records, [["replicaSet=r", "s0&authSource=admin"]])
    assert parsed.seeds == ("db1.example.com:27017", "db2.example.com:27018")
    assert parsed.rescan_ms == 120_000
    assert parsed.options == {"replicaSet": "rs0", "authSource": "admin", "tls": True}
    scan = readpref.rescan_srv(uri, records[1:], parsed.seeds)
    assert (scan.added, scan.removed, scan.next_ms, scan.warnings) == ((), ("db1.example.com:27017",), 120_000, ())
    failed = readpref.rescan_srv(uri, [], parsed.seeds, heartbeat_frequency_ms=5000)
    assert (failed.added, failed.removed, failed.next_ms) == ((), (), 5000)
    with pytest.raises(ReadPrefError) as caught:
        readpref.resolve_srv(uri, [])
    assert caught.value.code == "noSRVRecords"


def test_the_hosts_of_srv_max_hosts_are_drawn() -> None:
    uri = "mongodb+srv://cluster0.example.com/?srvMaxHosts=1"
    records = [{"target": f"db{i}.example.com", "port": 27017} for i in range(8)]
    drawn = {readpref.resolve_srv(uri, records).seeds for _ in range(64)}
    assert len(drawn) > 1  # one of 8 sixty-four times: never, as good as
    assert len({readpref.resolve_srv(uri, records, seed=5).seeds for _ in range(8)}) == 1


@pytest.mark.parametrize("make", [readpref.to_uri, lambda given: ReadPreference.from_document(given).uri_options])
def test_a_preference_as_options(make: Any) -> None:
    document = {"mode": "secondary", "tags": [{"dc": "new york & sf"}, {}], "maxStalenessSeconds": 120}
    query = make(document)
    assert query == (
        "readPreference=secondary&readPreferenceTags=dc:new%20york%20%26%20sf&readPreferenceTags=&maxStalenessSeconds=120"
    )
    assert ReadPreference.from_uri_options(query).document == document
    assert ReadPreference.from_uri(f"mongodb://a.example/?{query}").document == document
    with pytest.raises(ReadPrefError) as caught:
        make({"mode": "nearest", "tags": [{}, {"dc": "ny,sf"}]})
    assert (caught.value.code, caught.value.path) == ("invalidURIOption", "readPreference.tags[1]")


@pytest.mark.parametrize("uri", [5, None, b"mongodb://a", ["mongodb://a"], {}, float("nan")])
@pytest.mark.parametrize("read", [readpref.parse_uri, ReadPreference.from_uri])
def test_what_is_no_text(read: Any, uri: Any) -> None:
    with pytest.raises(ReadPrefError) as caught:
        read(uri)
    assert caught.value.path == "uri"


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("", "invalidURI"),
        ("mongodb://", "invalidHost"),
        ("mongodb://app:p@ss@a.example", "invalidURI"),
        ("mongodb://a.example/?readPreference=primary&maxStalenessSeconds=120", "maxStalenessWithPrimary"),
        ("mongodb://a.example:99999", "invalidHost"),
        ("\ud800", "invalidUTF8"),
        ("mongodb://" + "a" * (16 * 1024 * 1024), "documentTooLarge"),
    ],
)
def test_what_is_no_connection_string(uri: str, code: str) -> None:
    with pytest.raises(ReadPrefError) as caught:
        readpref.parse_uri(uri)
    assert caught.value.code == code
    assert "p@ss" not in str(caught.value)


def test_a_megabyte() -> None:
    tags = "&".join(f"readPreferenceTags=dc:{i}" for i in range(60_000))
    with pytest.raises(ReadPrefError):
        readpref.parse_uri(f"mongodb://a.example/?readPreference=nearest&{tags}")
    assert isinstance(
        readpref.parse_uri("mongodb://" + ",".join(f"h{i}.example" for i in range(60_000))), ConnectionString
    )
