"""simulate, what_if and advise: every argument arrives, every part of the answer comes back.

Expected values are counted by hand from docs/json.md's rules, or are those of its examples.
"""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import readpref
from readpref import (
    After,
    ArgumentError,
    ComparedShare,
    EngineWarning,
    Finding,
    InvalidDocumentError,
    MemberAdded,
    MemberDown,
    MemberLags,
    NetworkSplit,
    PrimarySteppedDown,
    ReadPreference,
    Reason,
    ServerDescription,
    ServerLoad,
    ServerShare,
    ShareChange,
    Shares,
    TagsChanged,
    Topology,
    TopologyDescription,
    Workload,
    WorkloadOutcome,
    WrongTypeError,
    ZoneDown,
    ZoneSlower,
    advise,
    diff,
    import_topology,
    simulate,
    what_if,
)

A, B, C = "a.example:27017", "b.example:27017", "c.example:27017"
# docs/json.md, "simulate".
THREE: dict[str, Any] = {
    "setName": "rs0",
    "servers": [
        {"address": A, "type": "RSPrimary", "roundTripTimeMS": 2},
        {"address": B, "type": "RSSecondary", "roundTripTimeMS": 5, "operationCount": 3},
        {"address": C, "type": "RSSecondary", "roundTripTimeMS": 9.5},
    ],
}
WEB = Workload("nearest", name="web", weight=3)
# docs/json.md, "simulate", its clients.
TWO: dict[str, Any] = {
    "servers": [
        {"address": A, "type": "RSPrimary", "roundTripTimeMS": 1},
        {"address": B, "type": "RSSecondary", "roundTripTimeMS": 1},
    ]
}
# docs/json.md, "what_if".
ZONES: dict[str, Any] = {
    "setName": "rs0",
    "servers": [
        {"address": A, "type": "RSPrimary", "roundTripTimeMS": 2, "tags": {"dc": "ny"}, "lastWriteDate": 1793000000000},
        {"address": B, "type": "RSSecondary", "roundTripTimeMS": 5, "tags": {"dc": "ny"}},
        {"address": C, "type": "RSSecondary", "roundTripTimeMS": 30, "tags": {"dc": "sf"}},
    ],
}


def test_exact_shares() -> None:
    reports = Workload({"mode": "secondary", "tags": [{"use": "reports"}]}, name="reports")
    found = simulate(THREE, [WEB, Workload(operation="write", name="orders"), reports])
    assert found.picks is None
    assert found.state is None
    # Of six ordered pairs a and c win three each: 375,000 of a million reads, three of four being web's.
    assert found.servers == (
        ServerLoad(0, A, "RSPrimary", 375_000, 1_000_000, 500_000),
        ServerLoad(1, B, "RSSecondary", 0, 0, 0),
        ServerLoad(2, C, "RSSecondary", 375_000, 0, 300_000),
    )
    assert found.failed == Shares(250_000, 0, 200_000)
    web, orders, third = found.workloads
    assert web.servers == (
        ServerShare(0, A, 500_000, None),
        ServerShare(1, B, 0, None),
        ServerShare(2, C, 500_000, None),
    )
    assert (web.name, web.operation, web.read_preference, web.weight) == ("web", "read", ReadPreference("nearest"), 3)
    assert (web.failed, web.failed_ppm, web.round_trip_time_ms, web.reason) == (None, 0, 5.75, None)
    assert orders.operation == "write"
    assert third.servers == ()
    assert third.failed_ppm == 1_000_000
    assert third.round_trip_time_ms is None
    assert third.reason is not None
    assert third.reason.code == "noTagSetMatches"
    assert str(found) == found.text
    assert found.text.startswith("topology  ReplicaSetWithPrimary rs0, 3 servers\n")
    assert found.to_dict()["text"] == found.text
    assert simulate(THREE, [WEB], format="markdown").text.startswith("- topology: ")


def test_picks_with_clients() -> None:
    # While b works for 11 ms, a has ten operations of 1 ms; then both are free, and b has been for longer: 22 of 24.
    found = simulate(TWO, [Workload("nearest")], picks=24, clients=2, service_times_ms={"B.example": 10})
    assert found.picks == 24
    [workload] = found.workloads
    assert workload.name == "workload 1"
    assert workload.servers == (ServerShare(0, A, 916_667, 22), ServerShare(1, B, 83_333, 2))
    assert workload.failed == 0


