"""The testee's typed door to what operators ask."""

from __future__ import annotations

from typing import Any

import readpref
from readpref import Reason, TopologyDescription, Workload
from testee_methods import Typed, is_seed, with_warnings

SHARED = {
    "localThresholdMS": "local_threshold_ms",
    "heartbeatFrequencyMS": "heartbeat_frequency_ms",
    "wireVersions": "wire_versions",
    "format": "format",
}
OF_SIMULATE = {
    **SHARED,
    "pick": "pick",
    "seed": "seed",
    "picks": "picks",
    "clients": "clients",
    "serviceTimesMS": "service_times_ms",
    "state": "state",
}
OF_WHAT_IF = {
    **SHARED,
    "events": "events",
    "atOnce": "at_once",
    "everySingle": "every_single",
    "everyPair": "every_pair",
}
OF_ADVISE = {**SHARED, "directConnection": "direct_connection", "flowControl": "flow_control"}

OF_WORKLOAD = {
    "name": "name",
    "readPreference": "read_preference",
    "operation": "operation",
    "weight": "weight",
    "writesBack": "writes_back",
    "transaction": "transaction",
}

EVENTS: dict[str, tuple[type[readpref.PossibleEvent], tuple[str, ...]]] = {
    "memberDown": (readpref.MemberDown, ("address",)),
    "zoneDown": (readpref.ZoneDown, ("tags",)),
    "networkSplit": (readpref.NetworkSplit, ("tags",)),
    "primarySteppedDown": (readpref.PrimarySteppedDown, ()),
    "memberLags": (readpref.MemberLags, ("address", "lagSeconds")),
    "zoneSlower": (readpref.ZoneSlower, ("tags", "roundTripTimeMS")),
    "memberAdded": (readpref.MemberAdded, ("server",)),
    "tagsChanged": (readpref.TagsChanged, ("address", "tags")),
}


def arguments(request: dict[str, Any], names: dict[str, str]) -> tuple[Any, Any, dict[str, Any]] | None:
    """Give a request as the topology, the workloads and the other arguments; None where it has other keys."""
    if not {"topology", "workloads"} <= set(request) <= {"topology", "workloads", *names}:
        return None
    others = {names[key]: value for key, value in request.items() if key in names}
    return TopologyDescription(request["topology"]), each(request["workloads"], workload), others


def each(values: Any, make: Any) -> Any:
    """Make something of each element of a list; what is none stays as it is."""
    return [make(value) for value in values] if isinstance(values, list) else values


def workload(document: Any) -> Any:
    """Build a workload, unless it has no words for the document."""
    if not isinstance(document, dict) or not set(document) <= set(OF_WORKLOAD):
        return document
    if isinstance(document.get("readPreference"), str):
        return document
    return Workload(**{OF_WORKLOAD[key]: value for key, value in document.items()})


def event(document: Any) -> Any:
    """Build an event, unless none has words for the document."""
    if not isinstance(document, dict) or not isinstance(document.get("type"), str):
        return document
    found = EVENTS.get(document["type"])
    if found is None or set(document) != {"type", *found[1]}:
        return document
    kind, keys = found
    return kind(*(document[key] for key in keys))


def with_reason(document: dict[str, Any], reason: Reason | None) -> dict[str, Any]:
    """Add why no server is found, where none is."""
    return document if reason is None else {**document, "reason": {"code": reason.code, "message": reason.message}}


def simulate(request: dict[str, Any]) -> dict[str, Any] | None:
    """Simulate; the function takes more picks than a document, so what is wrong with them it says in other words."""
    picks = request.get("picks")
    if not is_seed(request) or not (picks is None or (type(picks) is int and 0 < picks <= 10_000_000)):
        return None
    given = arguments(request, OF_SIMULATE)
    if given is None:
        return None
    topology, workloads, others = given
    found = readpref.simulate(topology, workloads, **others)
    document: dict[str, Any] = {
        "picks": found.picks,
        "workloads": [simulated(one) for one in found.workloads],
        "servers": [
            {
                "index": one.index,
                "address": one.address,
                "type": one.type,
                "readsPPM": one.reads_ppm,
                "writesPPM": one.writes_ppm,
                "operationsPPM": one.operations_ppm,
            }
            for one in found.servers
        ],
        "failed": shares(found.failed),
        "text": found.text,
    }
    return document if found.state is None else {**document, "state": found.state}


def simulated(one: readpref.SimulatedWorkload) -> dict[str, Any]:
    """Build the document of a workload."""
    document: dict[str, Any] = {
        "name": one.name,
        "operation": one.operation,
        "readPreference": one.read_preference.document,
        "weight": one.weight,
        "servers": [share(server) for server in one.servers],
        "failedPPM": one.failed_ppm,
        "roundTripTimeMS": one.round_trip_time_ms,
    }
    if one.failed is not None:
        document["failed"] = one.failed
    return with_warnings(with_reason(document, one.reason), one.warnings)


def share(server: readpref.ServerShare) -> dict[str, Any]:
    """Build the document of a workload's server."""
    document: dict[str, Any] = {"index": server.index, "address": server.address, "sharePPM": server.share_ppm}
    return document if server.picks is None else {**document, "picks": server.picks}


