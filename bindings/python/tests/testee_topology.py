"""The testee's typed door to topologies and read preferences that stay open: a map from numbers to the objects."""

from __future__ import annotations

import itertools
from typing import Any, Callable

from readpref import HandleError, Notice, ReadPreference, ReadPrefError, SelectedServer, Topology
from testee_methods import Typed, decoration_document, is_seed, warning_document

_numbers = itertools.count(1)
_topologies: dict[int, Topology] = {}
_preferences: dict[int, ReadPreference] = {}
_taken: dict[int, list[Notice]] = {}  # what topology.events told and topology.events_ack did not take

OPTIONS = {
    "seeds": "seeds",
    "replicaSet": "replica_set",
    "directConnection": "direct_connection",
    "loadBalanced": "load_balanced",
    "enableOverloadRetargeting": "enable_overload_retargeting",
    "srv": "srv",
    "txt": "txt",
    "localThresholdMS": "local_threshold_ms",
    "heartbeatFrequencyMS": "heartbeat_frequency_ms",
    "wireVersions": "wire_versions",
    "pick": "pick",
    "seed": "seed",
}


def open_topology(request: dict[str, Any]) -> dict[str, Any] | None:
    """Open by the constructor, or from a document of topology.describe."""
    if not is_seed(request):
        return None
    number = next(_numbers)
    if "topology" in request and "seeds" in request:
        _topologies[number] = Topology.from_document({"seed": 0, **request}, clock=None)
        return {"topology": number}
    sources = {"topology", "uri"} & set(request)
    if len(sources) > 1 or set(request) - set(OPTIONS) - sources:
        return None
    source = request[sources.pop()] if sources else None
    if isinstance(source, str) != ("uri" in request):
        return None
    arguments: dict[str, Any] = {OPTIONS[key]: value for key, value in request.items() if key in OPTIONS}
    arguments.setdefault("seed", 0)  # as the raw call has it; the class would take a random one
    _topologies[number] = Topology(source, clock=None, **arguments)
    return {"topology": number}


def open_preference(request: dict[str, Any]) -> dict[str, Any] | None:
    """Build a ReadPreference in one of its ways."""
    ways: dict[str, Callable[[Any], ReadPreference]] = {
        "readPreference": ReadPreference.from_document,
        "uriOptions": ReadPreference.from_uri_options,
        "mongosh": lambda arguments: ReadPreference.from_mongosh(*arguments),
    }
    if len(request) != 1 or not set(request) <= set(ways):
        return None
    [(key, value)] = request.items()
    if key == "mongosh" and not isinstance(value, list):
        return None
    number = next(_numbers)
    _preferences[number] = ways[key](value)
    return {"readPreference": number}


def topology_of(request: dict[str, Any], key: str = "topology") -> Topology:
    """Give the topology that a request names."""
    found = _topologies.get(request.get(key, 0))
    if found is None:
        raise HandleError("handle", "no open handle of this kind has this number", key)
    return found


def preference_of(request: dict[str, Any]) -> ReadPreference:
    """Give the read preference that a request names."""
    found = _preferences.get(request.get("readPreference", 0))
    if found is None:
        raise HandleError("handle", "no open handle of this kind has this number", "readPreference")
    return found


def with_topology(known: set[str], run: Callable[[Topology, dict[str, Any]], dict[str, Any]]) -> Typed:
    """Make the door to a method whose request has these keys beside the topology."""

    def ask(request: dict[str, Any]) -> dict[str, Any] | None:
        if set(request) - known - {"topology"} or not isinstance(request.get("topology"), int):
            return None
        rest = {key: value for key, value in request.items() if key != "topology"}
        return run(topology_of(request), rest)

    return ask


HELLO = {
    "roundTripTimeMS": "round_trip_time_ms",
    "nowMS": "now_ms",
    "error": "error",
    "errorKind": "error_kind",
    "hello": "hello",
}
ERROR = {
    "stage": "stage",
    "labels": "labels",
    "generation": "generation",
    "serviceId": "service_id",
    "reply": "reply",
    "error": "error",
    "nowMS": "now_ms",
}


def hello(topology: Topology, request: dict[str, Any]) -> dict[str, Any]:
    """Tell of a reply."""
    arguments = {name: request[key] for key, name in HELLO.items() if key in request}
    outcome = topology.on_hello(request.get("address"), **arguments)  # type: ignore[arg-type]
    document: dict[str, Any] = {
        "generation": outcome.generation,
        "accepted": outcome.accepted,
        "server": None if outcome.server is None else outcome.server.to_dict(),
    }
    if outcome.connection_error is not None:
        document["connectionError"] = outcome.connection_error
    return document


def error(topology: Topology, request: dict[str, Any]) -> dict[str, Any]:
    """Tell of an error."""
    arguments = {name: request[key] for key, name in ERROR.items() if key in request}
    outcome = topology.on_error(request.get("address"), request.get("kind"), **arguments)  # type: ignore[arg-type]
    return {"generation": outcome.generation, "accepted": outcome.accepted, "deprioritize": outcome.deprioritize}


def scan(topology: Topology, request: dict[str, Any]) -> dict[str, Any]:
    """Tell what DNS says."""
    outcome = topology.on_srv(request.get("srv"))  # type: ignore[arg-type]
    document: dict[str, Any] = {
        "generation": outcome.generation,
        "added": None if outcome.added is None else list(outcome.added),
        "removed": None if outcome.removed is None else list(outcome.removed),
        "nextMS": outcome.next_ms,
    }
    if outcome.warnings:
        document["warnings"] = [warning_document(one) for one in outcome.warnings]
    return document


