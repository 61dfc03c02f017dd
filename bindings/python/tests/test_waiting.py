"""Selections that wait: threads, tasks, deadlines, cancellations, the end; rules 3.1, 3.2, 3.40, 3.41, 3.42."""

from __future__ import annotations

import asyncio
import logging
import math
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from readpref import (
    HandleError,
    IncompatibleWireVersionError,
    NoServerError,
    ReadPreference,
    RequestCheck,
    SelectedServer,
    ServerSelectionTimeoutError,
    Topology,
)
from readpref._deadline import Deadline, selection_time
from readpref._sleeper import ThreadSleeper

NOBODY: dict[str, Any] = {
    "type": "ReplicaSetNoPrimary",
    "setName": "rs0",
    "servers": [{"address": "a.example", "type": "Unknown"}],
}
SOMEBODY: dict[str, Any] = {"setName": "rs0", "servers": [{"address": "a.example", "type": "RSPrimary"}]}
OLD: dict[str, Any] = {
    "servers": [{"address": "a.example", "type": "RSPrimary", "minWireVersion": 0, "maxWireVersion": 6}]
}
PRIMARY = ReadPreference()
LONG = 60.0  # nothing here takes so long, unless a wake was lost


@pytest.fixture
def topology() -> Iterator[Topology]:
    with Topology(NOBODY) as opened:
        yield opened


def waiting(topology: Topology, count: int) -> None:
    """Wait until so many wait."""
    until = time.monotonic() + LONG
    while len(topology._waiters._wake) < count:
        assert time.monotonic() < until
        time.sleep(0.001)


@pytest.mark.parametrize(
    ("timeout", "operation_timeout", "default", "want"),
    [
        (None, None, 30.0, 30.0),
        (5, None, 30.0, 5.0),
        (5, 0, 30.0, 5.0),  # timeoutMS=0 leaves serverSelectionTimeoutMS in force
        (None, 0, 30.0, 30.0),
        (5, 2.5, 30.0, 2.5),
        (2.5, 5, 30.0, 2.5),
        (None, Decimal("0.5"), 30.0, 0.5),
        (0, 5, 30.0, 0.0),
        (math.inf, None, 30.0, math.inf),
        (10**400, None, 30.0, math.inf),
        (math.inf, 1, 30.0, 1.0),
    ],
)
def test_the_deadline(timeout: Any, operation_timeout: Any, default: float, want: float) -> None:
    """Rule 3.40."""
    assert selection_time(timeout, operation_timeout, default) == want


def test_what_is_left() -> None:
    assert Deadline(0).remaining() == 0
    assert Deadline(math.inf).remaining() is None
    assert Deadline(1e300).remaining() is None
    left = Deadline(LONG).remaining()
    assert left is not None
    assert LONG - 5 < left <= LONG


def test_a_thread_is_woken_by_an_update(topology: Topology) -> None:
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(topology.select, timeout=LONG)
        waiting(topology, 1)
        topology.update({**NOBODY, "servers": []})  # of no use: it goes on waiting
        topology.update(SOMEBODY)
        assert found.result(LONG) == SelectedServer(0, "a.example:27017")
    assert not topology._waiters._wake


def test_many_threads_and_no_wake_is_lost(topology: Topology) -> None:
    """Each thread waits for a server again and again, while it comes and goes as fast as it can."""
    stop = threading.Event()

    def wait() -> int:
        found = 0
        for _ in range(50):
            found += topology.select(PRIMARY, timeout=LONG).id == 0
        return found

    def change() -> None:
        while not stop.is_set():
            topology.update(SOMEBODY)
            topology.update(NOBODY)
            time.sleep(0.0005)

    changing = threading.Thread(target=change)
    changing.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            assert [one.result(LONG) for one in [pool.submit(wait) for _ in range(8)]] == [50] * 8
    finally:
        stop.set()
        changing.join()


def test_the_time_is_kept(topology: Topology) -> None:
    before = time.monotonic()
    with pytest.raises(ServerSelectionTimeoutError) as caught:
        topology.select(PRIMARY, timeout=0.1)
    assert 0.1 <= time.monotonic() - before < LONG
    assert caught.value.message == "server selection timed out after 100ms: no server is available"
    assert str(caught.value).startswith(
        "server selection timed out after 100ms: no server is available\n\n"
        "topology    ReplicaSetNoPrimary rs0, 1 server\n"
    )
    with pytest.raises(ServerSelectionTimeoutError):
        topology.select(PRIMARY, timeout=LONG, operation_timeout=0.01)


