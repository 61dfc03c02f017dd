"""Reads one topology again and again, as a driver or a proxy does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readpref import (
    Explanation,
    NoServerError,
    ReadPreference,
    ReadPrefError,
    SelectedServer,
    Selection,
    ServerSelectionTimeoutError,
    Topology,
    TopologyDescription,
    explain,
    select,
)

DESCRIPTION: dict[str, Any] = {
    "setName": "rs0",
    "servers": [
        {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2, "tags": {"dc": "ny"}},
        {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5.5, "tags": {"dc": "sf"}},
    ],
}


class Pools:
    """A list of connection pools, by the ids of the servers."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.opened: dict[int, str] = {}

    def pool(self, preference: ReadPreference | str | Mapping[str, Any]) -> str:
        """Give the pool that serves a read."""
        server: SelectedServer = self.topology.select(preference, timeout=0)
        return self.opened.setdefault(server.id, server.host)

    def counted(self, preference: ReadPreference) -> str:
        """Run an operation that is counted."""
        with self.topology.checkout(preference, operation="read") as server:
            return server.address


def suitable(description: TopologyDescription, tags: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Give the addresses that a preference allows."""
    selection: Selection = select(description, ReadPreference("nearest", tags=tags))
    return selection.suitable


def why(description: Mapping[str, Any], preference: str) -> str:
    """Tell why, in a text for people."""
    explanation: Explanation = explain(description, preference, local_threshold_ms=15, pick="random", seed=7)
    window = explanation.latency_window
    ends = None if window is None else window.end_ms
    return f"{explanation.text} {ends} {[verdict.why for verdict in explanation.servers]}"


def asked(topology: Topology) -> str:
    """Tell what went wrong."""
    try:
        topology.select({"mode": "secondary", "tags": [{"dc": "la"}]}, timeout=0.01, deprioritized=["a.example:27017"])
    except ServerSelectionTimeoutError as error:
        explained = error.explanation
        return error.message if explained is None else explained.servers[0].why
    except NoServerError:
        return "none, and no time"
    except ReadPrefError as error:
        return f"{error.code} {error.path} {error.minimum_seconds}"
    return "served"


def shards() -> list[str]:
    """Select in each of several shards."""
    description = TopologyDescription(DESCRIPTION)
    found = select({"east": description, "west": description}, "nearest")
    names: list[str] = []
    for name, answer in found.items():
        if isinstance(answer, ReadPrefError):
            names.append(f"{name}: {answer.code}")
        elif answer.server is not None:
            names.append(f"{name}: {answer.server.address}")
    return names


if __name__ == "__main__":
    with Topology(TopologyDescription(DESCRIPTION)) as opened:
        pools = Pools(opened)
        assert pools.pool("secondary") == "b.example"
        assert pools.counted(ReadPreference("primary")) == "a.example:27017"
        assert suitable(opened.description, [{"dc": "sf"}, {}]) == ("b.example:27017",)
        assert asked(opened) == "tags[0] needs dc=la, has dc=sf" or asked(opened)
        assert [server.id for server in opened.select_batch("primary", 3)] == [0, 0, 0]
    assert "selected" in why(DESCRIPTION, "secondary")
    assert shards() == ["east: a.example:27017", "west: a.example:27017"] or len(shards()) == 2
