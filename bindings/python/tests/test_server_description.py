"""What a server description says, typed; and descriptions made of others."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

from readpref import ArgumentError, ReadPrefError, ServerDescription, TopologyDescription, select
from readpref._attempt import _duration
from readpref._server_fields import KEYS

UTC = datetime.timezone.utc
WHOLE: dict[str, Any] = {
    "address": "a.example:27017",
    "type": "RSPrimary",
    "roundTripTimeMS": 2.5,
    "minRoundTripTimeMS": 2,
    "tags": {"dc": "ny"},
    "lastWriteDate": 1793000000950,
    "lastUpdateTimeMS": 1793000001000,
    "minWireVersion": 0,
    "maxWireVersion": 25,
    "operationCount": 3,
    "setName": "rs0",
    "setVersion": 4,
    "electionId": {"$oid": "7fffffff0000000000000001"},
    "primary": "a.example:27017",
    "me": "a.example:27017",
    "hosts": ["a.example:27017"],
    "passives": ["b.example:27017"],
    "arbiters": ["c.example:27017"],
    "logicalSessionTimeoutMinutes": 30,
    "error": "refused",
}
# 1793000000950 ms are 20752 days (to 2026-10-26), 27,200 s (7 h 33 min 20 s) and 950 ms.
WRITTEN = datetime.datetime(2026, 10, 26, 7, 33, 20, 950_000, UTC)


def test_every_attribute() -> None:
    server = ServerDescription(WHOLE)
    said = {name: getattr(server, name) for name in KEYS}
    expected = {name: WHOLE[key] for name, key in KEYS.items()}
    expected.update(last_write_date=WRITTEN, election_id="7fffffff0000000000000001")
    expected.update({name: tuple(WHOLE[name]) for name in ("hosts", "passives", "arbiters")})
    assert said == expected


def test_what_is_not_said() -> None:
    server = ServerDescription({"address": "a.example", "type": "Unknown"})
    empty = {name: getattr(server, name) for name in KEYS if name != "type"}
    zero: dict[str, Any] = {"tags": {}, "last_update_time_ms": 0, "operation_count": 0}
    zero.update(dict.fromkeys(("hosts", "passives", "arbiters"), ()))
    assert empty == {**dict.fromkeys(empty), **zero}


def test_a_saved_reply_says_what_it_says() -> None:
    reply = {
        "ok": 1,
        "secondary": True,
        "setName": "rs0",
        "hosts": ["A.example:27017"],
        "tags": {"dc": "sf"},
        "maxWireVersion": 25,
        "lastWrite": {"lastWriteDate": {"$date": "2026-10-26T07:33:20.95Z"}},
    }
    saved = TopologyDescription.from_hello_replies([{"address": "a.example", "hello": reply, "roundTripTimeMS": 7}])
    [server] = saved.servers
    assert (server.type, server.tags, server.round_trip_time_ms) == ("RSSecondary", {"dc": "sf"}, 7)
    assert (server.last_write_date, server.hosts, server.max_wire_version) == (WRITTEN, ("a.example:27017",), 25)
    with pytest.raises(ArgumentError):
        server.replace(type="RSPrimary")


@pytest.mark.parametrize(
    "date",
    [
        1793000000950,
        {"$date": 1793000000950},
        {"$date": {"$numberLong": "1793000000950"}},
        {"$date": "2026-10-26T07:33:20.950Z"},
        {"$date": "2026-10-26T07:33:20.95Z"},
        {"$date": "2026-10-26T09:33:20.950+02:00"},
        {"$date": "2026-10-26T09:33:20.950+0200"},
        WRITTEN,
    ],
    ids=repr,
)
def test_dates(date: object) -> None:
    assert ServerDescription({"address": "a", "lastWriteDate": date}).last_write_date == WRITTEN


def test_a_date_that_python_has_not() -> None:
    server = ServerDescription({"address": "a", "lastWriteDate": 2**60})
    with pytest.raises(ReadPrefError) as caught:
        _ = server.last_write_date
    assert (caught.value.code, caught.value.path) == ("outOfRange", "server.lastWriteDate")


@pytest.mark.parametrize("name", KEYS)
def test_values_of_other_types_are_told_with_their_path(name: str) -> None:
    server = ServerDescription({"address": "a", KEYS[name]: True})
    with pytest.raises(ReadPrefError) as caught:
        getattr(server, name)
    assert (caught.value.code, caught.value.path) == ("wrongType", f"server.{KEYS[name]}")


@pytest.mark.parametrize("given", [[], 5, "a", {}, None])
def test_what_is_no_description(given: Any) -> None:
    with pytest.raises(ReadPrefError):
        _ = ServerDescription(given).address
    with pytest.raises(ReadPrefError):
        TopologyDescription({"servers": [given]}).with_server({"address": "a", "type": "Unknown"})


def test_tags_and_servers_of_other_types() -> None:
    with pytest.raises(ReadPrefError) as caught:
        _ = ServerDescription({"address": "a", "tags": {"dc": 5}}).tags
    assert (caught.value.code, caught.value.path) == ("wrongType", "server.tags.dc")
    given: Any
    for given in ({"address": "a", "type": "Mongos"}, "a", b"a", 5):
        with pytest.raises(ReadPrefError) as caught:
            TopologyDescription({"servers": []}).replace(servers=given)
        assert (caught.value.code, caught.value.path) == ("wrongType", "topology.servers")


def test_replace_keeps_every_digit() -> None:
    server = ServerDescription({"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": Decimal("2.400000")})
    assert b"2.400000" in server.replace(tags={"dc": "ny"})._json
    topology = TopologyDescription({"servers": [server]})
    assert topology.servers == (server,)
    assert b"2.400000" in topology.with_server({"address": "b.example", "type": "RSSecondary"})._json
    assert server.replace(election_id="7fffffff0000000000000001").election_id == "7fffffff0000000000000001"
    with pytest.raises(ArgumentError) as caught:
        server.replace(adress="b.example")
    assert caught.value.path == "adress"


def test_topologies_made_of_others(topology: TopologyDescription) -> None:
    # The fixture says a its primary, b and c secondaries.
    lost = topology.without_server("A.example")
    assert [server.address for server in lost.servers] == ["b.example:27017", "c.example:27017"]
    assert (lost.type, lost.set_name) == (None, "rs0")
    assert select(lost).server is None
    b = topology.server("B.EXAMPLE:27017")
    assert b is not None
    elected = lost.with_server(b.replace(type="RSPrimary"))
    answer = select(elected)
    assert answer.server is not None
    assert (answer.server.address, answer.server.index) == ("b.example:27017", 0)
    assert len(topology.servers) == 3
    assert topology.replace(set_name="rs1").set_name == "rs1"
    assert topology.replace(set_name="rs1").type == "ReplicaSetWithPrimary"
    assert topology.server("d.example") is None
    with pytest.raises(ArgumentError):
        topology.without_server("d.example")


def test_what_a_topology_says() -> None:
    said = TopologyDescription(
        {
            "servers": [],
            "maxElectionId": {"$oid": "7fffffff0000000000000001"},
            "maxSetVersion": 2**40,
            "logicalSessionTimeoutMinutes": 30,
        }
    )
    found = (said.max_election_id, said.max_set_version, said.logical_session_timeout_minutes, said.compatibility_error)
    assert found == ("7fffffff0000000000000001", 2**40, 30, None)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.01, "10ms"), (0.0001, "0s"), (1, "1s"), (30.0, "30s"), (1.5, "1.5s"), (90, "1m30s"), (3600, "1h0m0s")],
)
def test_times_are_written_as_in_go(seconds: float, text: str) -> None:
    """As time.Duration's String writes them, rounded to milliseconds."""
    assert _duration(seconds) == text
