"""A topology description: the members and what is known of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import FrozenInstanceError
from itertools import islice
from typing import Any, NoReturn

from readpref._encode import Encoded, encode
from readpref._errors import new_error
from readpref._path import path_of
from readpref._reading import class_name, is_a, reading

MAX_SERVERS = 65_536  # the engine's limit


class Topology(Encoded):
    """The members of a deployment, as a client knows them at one moment.

    Immutable and hashable; written once, so that selecting from it again and again costs little. What it says is read
    by `select` and `explain`, whose first call also tells what is wrong with it, under the path ``topology``.

    Args:
        description: ``{"type", "setName", "servers": [server description, …]}``; docs/json.md names every key. Dates
            may be `datetime.datetime` (without a time zone it is UTC), times `decimal.Decimal`.

    Raises:
        ReadPrefError: a value that no JSON document can carry, such as NaN or a set; a whole request in place of its
            ``request["topology"]``.

    >>> topology = Topology({"servers": [{"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2.4}]})
    >>> topology.to_dict()["servers"][0]["address"]
    'a.example:27017'
    """

    __slots__ = ()

    def __init__(self, description: Mapping[str, Any]) -> None:
        refuse_request(description)
        object.__setattr__(self, "_json", encode(description, "topology"))

    @classmethod
    def from_hello_replies(
        cls, replies: Iterable[Mapping[str, Any]], *, topology_type: str | None = None, set_name: str | None = None
    ) -> Topology:
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
        >>> topology = Topology.from_hello_replies([{"address": "a.example:27017", "hello": reply}])
        >>> select(topology).server
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

    @classmethod
    def _from_json(cls, data: bytes) -> Topology:
        topology = cls.__new__(cls)
        object.__setattr__(topology, "_json", data)
        return topology

    def to_dict(self) -> dict[str, Any]:
        """Give the description as JSON values; a new dict each time."""
        description: dict[str, Any] = json.loads(self._json)
        return description

    def __eq__(self, other: Any) -> bool:
        if not is_a(other, Topology):
            return NotImplemented
        return bool(self._json == other._json)

    def __hash__(self) -> int:
        return hash(self._json)

    def __repr__(self) -> str:
        return f"Topology({self.to_dict()!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Topology._from_json, (self._json,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


def refuse_request(description: Any) -> None:
    """Refuse what holds a topology and is none: the whole request, as it is saved."""
    with reading(("topology",)):
        if not is_a(description, Mapping) or "topology" not in description or "servers" in description:
            return
        # Shards may have any name.
        shards = all(is_a(value, Topology) for value in description.values())
    if not shards:
        raise new_error(
            "unknownKey",
            'this is a whole request: give its request["topology"], and its request["readPreference"] to select or '
            "explain",
            "topology.topology",
        )