def test_the_topology_s_own_time() -> None:
    with Topology(NOBODY, server_selection_timeout_ms=20) as waits:
        with pytest.raises(ServerSelectionTimeoutError, match=r"server selection timed out after 20ms"):
            waits.select()
        with pytest.raises(NoServerError) as caught:
            waits.select(timeout=0)
        assert not isinstance(caught.value, TimeoutError)
    with Topology(NOBODY) as described, pytest.raises(NoServerError) as caught:
        described.select()
    assert not isinstance(caught.value, TimeoutError)


def test_an_incompatible_topology_fails_at_once(topology: Topology) -> None:
    """Rule 3.2, also while waiting."""
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(topology.select, timeout=LONG)
        waiting(topology, 1)
        topology.update(OLD)
        with pytest.raises(IncompatibleWireVersionError, match="requires at least 8"):
            found.result(LONG)


def test_closing_ends_those_who_wait(topology: Topology) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = [
            pool.submit(topology.select, timeout=LONG),
            pool.submit(asyncio.run, topology.select_async(timeout=LONG)),
        ]
        waiting(topology, 2)
        topology.close()
        for one in found:
            with pytest.raises(HandleError):
                one.result(LONG)


def test_a_checkout_waits(topology: Topology) -> None:
    def use() -> int:
        with topology.checkout(timeout=LONG) as server:
            count: int = topology.description.servers[server.id].to_dict()["operationCount"]
            return count

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(use)
        waiting(topology, 1)
        topology.update(SOMEBODY)
        assert found.result(LONG) == 1
    assert "operationCount" not in topology.description.servers[0].to_dict()


def test_a_task_waits_and_others_run(topology: Topology) -> None:
    async def main() -> SelectedServer:
        task = asyncio.ensure_future(topology.select_async(PRIMARY, timeout=LONG))
        await asyncio.sleep(0)
        waiting(topology, 1)
        topology.update(SOMEBODY)
        return await task

    assert asyncio.run(main()).id == 0


def test_tasks_of_many_loops(topology: Topology) -> None:
    async def many() -> list[SelectedServer]:
        return await asyncio.gather(*(topology.select_async(timeout=LONG) for _ in range(20)))

    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(asyncio.run, many()) for _ in range(4)]
        waiting(topology, 80)
        topology.update(SOMEBODY)
        assert all(one.id == 0 for group in found for one in group.result(LONG))


def test_a_task_is_cancelled_and_counts_nothing(topology: Topology) -> None:
    async def main() -> None:
        async def use() -> None:
            async with topology.checkout(timeout=LONG):
                raise AssertionError

        task = asyncio.ensure_future(use())
        await asyncio.sleep(0)
        assert len(topology._waiters._wake) == 1
        task.cancel()
        topology.update(SOMEBODY)  # the wake and the cancellation come together
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert not topology._waiters._wake
    assert "operationCount" not in topology.description.servers[0].to_dict()


def test_a_task_checks_out_and_releases(topology: Topology) -> None:
    topology.update(SOMEBODY)

    async def main() -> None:
        async with topology.checkout(operation="write") as server:
            assert topology.description.servers[server.id].to_dict()["operationCount"] == 1

    asyncio.run(main())
    assert "operationCount" not in topology.description.servers[0].to_dict()


def test_a_task_times_out(topology: Topology) -> None:
    with pytest.raises(ServerSelectionTimeoutError):
        asyncio.run(topology.select_async(PRIMARY, timeout=0.01))
    with pytest.raises(NoServerError):
        asyncio.run(topology.select_async(PRIMARY, timeout=0))


def test_a_loop_that_is_gone_wakes_nobody(topology: Topology) -> None:
    loop = asyncio.new_event_loop()
    task = loop.create_task(topology.select_async(timeout=LONG))
    loop.run_until_complete(asyncio.sleep(0))
    assert len(topology._waiters._wake) == 1
    # Closed without ending its task, as a program that ends in a hurry does.
    loop.close()
    topology.update(SOMEBODY)
    assert not task.done()
    task._log_destroy_pending = False  # type: ignore[attr-defined]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers with signals here")
