"""The loopback replica set of the repository's examples, in a process of its own: any PyMongo can talk to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pymongo import MongoClient

REPOSITORY = Path(__file__).resolve().parents[3]


class ReplicaSet:
    """A set that runs.

    Attributes:
        uri: the connection string.
        members: the addresses by the members' names.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.uri: str = self._answer()["uri"]
        self.members = {name: str(one["address"]) for name, one in self.do("status")["members"].items()}

    def do(self, what: str, **arguments: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": what, **arguments}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer
        return answer


@contextmanager
def replica_set(config: Path | None = None) -> Iterator[ReplicaSet]:
    """Run the set that a configuration describes; None: that of three data centres."""
    # It needs the PyMongo of this environment, whatever the tests themselves are run with.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, str(REPOSITORY / "examples" / "replicaset"), *([] if config is None else [str(config)])]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield ReplicaSet(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()  # that ends it
            process.wait(20)


def connect(uri: str, **options: Any) -> MongoClient[dict[str, Any]]:
    """Make a client that gives up in the time of a test."""
    return MongoClient(uri, **{"serverSelectionTimeoutMS": 20_000, **options})
