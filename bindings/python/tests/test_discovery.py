"""A topology that is discovered: replies and errors in, events and effects out.

Replies and figures are those of docs/json.md, "Discovery".
"""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import pytest

from readpref import (
    ArgumentError,
    Effect,
    ErrorOutcome,
    Event,
    EventsDroppedEvent,
    HandleError,
    NoServerError,
    PoolClear,
    PoolReady,
    ReadPreference,
    ReadPrefError,
    RequestCheck,
    ScanSRV,
    ServerClosedEvent,
    ServerDescriptionChangedEvent,
    ServerSelectionTimeoutError,
    StartMonitor,
    StopMonitor,
    Topology,
    TopologyClosedEvent,
    TopologyDescription,
    TopologyDescriptionChangedEvent,
    TopologyOpeningEvent,
)

A, B, C = "a.example:27017", "b.example:27017", "c.example:27017"
LONG = 60.0


def primary(*hosts: str, **more: Any) -> dict[str, Any]:
    return {
        "ok": 1,
        "isWritablePrimary": True,
        "setName": "rs0",
        "hosts": list(hosts),
        "minWireVersion": 0,
        "maxWireVersion": 25,
        **more,
    }


def secondary(*hosts: str, **more: Any) -> dict[str, Any]:
    return primary(*hosts, **{"isWritablePrimary": False, "secondary": True, **more})


def opened(**settings: Any) -> Topology:
    return Topology(seeds=[A, B], replica_set="rs0", **settings)


def words(notices: list[Any]) -> list[str]:
    return [f"{type(one).__name__} {one.address}" if hasattr(one, "address") else type(one).__name__ for one in notices]


def test_what_opening_says() -> None:
    """Rule 6.26, and a monitor for each seed."""
    with opened() as topology:
        stream = topology.events()
        first = stream.pending()
        assert words(first) == [
            "TopologyOpeningEvent",
            "TopologyDescriptionChangedEvent",
            f"ServerOpeningEvent {A}",
            f"ServerOpeningEvent {B}",
            f"StartMonitor {A}",
            f"StartMonitor {B}",
        ]
        assert [one.sequence for one in first] == [1, 2, 3, 4, 5, 6]
        changed = first[1]
        assert isinstance(changed, TopologyDescriptionChangedEvent)
        assert changed.previous_description == TopologyDescription(
            {"type": "Unknown", "servers": [], "compatible": True}
        )
        assert changed.new_description is not None
        assert [server.address for server in changed.new_description.servers] == [A, B]
        assert changed.new_description.type == "ReplicaSetNoPrimary"
        assert changed.new_description.set_name == "rs0"
        assert all(isinstance(one, Event) != isinstance(one, Effect) for one in first)
        assert stream.pending() == []


def test_replies_errors_and_what_they_cause() -> None:
    with opened(clock=None) as topology:
        stream = topology.events()
        stream.pending()
        outcome = topology.on_hello("A.example", primary(A, C), round_trip_time_ms=2.5, now_ms=1793000000950)
        assert outcome.accepted
        assert outcome.connection_error is None
        assert outcome.generation == topology.generation == 2
        assert outcome.server is not None
        assert (outcome.server.address, outcome.server.type, outcome.server.round_trip_time_ms) == (A, "RSPrimary", 2.5)
        # Rule 6.25; B is not in the primary's list.
        assert words(stream.pending()) == [
            f"ServerDescriptionChangedEvent {A}",
            f"ServerOpeningEvent {C}",
            f"ServerClosedEvent {B}",
            "TopologyDescriptionChangedEvent",
            f"StartMonitor {C}",
            f"StopMonitor {B}",
            f"PoolReady {A}",
        ]
        # Rule 5.7: (5 + 4 · 2.5) / 5.
        probed = topology.on_hello(A, round_trip_time_ms=5)
        assert probed.server is not None
        assert probed.server.round_trip_time_ms == 3
        gone = topology.on_hello(B, error="connection refused")
        assert (gone.accepted, gone.server) == (False, None)
        failed = topology.on_hello(C, {}, error="connection refused", error_kind="network")
        assert failed.server is not None
        assert failed.server.error == "connection refused"
        stream.pending()
        # Rules 7.4, 7.6: a shutdown code clears the pool and asks for a check.
        reply = {"ok": 0, "code": 11600, "errmsg": "interrupted at shutdown"}
        error = topology.on_error(A, "command", reply=reply, generation=0)
        assert error == ErrorOutcome(True, False, topology.generation)
        notices = stream.pending()
        assert PoolClear(notices[-2].sequence, A, False, 1) == notices[-2]
        assert RequestCheck(notices[-1].sequence, A) == notices[-1]
        # Rule 7.1: of a connection that is gone already.
        assert not topology.on_error(A, "network", generation=0).accepted
        assert not topology.on_error(A, "networkTimeout").accepted  # rule 7.7


