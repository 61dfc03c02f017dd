"""`import_topology`: topology descriptions of what can be saved, and how far they are to be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from readpref._call import answer
from readpref._description import TopologyDescription
from readpref._encode import encode
from readpref._value import Value
from readpref._workload import listed

MAX_DOCUMENTS = 4096  # the engine's limit


class ImportNote(Value):
    """Something to know of an imported description.

    Attributes:
        code: a stable camelCase name; docs/json.md lists all.
        path: the part of the answer's document that it is about, such as ``"topology.servers[1].type"``.
        message: in English, one line.
    """

    code: str
    path: str
    message: str


class ImportedTopology(Value):
    """What was imported: one topology, or one for each shard.

    Attributes:
        sources: what the documents were: ``"rsStatus"``, ``"rsConf"``, ``"hello"``, ``"shardMap"``, ``"driverLog"``,
            ``"atlasCluster"``.
        topology: the topology; None where there are ``shards``.
        shards: by shard or replica set, where there are several or a list of shards; else empty.
        guessed: what was guessed.
        unknown: what the sources cannot tell, and what it is taken for.
        notes: what else to know of the members.
    """

    sources: tuple[str, ...]
    topology: TopologyDescription | None
    shards: Mapping[str, TopologyDescription]
    guessed: tuple[ImportNote, ...]
    unknown: tuple[ImportNote, ...]
    notes: tuple[ImportNote, ...]


def import_topology(documents: Iterable[Mapping[str, Any] | str]) -> ImportedTopology:
    """Make topology descriptions of what was saved of a deployment.

    Args:
        documents: in any order, each as it came: ``rs.status()``, ``rs.conf()``, ``db.hello()`` of members,
            ``listShards`` or ``getShardMap``, a driver's log, a cluster of Atlas's Admin API; docs/json.md tells what
            is read of each.

    Raises:
        ReadPrefError: a document is none of these, or two do not go together.

    >>> status = {"set": "rs0", "date": {"$date": "2026-10-26T07:33:21Z"}, "members": [
    ...     {"name": "a.example:27017", "health": 1, "state": 1, "self": True,
    ...      "optimeDate": {"$date": "2026-10-26T07:33:20Z"}}], "ok": 1}
    >>> imported = import_topology([status])
    >>> imported.topology.servers[0].type
    'RSPrimary'
    >>> [note.code for note in imported.guessed]
    ['roundTripTimeFromMember', 'lastWriteFromHeartbeats']
    """
    found = answer("import", encode({"documents": listed(documents, "documents", MAX_DOCUMENTS)}))
    topology = found.get("topology")
    return ImportedTopology(
        tuple(found["sources"]),
        None if topology is None else TopologyDescription._from_answer(topology),
        {name: TopologyDescription._from_answer(shard) for name, shard in found.get("shards", {}).items()},
        *(
            tuple(ImportNote(note["code"], note["path"], note["message"]) for note in found[part])
            for part in ("guessed", "unknown", "notes")
        ),
    )
