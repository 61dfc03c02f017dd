"""select and explain: every argument arrives, every part of the answer comes back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import readpref
from readpref import (
    EngineWarning,
    Explanation,
    InvalidPreferenceError,
    LatencyWindow,
    ReadPreference,
    ReadPrefError,
    Selection,
    Server,
    Staleness,
    TagMiss,
    TopologyDescription,
    explain,
    select,
)

A, B, C = "a.example:27017", "b.example:27017", "c.example:27017"
NEAREST = ReadPreference("nearest")


def test_the_stages(topology: TopologyDescription) -> None:
    answer = select(topology, ReadPreference("secondary", [{"dc": "ny"}], 120), seed=1)
    assert answer.server == Server(1, B, "RSSecondary")
    assert answer.candidates == (B, C)
    assert answer.fresh == (B,)
    assert answer.suitable == (B,)
    assert answer.in_latency_window == (B,)
    assert answer.reason is None
    assert answer.warnings == ()
    assert answer.effective_read_preference is None


def test_the_default_is_a_read_from_the_primary(topology: TopologyDescription, description: dict[str, Any]) -> None:
    assert select(topology).server == Server(0, A, "RSPrimary")
    assert select(description).server == Server(0, A, "RSPrimary")


def test_no_server_is_an_answer(topology: TopologyDescription) -> None:
    answer = select(topology, {"mode": "secondary", "tags": [{"dc": "la"}]})
    assert answer.server is None
    assert answer.suitable == ()
    assert answer.reason is not None
    assert answer.reason.code
    assert answer.reason.message


def test_every_option_arrives(topology: TopologyDescription) -> None:
    assert select(topology, NEAREST, operation="write").suitable == (A,)
    assert select(topology, NEAREST, deprioritized=[A, B]).suitable == (C,)
    assert select(topology, NEAREST, custom_selector=[B, C]).suitable == (B, C)
    assert select(topology, NEAREST, custom_selector={"keepOnly": [C]}).suitable == (C,)
    assert select(topology, NEAREST, local_threshold_ms=148).in_latency_window == (A, B, C)
    assert select(topology, NEAREST, local_threshold_ms=147.999999).in_latency_window == (A, B)
    assert select(topology, NEAREST, local_threshold_ms=Decimal("2.999999")).in_latency_window == (A,)
    with pytest.raises(InvalidPreferenceError) as caught:
        select(topology, ReadPreference("nearest", max_staleness_seconds=100), heartbeat_frequency_ms=120000)
    assert caught.value.code == "maxStalenessTooSmall"
    assert caught.value.minimum_seconds == 130
    new = {"servers": [{"address": A, "type": "RSPrimary", "minWireVersion": 30, "maxWireVersion": 31}]}
    for versions in ((8, 31), {"min": 8, "max": 31}):
        assert select(new, wire_versions=versions).server is not None
    with pytest.raises(readpref.IncompatibleWireVersionError):
        select(new, wire_versions=(8, 29))


def test_write_stage_tells_the_preference_to_send(description: dict[str, Any]) -> None:
    for server in description["servers"]:
        server.update(minWireVersion=0, maxWireVersion=12)  # older than 5.0: only a primary takes $out
    answer = select(description, ReadPreference("secondary"), operation="aggregateWithWriteStage")
    assert answer.server == Server(0, A, "RSPrimary")
    assert answer.effective_read_preference == ReadPreference("primary")


def test_hedge_is_warned_of_once(topology: TopologyDescription) -> None:
    hedged = {"mode": "nearest", "hedge": {"enabled": True}}
    told = [("hedgeDeprecated", "readPreference.hedge")]
    for function in (select, explain):
        for of in (topology, {"one": topology, "two": topology}):
            with pytest.warns(EngineWarning, match=r"readPreference\.hedge: .* \(hedgeDeprecated\)") as caught:
                answer = function(of, hedged)
            assert [issued.filename for issued in caught] == [__file__]
            for one in answer.values() if isinstance(answer, dict) else [answer]:
                assert isinstance(one, Selection)
                assert [(warning.code, warning.path) for warning in one.warnings] == told
    with pytest.warns(EngineWarning):
        preference = ReadPreference.from_document(hedged)
    # It has been told already: pytest makes an exception of any other warning.
    for function in (select, explain):
        assert [(warning.code, warning.path) for warning in function(topology, preference).warnings] == told


def test_a_mode_alone_is_a_preference(topology: TopologyDescription) -> None:
    for function in (select, explain):
        assert function(topology, "secondary", seed=1) == function(topology, ReadPreference("secondary"), seed=1)
        of_shards = function({"one": topology}, "secondary", seed=1)
        assert of_shards == {"one": function(topology, "secondary", seed=1)}


def test_a_seed_repeats_a_pick_and_no_seed_does_not() -> None:
    servers = [{"address": f"m{i}.example", "type": "RSSecondary"} for i in range(50)]
    topology = TopologyDescription({"type": "ReplicaSetNoPrimary", "servers": servers})

    def picks(**options: Any) -> set[str]:
        answers = [select(topology, NEAREST, **options) for _ in range(20)]
        return {answer.server.address for answer in answers if answer.server}

    for seed in (0, 7, 2**53 - 1, 2**53, 2**64 - 1, "18446744073709551615"):
        assert len(picks(seed=seed)) == 1
    assert picks(seed=2**64 - 1) == picks(seed="18446744073709551615")
    assert picks(pick="roundRobin", seed=7) == {"m7.example"}
    assert picks(pick="roundRobin", seed=2**53 + 1) == {f"m{(2**53 + 1) % 50}.example"}
    assert len(picks()) > 1
    assert len(picks(pick="random")) > 1


class Index:
    """What numpy's integers are: no int, but usable as one."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_a_seed_of_another_integer_type() -> None:
    servers = [{"address": f"m{i}.example", "type": "Mongos"} for i in range(10)]
    for value in (7, 2**64 - 1):
        answer = select({"servers": servers}, pick="roundRobin", seed=Index(value))  # type: ignore[call-overload]
        assert answer.server.index == value % 10


