"""The set as a whole: who is up, who sees whom, and who is elected.

An election takes no time and is decided by priority, then by the order in the configuration, so that a script always
has the same outcome. There is no takeover by priority: a member that comes back waits for `elect`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from replicaset.member import Member, MemberConfig, State
from replicaset.member_server import MemberServer

DEFAULT_CONFIG = Path(__file__).parent / "three-data-centres.json"


def read_config(path: Path) -> tuple[str, list[MemberConfig], str]:
    """Read a set's name, its members and the options of its URI from a configuration file."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return document["setName"], [MemberConfig(**m) for m in document["members"]], document.get("uriOptions", "")


def _wall_clock_ms() -> int:
    return time.time_ns() // 1_000_000


class ReplicaSet:
    """A set; its coroutines and methods are called from one event loop."""

    def __init__(
        self,
        set_name: str,
        configs: Iterable[MemberConfig],
        uri_options: str = "",
        clock_ms: Callable[[], int] = _wall_clock_ms,
    ) -> None:
        self.set_name = set_name
        self.set_version = 1
        self.term = 0
        self.clock_ms = clock_ms
        self.members = [Member(config, self) for config in configs]
        self._uri_options = uri_options
        self._servers: dict[Member, MemberServer] = {}
        self._elections = True

    @property
    def uri(self) -> str:
        seeds = ",".join(m.address for m in self.members if not (m.config.arbiter or m.config.hidden))
        options = f"&{self._uri_options}" if self._uri_options else ""
        return f"mongodb://{seeds}/?replicaSet={self.set_name}{options}"

    def member(self, name: str) -> Member:
        for m in self.members:
            if m.config.name == name:
                return m
        raise LookupError(f"no member is named {name!r}")

    def tagged(self, tags: dict[str, str]) -> list[Member]:
        if not isinstance(tags, dict):
            raise ValueError(f"tags are an object, not {tags!r}")
        return [m for m in self.members if tags.items() <= m.config.tags.items()]

    async def start(self) -> None:
        # All ports first: every hello names all members.
        self._servers = {m: MemberServer(m) for m in self.members}
        await self.restart(self.members)

    async def stop(self) -> None:
        for server in self._servers.values():
            await server.close()

    # What can happen to it.

    def kill(self, members: Iterable[Member]) -> None:
        for m in members:
            self._servers[m].kill()
            m.become(State.DOWN, None)
        self._settle()

    async def restart(self, members: Iterable[Member]) -> None:
        for m in members:
            self._servers[m].kill()
            m.start()
            await self._servers[m].start()
        self._settle()

    def step_down(self, member: Member, elect: bool = True) -> None:
        """The primary becomes a secondary, and another member is elected, unless that shall wait for `elect`."""
        if member.state is not State.PRIMARY:
            raise LookupError(f"{member.config.name} is no primary")
        member.become(State.SECONDARY, None)
        self._elections = elect
        self._settle(without=member)

    def elect(self, member: Member | None = None) -> None:
        """The member becomes primary; without one, whoever wins."""
        if member is not None:
            if member.state is not State.SECONDARY or member.config.priority == 0 or not self._has_majority(member):
                raise LookupError(f"{member.config.name} cannot be elected")
            for m in self._side(member):
                if m.state is State.PRIMARY:
                    m.become(State.SECONDARY, None)
            self._win(member)
        self._elections = True
        self._settle()

    def maintenance(self, member: Member, on: bool) -> None:
        """A secondary goes into RECOVERING, which serves nothing, or comes back."""
        want, then = (State.SECONDARY, State.RECOVERING) if on else (State.RECOVERING, State.SECONDARY)
        if member.state is not want:
            raise LookupError(f"{member.config.name} is in state {member.state.value}")
        member.become(then, member.primary)

    def partition(self, groups: list[list[Member]]) -> None:
        """Members see only those of their group; whoever is in none stays in group 0 with the others like it.

        A primary on the small side does not know yet that it is one: it goes on until anything else happens. (A real
        one notices after ten seconds.) Clients still reach both sides.
        """
        for m in self.members:
            m.partition = next((i for i, group in enumerate(groups, 1) if m in group), 0)
        self._settle(noticed=False)

    def heal(self) -> None:
        for m in self.members:
            m.partition = 0
        self._settle()

    # Elections.

    def _side(self, member: Member) -> list[Member]:
        return [m for m in self.members if m.up and m.partition == member.partition]

    def _has_majority(self, member: Member) -> bool:
        votes = sum(m.config.votes for m in self._side(member))
        return 2 * votes > sum(m.config.votes for m in self.members)

    def _win(self, member: Member) -> None:
        self.term += 1
        member.term = self.term
        member.become(State.PRIMARY, member)

    def _settle(self, without: Member | None = None, noticed: bool = True) -> None:
        """On every side of a partition: at most one primary, one wherever a majority can elect it, and all know it."""
        for number in {m.partition for m in self.members}:
            side = [m for m in self.members if m.up and m.partition == number]
            if not side:
                continue
            majority = self._has_majority(side[0])
            primaries = sorted((m for m in side if m.state is State.PRIMARY), key=lambda m: -m.term)
            for m in primaries if noticed and not majority else primaries[1:]:
                m.become(State.SECONDARY, None)
            if majority and not primaries and self._elections:
                able = [m for m in side if m.state is State.SECONDARY and m.config.priority > 0 and m is not without]
                if able:
                    self._win(max(able, key=lambda m: m.config.priority))
            primary = next((m for m in side if m.state is State.PRIMARY), None)
            for m in side:
                m.become(m.state, primary)
