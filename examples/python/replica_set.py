"""The replica set of examples/replicaset as a child process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


class ReplicaSet:
    """It ends when its standard input does, so it ends with this program."""

    def __init__(self, command: list[str]) -> None:
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.uri: str = self._answer()["uri"]
        # The members' names are a, b, c and so on, in the order of the URI.
        seeds = self.uri.split("//")[1].split("/")[0].split(",")
        self.names = dict(zip(seeds, "abcdefgh"))

    def _answer(self) -> Any:
        assert self._program.stdout is not None
        line = self._program.stdout.readline()
        if not line:
            sys.exit("the replica set has ended")
        return json.loads(line)

    def do(self, request: dict[str, Any]) -> None:
        """Have something happen to the set."""
        assert self._program.stdin is not None
        print(json.dumps(request), file=self._program.stdin, flush=True)
        answer = self._answer()
        if "error" in answer:
            sys.exit(f"{request}: {answer['error']}")

    def end(self) -> None:
        assert self._program.stdin is not None
        self._program.stdin.close()
        self._program.wait()
