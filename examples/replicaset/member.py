"""One member of the set: its state, and what its hello says."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bson import DatetimeMS, Int64, ObjectId, Timestamp

if TYPE_CHECKING:
    from replicaset.replica_set import ReplicaSet

Document = dict[str, Any]


class State(enum.Enum):
    """What a member is at the moment, in the words of replSetGetStatus."""

    DOWN = "DOWN"
    PRIMARY = "PRIMARY"
    SECONDARY = "SECONDARY"
    ARBITER = "ARBITER"
    RECOVERING = "RECOVERING"


@dataclass(frozen=True)
class MemberConfig:
    """What replSetGetConfig would say of a member, and how far away it is."""

    name: str
    tags: dict[str, str] = field(default_factory=dict)
    priority: int = 1  # 0: never primary
    votes: int = 1
    hidden: bool = False
    arbiter: bool = False
    latencyMS: int = 0  # noqa: N815 - as in the configuration file


class Member:
    """A member; ReplicaSet decides when it changes, MemberServer puts it on the network."""

    def __init__(self, config: MemberConfig, replica_set: ReplicaSet) -> None:
        self.config = config
        self.replica_set = replica_set
        self.address = ""
        self.state = State.DOWN
        self.primary: Member | None = None  # the one it knows of
        self.term = 0  # of its last election as primary
        self.lag_seconds = 0
        self.latency_ms = config.latencyMS
        self.partition = 0  # members of different numbers do not see each other
        self.reachable = asyncio.Event()  # clear: clients' bytes are held back, theirs and its own
        self.reachable.set()
        self._starts = 0
        self._counter = 0
        self._changed = asyncio.Event()

    @property
    def up(self) -> bool:
        return self.state is not State.DOWN

    def start(self) -> None:
        """Begin as a new process, with a topologyVersion that nobody has seen."""
        self._starts += 1
        self._counter = 0
        self.become(State.ARBITER if self.config.arbiter else State.SECONDARY, None)

    def become(self, state: State, primary: Member | None) -> None:
        """Change what hello says; clients that wait for that hear of it."""
        if (state, primary) != (self.state, self.primary):
            self.state, self.primary = state, primary
            self._counter += 1
            self._changed.set()
            self._changed = asyncio.Event()

    async def wait_for_change(self, seconds: float) -> None:
        """Return when hello says something else, at the latest after so many seconds."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    def topology_version(self) -> Document:
        process = hashlib.sha256(f"{self.address} {self._starts}".encode()).digest()[:12]
        return {"processId": ObjectId(process), "counter": Int64(self._counter)}

    def last_write_ms(self) -> int:
        return self.replica_set.clock_ms() - 1000 * self.lag_seconds

    def hello(self) -> Document:
        """The reply to hello, without `ok` and what belongs to one connection."""
        replica_set, config = self.replica_set, self.config
        document: Document = {
            "topologyVersion": self.topology_version(),
            "isWritablePrimary": self.state is State.PRIMARY,
            "secondary": self.state is State.SECONDARY,
            "setName": replica_set.set_name,
            "setVersion": replica_set.set_version,
            "me": self.address,
        }
        seen = [m for m in replica_set.members if not m.config.hidden]
        lists = {
            "hosts": [m.address for m in seen if not m.config.arbiter and m.config.priority > 0],
            "passives": [m.address for m in seen if not m.config.arbiter and m.config.priority == 0],
            "arbiters": [m.address for m in seen if m.config.arbiter],
        }
        document.update({name: addresses for name, addresses in lists.items() if addresses})
        if config.arbiter:
            document["arbiterOnly"] = True
        elif config.priority == 0:
            document["passive"] = True
        if config.hidden:
            document["hidden"] = True
        if config.tags:
            document["tags"] = dict(config.tags)
        if self.primary is not None:
            document["primary"] = self.primary.address
        if self.state is State.PRIMARY:
            document["electionId"] = ObjectId(f"7fffffff{self.term:016x}")
        if not config.arbiter:
            ms = self.last_write_ms()
            op_time = {"ts": Timestamp(ms // 1000, 1), "t": Int64(replica_set.term)}
            document["lastWrite"] = {
                "opTime": op_time,
                "lastWriteDate": DatetimeMS(ms),
                "majorityOpTime": op_time,
                "majorityWriteDate": DatetimeMS(ms),
            }
        document.update(
            maxBsonObjectSize=16_777_216,
            maxMessageSizeBytes=48_000_000,
            maxWriteBatchSize=100_000,
            localTime=DatetimeMS(replica_set.clock_ms()),
            logicalSessionTimeoutMinutes=30,
            minWireVersion=0,
            maxWireVersion=25,
            readOnly=False,
        )
        return document
