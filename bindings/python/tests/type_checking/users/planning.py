"""Asks what becomes of workloads, as an operator does before a change."""

from __future__ import annotations

from typing import Any

from readpref import (
    Advice,
    MemberDown,
    ReadPreference,
    Simulation,
    TopologyDescription,
    WhatIf,
    Workload,
    advise,
    simulate,
    what_if,
)

DESCRIPTION: dict[str, Any] = {
    "setName": "rs0",
    "servers": [
        {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
        {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
    ],
}


def shares(description: TopologyDescription, workloads: list[Workload]) -> dict[str, float]:
    """Give each server's share of the reads in percent."""
    found: Simulation = simulate(description, workloads)
    return {server.address: server.reads_ppm / 10_000 for server in found.servers}


def risks(description: TopologyDescription, workloads: list[Workload]) -> list[str]:
    """Give what may go wrong."""
    lost: WhatIf = what_if(description, workloads, [MemberDown("b.example:27017")])
    told: Advice = advise(description, workloads)
    return [str(lost), *(f"{finding.severity} {finding.code}" for finding in told.findings)]


if __name__ == "__main__":
    known = TopologyDescription(DESCRIPTION)
    reads = [Workload(ReadPreference("secondary"), name="reports"), Workload("nearest", name="web", weight=3)]
    # A quarter reads from b alone, and three quarters from both alike.
    assert shares(known, reads) == {"a.example:27017": 37.5, "b.example:27017": 62.5}
    assert "b.example" in risks(known, reads)[0]
