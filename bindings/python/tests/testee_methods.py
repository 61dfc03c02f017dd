"""The testee's typed door to the functions that answer from their arguments alone."""

from __future__ import annotations

from typing import Any, Callable

import readpref
from readpref import ConnectionString, EngineWarning, ReadPreference

Typed = Callable[[dict[str, Any]], "dict[str, Any] | None"]


def warning_document(warning: EngineWarning) -> dict[str, str]:
    """Build the document of a warning."""
    return {"code": warning.code, "message": warning.message, "path": warning.path}


def with_warnings(document: dict[str, Any], warnings: tuple[EngineWarning, ...]) -> dict[str, Any]:
    """Add warnings where there are some."""
    return {**document, "warnings": [warning_document(one) for one in warnings]} if warnings else document


def whole_seed(request: dict[str, Any]) -> Any:
    """Give the seed as the raw call has it, which takes 0 where there is none."""
    return request.get("seed", 0)


def connection_string(parsed: ConnectionString, *, resolved: bool) -> dict[str, Any]:
    """Build the answer from the object's fields."""
    document: dict[str, Any] = {
        "srv": parsed.srv,
        "hosts": [{"type": host.type, "host": host.host, "port": host.port} for host in parsed.hosts],
        "seeds": list(parsed.seeds),
        "username": parsed.username,
        "password": parsed.password,
        "database": parsed.database,
        "readPreference": parsed.read_preference.document,
        "options": dict(parsed.options),
        "warnings": [warning_document(one) for one in parsed.warnings],
    }
    if parsed.lookup is not None:
        document["lookup"] = {"srv": parsed.lookup.srv, "txt": parsed.lookup.txt}
    if resolved:
        document["rescanMS"] = parsed.rescan_ms
    return document


def parse_uri(request: dict[str, Any]) -> dict[str, Any] | None:
    """Read a connection string; its read preference is also read alone."""
    if set(request) != {"uri"}:
        return None
    parsed = readpref.parse_uri(request["uri"])
    if ReadPreference.from_uri(request["uri"]) != parsed.read_preference:
        raise AssertionError("from_uri and parse_uri differ")
    return connection_string(parsed, resolved=False)


def srv(request: dict[str, Any]) -> dict[str, Any] | None:
    """Read what DNS says, for the first time or again."""
    keys = set(request)
    if not {"uri", "srv"} <= keys or not is_seed(request):
        return None
    if "current" not in keys:
        if not keys <= {"uri", "srv", "txt", "seed"}:
            return None
        parsed = readpref.resolve_srv(request["uri"], request["srv"], request.get("txt", ()), seed=whole_seed(request))
        return connection_string(parsed, resolved=True)
    if not keys <= {"uri", "srv", "current", "heartbeatFrequencyMS", "seed"}:
        return None
    scan = readpref.rescan_srv(
        request["uri"],
        request["srv"],
        request["current"],
        heartbeat_frequency_ms=request.get("heartbeatFrequencyMS"),
        seed=whole_seed(request),
    )
    return {
        "added": list(scan.added),
        "removed": list(scan.removed),
        "nextMS": scan.next_ms,
        "warnings": [warning_document(one) for one in scan.warnings],
    }


def is_seed(request: dict[str, Any]) -> bool:
    """Tell whether the functions take the seed as it is: their error for an integer has other words."""
    seed = request.get("seed")
    return not isinstance(seed, int) or 0 <= seed < 2**53


def to_uri(request: dict[str, Any]) -> dict[str, Any] | None:
    """Write a read preference as options; the property says the same."""
    if set(request) != {"readPreference"} or not isinstance(request["readPreference"], dict):
        return None
    query = readpref.to_uri(request["readPreference"])
    if ReadPreference.from_document(request["readPreference"]).uri_options != query:
        raise AssertionError("uri_options and to_uri differ")
    return {"query": query}


def rtt(request: dict[str, Any]) -> dict[str, Any] | None:
    """Average round-trip times."""
    if not {"samplesMS"} <= set(request) <= {"samplesMS", "roundTripTimeMS"}:
        return None
    found = readpref.rtt(request["samplesMS"], request.get("roundTripTimeMS"))
    return {
        "roundTripTimeMS": found.average,
        "minRoundTripTimeMS": found.minimum,
        "averagesMS": list(found.averages),
    }


def command(request: dict[str, Any]) -> dict[str, Any] | None:
    """Tell what a command carries."""
    keys = set(request)
    if not {"topology", "server"} <= keys <= {"topology", "server", "readPreference", "operation", "opcode"}:
        return None
    options = {key: request[key] for key in ("operation", "opcode") if key in request}
    preference = request.get("readPreference")
    if isinstance(preference, str):
        return None
    return decoration_document(readpref.command(request["topology"], request["server"], preference, **options))


def decoration_document(found: readpref.Decoration) -> dict[str, Any]:
    """Build the answer from the object's fields."""
    document: dict[str, Any] = {"$readPreference": found.read_preference}
    if found.secondary_ok is not None:
        document["secondaryOk"] = found.secondary_ok
    if found.effective_read_preference is not None:
        document["effectiveReadPreference"] = found.effective_read_preference.document
    return with_warnings(document, found.warnings)


PREFERENCES = {
    "readPreference": "read_preference",
    "collectionReadPreference": "collection",
    "databaseReadPreference": "database",
    "clientReadPreference": "client",
    "sessionReadPreference": "session",
}


def effective_preference(request: dict[str, Any]) -> dict[str, Any] | None:
    """Tell which preference a command uses."""
    if not {"command"} <= set(request) <= {"command", "runCommand", "transaction", *PREFERENCES}:
        return None
    arguments = {name: request[key] for key, name in PREFERENCES.items() if key in request}
    if any(isinstance(value, str) for value in arguments.values()):
        return None
    found = readpref.effective_preference(
        request["command"],
        run_command=request.get("runCommand", False),
        transaction=request.get("transaction"),
        **arguments,
    )
    document = {
        "readPreference": found.read_preference.document,
        "operation": found.operation,
        "kind": found.kind,
        "from": found.source,
        "selects": found.selects,
    }
    return with_warnings(document, found.warnings)


def readable(request: dict[str, Any]) -> dict[str, Any] | None:
    """Tell whether a read finds a server."""
    if not {"topology"} <= set(request) <= {"topology", "readPreference", "heartbeatFrequencyMS"}:
        return None
    if isinstance(request.get("readPreference"), str):
        return None
    found = readpref.readable(
        request["topology"],
        request.get("readPreference"),
        heartbeat_frequency_ms=request.get("heartbeatFrequencyMS"),
    )
    return {"readable": found}


def writable(request: dict[str, Any]) -> dict[str, Any] | None:
    """Tell whether a write finds a server."""
    return {"writable": readpref.writable(request["topology"])} if set(request) == {"topology"} else None


TYPED: dict[str, Typed] = {
    "parse_uri": parse_uri,
    "srv": srv,
    "to_uri": to_uri,
    "rtt": rtt,
    "command": command,
    "effective_preference": effective_preference,
    "readable": readable,
    "writable": writable,
}
