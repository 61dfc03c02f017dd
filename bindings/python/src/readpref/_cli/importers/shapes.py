"""Which kind of document this is, by its shape alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readpref._cli.command_error import CommandError
from readpref._cli.importers.hello_replies import import_hello_replies
from readpref._cli.importers.imported import Imported
from readpref._cli.importers.replica_set_status import import_status

FORMATS = {
    "request": "a whole request of select or explain",
    "description": "a topology description, {servers: […]}",
    "hello": "replies to hello, bare or with address, roundTripTimeMS and nowMS beside",
    "rs-status": "rs.status(), with rs.conf() behind it or in a second file",
}

_HELLO_KEYS = ("isWritablePrimary", "ismaster", "isreplicaset", "helloOk")


def shape_of(document: Any) -> str:  # noqa: PLR0911
    """Give a format's name, or `rs-conf`, or `` where the shape is none that is known."""
    if not isinstance(document, dict):
        return ""
    if "topology" in document or "shards" in document:
        return "request"
    if isinstance(document.get("servers"), list):
        return "description"
    if any(key in document for key in ("status", "rsStatus")):
        return "rs-both"
    members = document.get("members")
    if isinstance(document.get("config"), dict):
        return "rs-conf"
    if isinstance(members, list):
        first = members[0] if members and isinstance(members[0], dict) else {}
        return "rs-conf" if "host" in first or "set" not in document else "rs-status"
    if "hello" in document or any(key in document for key in _HELLO_KEYS) or document.get("msg") == "isdbgrid":
        return "hello"
    return ""


def import_documents(documents: Sequence[tuple[Any, str]], kind: str = "auto") -> Imported:
    """Make one request of all documents that were given, each with the name of its file.

    Raises:
        CommandError: they are of no known kind, or of kinds that do not go together.
    """
    flat: list[tuple[Any, str]] = []
    for document, name in documents:
        # A list of replies, or of status and conf, is as good as the replies one by one.
        flat.extend([(one, name) for one in document] if isinstance(document, list) else [(document, name)])
    if not flat:
        raise CommandError("argument", "an empty list: there is nothing in it", documents[0][1])
    shapes = [shape_of(document) for document, _ in flat]
    if kind != "auto":
        # Named, not guessed; only a replica set's status and configuration still need telling apart.
        rs = kind == "rs-status"
        shapes = [shape if rs and shape in ("rs-conf", "rs-both") else kind for shape in shapes]
        for document, name in flat:
            if not isinstance(document, dict):
                raise CommandError("wrongType", f"a document of format {kind} is an object", name)
    _check_together(flat, shapes)
    kinds = set(shapes)
    if kinds == {"hello"}:
        return import_hello_replies(flat)
    if kinds <= {"rs-status", "rs-conf", "rs-both"}:
        return _status(flat, shapes)
    document = flat[0][0]
    return (
        Imported("request", dict(document)) if kinds == {"request"} else Imported("description", {"topology": document})
    )


def _check_together(flat: list[tuple[Any, str]], shapes: list[str]) -> None:
    if "" in shapes:
        name = flat[shapes.index("")][1]
        raise CommandError(
            "argument",
            "neither a request, a topology description, a reply to hello, nor rs.status(); --format names what it is",
            name,
        )
    kinds = set(shapes)
    several = kinds & {"request", "description"}
    if len(kinds) > 1 and not kinds <= {"rs-status", "rs-conf", "rs-both"}:
        raise CommandError("argument", f"documents of different kinds do not go together: {', '.join(sorted(kinds))}")
    if several and len(flat) > 1:
        raise CommandError("argument", f"one {several.pop()} is wanted, {len(flat)} were given", flat[1][1])


def _status(flat: list[tuple[Any, str]], shapes: list[str]) -> Imported:
    found: dict[str, list[tuple[Any, str]]] = {"rs-status": [], "rs-conf": []}
    for (document, name), shape in zip(flat, shapes):
        if shape == "rs-both":
            found["rs-status"].append((document.get("status", document.get("rsStatus")), name))
            conf = next((document[key] for key in ("conf", "config", "rsConf") if key in document), None)
            if conf is not None:
                found["rs-conf"].append((conf, name))
        else:
            found[shape].append((document, name))
    for kind, call in (("rs-status", "rs.status()"), ("rs-conf", "rs.conf()")):
        if len(found[kind]) > 1:
            raise CommandError("argument", f"one {call} is wanted, {len(found[kind])} were given", found[kind][1][1])
    if not found["rs-status"]:
        raise CommandError(
            "argument", "rs.conf() alone does not say which members are up; give rs.status() too", flat[0][1]
        )
    status, status_name = found["rs-status"][0]
    conf, conf_name = found["rs-conf"][0] if found["rs-conf"] else (None, "")
    return import_status(status, conf, status_name, conf_name)