def test_a_signal_handler_may_change_the_topology(topology: Topology) -> None:
    """It runs in the waiting thread, in the middle of its sleep."""
    before = signal.signal(signal.SIGALRM, lambda *_: topology.update(SOMEBODY))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert topology.select(timeout=LONG).id == 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_whoever_waits_asks_for_checks(topology: Topology) -> None:
    """Rule 3.1 (7): an immediate check of all servers."""
    heard: list[Any] = []
    topology.listen(heard.append)
    topology.update({**NOBODY, "servers": [*NOBODY["servers"], {"address": "b.example", "type": "Unknown"}]})
    with pytest.raises(ServerSelectionTimeoutError):
        topology.select(timeout=0.01)
    assert heard == [RequestCheck(0, "a.example"), RequestCheck(0, "b.example")]
    with pytest.raises(NoServerError):
        topology.select(timeout=0)
    assert len(heard) == 2


def test_a_listener_that_finds_the_server(topology: Topology) -> None:
    topology.listen(lambda _: topology.update(SOMEBODY))
    assert topology.select(timeout=LONG).id == 0


def fields(record: logging.LogRecord) -> dict[str, Any]:
    names = ("selector", "operation", "operationId", "serverHost", "serverPort", "failure", "remainingTimeMS")
    return {name: getattr(record, name) for name in names if hasattr(record, name)}


def test_the_log(topology: Topology, caplog: pytest.LogCaptureFixture) -> None:
    """Rule 3.42."""
    caplog.set_level(logging.DEBUG, "readpref.serverSelection")
    with pytest.raises(ServerSelectionTimeoutError):
        topology.select(PRIMARY, timeout=0.05, operation_name="find", operation_id=7)
    common = {"selector": "ReadPreference('primary')", "operation": "find", "operationId": 7}
    started, waited, failed = caplog.records
    assert [one.name for one in caplog.records] == ["readpref.serverSelection"] * 3
    assert (started.getMessage(), started.levelno, fields(started)) == (
        "Server selection started",
        logging.DEBUG,
        common,
    )
    assert (waited.getMessage(), waited.levelno) == ("Waiting for suitable server to become available", logging.INFO)
    left = fields(waited).pop("remainingTimeMS")
    assert 0 <= left <= 50
    assert (failed.getMessage(), failed.levelno) == ("Server selection failed", logging.DEBUG)
    assert fields(failed) == {**common, "failure": "server selection timed out after 50ms: no server is available"}
    assert started.topologyDescription == topology.description  # type: ignore[attr-defined]
    caplog.clear()
    topology.update(SOMEBODY)
    topology.select(PRIMARY, operation="write")
    started, succeeded = caplog.records
    assert (succeeded.getMessage(), succeeded.levelno) == ("Server selection succeeded", logging.DEBUG)
    assert fields(succeeded) == {
        "selector": "ReadPreference('primary')",
        "operation": "write",
        "serverHost": "a.example",
        "serverPort": 27017,
    }


def test_a_log_that_raises_leaves_no_operation(topology: Topology, caplog: pytest.LogCaptureFixture) -> None:
    """Rule 3.34: nobody gets the server, so that nobody could release it."""

    def refuse(record: logging.LogRecord) -> bool:
        if "succeeded" in record.getMessage():
            raise RuntimeError("refused")
        return True

    caplog.set_level(logging.DEBUG, "readpref.serverSelection")
    logger = logging.getLogger("readpref.serverSelection")
    topology.update(SOMEBODY)
    logger.addFilter(refuse)
    try:
        with pytest.raises(RuntimeError, match="refused"), topology.checkout():
            pass
    finally:
        logger.removeFilter(refuse)
    with topology.checkout():
        assert topology.describe()["topology"]["servers"][0]["operationCount"] == 1


def test_waiting_is_logged_once(topology: Topology, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "readpref.serverSelection")
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(topology.select, timeout=LONG)
        for _ in range(3):
            waiting(topology, 1)
            topology.update(NOBODY)
        topology.update(SOMEBODY)
        found.result(LONG)
    assert [one.getMessage() for one in caplog.records] == ["Waiting for suitable server to become available"]


def test_the_shortest_of_times_end() -> None:
    until = time.monotonic() + 2

    def sleep() -> None:
        while time.monotonic() < until:
            ThreadSleeper().sleep(0.00002)

    # The more threads there are, the likelier the time is over before the sleep has begun.
    threads = [threading.Thread(target=sleep, daemon=True) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(max(0, until + 20 - time.monotonic()))
    assert not any(one.is_alive() for one in threads)
