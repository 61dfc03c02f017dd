"""A topology that its owner describes: selections, counts, updates, the end."""

from __future__ import annotations

import copy
import gc
import json
import pickle
from typing import Any, Callable

import pytest

import readpref
from readpref import (
    ArgumentError,
    Explanation,
    HandleError,
    InvalidPreferenceError,
    NoServerError,
    ReadPreference,
    ReadPrefError,
    SelectedServer,
    ServerSelectionTimeoutError,
    Topology,
    TopologyDescription,
    WrongTypeError,
    explain,
    select,
)
from readpref._prepared import _prepared, prepare

# The example of docs/json.md, "topology.open" and what follows it.
EXAMPLE: dict[str, Any] = {
    "type": "ReplicaSetWithPrimary",
    "setName": "rs0",
    "servers": [
        {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
        {"address": "B.example", "type": "RSSecondary", "roundTripTimeMS": 3.5},
        {"address": "c.example:27017", "type": "RSSecondary", "roundTripTimeMS": 4},
    ],
}
SECONDARY = ReadPreference("secondary")


@pytest.fixture
def opened() -> Topology:
    return Topology(EXAMPLE, seed=42)


def counts(topology: Topology) -> dict[str, int]:
    return {one["address"]: one.get("operationCount", 0) for one in topology.description.to_dict()["servers"]}


def test_the_example_of_the_documents(opened: Topology) -> None:
    """docs/json.md: the outputs of seed 42 draw c, then b before c; counts decide."""
    assert opened.select(SECONDARY, checkout=True) == SelectedServer(2, "c.example:27017")
    assert opened.select(SECONDARY, checkout=True) == SelectedServer(1, "b.example:27017")
    assert opened.select(SECONDARY, operation="write") == SelectedServer(0, "a.example:27017")
    assert opened.select(SECONDARY, deprioritized=["b.example"]).id == 2
    assert opened.select_ids(SECONDARY, 3, checkout=True) == [1, 2, 1]
    opened.release(1)
    opened.release(opened.server(0))
    assert counts(opened) == {"a.example:27017": 0, "B.example": 2, "c.example:27017": 2}
    # Rule 3.34: never below 0.
    assert opened.describe()["seed"] == str((42 + 5 * 0x9E3779B97F4A7C15) % 2**64)


def test_a_server_is_one_object(opened: Topology) -> None:
    first = opened.select("primary")
    assert opened.select(ReadPreference()) is first is opened.server(0)
    assert (first.host, first.port, str(first)) == ("a.example", 27017, "a.example:27017")
    assert opened.select_batch("primary", 2) == [first, first]
    assert pickle.loads(pickle.dumps(first)) == first


@pytest.mark.parametrize(
    "preference", [SECONDARY, "secondary", {"mode": "secondary"}, {"mode": "secondary", "tags": []}]
)
def test_every_form_of_a_preference(opened: Topology, preference: Any) -> None:
    assert opened.select(preference).id == 2
    assert opened.explain(preference).in_latency_window == ("B.example", "c.example:27017")


def test_primary_is_the_default(opened: Topology) -> None:
    assert opened.select().id == 0
    assert opened.read_preference == ReadPreference()
    assert opened.select_ids() == [0]


def test_a_custom_selector_and_the_deprioritized(opened: Topology) -> None:
    for selector in (["b.example"], {"keepOnly": ["b.example"]}, ("b.example",)):
        assert opened.select("nearest", custom_selector=selector).id == 1
    assert opened.select(SECONDARY, deprioritized=("c.example", "b.example")).id in (1, 2)  # rule 3.27
    with pytest.raises(NoServerError) as caught:
        opened.select(SECONDARY, custom_selector=[])
    assert caught.value.message == (
        "no suitable server for a read with read preference secondary: the custom selector kept none"
    )


def test_no_server(opened: Topology) -> None:
    for act in (
        lambda: opened.select({"mode": "secondary", "tags": [{"dc": "ny"}]}),
        lambda: opened.select_ids(NOWHERE),
    ):
        with pytest.raises(NoServerError) as caught:
            act()
        error = caught.value
        assert not isinstance(error, TimeoutError)
        assert isinstance(error, LookupError)
        assert (error.code, error.status, error.path) == ("noServer", -4, "")
        assert isinstance(error.explanation, Explanation)
        assert error.explanation.servers[1].why == "tags[0] needs dc=ny, has no dc"
        assert str(error) == f"{error.message}\n\n{error.explanation.text}"
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is NoServerError
        assert str(again) == str(error)


NOWHERE = ReadPreference("secondary", tags=[{"dc": "ny"}])


def test_errors_of_the_selection(opened: Topology) -> None:
    for act in (opened.select, opened.select_ids, opened.explain):
        with pytest.raises(InvalidPreferenceError) as caught:
            act(ReadPreference("nearest", max_staleness_seconds=60))
        assert caught.value.code == "maxStalenessTooSmall"
        assert caught.value.minimum_seconds == 90
        assert caught.value.path == "readPreference.maxStalenessSeconds"
    old = Topology({"servers": [{"address": "a.example", "type": "Mongos", "minWireVersion": 0, "maxWireVersion": 6}]})
    with pytest.raises(readpref.IncompatibleWireVersionError):
        old.select(timeout=30)  # rule 3.2: at once


def test_update_keeps_ids_and_counts(opened: Topology) -> None:
    server = opened.select(SECONDARY, checkout=True)
    generation = opened.generation
    opened.update({"type": "ReplicaSetNoPrimary", "setName": "rs0", "servers": []})
    assert opened.generation != generation
    with pytest.raises(NoServerError):
        opened.select(SECONDARY)
    opened.update(TopologyDescription(EXAMPLE))
    assert counts(opened)["c.example:27017"] == 1
    opened.release(server)
    assert counts(opened)["c.example:27017"] == 0


def test_a_refused_update_changes_nothing(opened: Topology) -> None:
    before = opened.description, opened.generation
    with pytest.raises(ReadPrefError) as caught:
        opened.update({"servers": [{"address": "d.example"}]})
    assert (caught.value.code, caught.value.path) == ("missingKey", "topology.servers[0].type")
    with pytest.raises(ReadPrefError, match="whole request"):
        opened.update({"topology": EXAMPLE})
    assert (opened.description, opened.generation) == before


def test_settings_and_describe() -> None:
    topology = Topology(
        EXAMPLE, local_threshold_ms=1, heartbeat_frequency_ms=500, wire_versions=(8, 21), pick="roundRobin", seed=1
    )
    described = topology.describe()
    assert described.pop("topology") == topology.description.to_dict()
    assert described == {
        "localThresholdMS": 1,
        "heartbeatFrequencyMS": 500,
        "wireVersions": {"min": 8, "max": 21},
        "pick": "roundRobin",
        "seed": "1",
    }
    # Rule 3.31: of 3.5 and 4 both are within 1 ms. Round robin begins at seed mod 2.
    again = Topology.from_document(topology.describe())
    assert [one.address for one in again.select_batch(SECONDARY, 3)] == [
        one.address for one in topology.select_batch(SECONDARY, 3)
    ]


def test_seeds_come_from_entropy() -> None:
    seeds = {Topology(EXAMPLE).describe()["seed"] for _ in range(8)}
    document = Topology(EXAMPLE).describe()
    del document["seed"]
    seeds |= {Topology.from_document(document).describe()["seed"] for _ in range(8)}
    assert len(seeds) == 16


def test_the_one_shot_functions_take_it(opened: Topology) -> None:
    answer = select(opened, SECONDARY, seed=42)
    assert answer.server is not None
    assert (answer.server.index, answer.server.address) == (2, "c.example:27017")
    narrow = Topology(EXAMPLE, local_threshold_ms=0)
    assert select(narrow, SECONDARY).in_latency_window == ("B.example",)
    assert select(narrow, SECONDARY, local_threshold_ms=15).in_latency_window == ("B.example", "c.example:27017")
    shards = explain({"one": narrow, "two": TopologyDescription(EXAMPLE)}, SECONDARY)
    assert all(isinstance(one, Explanation) and one.in_latency_window == ("B.example",) for one in shards.values())
    with pytest.raises(ArgumentError, match="different settings"):
        select({"one": narrow, "two": opened})
    assert readpref.call("select", {"topology": opened, "seed": 42})["server"]["index"] == 0


def test_checkout(opened: Topology) -> None:
    with opened.checkout(SECONDARY) as server:
        assert counts(opened)[server.address] == 1
        with opened.checkout(SECONDARY) as other:
            assert other != server  # rule 3.33: the less busy of two
    assert set(counts(opened).values()) == {0}
    with pytest.raises(ZeroDivisionError), opened.checkout(SECONDARY):
        raise ZeroDivisionError
    assert set(counts(opened).values()) == {0}
    checkout = opened.checkout(SECONDARY)
    for _ in range(2):
        with checkout, pytest.raises(ArgumentError), checkout:
            pass
    with pytest.raises(NoServerError), opened.checkout(NOWHERE):
        raise AssertionError
    with opened.checkout(SECONDARY):
        opened.close()


def test_release_of_what_is_not_there(opened: Topology) -> None:
    other = Topology({"servers": [{"address": "z.example", "type": "Mongos"}]})
    for server in (3, -1, 2**31, 2**40, other.select(), SelectedServer(0, "b.example:27017")):
        with pytest.raises(ArgumentError) as caught:
            opened.release(server)
        assert caught.value.path == "id"
    for wrong in ("0", None, 1.5, True, [0]):
        with pytest.raises(WrongTypeError) as refused:
            opened.release(wrong)  # type: ignore[arg-type]
        assert refused.value.path == "id"
        with pytest.raises(WrongTypeError):
            opened.server(wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError):
        opened.server(3)


CLOSED: list[Callable[[Topology], object]] = [
    lambda topology: topology.select(),
    lambda topology: topology.select("secondary", deprioritized=["a.example"]),
    lambda topology: topology.select_ids(),
    lambda topology: topology.select_batch(),
    lambda topology: topology.checkout().__enter__(),
    lambda topology: topology.explain(),
    lambda topology: topology.release(0),
    lambda topology: topology.server(5),
    lambda topology: topology.description,
    lambda topology: topology.describe(),
    lambda topology: topology.update({"servers": []}),
    lambda topology: topology.on_hello("a.example", {}),
    lambda topology: topology.on_error("a.example", "network"),
    lambda topology: topology.on_srv([]),
    lambda topology: topology.listen(print),
    lambda topology: topology.events(),
    select,
    lambda topology: explain({"one": topology}),
    lambda topology: readpref.call("select", {"topology": topology}),
]


@pytest.mark.parametrize("act", CLOSED)
def test_closed(opened: Topology, act: Callable[[Topology], object]) -> None:
    opened.close()
    opened.close()
    assert opened.closed
    assert (opened.generation, repr(opened)) == (0, "<readpref.Topology closed>")
    with pytest.raises(HandleError) as caught:
        act(opened)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.code, caught.value.status, caught.value.path) == ("handle", -3, "topology")
    assert caught.value.message == "the topology was closed"


