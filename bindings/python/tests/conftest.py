"""What several tests use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loopback import ReplicaSet, replica_set
from readpref import TopologyDescription, _native
from readpref._ctypes_engine import CtypesEngine

PACKAGE = Path(__file__).resolve().parent.parent
REPOSITORY = PACKAGE.parent.parent

# What is there to test: "extension", or "ctypes" with the package of `make python-package-ctypes` on PYTHONPATH.
ENGINES = ("extension", "ctypes")

collect_ignore = [] if hasattr(os, "fork") else ["test_fork.py", "test_prefork.py"]


def engine_name() -> str:
    """Tell which engine the package has that is tested."""
    return "ctypes" if isinstance(_native.engine(), CtypesEngine) else "extension"


# Each engine has something of its own; what says nothing of the engine, or is long and says it of both (test_fork says
# it of ctypes), runs once, with the extension.
ONCE = ["test_build_hook.py", "test_install.py", "test_prefork.py"]
collect_ignore += {"extension": ["test_ctypes_engine.py"], "ctypes": ["test_extension.py", *ONCE]}[engine_name()]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=ENGINES, help="which engine the installed package has to have")
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew from what is printed")


def pytest_configure(config: pytest.Config) -> None:
    wanted = config.getoption("--engine")
    if wanted and wanted != engine_name():
        raise pytest.UsageError(f"the package that is imported has the engine {engine_name()}, not {wanted}")


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


@pytest.fixture(scope="session")
def set_of_five() -> Iterator[ReplicaSet]:
    """Give the loopback replica set of three data centres, for tests that leave it as it is."""
    with replica_set() as running:
        yield running
