"""What commands use and carry, and the smaller questions: rules 1.12, 3.43 to 3.48, 4.1 to 4.7, 5.7 to 5.9."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any, Callable

import pytest

import readpref
from readpref import (
    Decoration,
    EngineWarning,
    InvalidPreferenceError,
    ReadPreference,
    ReadPrefError,
    RoundTripTime,
    Topology,
    TopologyDescription,
)

MONGOS = TopologyDescription({"servers": [{"address": "m.example:27017", "type": "Mongos"}]})
DIRECT = {"type": "Single", "servers": [{"address": "b.example:27017", "type": "RSSecondary"}]}
MIXED = {
    "servers": [
        {"address": "a.example:27017", "type": "RSPrimary", "maxWireVersion": 13},
        {"address": "b.example:27017", "type": "RSSecondary", "maxWireVersion": 9},
    ]
}


@pytest.mark.parametrize(
    ("topology", "server", "preference", "options", "attached", "secondary_ok"),
    [
        (MONGOS, "m.example", ReadPreference("secondaryPreferred"), {}, {"mode": "secondaryPreferred"}, None),  # 4.2
        (MONGOS, "m.example", None, {}, None, None),  # 4.2
        (MONGOS, "m.example", "nearest", {"operation": "write"}, None, None),  # 4.1
        (DIRECT, "b.example", None, {}, {"mode": "primaryPreferred"}, None),  # 4.4
        (DIRECT, "gone.example", "primary", {}, {"mode": "primaryPreferred"}, None),  # 4.4
        (MIXED, "b.example", {"mode": "secondary", "tags": []}, {}, {"mode": "secondary"}, None),  # 4.3, 4.5
        (MONGOS, "m.example", "secondaryPreferred", {"opcode": "OP_QUERY"}, None, True),  # 4.7
    ],
)
def test_what_a_command_carries(
    topology: Any, server: str, preference: Any, options: dict[str, str], attached: Any, secondary_ok: bool | None
) -> None:
    found = readpref.command(topology, server, preference, **options)
    assert found == Decoration(attached, secondary_ok, None, ())
    ask = {"find": "c"}
    assert found.attach(ask) == ({"find": "c"} if attached is None else {"find": "c", "$readPreference": attached})
    assert ask == {"find": "c"}  # rule 4.6
    with Topology(topology) as opened:
        for one in (opened.server(0), 0):
            expected = readpref.command(topology, opened.server(0).address, preference, **options)
            assert opened.command(one, preference, **options) == expected
        with pytest.raises(ReadPrefError) as caught:
            opened.command(2)
        assert caught.value.path == "id"


def test_an_aggregate_that_falls_back() -> None:
    """Rule 3.47."""
    found = readpref.command(MIXED, "a.example", "nearest", operation="aggregateWithWriteStage")
    assert found.read_preference is None
    assert found.effective_read_preference == ReadPreference("primary")


def test_a_decoration_is_a_copy() -> None:
    found = readpref.command(MONGOS, "m.example", {"mode": "nearest", "tags": [{"dc": "ny"}]})
    attached = found.attach({})
    attached["$readPreference"]["tags"].clear()
    assert found.attach({}) == {"$readPreference": {"mode": "nearest", "tags": [{"dc": "ny"}]}}


def test_hedge_warns_where_nothing_did() -> None:
    with pytest.warns(EngineWarning) as told:
        found = readpref.command(MONGOS, "m.example", {"mode": "nearest", "hedge": {}})
    assert [one.code for one in found.warnings] == ["hedgeDeprecated"]
    assert [one.filename for one in told] == [__file__]


@pytest.mark.parametrize(
    ("command", "arguments", "want"),
    [
        (
            "find",
            {"client": "secondaryPreferred", "collection": "nearest"},
            ("nearest", "read", "mayUseSecondary", "collection", True),
        ),
        (
            "find",
            {"client": "secondary", "database": "nearest"},
            ("nearest", "read", "mayUseSecondary", "database", True),
        ),
        (
            "find",
            {"collection": "nearest", "read_preference": "secondary"},
            ("secondary", "read", "mayUseSecondary", "operation", True),
        ),
        ("find", {}, ("primary", "read", "mayUseSecondary", "default", True)),
        (
            "insert",
            {"client": "secondary", "transaction": {"pinned": True}},
            ("primary", "write", "write", "helper", False),
        ),
        ("dbStats", {"run_command": True, "client": "secondary"}, ("primary", "read", "generic", "default", True)),
        (
            "find",
            {"client": "secondary", "session": "primary", "transaction": {}},
            ("primary", "read", "mayUseSecondary", "session", True),
        ),
        (
            "find",
            {"transaction": {"readPreference": ReadPreference("primary")}},
            ("primary", "read", "mayUseSecondary", "transaction", True),
        ),
        (
            {"aggregate": "c", "pipeline": [{"$out": "d"}]},
            {"client": ReadPreference("nearest")},
            ("nearest", "aggregateWithWriteStage", "mayUseSecondary", "client", True),
        ),
    ],
)
def test_which_preference_a_command_uses(command: Any, arguments: dict[str, Any], want: tuple[Any, ...]) -> None:
    """Rules 1.12, 3.44 to 3.48."""
    found = readpref.effective_preference(command, **arguments)
    assert (found.read_preference.mode, found.operation, found.kind, found.source, found.selects) == want


def test_errors_and_warnings_of_preferences() -> None:
    with pytest.raises(InvalidPreferenceError) as caught:
        readpref.effective_preference("find", client="secondaryPreferred", transaction={})
    assert (caught.value.code, caught.value.path) == ("transactionReadPreferenceNotPrimary", "clientReadPreference")
    with pytest.warns(EngineWarning) as told:
        found = readpref.effective_preference("createIndexes", read_preference="secondary")
    assert [one.code for one in found.warnings] == ["readPreferenceIgnored"]
    assert told[0].filename == __file__


def test_round_trip_times() -> None:
    """Rules 5.7 to 5.9; (10 + 4 · 12) / 5 = 11.6."""
    assert readpref.rtt([10, 20, 10]) == RoundTripTime(11.6, 10, (10, 12, 11.6))
    assert readpref.rtt([Decimal("0.5"), None, 3], 4) == RoundTripTime(3, 0, (3.3, None, 3))
    assert readpref.rtt([], 4) == RoundTripTime(4, 0, ()) or readpref.rtt([], 4).average == 4
    assert readpref.rtt([1, None]) == RoundTripTime(None, None, (1, None))


def test_readable_and_writable() -> None:
    """Rule 3.43."""
    secondary = {"servers": [{"address": "b.example", "type": "RSSecondary"}]}
    assert not readpref.readable(secondary)
    assert readpref.readable(secondary, "nearest")
    assert (
        readpref.readable(secondary, ReadPreference("secondary", max_staleness_seconds=90), heartbeat_frequency_ms=500)
        is False
    )
    assert not readpref.writable(secondary)
    assert readpref.writable(MIXED)
    with Topology(MIXED) as topology:
        assert (readpref.readable(topology), readpref.writable(topology)) == (True, True)


HOSTILE: list[tuple[Callable[[], object], str]] = [
    (lambda: readpref.command(5, "a"), "topology"),  # type: ignore[arg-type]
    (lambda: readpref.command(MONGOS, 5), "server"),  # type: ignore[arg-type]
    (lambda: readpref.command(MONGOS, "m", 5), "readPreference"),  # type: ignore[arg-type]
    (lambda: readpref.command(MONGOS, "m", operation="x"), "operation"),
    (lambda: readpref.command(MONGOS, "m", opcode="x"), "opcode"),
    (lambda: readpref.effective_preference(5), "command"),  # type: ignore[arg-type]
    (lambda: readpref.effective_preference({}), "command"),
    (lambda: readpref.effective_preference("find", client="secundary"), "clientReadPreference.mode"),
    (lambda: readpref.effective_preference("find", transaction={"pined": True}), "transaction.pined"),
    (lambda: readpref.effective_preference("find", run_command=5), "runCommand"),  # type: ignore[arg-type]
    (lambda: readpref.rtt([1, -1]), "samplesMS[1]"),
    (lambda: readpref.rtt([float("inf")]), "samplesMS[0]"),
    (lambda: readpref.rtt(5), "samplesMS"),  # type: ignore[arg-type]
    (lambda: readpref.rtt([], "x"), "roundTripTimeMS"),  # type: ignore[arg-type]
    (lambda: readpref.readable({"servers": 5}), "topology.servers"),
    (lambda: readpref.readable(MONGOS, heartbeat_frequency_ms=1), "heartbeatFrequencyMS"),
    (lambda: readpref.writable("mongodb://a"), "topology"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("act", "path"), HOSTILE)
def test_hostile_arguments(act: Callable[[], object], path: str) -> None:
    with pytest.raises(ReadPrefError) as caught:
        act()
    assert caught.value.path == path


def test_nothing_of_the_caller_s_is_changed() -> None:
    described = copy.deepcopy(MIXED)
    command = {"aggregate": "c", "pipeline": [{"$merge": "d"}]}
    readpref.command(described, "a.example", "nearest")
    readpref.effective_preference(command, client="nearest")
    assert described == MIXED
    assert command == {"aggregate": "c", "pipeline": [{"$merge": "d"}]}