def test_with() -> None:
    with Topology(EXAMPLE) as topology:
        assert not topology.closed
    assert topology.closed


def test_handles_are_given_back() -> None:
    """There are 65,536 at a time; the low 16 bits of one are its slot."""
    slots = {Topology({"servers": []})._handle & 0xFFFF for _ in range(100)}
    slots |= {prepare(ReadPreference("nearest", max_staleness_seconds=90 + i)).handle & 0xFFFF for i in range(100)}
    assert len(slots) < 10


def test_equal_preferences_share_one_handle(opened: Topology) -> None:
    one, other = ReadPreference("nearest", [{"x": "1"}, {}]), ReadPreference("nearest", [{"x": "1"}, {}])
    opened.select(one)
    opened.select(other)
    assert one._prepared is other._prepared
    key = one._json
    assert key in _prepared
    del one, other
    gc.collect()
    assert key not in _prepared


def test_it_is_an_object_of_its_process(opened: Topology) -> None:
    assert opened != Topology(EXAMPLE)
    assert opened in {opened}
    for act in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"neither copied nor pickled.*describe\(\)"):
            act(opened)
    assert "a.example:27017 (RSPrimary)" in repr(opened)
    assert pickle.loads(pickle.dumps(opened.description)) == opened.description


def test_from_hello_replies() -> None:
    hello = {"ok": 1, "msg": "isdbgrid", "maxWireVersion": 25}
    topology = Topology.from_hello_replies([{"address": "a.example", "hello": hello}], topology_type="Sharded", seed=5)
    assert topology.select().address == "a.example:27017"
    assert topology.describe()["seed"] == "5"


