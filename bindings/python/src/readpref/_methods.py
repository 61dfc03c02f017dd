"""The engine's smaller methods, with their documents as dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from readpref._call import call
from readpref._errors import new_error
from readpref._preference import ReadPreference


def validate(
    read_preference: ReadPreference | Mapping[str, Any] | None = None,
    *,
    uri_options: str | None = None,
    mongosh: Sequence[Any] | None = None,
) -> dict[str, Any]:
    """Check a read preference and tell everything that is wrong with it. Give exactly one of the arguments.

    Args:
        read_preference: the wire's ``$readPreference`` document.
        uri_options: the options of a connection string, the part after its ``?``.
        mongosh: the arguments of mongosh's ``setReadPref``.

    Returns:
        ``{"valid": bool, "readPreference": normal form or None, "problems": […], "warnings": […]}``.

    Raises:
        ArgumentError: none of the arguments was given, or more than one.
        ReadPrefError: what was given cannot be read at all.

    >>> found = validate({"mode": "primary", "maxStalenessSeconds": 120})
    >>> found["valid"], [problem["code"] for problem in found["problems"]]
    (False, ['maxStalenessWithPrimary'])
    """
    forms = {
        "read_preference": ("readPreference", read_preference),
        "uri_options": ("uriOptions", uri_options),
        "mongosh": ("mongosh", mongosh),
    }
    given = {name: form for name, form in forms.items() if form[1] is not None}
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise new_error("argument", f"validate takes exactly one of {', '.join(forms)}; it was given {found}")
    return call("validate", dict(given.values()))


def parse_hello(
    address: str,
    hello: Mapping[str, Any],
    *,
    round_trip_time_ms: int | float | Decimal | None = None,
    min_round_trip_time_ms: int | float | Decimal | None = None,
    now_ms: int | None = None,
    operation_count: int | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """Turn a server's ``hello`` reply into a server description.

    Args:
        address: the address the reply came from.
        hello: the reply, as ``EJSON.stringify(db.hello())`` printed it in mongosh or as PyMongo's
            ``client.admin.command("hello")`` gave it; ``{}`` is a failed check.
        round_trip_time_ms: the average of how long replies take, in milliseconds.
        min_round_trip_time_ms: the least of the last ones.
        now_ms: when it came, in milliseconds since 1970.
        operation_count: how many operations this client has in progress there.
        error: why the check failed, where it did.

    Returns:
        A server description, as a topology's ``servers`` take it.

    Raises:
        ReadPrefError: the reply holds a value of the wrong type.

    >>> parse_hello("a.example:27017", {"ok": 1, "msg": "isdbgrid", "minWireVersion": 0, "maxWireVersion": 25})["type"]
    'Mongos'
    """
    request: dict[str, object] = {"address": address, "hello": hello}
    beside = {
        "roundTripTimeMS": round_trip_time_ms,
        "minRoundTripTimeMS": min_round_trip_time_ms,
        "nowMS": now_ms,
        "operationCount": operation_count,
        "error": error,
    }
    request.update({key: value for key, value in beside.items() if value is not None})
    server: dict[str, Any] = call("server.parse_hello", request)["server"]
    return server


def build_info() -> dict[str, Any]:
    """Tell the engine's name, version and ABI version.

    >>> build_info()["name"]
    'readpref'
    """
    return call("build_info", {})


def methods() -> list[dict[str, Any]]:
    """List the engine's methods: ``name``, ``since``, ``summary`` and the names of the ``request`` and ``answer``.

    >>> [method["summary"] for method in methods() if method["name"] == "build_info"]
    ['the version of readpref and of its ABI']
    """
    listed: list[dict[str, Any]] = call("methods", {})["methods"]
    return listed
