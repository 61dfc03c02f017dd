"""Connection strings, what DNS says of them, and read preferences as their options."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from readpref._call import answer
from readpref._encode import encode
from readpref._errors import new_error
from readpref._options import Preference, Seed, seed_of
from readpref._preference import ReadPreference, preference_of
from readpref._value import Value, field
from readpref._warning import EngineWarning, issue


class URIHost(Value):
    """A host of a connection string, as it is written.

    Attributes:
        type: ``"hostname"``, ``"ipv4"``, ``"ip_literal"`` (an IPv6 address) or ``"unix"`` (the path of a socket).
        host: without brackets and port.
        port: or None where none is written.
    """

    type: str
    host: str
    port: int | None


class SRVLookup(Value):
    """The names that DNS is asked for.

    Attributes:
        srv: of the SRV records.
        txt: of the TXT record.
    """

    srv: str
    txt: str


class ConnectionString(Value):
    """What a connection string says.

    Attributes:
        srv: whether it is ``mongodb+srv://``.
        hosts: as written; empty for mongodb+srv until `resolve_srv` knows them.
        seeds: the hosts as addresses in normal form, each once.
        lookup: for mongodb+srv, the names to ask DNS for.
        username: decoded, or None.
        password: decoded, or None; no part of the repr.
        database: decoded, or None.
        read_preference: mode primary where no option sets one.
        options: every other valid option by the specification's name: a str, int, bool, list of str, or dict of str.
        rescan_ms: of `resolve_srv`: when to scan DNS again, in milliseconds; None: never, or not asked.
        warnings: what is ignored or deprecated.
    """

    srv: bool
    hosts: tuple[URIHost, ...]
    seeds: tuple[str, ...]
    lookup: SRVLookup | None
    username: str | None
    password: str | None = field(repr=False)
    database: str | None
    read_preference: ReadPreference
    options: Mapping[str, Any]
    rescan_ms: int | None
    warnings: tuple[EngineWarning, ...]
    _document: Mapping[str, Any] = field(repr=False, compare=False)

    def __hash__(self) -> int:
        return hash((self.seeds, self.database, self.read_preference))

    def to_dict(self) -> dict[str, Any]:
        """Give the engine's document, with the password; a new dict each time."""
        return copy.deepcopy(dict(self._document))

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> ConnectionString:
        lookup = document.get("lookup")
        return cls(
            document["srv"],
            tuple(URIHost(host["type"], host["host"], host["port"]) for host in document["hosts"]),
            tuple(document["seeds"]),
            None if lookup is None else SRVLookup(lookup["srv"], lookup["txt"]),
            document["username"],
            document["password"],
            document["database"],
            ReadPreference._from_normal_form(document["readPreference"]),
            document["options"],
            document.get("rescanMS"),
            tuple(EngineWarning._from_document(warning) for warning in document["warnings"]),
            document,
        )


class SRVScan(Value):
    """What a later scan of DNS changes.

    Attributes:
        added: the addresses that join.
        removed: the addresses that leave.
        next_ms: when to scan again, in milliseconds.
        warnings: records that were ignored.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    next_ms: int
    warnings: tuple[EngineWarning, ...]


def parse_uri(uri: str) -> ConnectionString:
    """Read a connection string. Nothing is connected to, and DNS is not asked.

    Raises:
        ReadPrefError: it is invalid; no error quotes a user name or a password.

    Warns:
        EngineWarning: each of its `warnings`.

    >>> parsed = parse_uri("mongodb://DB1.example,db2.example:27018/shop?replicaSet=rs0&readPreference=nearest")
    >>> parsed.seeds, parsed.database, parsed.read_preference, parsed.options["replicaSet"]
    (('db1.example:27017', 'db2.example:27018'), 'shop', ReadPreference('nearest'), 'rs0')
    """
    parsed = ConnectionString._from_document(answer("parse_uri", encode({"uri": uri})))
    issue(parsed.warnings, stacklevel=2)
    return parsed


def resolve_srv(
    uri: str,
    records: Sequence[Mapping[str, Any]],
    txt: Sequence[Sequence[str]] = (),
    *,
    seed: Seed | None = None,
) -> ConnectionString:
    """Read a ``mongodb+srv://`` connection string together with what DNS says of its `lookup`.

    Args:
        uri: the connection string.
        records: the SRV records, ``[{"target", "port", "ttlSeconds"}, …]``.
        txt: the TXT record's strings, ``[["string", …]]``.
        seed: with srvMaxHosts, decides which hosts are taken. None: a new one from the system's entropy.

    Raises:
        ReadPrefError: it is invalid, or what DNS says is.

    >>> resolve_srv("mongodb+srv://a.example.com", [{"target": "db1.example.com", "port": 27017}]).seeds
    ('db1.example.com:27017',)
    """
    request = {"uri": uri, "srv": records, "txt": txt, "seed": seed_of(seed)}
    parsed = ConnectionString._from_document(answer("srv", encode(request)))
    issue(parsed.warnings, stacklevel=2)
    return parsed


def rescan_srv(
    uri: str,
    records: Sequence[Mapping[str, Any]],
    current: Sequence[str],
    *,
    heartbeat_frequency_ms: int | None = None,
    seed: Seed | None = None,
) -> SRVScan:
    """Tell what a later scan of DNS changes. A `Topology` does this by `Topology.on_srv`.

    Args:
        uri: the ``mongodb+srv://`` connection string.
        records: the SRV records now; empty: there are none, or the lookup failed.
        current: the addresses that the topology has.
        heartbeat_frequency_ms: None: the connection string's, or 10000.
        seed: with srvMaxHosts, decides which hosts are taken. None: a new one from the system's entropy.

    >>> records = [{"target": "db2.example.com", "port": 27017, "ttlSeconds": 90}]
    >>> scan = rescan_srv("mongodb+srv://a.example.com", records, ["db1.example.com:27017"])
    >>> scan.added, scan.removed, scan.next_ms
    (('db2.example.com:27017',), ('db1.example.com:27017',), 90000)
    """
    if current is None:
        raise new_error("wrongType", "expected a list of addresses, found None", "current")
    request = {"uri": uri, "srv": records, "current": current, "seed": seed_of(seed)}
    if heartbeat_frequency_ms is not None:
        request["heartbeatFrequencyMS"] = heartbeat_frequency_ms
    found = answer("srv", encode(request))
    return SRVScan(
        tuple(found["added"]),
        tuple(found["removed"]),
        found["nextMS"],
        tuple(EngineWarning._from_document(warning) for warning in found["warnings"]),
    )


def to_uri(read_preference: Preference) -> str:
    """Write a read preference as options of a connection string, to be put behind its question mark.

    Raises:
        ReadPrefError: options cannot say it: hedge, a comma in a tag, a colon in a tag's name.

    >>> to_uri(ReadPreference("secondary", [{"dc": "new york"}, {}]))
    'readPreference=secondary&readPreferenceTags=dc:new%20york&readPreferenceTags='
    """
    preference = preference_of(read_preference)
    query: str = answer("to_uri", encode({"readPreference": preference}))["query"]
    return query