def test_deprioritized_for_a_retry() -> None:
    """Rule 3.30."""
    with Topology(seeds=[A, B]) as topology:
        for address in (A, B):
            topology.on_hello(address, {"ok": 1, "msg": "isdbgrid", "maxWireVersion": 25}, round_trip_time_ms=1)
        outcome = topology.on_error(A, "network", stage="afterHandshake", labels=["RetryableWriteError"])
        assert outcome.deprioritize
        assert topology.select("nearest", deprioritized=[A]).address == B
    for on in (True, False, None):
        with opened(enable_overload_retargeting=on) as topology:
            topology.on_hello(A, primary(A, B))
            outcome = topology.on_error(A, "command", labels=["SystemOverloadedError"], reply={"ok": 0, "code": 462})
            assert outcome.deprioritize is bool(on)


def test_the_clock() -> None:
    times = iter([5, 6])
    with opened(clock=lambda: next(times)) as topology:
        topology.on_hello(A, primary(A, B))
        assert topology.description.servers[0].to_dict()["lastUpdateTimeMS"] == 5
        topology.on_hello(A, primary(A, B), now_ms=77)
        assert topology.description.servers[0].to_dict()["lastUpdateTimeMS"] == 77
        topology.on_error(A, "network", error="reset")
        assert topology.description.servers[0].to_dict()["lastUpdateTimeMS"] == 6
    with opened() as topology:
        topology.on_hello(A, primary(A, B))
        now = topology.description.servers[0].to_dict()["lastUpdateTimeMS"]
        assert abs(now - time.time() * 1000) < LONG * 1000


def test_a_selection_waits_for_a_reply() -> None:
    with opened() as topology, ThreadPoolExecutor(1) as pool:
        heard: list[Any] = []
        topology.listen(heard.append)
        found = pool.submit(topology.select, timeout=LONG)
        while RequestCheck(0, B) not in heard:
            time.sleep(0.001)
        topology.on_hello(B, secondary(A, B))
        topology.on_hello(A, primary(A, B))
        assert found.result(LONG).address == A


def test_it_waits_by_default() -> None:
    """Rule 0.2: 30 s; or what the connection string says."""
    with opened() as topology:
        assert topology._timeout == 30
    with Topology(f"mongodb://{A}/?serverSelectionTimeoutMS=20") as topology:
        with pytest.raises(ServerSelectionTimeoutError, match=r"server selection timed out after 20ms"):
            topology.select()
        with pytest.raises(NoServerError) as caught:
            topology.select(timeout=0)
        assert not isinstance(caught.value, TimeoutError)
    with Topology(f"mongodb://{A}/?timeoutMS=20") as topology:
        with pytest.raises(ServerSelectionTimeoutError, match=r"server selection timed out after 20ms"):
            topology.select()
        with pytest.raises(ServerSelectionTimeoutError, match=r"server selection timed out after 10ms"):
            topology.select(timeout=0.01, operation_timeout=0)


def test_a_connection_string() -> None:
    uri = "mongodb://a.example,b.example/?replicaSet=rs0&readPreference=secondary&readPreferenceTags=dc:ny&localThresholdMS=1"
    with Topology(uri) as topology:
        assert topology.read_preference == ReadPreference("secondary", [{"dc": "ny"}])
        assert topology.describe()["localThresholdMS"] == 1
        assert topology.describe()["seeds"] == [A, B]
        for address, reply in ((A, primary(A, B)), (B, secondary(A, B, tags={"dc": "ny"}))):
            topology.on_hello(address, reply, round_trip_time_ms=1)
        assert topology.select().address == B
        assert topology.select("primary").address == A
    with (
        pytest.warns(UserWarning, match="readPreference"),
        Topology(f"mongodb://{A}/?readPreference=secondry") as warned,
    ):
        assert [one.code for one in warned.warnings] == ["invalidURIOptionValue"]
    with pytest.raises(ReadPrefError) as caught:
        Topology("mongo://a.example")
    assert (caught.value.code, caught.value.path) == ("invalidURI", "uri")