@pytest.mark.parametrize(
    ("seed", "code", "message"),
    [
        (-1, "outOfRange", "expected an integer from 0 to 18446744073709551615, found -1"),
        (2**64, "outOfRange", "expected an integer from 0 to 18446744073709551615, found 18446744073709551616"),
        (
            Index(-(2**63)),
            "outOfRange",
            "expected an integer from 0 to 18446744073709551615, found -9223372036854775808",
        ),
        (1 << 16609, "outOfRange", "expected an integer from 0 to 18446744073709551615, found one of 16610 bits"),
        ("x", "outOfRange", 'expected a decimal string from 0 to 18446744073709551615, found "x"'),
        ("-1", "outOfRange", 'expected a decimal string from 0 to 18446744073709551615, found "-1"'),
        (True, "wrongType", "expected an integer, found a boolean"),
        (1.5, "wrongType", "expected an integer, found 1.5"),
    ],
    ids=lambda value: "" if isinstance(value, int) else None,
)
def test_bad_seeds(topology: TopologyDescription, seed: Any, code: str, message: str) -> None:
    for function in (select, explain):
        with pytest.raises(ReadPrefError) as caught:
            function(topology, seed=seed)
        assert (caught.value.code, caught.value.path, caught.value.message) == (code, "seed", message)


def test_shards(topology: TopologyDescription) -> None:
    small = ReadPreference("nearest", max_staleness_seconds=1)
    answers = select({"one": topology, "two": TopologyDescription({"type": "Sharded", "servers": []})}, small)
    assert list(answers) == ["one", "two"]
    failed, empty = answers["one"], answers["two"]
    assert isinstance(failed, InvalidPreferenceError)
    assert failed.code == "maxStalenessTooSmall"
    assert isinstance(empty, Selection)
    assert empty.server is None
    told = explain({"one": topology})["one"]
    assert isinstance(told, Explanation)
    assert told.server == Server(0, A, "RSPrimary")
    assert select({}) == {}


