"""What is known of the members at one moment, as values: server and topology descriptions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NoReturn, TypeVar

from readpref._encode import Encoded, encode
from readpref._errors import new_error
from readpref._path import path_of
from readpref._reading import class_name, is_a, reading
from readpref._value import refuse_change

MAX_SERVERS = 65_536  # the engine's limit


class Description(Encoded):
    """What both have: an immutable value that is its JSON, and was written once."""

    __slots__ = ("_json",)

    _json: bytes

    def _encoded(self) -> bytes:
        return self._json

    @classmethod
    def _from_json(cls: type[D], data: bytes) -> D:
        description = cls.__new__(cls)
        object.__setattr__(description, "_json", data)
        return description

    @classmethod
    def _from_answer(cls: type[D], document: object) -> D:
        """Build from a part of an answer of the engine."""
        return cls._from_json(encode(document))

    def to_dict(self) -> dict[str, Any]:
        """Give the description as JSON values; a new dict each time."""
        description: dict[str, Any] = json.loads(self._json)
        return description

    def __eq__(self, other: Any) -> bool:
        if not is_a(other, type(self)):
            return NotImplemented
        return bool(self._json == other._json)

    def __hash__(self) -> int:
        return hash(self._json)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.to_dict()!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._from_json, (self._json,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        refuse_change("assign to", name)

    def __delattr__(self, name: str) -> NoReturn:
        refuse_change("delete", name)


D = TypeVar("D", bound=Description)


class ServerDescription(Description):
    """What is known of one server. Immutable, hashable, compared by what it says.

    Args:
        description: ``{"address", "type", "roundTripTimeMS", "tags", …}``; docs/json.md names every key. Dates may be
            `datetime.datetime` (without a time zone it is UTC), times `decimal.Decimal`. It is checked by whoever uses
            it.

    Raises:
        ReadPrefError: a value that no JSON document can carry.

    >>> server = ServerDescription({"address": "a.example:27017", "type": "RSSecondary", "tags": {"dc": "ny"}})
    >>> server.address, server.type, server.tags["dc"], server.round_trip_time_ms
    ('a.example:27017', 'RSSecondary', 'ny', None)
    """

    __slots__ = ()

    def __init__(self, description: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_json", encode(description, "server"))

    @property
    def address(self) -> str:
        """The address, such as ``"a.example:27017"``."""
        address: str = self.to_dict()["address"]
        return address

    @property
    def type(self) -> str:
        """The type, such as ``"RSSecondary"``; ``"Unknown"`` where none is given."""
        kind: str = self.to_dict().get("type", "Unknown")
        return kind

    @property
    def round_trip_time_ms(self) -> float | None:
        """The average round-trip time in milliseconds, or None."""
        return self.to_dict().get("roundTripTimeMS")

    @property
    def tags(self) -> Mapping[str, str]:
        """The replica set member's tags; empty where there are none."""
        return self.to_dict().get("tags") or {}

    @property
    def error(self) -> str | None:
        """Why the server is Unknown, where that is known."""
        return self.to_dict().get("error")


class Described(Encoded):
    """What stands for a topology: its JSON is the present description."""

    __slots__ = ()


class TopologyDescription(Description, Described):
    """The members of a deployment, as a client knows them at one moment.

    Immutable, hashable, compared by what it says, and picklable; written once, so that using it again and again costs
    little. What it says is read by `select`, `explain` and `Topology`, which also tell what is wrong with it, under the
    path ``topology``.

    Args:
        description: ``{"type", "setName", "servers": [server description, …]}``; docs/json.md names every key. Dates
            may be `datetime.datetime` (without a time zone it is UTC), times `decimal.Decimal`.

    Raises:
        ReadPrefError: a value that no JSON document can carry, such as NaN or a set; a whole request in place of its
            ``request["topology"]``.

    >>> description = TopologyDescription({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
    >>> description.servers[0].address
    'a.example:27017'
    """

    __slots__ = ()

    def __init__(self, description: Mapping[str, Any]) -> None:
        refuse_request(description)
        object.__setattr__(self, "_json", encode(description, "topology"))

    @classmethod
    def from_hello_replies(
        cls, replies: Iterable[Mapping[str, Any]], *, topology_type: str | None = None, set_name: str | None = None
    ) -> TopologyDescription:
        """Build from saved replies, one a member.

        Args:
            replies: for each member ``{"address", "hello", "roundTripTimeMS", "nowMS", "operationCount"}``. ``hello``
                is what the member said, as ``EJSON.stringify(db.hello())`` printed it in mongosh or as PyMongo's
                ``client.admin.command("hello")`` gave it; ``{}`` is a failed check. The rest is optional, ``nowMS``
                being when the reply came.
            topology_type: the topology's type, such as ``"ReplicaSetNoPrimary"``; None: the members tell.
            set_name: the replica set's name, if it is to be kept.

        >>> from readpref import select
        >>> reply = {"isWritablePrimary": True, "setName": "rs0", "hosts": ["a.example:27017"], "minWireVersion": 0,
        ...     "maxWireVersion": 25, "ok": 1}
        >>> description = TopologyDescription.from_hello_replies([{"address": "a.example:27017", "hello": reply}])
        >>> select(description).server
        Server(index=0, address='a.example:27017', type='RSPrimary')
        """
        description: dict[str, Any] = {}
        if topology_type is not None:
            description["type"] = topology_type
        if set_name is not None:
            description["setName"] = set_name
        where = ("topology", "servers")
        with reading(where):
            if not hasattr(type(replies), "__iter__"):
                raise new_error(
                    "wrongType", f"the replies are a {class_name(replies)}, not an iterable", path_of(where)
                )
            # One more than the engine takes is for it to refuse; an endless iterable ends here.
            description["servers"] = list(islice(replies, MAX_SERVERS + 1))
        return cls(description)

    @property
    def type(self) -> str | None:
        """The topology's type, such as ``"ReplicaSetWithPrimary"``; None where it is for the servers to tell."""
        return self.to_dict().get("type")

    @property
    def set_name(self) -> str | None:
        """The replica set's name, or None."""
        return self.to_dict().get("setName")

    @property
    def servers(self) -> tuple[ServerDescription, ...]:
        """The servers, in order."""
        return tuple(ServerDescription._from_answer(server) for server in self.to_dict().get("servers", ()))

    @property
    def compatibility_error(self) -> str | None:
        """Why this client cannot talk to one of the servers; None where it can, or where nobody looked."""
        return self.to_dict().get("compatibilityError")


def refuse_request(description: Any) -> None:
    """Refuse what holds a topology and is none: the whole request, as it is saved."""
    with reading(("topology",)):
        if not is_a(description, Mapping) or "topology" not in description or "servers" in description:
            return
        # Shards may have any name.
        shards = all(is_a(value, Described) for value in description.values())
    if not shards:
        raise new_error(
            "unknownKey",
            'this is a whole request: give its request["topology"], and its request["readPreference"] to select or '
            "explain",
            "topology.topology",
        )