def test_pieces_are_one_simulation() -> None:
    told: list[tuple[int, int]] = []
    options: dict[str, Any] = {"clients": 5, "service_times_ms": {A: 0.5}, "seed": 2**64 - 1, "pick": "random"}
    whole = readpref.call(
        "simulate",
        {
            "topology": TWO,
            "workloads": [{"readPreference": {"mode": "nearest"}}, {"operation": "write"}],
            "picks": 250_000,
            "clients": 5,
            "serviceTimesMS": {A: 0.5},
            "seed": str(2**64 - 1),
            "pick": "random",
        },
    )
    workloads = [Workload("nearest"), Workload(operation="write")]
    found = simulate(TWO, workloads, picks=250_000, progress=lambda done, picks: told.append((done, picks)), **options)
    assert told == [(100_000, 250_000), (200_000, 250_000), (250_000, 250_000)]
    assert found.to_dict() == whole
    # Stopped, and gone on from there.
    part = simulate(TWO, workloads, picks=250_000, progress=lambda done, _: done < 200_000, **options)
    assert part.picks == 200_000
    rest = simulate(TWO, workloads, picks=50_000, state=part.state, **options)
    assert rest.to_dict() == whole


def test_seed_is_0_unless_given() -> None:
    one, again = (simulate(TWO, [Workload("nearest")], picks=1000) for _ in range(2))
    assert one == again == simulate(TWO, [Workload("nearest")], picks=1000, seed=0)
    assert one != simulate(TWO, [Workload("nearest")], picks=1000, seed=1)


def test_more_picks_than_a_document_takes_are_stopped_by_progress() -> None:
    done = simulate(TWO, [Workload("nearest")], picks=2**40, progress=lambda *_: False)
    assert done.picks == 100_000


