"""What is known of the members at one moment, as values: server and topology descriptions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from readpref._encode import Encoded, encode
from readpref._errors import new_error
from readpref._path import path_of
from readpref._reading import class_name, is_a, reading
from readpref._server_fields import Fields, changed
from readpref._value import refuse_change

if TYPE_CHECKING:
    from datetime import datetime

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

    def _exact(self) -> dict[str, Any]:
        """Give the same with every digit of its decimals, to be written again."""
        description: dict[str, Any] = json.loads(self._json, parse_float=Decimal)
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

    What is read of it are the attributes below, each None, or empty, where the description does not say. Where it is a
    saved reply (``{"address", "hello", …}``) they are what the reply says. A value of another type than its key takes
    raises a `ReadPrefError` there, with path ``server.…``.

    >>> server = ServerDescription({"address": "a.example:27017", "type": "RSSecondary", "tags": {"dc": "ny"}})
    >>> server.address, server.type, server.tags["dc"], server.round_trip_time_ms
    ('a.example:27017', 'RSSecondary', 'ny', None)
    >>> server.replace(round_trip_time_ms=3).round_trip_time_ms
    3
    """

    __slots__ = ()

    def __init__(self, description: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_json", encode(description, "server"))

    def replace(self, **changes: Any) -> ServerDescription:
        """Give the same with some attributes changed, by their names here; None takes one away.

        Raises:
            ArgumentError: there is no such attribute, or the description is a saved reply, which says what it says.

        >>> server = ServerDescription({"address": "a.example:27017", "type": "RSSecondary", "tags": {"dc": "ny"}})
        >>> server.replace(type="RSPrimary", tags=None).to_dict()
        {'address': 'a.example:27017', 'type': 'RSPrimary'}
        """
        if self._is_reply:
            raise new_error("argument", "this is a saved reply: build a description of what it says", "server.hello")
        return ServerDescription(changed(self._exact(), changes))

    @property
    def _is_reply(self) -> bool:
        return Fields(self.to_dict(), "server").has("hello")

    @property
    def _fields(self) -> Fields:
        document = self.to_dict()
        if self._is_reply:
            from readpref._call import answer  # noqa: PLC0415 - most descriptions have no use for the engine

            document = answer("server.parse_hello", encode(self._exact(), "server"))["server"]
        return Fields(document, "server")

    @property
    def address(self) -> str:
        """The address, such as ``"a.example:27017"``."""
        address = Fields(self.to_dict(), "server").text("address")
        if address is None:
            raise new_error("missingKey", "a server description has an address", "server.address")
        return address

    @property
    def type(self) -> str:
        """The type, such as ``"RSSecondary"``; ``"Unknown"`` where none is given."""
        return self._fields.text("type") or "Unknown"

    @property
    def round_trip_time_ms(self) -> float | None:
        """The average round-trip time in milliseconds."""
        return self._fields.number("roundTripTimeMS")

    @property
    def min_round_trip_time_ms(self) -> float | None:
        """The least of the last ten round-trip times in milliseconds."""
        return self._fields.number("minRoundTripTimeMS")

    @property
    def tags(self) -> Mapping[str, str]:
        """The replica set member's tags."""
        return self._fields.tags("tags")

    @property
    def last_write_date(self) -> datetime | None:
        """The server's clock at its last write, in UTC, to the millisecond."""
        return self._fields.date("lastWriteDate")

    @property
    def last_update_time_ms(self) -> int:
        """The client's clock when the reply came, in milliseconds from any fixed point; 0 where it is not known."""
        return self._fields.whole("lastUpdateTimeMS") or 0

    @property
    def min_wire_version(self) -> int | None:
        """The smallest wire version that the server speaks."""
        return self._fields.whole("minWireVersion")

    @property
    def max_wire_version(self) -> int | None:
        """The greatest wire version that the server speaks."""
        return self._fields.whole("maxWireVersion")

    @property
    def operation_count(self) -> int:
        """How many operations this client has in progress there."""
        return self._fields.whole("operationCount") or 0

    @property
    def set_name(self) -> str | None:
        """The replica set's name."""
        return self._fields.text("setName")

    @property
    def set_version(self) -> int | None:
        """The version of the replica set's configuration."""
        return self._fields.whole("setVersion")

    @property
    def election_id(self) -> str | None:
        """The election that made this primary, as 24 hexadecimal digits."""
        return self._fields.object_id("electionId")

    @property
    def primary(self) -> str | None:
        """The address of the primary as this member sees it."""
        return self._fields.text("primary")

    @property
    def me(self) -> str | None:
        """The member's address as the replica set's configuration has it."""
        return self._fields.text("me")

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses of the members that may become primary."""
        return self._fields.texts("hosts")

    @property
    def passives(self) -> tuple[str, ...]:
        """The addresses of the members with priority 0."""
        return self._fields.texts("passives")

    @property
    def arbiters(self) -> tuple[str, ...]:
        """The addresses of the arbiters."""
        return self._fields.texts("arbiters")

    @property
    def logical_session_timeout_minutes(self) -> int | None:
        """How long sessions live, in minutes; None: the server has none."""
        return self._fields.whole("logicalSessionTimeoutMinutes")

    @property
    def error(self) -> str | None:
        """Why the server is Unknown, where that is known."""
        return self._fields.text("error")


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
        return self._fields.text("type")

    @property
    def set_name(self) -> str | None:
        """The replica set's name, or None."""
        return self._fields.text("setName")

    @property
    def servers(self) -> tuple[ServerDescription, ...]:
        """The servers, in order."""
        servers = Fields(self._exact(), "topology").objects("servers")
        return tuple(ServerDescription._from_answer(server) for server in servers)

    @property
    def max_election_id(self) -> str | None:
        """The greatest electionId that a primary reported, as 24 hexadecimal digits, or None."""
        return self._fields.object_id("maxElectionId")

    @property
    def max_set_version(self) -> int | None:
        """The setVersion that goes with it, or None."""
        return self._fields.whole("maxSetVersion")

    @property
    def logical_session_timeout_minutes(self) -> int | None:
        """The least of the data-bearing servers', in minutes; None: there are no sessions, or nobody looked."""
        return self._fields.whole("logicalSessionTimeoutMinutes")

    @property
    def compatibility_error(self) -> str | None:
        """Why this client cannot talk to one of the servers; None where it can, or where nobody looked."""
        return self._fields.text("compatibilityError")

    @property
    def _fields(self) -> Fields:
        return Fields(self.to_dict(), "topology")

    def server(self, address: str) -> ServerDescription | None:
        """Give the server with an address, or None. Case does not count, and a port that is left out is 27017.

        >>> description = TopologyDescription({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
        >>> description.server("A.example").type
        'RSPrimary'
        """
        wanted = _normal(address)
        return next((server for server in self.servers if _normal(server.address) == wanted), None)

    def replace(
        self,
        *,
        servers: Iterable[ServerDescription | Mapping[str, Any]] | None = None,
        type: str | None = None,  # noqa: A002 - the key's name
        set_name: str | None = None,
    ) -> TopologyDescription:
        """Give the same with other servers, another type or another set name; None leaves one as it is.

        Where servers are given and no type, the new servers tell the type.

        >>> description = TopologyDescription({"type": "Unknown", "servers": []})
        >>> description.replace(servers=[{"address": "a.example", "type": "Mongos"}]).to_dict()
        {'servers': [{'address': 'a.example', 'type': 'Mongos'}]}
        """
        document = Fields(self._exact(), "topology").all()
        if servers is not None:
            document.pop("type", None)
            if is_a(servers, Mapping, str, bytes):
                raise new_error(
                    "wrongType", f"expected a list of servers, found a {class_name(servers)}", "topology.servers"
                )
            with reading(("topology", "servers")):
                document["servers"] = list(islice(servers, MAX_SERVERS + 1))
        for key, value in (("type", type), ("setName", set_name)):
            if value is not None:
                document[key] = value
        return TopologyDescription(document)

    def with_server(self, server: ServerDescription | Mapping[str, Any]) -> TopologyDescription:
        """Give the same with a server in the place of that with its address, else at the end.

        The new servers tell the topology's type.

        >>> description = TopologyDescription({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
        >>> [one.type for one in description.with_server({"address": "a.example", "type": "RSSecondary"}).servers]
        ['RSSecondary']
        """
        one: Any = server
        given: ServerDescription = one if is_a(one, ServerDescription) else ServerDescription(one)
        found, wanted = list(self.servers), _normal(given.address)
        places = [place for place, one in enumerate(found) if _normal(one.address) == wanted]
        if places:
            found[places[0]] = given
        else:
            found.append(given)
        return self.replace(servers=found)

    def without_server(self, address: str) -> TopologyDescription:
        """Give the same without the server with an address; the others tell the topology's type.

        Raises:
            ArgumentError: there is no such server.

        >>> description = TopologyDescription({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
        >>> description.without_server("a.example").servers
        ()
        """
        wanted, servers = _normal(address), self.servers
        left = [one for one in servers if _normal(one.address) != wanted]
        if len(left) == len(servers):
            raise new_error("argument", "the topology has no such server", "address")
        return self.replace(servers=left)


def _normal(address: Any) -> str:
    """Give an address as the engine compares it: in lower case, with a port; that of a socket as it is."""
    if not is_a(address, str):
        raise new_error("wrongType", f"expected an address, found a {class_name(address)}", "address")
    text = str.__str__(address)
    if "/" in text or text.endswith(".sock"):
        return text
    text = "".join(chr(ord(one) + 32) if "A" <= one <= "Z" else one for one in text)
    return text if ":" in text.rpartition("]")[2] else f"{text}:27017"


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
