"""What several tests use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from readpref import TopologyDescription

PACKAGE = Path(__file__).resolve().parent.parent
REPOSITORY = PACKAGE.parent.parent

collect_ignore = [] if hasattr(os, "fork") else ["test_fork.py", "test_prefork.py"]


@pytest.fixture
def description() -> dict[str, Any]:
    """Give a replica set of three: a primary, a near and a far secondary."""
    return {
        "type": "ReplicaSetWithPrimary",
        "setName": "rs0",
        "servers": [
            {
                "address": "a.example:27017",
                "type": "RSPrimary",
                "roundTripTimeMS": 2,
                "tags": {"dc": "ny"},
                "lastWriteDate": 1793000000000,
                "lastUpdateTimeMS": 1793000000950,
            },
            {
                "address": "b.example:27017",
                "type": "RSSecondary",
                "roundTripTimeMS": 5,
                "tags": {"dc": "ny"},
                "lastWriteDate": 1792999998000,
                "lastUpdateTimeMS": 1793000000950,
            },
            {
                "address": "c.example:27017",
                "type": "RSSecondary",
                "roundTripTimeMS": 150,
                "tags": {"dc": "sf"},
                "lastWriteDate": 1792999500000,
                "lastUpdateTimeMS": 1793000000950,
            },
        ],
    }


@pytest.fixture
def topology(description: dict[str, Any]) -> TopologyDescription:
    """Give it as an object."""
    return TopologyDescription(description)