def test_progress_that_raises_is_told() -> None:
    def fail(_: int, __: int) -> None:
        raise LookupError("mine")

    with pytest.raises(ArgumentError) as caught:
        simulate(TWO, [Workload("nearest")], picks=1, progress=fail)
    assert caught.value.path == "progress"
    assert isinstance(caught.value.__cause__, LookupError)
    with pytest.raises(WrongTypeError, match="progress"):
        simulate(TWO, [Workload("nearest")], picks=1, progress=5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"picks": 0}, "picks"),
        ({"picks": -1}, "picks"),
        ({"picks": 2**40 + 1}, "picks"),
        ({"picks": 1, "clients": 1025}, "clients"),
        ({"clients": 1}, "clients"),
        ({"state": "1"}, "state"),
        ({"picks": 1, "state": "1"}, "state"),
        ({"picks": 1, "clients": 1, "service_times_ms": {C: 1}}, f'serviceTimesMS["{C}"]'),
        ({"seed": -1}, "seed"),
        ({"pick": "first"}, "pick"),
        ({"format": "html"}, "format"),
        ({"local_threshold_ms": -1}, "localThresholdMS"),
        ({"heartbeat_frequency_ms": 499}, "heartbeatFrequencyMS"),
        ({"wire_versions": (9, 8)}, "wireVersions.max"),
    ],
)
def test_options_of_simulate_are_checked(options: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        simulate(TWO, [Workload("nearest")], **options)
    assert caught.value.path == path


@pytest.mark.parametrize("ask", [simulate, what_if, advise])
def test_workloads_are_checked(ask: Any) -> None:
    cases: list[tuple[Any, str]] = [
        ([], "workloads"),
        (None, "workloads"),
        ("nearest", "workloads"),
        ({}, "workloads"),
        (5, "workloads"),
        ([5], "workloads[0]"),
        ([Workload(weight=0)], "workloads[0].weight"),
        ([WEB, Workload(weight=-3)], "workloads[1].weight"),
        ([Workload(operation="delete")], "workloads[0].operation"),
        ([Workload("farthest")], "workloads[0].readPreference.mode"),
        ([{"weigth": 1}], "workloads[0].weigth"),
        ([WEB] * 101, "workloads[100]"),
    ]
    for workloads, path in cases:
        with pytest.raises(readpref.ReadPrefError) as caught:
            ask(TWO, workloads)
        assert caught.value.path == path
    with pytest.raises(InvalidDocumentError) as caught:
        ask({"servers": []}, [WEB])
    assert caught.value.path == "topology.servers"


@pytest.mark.parametrize("ask", [simulate, what_if, advise])
def test_topologies_in_every_form(ask: Any) -> None:
    asked = ask(THREE, (one for one in [WEB]), local_threshold_ms=3, heartbeat_frequency_ms=500, wire_versions=(8, 30))
    assert ask(TopologyDescription(THREE), [WEB], local_threshold_ms=3, heartbeat_frequency_ms=500) == asked
    live = Topology(THREE, local_threshold_ms=3, heartbeat_frequency_ms=500, pick="leastBusyOfTwo")
    assert ask(live, [WEB]) == asked
    assert ask(live, [WEB], local_threshold_ms=15) == ask(THREE, [WEB])
    with pytest.raises(InvalidDocumentError) as caught:
        ask({"topology": THREE}, [WEB])
    assert caught.value.path == "topology.topology"


def test_the_pick_of_a_topology_counts() -> None:
    live = Topology(THREE, pick="random")
    # Each of the three alike; of the millionth that is left over, the first.
    assert [one.reads_ppm for one in simulate(live, [WEB]).servers] == [333_334, 333_333, 333_333]


def test_warnings_are_told_once() -> None:
    hedged = {"mode": "nearest", "hedge": {"enabled": True}}
    with pytest.warns(EngineWarning, match="hedgeDeprecated"):
        found = simulate(THREE, [Workload(hedged)])
    assert [warning.code for warning in found.workloads[0].warnings] == ["hedgeDeprecated"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        built = ReadPreference.from_document(hedged)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert simulate(THREE, [Workload(built)]).workloads[0].warnings == found.workloads[0].warnings


def test_what_if() -> None:
    reports = Workload({"mode": "secondaryPreferred", "tags": [{"dc": "sf"}, {}]}, name="reports")
    events = [PrimarySteppedDown(), ZoneDown({"dc": "ny"}), MemberDown("C.example")]
    found = what_if(ZONES, [Workload(operation="write", name="orders"), reports], events)
    assert found.before.primary == A
    orders = found.before.outcomes[0]
    assert (orders.name, orders.operation, orders.status, orders.servers) == ("orders", "write", "served", (A,))
    assert (orders.read_preference, orders.weight, orders.reason) == (ReadPreference("primary"), 1, None)
    none = Reason(
        "noCandidate", "no suitable server for a write: topology type ReplicaSetNoPrimary has no server in that role"
    )
    # docs/json.md, "what_if".
    assert [(one.name, one.phase, one.primary, one.outcomes) for one in found.scenarios] == [
        (
            "primary steps down",
            "noPrimary",
            None,
            (WorkloadOutcome("fails", (), (), none), WorkloadOutcome("served", (C,), (), None)),
        ),
        (
            "primary steps down",
            "elected",
            B,
            (WorkloadOutcome("degraded", (B,), ("slower",), None), WorkloadOutcome("served", (C,), (), None)),
        ),
        (
            "primary steps down",
            "elected",
            C,
            (
                WorkloadOutcome("degraded", (C,), ("slower",), None),
                WorkloadOutcome("degraded", (A, B), ("laterTagSet",), None),
            ),
        ),
        (
            "{dc: ny} down",
            "noMajority",
            None,
            (WorkloadOutcome("fails", (), (), none), WorkloadOutcome("served", (C,), (), None)),
        ),
        (
            "C.example down",
            "asBefore",
            A,
            (
                WorkloadOutcome("served", (A,), (), None),
                WorkloadOutcome("degraded", (B,), ("laterTagSet",), None),
            ),
        ),
    ]
    assert "FAILS: noCandidate" in str(found)


def test_every_event_arrives() -> None:
    joining = {"address": "d.example", "type": "RSSecondary"}
    events = {
        "a.example down": MemberDown("a.example"),
        "{dc: sf} down": ZoneDown({"dc": "sf"}),
        "network split, seen from {dc: ny}": NetworkSplit({"dc": "ny"}),
        "primary steps down": PrimarySteppedDown(),
        "b.example lags 60 s": MemberLags("b.example", 60),
        "{dc: ny} + 2.5 ms RTT": ZoneSlower({"dc": "ny"}, 2.5),
        "d.example added": MemberAdded(joining),
        "b.example has {dc: la}": TagsChanged("b.example", {"dc": "la"}),
    }
    for name, event in events.items():
        assert {one.name for one in what_if(ZONES, [WEB], [event]).scenarios} == {name}
    assert what_if(ZONES, [WEB], [MemberAdded(ServerDescription(joining))]) == what_if(
        ZONES, [WEB], [{"type": "memberAdded", "server": joining}]
    )


def test_options_of_what_if() -> None:
    lost = [MemberDown(A), MemberDown(B)]
    assert {one.name for one in what_if(ZONES, [WEB], lost, at_once=2).scenarios} == {
        f"{A} down",
        f"{B} down",
        f"{A} down and {B} down",
    }
    assert {one.name for one in what_if(ZONES, [WEB], every_single=True).scenarios} == {
        f"{A} down",
        f"{B} down",
        f"{C} down",
    }
    pairs = {f"{A} down and {B} down", f"{A} down and {C} down", f"{B} down and {C} down"}
    assert {one.name for one in what_if(ZONES, [WEB], every_pair=True).scenarios} == pairs
    assert what_if(ZONES, [WEB]).scenarios == ()


@pytest.mark.parametrize(
    ("events", "path"),
    [
        ([MemberDown("x.example")], "events[0]"),
        ([PrimarySteppedDown(), TagsChanged("x.example", {})], "events[1]"),
        ([{"type": "memberDown"}], "events[0].address"),
        ([{"type": "memberDwon", "address": A}], "events[0].type"),
        ([MemberLags(B, 0)], "events[0].lagSeconds"),
        ([MemberDown(5)], "events[0].address"),  # type: ignore[arg-type]
        ([5], "events[0]"),
        ("memberDown", "events"),
        ([PrimarySteppedDown()] * 101, "events[100]"),
    ],
)
def test_events_are_checked(events: Any, path: str) -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        what_if(ZONES, [WEB], events)
    assert caught.value.path == path


def test_advise() -> None:
    # docs/json.md, "advise": the second workload's first finding.
    workloads = [
        Workload("primary", name="web", writes_back=True, transaction=True),
        Workload({"mode": "secondary", "maxStalenessSeconds": 60}),
    ]
    found = advise(THREE, workloads)
    assert found.findings[0] == Finding(
        "maxStalenessTooSmall",
        "error",
        1,
        "workloads[1].readPreference.maxStalenessSeconds",
        "maxStalenessSeconds 60 is too small: this topology allows 90 or more "
        "(90, and heartbeatFrequencyMS 10000 + 10 s)",
        "raise maxStalenessSeconds, or lower heartbeatFrequencyMS",
        'Max Staleness specification, "Smallest allowed value for maxStalenessSeconds"',
    )
    assert str(found) == found.text
    assert advise(THREE, workloads[:1]).findings == ()
    assert advise(THREE, workloads[:1], format="markdown").text.startswith("- topology: ")


def test_what_only_advise_asks_arrives() -> None:
    def codes(workload: Workload, **options: Any) -> set[str]:
        return {one.code for one in advise(THREE, [workload], **options).findings}

    usual = codes(Workload("secondaryPreferred"))
    assert codes(Workload("secondaryPreferred", writes_back=True)) - usual == {"writesBackStaleReads"}
    assert codes(Workload("secondaryPreferred", transaction=True)) - usual == {"transactionNotPrimary"}
    assert codes(Workload("secondaryPreferred"), direct_connection=True) - usual == {"directConnectionPreference"}
    assert codes(Workload("secondaryPreferred"), flow_control=False) - usual == {"flowControlOff"}


def test_diff() -> None:
    # docs/json.md, "diff": before, a and b have half of web's reads each, and those of reports fail.
    described = {
        "setName": "rs0",
        "servers": [
            {"address": A, "type": "RSPrimary", "roundTripTimeMS": 2},
            {"address": B, "type": "RSSecondary", "roundTripTimeMS": 5, "tags": {"use": "reports"}},
        ],
    }
    before = [WEB, Workload({"mode": "secondary", "tags": [{"use": "report"}]}, name="reports")]
    right = Workload({"mode": "secondary", "tags": [{"use": "reports"}]}, name="reports")
    found = diff(described, before, After(workloads=[Workload("primaryPreferred", name="web", weight=3), right]))
    assert found.changed is True
    assert [one.change for one in found.servers] == [Shares(375_000, 0, 375_000), Shares(-125_000, 0, -125_000)]
    assert found.servers[0].before == ServerLoad(0, A, "RSPrimary", 375_000, 0, 375_000)
    assert (found.failed.before, found.failed.after) == (Shares(250_000, 0, 250_000), Shares(0, 0, 0))
    assert found.failed.change == Shares(-250_000, 0, -250_000)
    web, reports = found.workloads
    assert web.failed_change_ppm == 0
    assert (web.before.round_trip_time_ms, web.after.round_trip_time_ms) == (3.5, 2)
    assert reports.failed_change_ppm == -1_000_000
    assert reports.before.reason is not None
    assert reports.after.reason is None
    assert reports.after.read_preference == ReadPreference("secondary", tags=[{"use": "reports"}])
    assert reports.servers == (
        ShareChange(
            B,
            ComparedShare(0, "tagSets", "tags[0] needs use=report, has use=reports"),
            ComparedShare(1_000_000, "inLatencyWindow", "the only server in the latency window"),
            1_000_000,
        ),
    )
    assert "+37.5000%" in str(found)


def test_what_may_be_different_after() -> None:
    web = [Workload("nearest")]
    assert diff(THREE, web, After(local_threshold_ms=0)).changed
    assert diff(THREE, web, After(pick="random")).changed
    assert not diff(THREE, web, After(pick="random"), pick="random").changed
    assert not diff(THREE, web, {"heartbeatFrequencyMS": 500}).changed
    gone = diff(THREE, web, After(topology=TopologyDescription(TWO)))
    assert [one.after is None for one in gone.servers] == [False, False, True]
    live = Topology(THREE, pick="random", local_threshold_ms=3)
    assert (
        diff(live, web, After(wire_versions=(8, 30))).to_dict()
        == diff(THREE, web, After(wire_versions=(8, 30)), pick="random", local_threshold_ms=3).to_dict()
    )
    cases: list[tuple[Any, str]] = [
        (After(), "after"),
        (None, "after"),
        ([], "after"),
        (After(workloads=[]), "after.workloads"),
        (After(workloads=[WEB, WEB]), "after.workloads"),
        (After(workloads=[Workload(weight=0)]), "after.workloads[0].weight"),
        (After(topology={"servers": []}), "after.topology.servers"),
        ({"seed": 1}, "after.seed"),
    ]
    for after, path in cases:
        with pytest.raises(InvalidDocumentError) as caught:
            diff(THREE, web, after)
        assert caught.value.path == path


def test_import() -> None:
    # docs/json.md, "import".
    shards = {"map": {"config": "cfg/c1.example:27019", "shardA": "rsA/a1.example:27018,a2.example:27018"}, "ok": 1}
    found = import_topology([shards])
    assert found.sources == ("shardMap",)
    assert found.topology is None
    assert [server.type for server in found.shards["shardA"].servers] == ["RSPrimary", "RSSecondary"]
    assert [note.code for note in found.guessed] == ["typeGuessed", "typeGuessed"]
    assert found.guessed[0].path == "shards.shardA.servers[0].type"
    assert {note.code for note in found.unknown} == {"tagsUnknown", "roundTripTimeUnknown", "notInSource"}
    assert found.notes == ()
    hello = {"ok": 1, "isWritablePrimary": True, "setName": "rs0", "me": A, "maxWireVersion": 25}
    one = import_topology(iter([hello]))
    assert one.topology is not None
    assert one.shards == {}
    assert simulate(one.topology, [Workload()]).servers[0].reads_ppm == 1_000_000
    for documents, path in (([], "documents"), (hello, "documents"), ([{}], "documents[0]"), ([5], "documents[0]")):
        with pytest.raises(InvalidDocumentError) as caught:
            import_topology(documents)  # type: ignore[arg-type]
        assert caught.value.path == path