def what_if(request: dict[str, Any]) -> dict[str, Any] | None:
    """Ask what becomes of operations."""
    given = arguments(request, OF_WHAT_IF)
    if given is None:
        return None
    topology, workloads, others = given
    if "events" in others:
        others["events"] = each(others["events"], event)
    found = readpref.what_if(topology, workloads, **others)
    before = [
        with_reason(
            {
                "name": one.name,
                "operation": one.operation,
                "readPreference": one.read_preference.document,
                "weight": one.weight,
                "status": one.status,
                "servers": list(one.servers),
            },
            one.reason,
        )
        for one in found.before.outcomes
    ]
    return {
        "before": {"primary": found.before.primary, "outcomes": before},
        "scenarios": [
            {
                "name": one.name,
                "phase": one.phase,
                "primary": one.primary,
                "outcomes": [outcome(each) for each in one.outcomes],
            }
            for one in found.scenarios
        ],
        "text": found.text,
    }


def outcome(one: readpref.WorkloadOutcome) -> dict[str, Any]:
    """Build the document of what becomes of a workload."""
    document: dict[str, Any] = {"status": one.status, "servers": list(one.servers)}
    if one.why:
        document["why"] = list(one.why)
    return with_reason(document, one.reason)


def advise(request: dict[str, Any]) -> dict[str, Any] | None:
    """Ask what is unwise."""
    given = arguments(request, OF_ADVISE)
    if given is None:
        return None
    topology, workloads, others = given
    found = readpref.advise(topology, workloads, **others)
    findings = [
        {
            "code": one.code,
            "severity": one.severity,
            "workload": one.workload,
            "path": one.path,
            "message": one.message,
            "fix": one.fix,
            "see": one.see,
        }
        for one in found.findings
    ]
    return {"findings": findings, "text": found.text}


OF_AFTER = {
    "topology": "topology",
    "workloads": "workloads",
    "localThresholdMS": "local_threshold_ms",
    "heartbeatFrequencyMS": "heartbeat_frequency_ms",
    "wireVersions": "wire_versions",
    "pick": "pick",
}


def diff(request: dict[str, Any]) -> dict[str, Any] | None:
    """Ask what changes."""
    after = request.get("after")
    given = arguments(request, {**SHARED, "pick": "pick", "after": "after"})
    if given is None or not isinstance(after, dict):
        return None
    topology, workloads, others = given
    if set(after) <= set(OF_AFTER):
        changed = {OF_AFTER[key]: value for key, value in after.items()}
        changed["workloads"] = each(after.get("workloads"), workload)
        others["after"] = readpref.After(**changed)
    found = readpref.diff(topology, workloads, **others)
    failed = found.failed
    return {
        "changed": found.changed,
        "workloads": [
            {
                "before": compared(one.before),
                "after": compared(one.after),
                "failedChangePPM": one.failed_change_ppm,
                "servers": [
                    {
                        "address": server.address,
                        "before": compared_share(server.before),
                        "after": compared_share(server.after),
                        "changePPM": server.change_ppm,
                    }
                    for server in one.servers
                ],
            }
            for one in found.workloads
        ],
        "servers": [
            {"address": one.address, "before": load(one.before), "after": load(one.after), "change": shares(one.change)}
            for one in found.servers
        ],
        "failed": {"before": shares(failed.before), "after": shares(failed.after), "change": shares(failed.change)},
        "text": found.text,
    }


def compared(one: readpref.ComparedWorkload) -> dict[str, Any]:
    """Build the document of a workload on one side."""
    document = {
        "name": one.name,
        "operation": one.operation,
        "readPreference": one.read_preference.document,
        "weight": one.weight,
        "failedPPM": one.failed_ppm,
        "roundTripTimeMS": one.round_trip_time_ms,
    }
    return with_warnings(with_reason(document, one.reason), one.warnings)


def compared_share(share: readpref.ComparedShare) -> dict[str, Any]:
    """Build the document of a server's share on one side."""
    return {"sharePPM": share.share_ppm, "stage": share.stage, "why": share.why}


def load(one: readpref.ServerLoad | None) -> dict[str, Any] | None:
    """Build the document of what a server gets on one side."""
    if one is None:
        return None
    return {
        "index": one.index,
        "type": one.type,
        "readsPPM": one.reads_ppm,
        "writesPPM": one.writes_ppm,
        "operationsPPM": one.operations_ppm,
    }


def shares(one: readpref.Shares) -> dict[str, Any]:
    """Build the document of three shares."""
    return {"readsPPM": one.reads_ppm, "writesPPM": one.writes_ppm, "operationsPPM": one.operations_ppm}


def import_topology(request: dict[str, Any]) -> dict[str, Any] | None:
    """Import what was saved."""
    if set(request) != {"documents"}:
        return None
    found = readpref.import_topology(request["documents"])
    document: dict[str, Any] = {"sources": list(found.sources)}
    if found.topology is None:
        document["shards"] = {name: shard.to_dict() for name, shard in found.shards.items()}
    else:
        document["topology"] = found.topology.to_dict()
    for part in ("guessed", "unknown", "notes"):
        told = getattr(found, part)
        document[part] = [{"code": one.code, "path": one.path, "message": one.message} for one in told]
    return document


TYPED: dict[str, Typed] = {
    "simulate": simulate,
    "what_if": what_if,
    "advise": advise,
    "diff": diff,
    "import": import_topology,
}