def shutdown(topology: Topology, _: dict[str, Any]) -> dict[str, Any]:
    """Let it say goodbye."""
    topology.shutdown()
    return {"generation": topology.generation}


def pending(topology: Topology) -> list[Notice]:
    """Take what there is by a stream that listens no longer than that."""
    taken = _taken.setdefault(id(topology), [])
    with topology.events() as stream:
        taken += stream.pending()
    return taken


def events(topology: Topology, _: dict[str, Any]) -> dict[str, Any]:
    """Tell what waits to be acknowledged."""
    taken = pending(topology)
    last = taken[-1].sequence if taken else 0
    return {"events": [one.to_dict() for one in taken], "last": last, "dropped": 0, "more": False}


def acknowledge(topology: Topology, request: dict[str, Any]) -> dict[str, Any]:
    """Forget what was taken, also what nobody asked for."""
    taken = pending(topology)
    last = taken[-1].sequence if taken else 0
    if request["upto"] > last:
        raise ReadPrefError("outOfRange", "no change has this sequence number yet", "upto")
    _taken[id(topology)] = [one for one in taken if one.sequence > request["upto"]]
    return {}


def update(request: dict[str, Any]) -> dict[str, Any] | None:
    """Replace the description."""
    if set(request) != {"handle", "topology"} or not isinstance(request["handle"], int):
        return None
    topology = topology_of(request, "handle")
    topology.update(request["topology"])
    return {"generation": topology.generation}


def select_or_explain(request: dict[str, Any], *, explain: bool) -> dict[str, Any] | None:
    """Select by the object's method, or explain."""
    known = {"topology", "readPreference", "operation", "deprioritized", "customSelector"}
    if set(request) - known - (set() if explain else {"checkout"}):
        return None
    topology = topology_of(request)
    preference = preference_of(request)
    names = ("operation", "deprioritized", "checkout")
    arguments: dict[str, Any] = {key: request[key] for key in names if key in request}
    if "customSelector" in request:
        arguments["custom_selector"] = request["customSelector"]
    if explain:
        return topology.explain(preference, **arguments).to_dict()
    server = topology.select(preference, timeout=0, **arguments)
    return {"server": server_document(server)}


def server_document(server: SelectedServer) -> dict[str, Any]:
    """Build the document of a server."""
    return {"id": server.id, "address": server.address}


def select_batch(request: dict[str, Any]) -> dict[str, Any] | None:
    """Select many times."""
    if not {"topology", "readPreference", "count"} <= set(request):
        return None
    if not set(request) <= {"topology", "readPreference", "count", "operation", "checkout"}:
        return None
    topology = topology_of(request)
    preference = preference_of(request)
    arguments = {key: request[key] for key in ("operation", "checkout") if key in request}
    return {"ids": topology.select_ids(preference, request["count"], **arguments)}


def command(request: dict[str, Any]) -> dict[str, Any] | None:
    """Tell what a command carries."""
    if not {"topology", "readPreference", "id"} <= set(request):
        return None
    if not set(request) <= {"topology", "readPreference", "id", "operation", "opcode"}:
        return None
    arguments = {key: request[key] for key in ("operation", "opcode") if key in request}
    found = topology_of(request).command(request["id"], preference_of(request), **arguments)
    return decoration_document(found)


def release(topology: Topology, request: dict[str, Any]) -> dict[str, Any]:
    """End an operation; what is left in progress is in the description, of a server that is there."""
    topology.release(request["id"])
    address = topology.server(request["id"]).address
    for server in topology.describe()["topology"]["servers"]:
        spelt = server["address"].lower()
        if address in (spelt, f"{spelt}:27017"):
            return {"operationCount": server.get("operationCount", 0)}
    return {"operationCount": None}


def close(request: dict[str, Any]) -> dict[str, Any] | None:
    """Close a topology, or drop a preference."""
    if set(request) != {"handle"} or not isinstance(request["handle"], int):
        return None
    if _preferences.pop(request["handle"], None) is None:
        topology = topology_of(request, "handle")
        del _topologies[request["handle"]]
        _taken.pop(id(topology), None)
        topology.close()
    return {}


TYPED: dict[str, Typed] = {
    "topology.open": open_topology,
    "readpref.open": open_preference,
    "topology.hello": with_topology({"address", *HELLO}, hello),
    "topology.error": with_topology({"address", "kind", *ERROR}, error),
    "topology.srv": with_topology({"srv"}, scan),
    "topology.shutdown": with_topology(set(), shutdown),
    "topology.describe": with_topology(set(), lambda topology, _: topology.describe()),
    "topology.events": with_topology(set(), events),
    "topology.events_ack": with_topology({"upto"}, acknowledge),
    "topology.update": update,
    "topology.select": lambda request: select_or_explain(request, explain=False),
    "topology.explain": lambda request: select_or_explain(request, explain=True),
    "topology.select_batch": select_batch,
    "topology.address": with_topology(
        {"id"}, lambda topology, asked: {"address": topology.server(asked["id"]).address}
    ),
    "topology.release": with_topology({"id"}, release),
    "topology.generation": with_topology(set(), lambda topology, _: {"generation": topology.generation}),
    "topology.command": command,
    "close": close,
}