def test_dns() -> None:
    """The example of docs/json.md, "topology.srv"."""
    uri = "mongodb+srv://cluster.shop.example/?heartbeatFrequencyMS=20000"
    records = [{"target": f"m{i}.shop.example", "port": 27017, "ttlSeconds": ttl} for i, ttl in ((1, 300), (2, 90))]
    with Topology(uri, srv=records) as topology:
        stream = topology.events()
        # Rule 2.24: the lowest TTL, 90 s, is more than 60 s.
        assert [one.after_ms for one in stream.pending() if isinstance(one, ScanSRV)] == [90_000]
        outcome = topology.on_srv(
            [
                {"target": "m2.shop.example.", "port": 27017, "ttlSeconds": 30},
                {"target": "m3.shop.example.", "port": 27017, "ttlSeconds": 120},
                {"target": "m4.other.example.", "port": 27017, "ttlSeconds": 30},
            ]
        )
        assert (outcome.added, outcome.removed) == (("m3.shop.example:27017",), ("m1.shop.example:27017",))
        assert outcome.next_ms == 60_000
        assert [(one.code, one.path) for one in outcome.warnings] == [("invalidSRVRecord", "srv[2]")]
        assert [one.after_ms for one in stream.pending() if isinstance(one, ScanSRV)] == [60_000]
        assert topology.on_srv([]).next_ms == 20_000
    with opened() as topology, pytest.raises(ArgumentError):
        topology.on_srv([])


def test_closing_says_goodbye() -> None:
    """Rule 6.28."""
    topology = opened()
    stream = topology.events()
    stream.pending()
    topology.close()
    assert words([one for one in stream if isinstance(one, Event)]) == [
        f"ServerClosedEvent {A}",
        f"ServerClosedEvent {B}",
        "TopologyDescriptionChangedEvent",
        "TopologyClosedEvent",
    ]
    assert list(stream) == []
    with pytest.raises(HandleError):
        topology.on_hello(A, {})


def test_going_on_after_a_restart() -> None:
    with opened(seed=7) as topology:
        topology.on_hello(A, primary(A, B), round_trip_time_ms=3)
        document = topology.describe()
    with Topology.from_document(document) as again:
        assert again.describe() == document
        assert again.select().address == A
        assert again.on_hello(B, secondary(A, B)).accepted


def test_a_discovered_topology_takes_no_update() -> None:
    with opened() as topology:
        with pytest.raises(ArgumentError) as caught:
            topology.update({"servers": []})
        assert caught.value.path == "topology"


def test_listeners_and_streams_hear_the_same_in_order() -> None:
    topology = opened()
    one: list[Any] = []
    other: list[Any] = []
    stop = topology.listen(one.append)
    stream = topology.events()
    topology.listen(other.append)
    topology.on_hello(A, primary(A, B))
    stop()
    topology.on_hello(B, secondary(A, B))
    topology.close()
    streamed = list(stream)
    assert words(one[:1]) == ["TopologyOpeningEvent"]  # the first hears what waited
    assert one[6:] == streamed[: len(one) - 6] == other[: len(one) - 6]
    assert streamed == other
    assert [notice.sequence for notice in streamed] == sorted({notice.sequence for notice in streamed})


def test_a_listener_may_use_the_topology() -> None:
    """What it changes is heard afterwards, in order."""
    heard: list[Any] = []

    def listen(notice: Any) -> None:
        heard.append(notice)
        if isinstance(notice, StartMonitor):
            topology.on_hello(notice.address, (primary if notice.address == A else secondary)(A, B))

    topology = opened()
    topology.listen(listen)
    assert topology.select("secondary", timeout=0).address == B
    assert [one.sequence for one in heard] == list(range(1, len(heard) + 1))
    assert [one.address for one in heard if isinstance(one, PoolReady)] == [A, B]
    topology.listen(lambda _: topology.close())
    topology.on_hello(B, error="gone")
    assert topology.closed
    assert isinstance([one for one in heard if isinstance(one, Event)][-1], TopologyClosedEvent)


def test_what_a_listener_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Any] = []

    def fail(_: Any) -> None:
        raise ZeroDivisionError

    with opened() as topology:
        topology.listen(fail)
        topology.listen(heard.append)
        topology.on_hello(A, primary(A, B))
    assert heard
    assert {(one.name, one.levelno) for one in caplog.records} == {("readpref", logging.ERROR)}
    assert "a listener failed for TopologyOpeningEvent(sequence=1)" in caplog.text


