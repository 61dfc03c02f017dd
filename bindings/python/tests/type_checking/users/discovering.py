"""Discovers a deployment with sockets of its own: threads, tasks, events."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Mapping
from typing import Any

from readpref import (
    Effect,
    ErrorOutcome,
    Event,
    HelloOutcome,
    Notice,
    PoolClear,
    RequestCheck,
    SelectedServer,
    ServerDescription,
    StartMonitor,
    StopMonitor,
    Topology,
    TopologyDescription,
    TopologyDescriptionChangedEvent,
)

REPLY: Mapping[str, Any] = {
    "ok": 1,
    "isWritablePrimary": True,
    "setName": "rs0",
    "hosts": ["a.example"],
    "minWireVersion": 0,
    "maxWireVersion": 25,
}


class Monitors:
    """Checks the servers that it is told to check."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.to_check: queue.Queue[str] = queue.Queue()
        self.cleared: list[tuple[str, int]] = []
        self.stop = topology.listen(self.told)

    def told(self, notice: Notice) -> None:
        """Take what the topology asks for."""
        if isinstance(notice, (StartMonitor, RequestCheck)):
            self.to_check.put(notice.address)
        elif isinstance(notice, PoolClear):
            self.cleared.append((notice.address, notice.generation))

    def check(self) -> HelloOutcome:
        """Check one."""
        return self.topology.on_hello(self.to_check.get(timeout=10), REPLY, round_trip_time_ms=1.5)

    def failed(self, address: str) -> bool:
        """Tell of an error of an operation; give whether a retry goes elsewhere."""
        outcome: ErrorOutcome = self.topology.on_error(address, "network", error="connection reset")
        return outcome.deprioritize


def told_of(notice: Notice) -> str:
    """Tell of a change in words."""
    if isinstance(notice, TopologyDescriptionChangedEvent):
        after: TopologyDescription | None = notice.new_description
        return "?" if after is None else str(after.type)
    if isinstance(notice, Event):
        return type(notice).__name__
    assert isinstance(notice, Effect)
    return f"{type(notice).__name__} {notice.sequence}"


async def serve(topology: Topology) -> str:
    """Wait for a server in a task, and then use it."""
    server: SelectedServer = await topology.select_async("primary", timeout=10)
    async with topology.checkout("primary") as again:
        assert again is server
        return f"{again.host}:{again.port}"


async def last_words(topology: Topology) -> list[str]:
    """Read the events until the topology is closed."""
    return [told_of(notice) async for notice in topology.events()]


def main() -> None:
    """Discover a set of one member."""
    topology = Topology(seeds=["a.example"], replica_set="rs0")
    events = topology.events()
    monitors = Monitors(topology)
    monitors.to_check.put("a.example:27017")
    thread = threading.Thread(target=monitors.check)
    thread.start()
    assert asyncio.run(serve(topology)) == "a.example:27017"
    thread.join()
    described: tuple[ServerDescription, ...] = topology.description.servers
    assert described[0].type == "RSPrimary"
    monitors.failed("a.example:27017")
    monitors.stop()
    assert any(isinstance(notice, StopMonitor) for notice in events.pending()) is False
    topology.close()
    assert "TopologyClosedEvent" in [told_of(notice) for notice in events]


if __name__ == "__main__":
    main()