@pytest.mark.parametrize(
    ("options", "code", "path"),
    [
        ({"operation": "reed"}, "unknownValue", "operation"),
        ({"deprioritized": "a.example"}, "wrongType", "deprioritized"),
        ({"deprioritized": [1]}, "wrongType", "deprioritized[0]"),
        ({"custom_selector": "a.example"}, "wrongType", "customSelector.keepOnly"),
        ({"custom_selector": {"keepOnyl": []}}, "unknownKey", "customSelector.keepOnyl"),
        ({"local_threshold_ms": -1}, "outOfRange", "localThresholdMS"),
        ({"local_threshold_ms": float("inf")}, "invalidJSON", "localThresholdMS"),
        ({"heartbeat_frequency_ms": 499}, "outOfRange", "heartbeatFrequencyMS"),
        ({"heartbeat_frequency_ms": 10**400}, "outOfRange", "heartbeatFrequencyMS"),
        ({"wire_versions": (1, 2, 3)}, "wrongType", "wireVersions"),
        ({"pick": "first"}, "unknownValue", "pick"),
        ({"read_preference": "secundary"}, "unknownMode", "readPreference.mode"),
        ({"read_preference": ["secondary"]}, "wrongType", "readPreference"),
        ({"read_preference": b"secondary"}, "wrongType", "readPreference"),
        ({"read_preference": {"mode": "secundary"}}, "unknownMode", "readPreference.mode"),
    ],
)
def test_bad_options(topology: TopologyDescription, options: dict[str, Any], code: str, path: str) -> None:
    for function in (select, explain):
        with pytest.raises(ReadPrefError) as caught:
            function(topology, **options)
        assert (caught.value.code, caught.value.path) == (code, path)


@pytest.mark.parametrize("topology", [None, 5, "topology", [], {"servers": 5}, {"serverz": []}, b"{}"])
def test_bad_topologies(topology: Any) -> None:
    with pytest.raises(ReadPrefError) as caught:
        select(topology)
    assert caught.value.path.startswith("topology") or caught.value.code == "missingKey"


def test_explanation_tells_the_stage_of_each_server(topology: TopologyDescription) -> None:
    preference = ReadPreference("secondary", [{"dc": "ny"}], 120)
    told = explain(topology, preference, seed=1)
    chosen = select(topology, preference, seed=1)
    assert (told.server, told.suitable, told.in_latency_window) == (
        chosen.server,
        chosen.suitable,
        chosen.in_latency_window,
    )
    assert [(server.address, server.stage) for server in told.servers] == [
        (A, "mode"),
        (B, "selected"),
        (C, "maxStaleness"),
    ]
    # C wrote 500 s before the primary; the heartbeat of 10 s comes on top.
    assert (told.servers[2].staleness_ms, told.servers[2].over_ms) == (510_000, 390_000)
    assert told.staleness == Staleness("withPrimary", A, 10_000, 120)
    assert told.latency_window == LatencyWindow(5, 20)
    assert str(told) == told.text
    for address in (A, B, C):
        assert address in told.text


def test_explanation_of_tags_and_passes(topology: TopologyDescription) -> None:
    told = explain(topology, ReadPreference("secondaryPreferred", [{"dc": "la"}, {"rack": "1", "dc": "sf"}]))
    assert told.server == Server(0, A, "RSPrimary")
    assert [one.role for one in told.passes] == ["secondary", "primary"]
    assert told.passes[0].candidates == (B, C)
    assert told.passes[0].tagged == ()
    assert told.passes[0].tag_set is None
    assert told.servers[2].tag_misses == (TagMiss(0, "dc", "la", "sf"), TagMiss(1, "rack", "1", None))
    assert told.servers[2].round_trip_time_ms == 150
    assert told.staleness is None
    assert explain(topology, ReadPreference("secondary", [{"dc": "la"}, {"dc": "sf"}])).passes[0].tag_set == 1
    assert explain({"servers": []}).latency_window is None


def test_to_dict_is_the_engines_document_and_a_copy(topology: TopologyDescription, description: dict[str, Any]) -> None:
    request = {"topology": description, "readPreference": {"mode": "nearest"}, "seed": 3}
    for method, function in (("select", select), ("explain", explain)):
        answer = function(topology, NEAREST, seed=3)
        assert answer.to_dict() == readpref.call(method, request)
        answer.to_dict()["suitable"].clear()
        assert answer.to_dict()["suitable"] == [A, B, C]


def test_answers_are_values(topology: TopologyDescription) -> None:
    one, other = explain(topology, NEAREST, seed=3), explain(topology, NEAREST, seed=3)
    assert one == other
    assert hash(one) == hash(other)
    assert "_document" not in repr(select(topology))
    with pytest.raises(AttributeError):
        one.server = None  # type: ignore[misc]
