"""The control of a set: requests as documents, in this process or as JSON lines on standard input and output."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from replicaset.member import Member
from replicaset.replica_set import ReplicaSet

Document = dict[str, Any]

_MEMBERS = {"member", "members", "tags"}
_KEYS = {
    "status": set(),
    "kill": _MEMBERS,
    "restart": _MEMBERS,
    "stepDown": {"member", "elect"},
    "elect": {"member"},
    "maintenance": {"member", "on"},
    "lag": _MEMBERS | {"seconds"},
    "latency": _MEMBERS | {"ms"},
    "unplug": _MEMBERS,
    "plugIn": _MEMBERS,
    "partition": {"groups"},
    "heal": set(),
}


class Control:
    """Does what requests ask of a set."""

    def __init__(self, replica_set: ReplicaSet) -> None:
        self._set = replica_set

    async def do(self, request: Document) -> Document:
        """Carry out one request; the answer is the set's status.

        Raises:
            LookupError, ValueError: the request cannot be carried out; the set is as it was.
        """
        what = request.get("do") if isinstance(request, dict) else None
        if what not in _KEYS:
            raise ValueError(f"do is {what!r}; known are {', '.join(_KEYS)}")
        unknown = set(request) - {"do"} - _KEYS[what]
        if unknown:
            raise ValueError(f"{what} does not take {', '.join(sorted(unknown))}")
        await self._act(what, request)
        return self.status()

    async def _act(self, what: str, request: Document) -> None:
        replica_set = self._set
        if what == "kill":
            replica_set.kill(self._members(request))
        elif what == "restart":
            await replica_set.restart(self._members(request))
        elif what == "stepDown":
            replica_set.step_down(replica_set.member(request["member"]), request.get("elect", True))
        elif what == "elect":
            replica_set.elect(replica_set.member(request["member"]) if "member" in request else None)
        elif what == "maintenance":
            replica_set.maintenance(replica_set.member(request["member"]), request["on"])
        elif what == "lag":
            for m in self._members(request):
                m.lag_seconds = int(request["seconds"])
        elif what == "latency":
            for m in self._members(request):
                m.latency_ms = int(request["ms"])
        elif what == "unplug":
            for m in self._members(request):
                m.reachable.clear()
        elif what == "plugIn":
            for m in self._members(request):
                m.reachable.set()
        elif what == "partition":
            replica_set.partition([[replica_set.member(n) for n in names] for names in request["groups"]])
        elif what == "heal":
            replica_set.heal()

    def _members(self, request: Document) -> list[Member]:
        named = [request["member"]] if "member" in request else request.get("members", [])
        members = [self._set.member(name) for name in named]
        if "tags" in request:
            members += self._set.tagged(request["tags"])
        if not members:
            raise LookupError("no member is meant: give member, members or tags")
        return members

    def status(self) -> Document:
        """The set as someone sees it who sees everything."""
        return {"members": {m.config.name: {"address": m.address, "state": m.state.value} for m in self._set.members}}


async def serve_lines(replica_set: ReplicaSet) -> None:
    """Answer standard input line by line until it ends."""
    control = Control(replica_set)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    print(json.dumps({"uri": replica_set.uri}), flush=True)
    while line := await reader.readline():
        try:
            answer = await control.do(json.loads(line))
        except (LookupError, ValueError, TypeError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