@pytest.mark.parametrize(
    ("arguments", "code", "path"),
    [
        ({"source": 5}, "wrongType", "topology"),
        ({"source": {"servers": 5}}, "wrongType", "topology.servers"),
        ({"source": {"servers": [], "typ": 1}}, "unknownKey", "topology.typ"),
        ({"source": EXAMPLE, "seed": -1}, "outOfRange", "seed"),
        ({"source": EXAMPLE, "pick": "best"}, "unknownValue", "pick"),
        ({"source": EXAMPLE, "local_threshold_ms": -1}, "outOfRange", "localThresholdMS"),
        ({"source": EXAMPLE, "heartbeat_frequency_ms": 1}, "outOfRange", "heartbeatFrequencyMS"),
        ({"source": EXAMPLE, "wire_versions": (9, 8)}, "outOfRange", "wireVersions.max"),
        ({"source": EXAMPLE, "server_selection_timeout_ms": -1}, "outOfRange", "server_selection_timeout_ms"),
        ({"source": EXAMPLE, "server_selection_timeout_ms": 2**63}, "outOfRange", "server_selection_timeout_ms"),
        ({"source": EXAMPLE, "server_selection_timeout_ms": 1.5}, "wrongType", "server_selection_timeout_ms"),
        ({"source": EXAMPLE, "server_selection_timeout_ms": True}, "wrongType", "server_selection_timeout_ms"),
    ],
)
def test_what_cannot_be_opened(arguments: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(ReadPrefError) as caught:
        Topology(**arguments)
    assert (caught.value.code, caught.value.path) == (code, path)


@pytest.mark.parametrize(
    ("arguments", "code", "path"),
    [
        ({"operation": "delete"}, "unknownValue", "operation"),
        ({"operation": None}, "wrongType", "operation"),
        ({"operation": ["read"]}, "wrongType", "operation"),
        ({"read_preference": 5}, "wrongType", "readPreference"),
        ({"read_preference": "secundary"}, "unknownMode", "readPreference.mode"),
        ({"read_preference": {"mode": "nearest", "tag": []}}, "unknownKey", "readPreference.tag"),
        ({"deprioritized": 5}, "wrongType", "deprioritized"),
        ({"deprioritized": "a.example"}, "wrongType", "deprioritized"),
        ({"deprioritized": [5]}, "wrongType", "deprioritized[0]"),
        ({"deprioritized": ["\ud800"]}, "invalidUTF8", "deprioritized[0]"),
        ({"custom_selector": {"keep": []}}, "unknownKey", "customSelector.keep"),
        ({"custom_selector": [{}]}, "wrongType", "customSelector.keepOnly[0]"),
        ({"timeout": -1}, "outOfRange", "timeout"),
        ({"timeout": float("nan")}, "outOfRange", "timeout"),
        ({"timeout": "1"}, "wrongType", "timeout"),
        ({"timeout": True}, "wrongType", "timeout"),
        ({"timeout": -(10**400)}, "outOfRange", "timeout"),
        ({"operation_timeout": -0.5}, "outOfRange", "operation_timeout"),
    ],
)
def test_hostile_arguments(opened: Topology, arguments: dict[str, Any], code: str, path: str) -> None:
    arguments = {"read_preference": NOWHERE, **arguments}
    with pytest.raises(ReadPrefError) as caught:
        opened.select(**arguments)
    assert (caught.value.code, caught.value.path) == (code, path)


def test_values_inside_themselves(opened: Topology) -> None:
    cycle: dict[str, Any] = {}
    cycle["servers"] = [cycle]
    acts: list[Callable[[], object]] = [
        lambda: Topology(cycle),
        lambda: opened.update(cycle),
        lambda: opened.select(cycle),
        lambda: opened.explain(custom_selector=cycle),
        lambda: Topology.from_document(cycle),
    ]
    for act in acts:
        with pytest.raises(ReadPrefError) as caught:
            act()
        assert caught.value.code == "nestingTooDeep"
        assert caught.value.path


@pytest.mark.parametrize("count", [0, -1, 2**20 + 1, 10**400, None, "3", 1.0, True])
def test_hostile_counts(opened: Topology, count: Any) -> None:
    with pytest.raises(ReadPrefError) as caught:
        opened.select_ids(SECONDARY, count)
    assert caught.value.path == "count"
    assert caught.value.code == ("outOfRange" if type(count) is int else "wrongType")


def test_what_an_owner_describes_takes_no_replies(opened: Topology) -> None:
    for act in (
        lambda: opened.on_hello("a.example", {"ok": 1}),
        lambda: opened.on_error("a.example", "network"),
        lambda: opened.on_srv([]),
    ):
        with pytest.raises(ArgumentError) as caught:
            act()
        assert caught.value.path == "topology"


def test_a_timeout_is_told_apart(opened: Topology) -> None:
    with pytest.raises(ServerSelectionTimeoutError) as caught:
        opened.select(NOWHERE, timeout=0.01)
    error = caught.value
    assert isinstance(error, TimeoutError)
    assert isinstance(error, NoServerError)
    assert error.message.startswith(
        "server selection timed out after 10ms: no suitable server for a read with read preference secondary"
    )
    assert error.explanation is not None
    assert error.explanation.text in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
    assert json.loads(json.dumps(error.to_dict()))["error"]["code"] == "noServer"
