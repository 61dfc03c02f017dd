"""The Python testee of the conformance runner: docs/testee.md describes the protocol.

Run it with an interpreter that has readpref installed: requests as JSON lines on stdin, their answers on stdout.
"""

from __future__ import annotations

import base64
import ctypes
import json
import sys
import warnings
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable

import readpref
import testee_methods
import testee_operators
import testee_topology
from readpref import Explanation, ReadPreference, ReadPrefError, Selection, TopologyDescription, _native
from readpref._ctypes_engine import CtypesEngine, load
from readpref._encode import encode

SIZE_MAX = ctypes.c_size_t(-1).value
START = 1 << 16
BUILD = Path(__file__).resolve().parent.parent.parent.parent / "build"


def main() -> None:
    """Answer line by line until stdin ends."""
    warnings.simplefilter("ignore", readpref.EngineWarning)  # the documents carry them
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "probe" in request:
            out = PROBES[request["probe"]]()
        elif request.get("via", "raw") == "raw":
            out = readpref.call_raw(request["method"], input_of(request)).decode("utf-8")
        elif request["via"] == "typed":
            out = typed(request["method"], input_of(request))
        else:
            raise ValueError(f"unknown via: {request['via']!r}")
        reply = {"id": request["id"], "status": status_of(out), "out": out}
        sys.stdout.buffer.write(json.dumps(reply).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()


def input_of(request: Mapping[str, Any]) -> bytes:
    """Give the bytes of the request document."""
    if "in_b64" in request:
        return base64.b64decode(request["in_b64"], validate=True)
    text: str = request.get("in", "")
    return text.encode("utf-8")


def status_of(out: str) -> int:
    """Give the status that goes with an answer (0) or an error document."""
    if out == "ok":
        return 0
    status: int = json.loads(out).get("error", {}).get("status", 0)
    return status


# The public typed API. What it has no words for, such as an unknown key in a request, goes through its doors for
# documents: call, or call_raw for what is no JSON.


def typed(method: str, data: bytes) -> str:
    """Answer through the typed API; print what its objects carry."""
    try:
        request = json.loads(data.decode("utf-8"), parse_float=Decimal)
    except (ValueError, RecursionError):
        return readpref.call_raw(method, data).decode("utf-8")
    try:
        answer = None
        if isinstance(request, dict) and method in TYPED:
            answer = TYPED[method]({key: value for key, value in request.items() if value is not None})
        return dumps(readpref.call(method, request) if answer is None else answer)
    except ReadPrefError as error:
        return dumps(error.to_dict())


def dumps(document: Mapping[str, Any]) -> str:
    """Print a document, its decimals as the engine prints them: without an exponent."""
    return encode(plain(document)).decode("utf-8")


def plain(value: Any) -> Any:
    """Turn the floats of a document into decimals that print plainly."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return Decimal(format(Decimal(repr(value)), "f"))
    return value


OPTIONS = {
    "readPreference": "read_preference",
    "operation": "operation",
    "deprioritized": "deprioritized",
    "customSelector": "custom_selector",
    "localThresholdMS": "local_threshold_ms",
    "heartbeatFrequencyMS": "heartbeat_frequency_ms",
    "wireVersions": "wire_versions",
    "pick": "pick",
    "seed": "seed",
}


def select_or_explain(run: Callable[..., Any], request: dict[str, Any]) -> dict[str, Any] | None:
    """Select or explain; None for a request that the function's arguments cannot express."""
    kind = {"topology", "shards"} & set(request)
    if len(kind) != 1 or set(request) - kind - set(OPTIONS):
        return None
    if not isinstance(request.get("customSelector", {}), dict) or not isinstance(request.get("shards", {}), dict):
        return None
    arguments = {OPTIONS[key]: value for key, value in request.items() if key in OPTIONS}
    # The function takes integers up to 2**64-1, and its error says so.
    if isinstance(request.get("seed"), int) and not 0 <= request["seed"] < 2**53:
        return None
    arguments.setdefault("seed", 0)  # as the raw call has it; the function would take a random one
    if "topology" in kind:
        topology: Any = TopologyDescription(request["topology"])
    else:
        topology = {name: TopologyDescription(description) for name, description in request["shards"].items()}
    if "read_preference" in arguments:
        arguments["read_preference"] = ReadPreference.from_document(arguments["read_preference"])
    if set(arguments.get("custom_selector", ())) == {"keepOnly"}:
        arguments["custom_selector"] = arguments["custom_selector"]["keepOnly"]
    answer = run(topology, **arguments)
    if "topology" in kind:
        return selection_document(answer)
    return {
        "shards": {
            name: shard.to_dict() if isinstance(shard, ReadPrefError) else selection_document(shard)
            for name, shard in answer.items()
        }
    }


def selection_document(selection: Selection) -> dict[str, Any]:
    """Build the answer's document from the object's fields, not from the document that it keeps."""
    server = selection.server
    document: dict[str, Any] = {
        "server": server and {"index": server.index, "address": server.address, "type": server.type},
        "candidates": list(selection.candidates),
        "fresh": list(selection.fresh),
        "suitable": list(selection.suitable),
        "inLatencyWindow": list(selection.in_latency_window),
    }
    if selection.effective_read_preference is not None:
        document["effectiveReadPreference"] = selection.effective_read_preference.document
    if selection.reason is not None:
        document["reason"] = {"code": selection.reason.code, "message": selection.reason.message}
    if selection.warnings:
        document["warnings"] = [warning_document(warning) for warning in selection.warnings]
    if isinstance(selection, Explanation):
        add_explanation(document, selection)
    return document


def add_explanation(document: dict[str, Any], explanation: Explanation) -> None:
    """Add what explain tells beyond select."""
    document["passes"] = [
        {
            "role": one.role,
            "withoutDeprioritized": one.without_deprioritized,
            "candidates": list(one.candidates),
            "fresh": list(one.fresh),
            "tagged": list(one.tagged),
            "tagSet": one.tag_set,
        }
        for one in explanation.passes
    ]
    if explanation.staleness is not None:
        document["staleness"] = {
            "formula": explanation.staleness.formula,
            "reference": explanation.staleness.reference,
            "heartbeatFrequencyMS": explanation.staleness.heartbeat_frequency_ms,
            "maxStalenessSeconds": explanation.staleness.max_staleness_seconds,
        }
    if explanation.latency_window is not None:
        document["latencyWindow"] = {
            "fastestMS": explanation.latency_window.fastest_ms,
            "endMS": explanation.latency_window.end_ms,
        }
    document["servers"] = [verdict_document(server) for server in explanation.servers]
    document["notes"] = [{"code": note.code, "message": note.message} for note in explanation.notes]
    document["text"] = explanation.text


def verdict_document(verdict: readpref.Verdict) -> dict[str, Any]:
    """Build the document of what became of a server."""
    document: dict[str, Any] = {
        "index": verdict.index,
        "address": verdict.address,
        "type": verdict.type,
        "stage": verdict.stage,
        "why": verdict.why,
    }
    figures = {
        "roundTripTimeMS": verdict.round_trip_time_ms,
        "stalenessMS": verdict.staleness_ms,
        "overMS": verdict.over_ms,
    }
    document.update({key: value for key, value in figures.items() if value is not None})
    if verdict.tag_misses:
        document["tagSets"] = [
            {"set": miss.tag_set, "name": miss.name, "needs": miss.needs, "has": miss.has}
            for miss in verdict.tag_misses
        ]
    return document


def warning_document(warning: readpref.EngineWarning) -> dict[str, str]:
    """Build the document of a warning."""
    return testee_methods.warning_document(warning)


def validate(request: dict[str, Any]) -> dict[str, Any] | None:
    """Validate, and where the preference is valid build it and print its own parts."""
    arguments = {"readPreference": "read_preference", "uriOptions": "uri_options", "mongosh": "mongosh"}
    if len(request) != 1 or not set(request) <= set(arguments):
        return None
    [(key, value)] = request.items()
    answer = readpref.validate(**{arguments[key]: value})
    if answer["valid"]:
        if key == "readPreference":
            preference = ReadPreference.from_document(value)
        elif key == "uriOptions":
            preference = ReadPreference.from_uri_options(value)
        else:
            preference = ReadPreference.from_mongosh(*value)
        answer["readPreference"] = preference.document
        answer["warnings"] = [warning_document(warning) for warning in preference.warnings]
    return answer


def parse_hello(request: dict[str, Any]) -> dict[str, Any] | None:
    """Parse a reply."""
    known = {"address", "hello", "roundTripTimeMS", "minRoundTripTimeMS", "nowMS", "operationCount", "error"}
    if not {"address", "hello"} <= set(request) <= known:
        return None
    server = readpref.parse_hello(
        request["address"],
        request["hello"],
        round_trip_time_ms=request.get("roundTripTimeMS"),
        min_round_trip_time_ms=request.get("minRoundTripTimeMS"),
        now_ms=request.get("nowMS"),
        operation_count=request.get("operationCount"),
        error=request.get("error"),
    )
    return {"server": server}


TYPED: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
    **testee_topology.TYPED,
    **testee_methods.TYPED,
    **testee_operators.TYPED,
    "select": lambda request: select_or_explain(readpref.select, request),
    "explain": lambda request: select_or_explain(readpref.explain, request),
    "validate": validate,
    "server.parse_hello": parse_hello,
    "build_info": lambda request: None if request else readpref.build_info(),
    "methods": lambda request: None if request else {"methods": readpref.methods()},
}