def test_threads_that_change_and_one_that_reads() -> None:
    topology = opened()
    stream = topology.events()
    read: list[Any] = []
    reader = threading.Thread(target=lambda: read.extend(stream))
    reader.start()

    def change(address: str) -> None:
        for i in range(100):
            topology.on_hello(address, secondary(A, B, tags={"turn": str(i)}))

    threads = [threading.Thread(target=change, args=(address,)) for address in (A, B)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    topology.close()
    reader.join(LONG)
    assert not reader.is_alive()
    assert [one.sequence for one in read] == sorted({one.sequence for one in read})
    turns = [one for one in read if isinstance(one, ServerDescriptionChangedEvent)]
    assert len(turns) == 200
    assert isinstance(read[-1], (TopologyClosedEvent, StopMonitor))


def test_a_stream_in_a_loop() -> None:
    async def main() -> list[Any]:
        topology = opened()
        heard: list[Any] = []

        async def read() -> None:
            async for notice in topology.events():
                heard.append(notice)

        task = asyncio.ensure_future(read())
        await asyncio.sleep(0)
        await asyncio.get_running_loop().run_in_executor(None, topology.on_hello, A, primary(A, B))
        topology.close()
        await task
        return heard

    heard = asyncio.run(main())
    assert isinstance(heard[0], TopologyOpeningEvent)
    assert any(isinstance(one, ServerClosedEvent) for one in heard)


def test_a_stream_that_nobody_reads() -> None:
    with opened() as topology, topology.events() as stream:
        for i in range(6_000):
            topology.on_hello(A, secondary(A, B, tags={"turn": str(i)}))
        first = stream.pending()
        assert isinstance(first[0], EventsDroppedEvent)
        # Two events a reply, and 8 of the opening and the first effects; the effects stay.
        assert first[0].count + len(first) - 1 > 12_000
        assert len(first) <= 10_001
        assert words([one for one in first if isinstance(one, StartMonitor)]) == [
            f"StartMonitor {A}",
            f"StartMonitor {B}",
        ]
    stream.close()
    assert list(stream) == []


def test_what_nobody_took_in_time() -> None:
    """The engine keeps 10,000 events for the first who asks."""
    with opened() as topology:
        for i in range(6_000):
            topology.on_hello(A, secondary(A, B, tags={"turn": str(i)}))
        heard: list[Any] = []
        topology.listen(heard.append)
        assert isinstance(heard[0], EventsDroppedEvent)
        assert heard[0].count >= 2_000
        assert [one.address for one in heard if isinstance(one, StartMonitor)] == [A, B]


@pytest.mark.parametrize(
    ("act", "code", "path"),
    [
        (lambda topology: topology.on_hello(5, {}), "wrongType", "address"),
        (lambda topology: topology.on_hello(A, 5), "wrongType", "hello"),
        (lambda topology: topology.on_hello(A, {"ok": 1, "setName": 5}), "wrongType", "hello.setName"),
        (lambda topology: topology.on_hello(A, {}, round_trip_time_ms=-1), "outOfRange", "roundTripTimeMS"),
        (lambda topology: topology.on_hello(A, {}, round_trip_time_ms=float("nan")), "invalidJSON", "roundTripTimeMS"),
        (lambda topology: topology.on_hello(A, {}, error_kind="slow"), "unknownValue", "errorKind"),
        (lambda topology: topology.on_hello(A, {}, error="\ud800"), "invalidUTF8", "error"),
        (lambda topology: topology.on_error(A, None), "missingKey", "kind"),
        (lambda topology: topology.on_error(A, "command", labels=[5]), "wrongType", "labels[0]"),
        (lambda topology: topology.on_error(A, "command", generation=-1), "outOfRange", "generation"),
        (lambda topology: topology.on_error(A, "command", reply={"ok": 0, "code": "x"}), "wrongType", "reply.code"),
        (lambda topology: topology.on_error(A, "command", stage="later"), "unknownValue", "stage"),
    ],
)
def test_hostile_arguments(act: Callable[[Any], object], code: str, path: str) -> None:
    with opened() as topology:
        before = topology.description
        with pytest.raises(ReadPrefError) as caught:
            act(topology)
        assert (caught.value.code, caught.value.path) == (code, path)
        assert topology.description == before


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({}, "topology"),
        ({"seeds": []}, "seeds"),
        ({"seeds": [5]}, "seeds[0]"),
        ({"source": f"mongodb://{A}", "seeds": [A]}, "seeds"),
        ({"seeds": [A, B], "direct_connection": True}, "directConnection"),
        ({"source": "mongodb+srv://cluster.shop.example", "srv": [{"target": 5}]}, "srv[0].target"),
        ({"source": "\ud800"}, "uri"),
    ],
)
def test_what_cannot_be_opened(arguments: dict[str, Any], path: str) -> None:
    with pytest.raises(ReadPrefError) as caught:
        Topology(**arguments)
    assert caught.value.path == path


def test_a_topology_that_is_dropped() -> None:
    """Nothing keeps a topology alive but its user."""
    topology = opened()
    topology.listen(lambda _: None)
    gone = weakref.ref(topology)
    del topology
    gc.collect()
    assert gone() is None
