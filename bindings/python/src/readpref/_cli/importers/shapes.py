"""Which kind of document this is. What is no request of ours yet, the engine's method `import` makes one of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from readpref._cli.command_error import CommandError
from readpref._cli.engine import ask
from readpref._cli.importers.imported import Imported
from readpref._errors import ReadPrefError

FORMATS = {
    "request": "a whole request of select or explain",
    "description": "a topology description, {servers: […]}",
    "hello": "replies to hello, bare or with address, roundTripTimeMS and nowMS beside",
    "rs-status": "rs.status(), with rs.conf() behind it or in a second file",
    "shard-map": "what listShards or getShardMap answers",
    "driver-log": "the log of PyMongo, of the Node.js driver or of the Go driver",
    "atlas-cluster": "the description of a cluster in Atlas's Admin API",
}

# By what `import` says the documents were.
_FORMAT_BY_SOURCE = {
    "rsStatus": "rs-status",
    "rsConf": "rs-status",
    "hello": "hello",
    "shardMap": "shard-map",
    "driverLog": "driver-log",
    "atlasCluster": "atlas-cluster",
}
# The keys that each line of a server's log has.
_SERVER_LOG = frozenset(("t", "s", "c", "ctx", "msg"))
_DOCUMENT = re.compile(r"documents\[(\d+)\]\.?")


def import_documents(documents: Sequence[tuple[Any, str]], kind: str = "auto") -> Imported:
    """Make one request of all documents that were given, each with the name of its file.

    Raises:
        CommandError: they are of no known kind, or of kinds that do not go together.
    """
    flat: list[tuple[Any, str]] = []
    for document, name in documents:
        # A list of replies, or of status and conf, is as good as the replies one by one.
        for one in document if isinstance(document, list) else [document]:
            flat.extend((part, name) for part in _parts(one))
    if not flat:
        raise CommandError("argument", "an empty list: there is nothing in it", documents[0][1])
    ours = [_ours(document) if kind == "auto" else kind for document, _ in flat]
    for shape in ("request", "description"):
        if shape in ours:
            if len(flat) > 1:
                raise CommandError("argument", f"one {shape} is wanted, {len(flat)} documents were given", flat[1][1])
            document, name = flat[0]
            if not isinstance(document, dict):
                raise CommandError("wrongType", f"a document of format {shape} is an object", name)
            return Imported(shape, dict(document) if shape == "request" else {"topology": document})
    return _imported(flat, kind)


def _parts(document: Any) -> list[Any]:
    """Give rs.status() and rs.conf() that stand in one object, or what stands there instead."""
    if isinstance(document, dict) and ("status" in document or "rsStatus" in document):
        keys = ("status", "rsStatus", "conf", "rsConf", "config")
        return [document[key] for key in keys if document.get(key) is not None]
    return [document]


def _ours(document: Any) -> str:
    if isinstance(document, dict):
        if "topology" in document or isinstance(document.get("shards"), dict):
            return "request"
        if isinstance(document.get("servers"), list):
            return "description"
    return ""


def _imported(flat: list[tuple[Any, str]], kind: str) -> Imported:
    for document, name in flat:
        # Else its "msg" would pass for that of a reply to hello.
        if isinstance(document, dict) and _SERVER_LOG.issubset(document):
            raise CommandError("unknownValue", "a log of mongod or mongos; that of a driver tells a topology", name)
    try:
        found = ask("import", {"documents": [document for document, _ in flat]}).document
    except ReadPrefError as error:
        at = _DOCUMENT.match(error.path)
        path = error.path
        if at is not None:
            path = f"{flat[int(at[1])][1]}: {error.path[at.end() :]}".removesuffix(": ")
        raise CommandError(error.code, error.message, path) from error
    formats = list(dict.fromkeys(_FORMAT_BY_SOURCE.get(source, source) for source in found["sources"]))
    if kind not in ("auto", *formats):
        raise CommandError("argument", f"these documents are of format {', '.join(formats)}, not {kind}", "--format")
    request: dict[str, Any] = {key: found[key] for key in ("topology", "shards") if key in found}
    notes = found["guessed"] + found["unknown"] + found["notes"]
    for note in notes:
        if note["code"].startswith("roundTripTime"):
            note["message"] += "; --rtt ADDRESS=MS says yours"
    return Imported("+".join(formats), request, notes)