# The probes: what a careless host passes to rp_call, here by ctypes. Those that get a document print it; the others
# print "ok" where the contract was kept, else what was wrong.


def rp_call() -> Callable[..., int]:
    """Give the library's function. The extension takes no pointers, so then it is that of the library in build/."""
    engine = _native.engine()
    if not isinstance(engine, CtypesEngine):
        engine = load(str(BUILD / _native._NAME))
    call: Callable[..., int] = engine.rp_call
    return call


def document(method: bytes | None, method_len: int, data: bytes | None, data_len: int) -> str:
    """Call until the answer fits; give it."""
    run = rp_call()
    out = ctypes.create_string_buffer(START)
    n = run(method, method_len, data, data_len, out, len(out))
    if abs(n) > len(out):
        out = ctypes.create_string_buffer(abs(n))
        if run(method, method_len, data, data_len, out, len(out)) != n:
            raise RuntimeError("rp_call returned another length when it was asked again")
    return ctypes.string_at(out, abs(n)).decode("utf-8")


def build_info_into(out: Any, cap: int) -> int:
    """Call build_info with an empty document."""
    return rp_call()(b"build_info", len(b"build_info"), None, 0, out, cap)


def short_out() -> str:
    """Below the answer's length nothing may be written, and the length is the same each time."""
    n = build_info_into(None, 0)
    if not 0 < n <= 1024:
        return "build_info has no length, or an error"
    clean = b"\xa5" * 1024
    for cap in range(n):
        out = ctypes.create_string_buffer(clean, len(clean))
        if build_info_into(out, cap) != n:
            return "another length came back"
        if out.raw != clean:
            return "a buffer too short was written to"
    return "ok"


def ask_length() -> str:
    """Null and 0 ask for the length."""
    n = build_info_into(None, 0)
    if not 0 < n <= 1024:
        return "build_info has no length, or an error"
    out = ctypes.create_string_buffer(n)
    return "ok" if build_info_into(out, n) == n else "the length asked for is not that of the answer"


def null_out() -> str:
    """A null buffer with a capacity is an error that cannot be written anywhere: the sign is all there is."""
    return "ok" if build_info_into(None, 1024) < 0 else "no error came back"


PROBES: dict[str, Callable[[], str]] = {
    "nullMethod": lambda: document(None, 6, b"{}", 2),
    "nullIn": lambda: document(b"select", 6, None, 2),
    "nullOut": null_out,
    "absurdLength": lambda: document(b"select", 6, b"{}", SIZE_MAX),
    "emptyIn": lambda: document(b"select", 6, b"{}", 0),
    "shortOut": short_out,
    "askLength": ask_length,
}


if __name__ == "__main__":
    main()
