"""PyMongo's descriptions as readpref's, with exact figures.

PyMongo keeps times as floating-point seconds. A round-trip time becomes the nearest nanosecond, a date the millisecond
it was, and the time of the last check whole milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bson import ObjectId

from readpref._description import TopologyDescription
from readpref._reading import is_a
from readpref.pymongo._addresses import address_of

if TYPE_CHECKING:
    from pymongo.server_description import ServerDescription as PyMongoServer
    from pymongo.topology_description import TopologyDescription as PyMongoTopology

# What has no hello reply says nothing of these.
_WITHOUT_HELLO = ("Unknown", "LoadBalancer")


def convert(topology: PyMongoTopology, operation_counts: Mapping[str, int] | None = None) -> TopologyDescription:
    """Give the description; servers stand in PyMongo's order."""
    servers = [_server(one) for one in topology.server_descriptions().values()]
    for server in servers:
        count = (operation_counts or {}).get(server["address"])
        if count is not None:
            server["operationCount"] = count
    described = {
        "type": topology.topology_type_name,
        "setName": topology.replica_set_name,
        "servers": servers,
        "maxElectionId": _object_id(topology.max_election_id),
        "maxSetVersion": topology.max_set_version,
        "logicalSessionTimeoutMinutes": topology.logical_session_timeout_minutes,
    }
    return TopologyDescription(_known(described))


def _server(server: PyMongoServer) -> dict[str, Any]:
    kind = server.server_type_name
    described: dict[str, Any] = {
        "address": address_of(server.address),
        "type": kind,
        "roundTripTimeMS": _milliseconds(server.round_trip_time),
        "topologyVersion": _topology_version(server.topology_version),
        "error": None if server.error is None else str(server.error) or type(server.error).__name__,
    }
    if kind not in _WITHOUT_HELLO:
        # PyMongo before 4.5 has no minimum; 0 stands for too few samples.
        minimum = getattr(server, "min_round_trip_time", 0)
        date = server.last_write_date
        described.update(
            {
                "minRoundTripTimeMS": _milliseconds(minimum) if minimum else None,
                "tags": dict(server.tags) or None,
                "lastWriteDate": None if date is None else round(date * 1000),
                "lastUpdateTimeMS": int(server.last_update_time * 1000),
                "minWireVersion": server.min_wire_version,
                "maxWireVersion": server.max_wire_version,
                "setName": server.replica_set_name,
                "setVersion": server.set_version,
                "electionId": _object_id(server.election_id),
                "primary": None if server.primary is None else address_of(server.primary),
                "me": None if server.me is None else address_of(server.me),
                "logicalSessionTimeoutMinutes": server.logical_session_timeout_minutes,
            }
        )
    return _known(described)


def _known(described: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in described.items() if value is not None}


def _milliseconds(seconds: float | None) -> Decimal | None:
    """Give milliseconds with 6 decimals: exactly the nanosecond that is nearest, half to even."""
    if seconds is None:
        return None
    numerator, denominator = seconds.as_integer_ratio()
    return Decimal(_divided(numerator * 10**9, denominator)).scaleb(-6)


def _divided(numerator: int, denominator: int) -> int:
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest > denominator or (2 * rest == denominator and quotient % 2 == 1))


def _object_id(value: Any) -> dict[str, str] | None:
    return {"$oid": str(value)} if is_a(value, ObjectId) else None


def _topology_version(value: Any) -> dict[str, Any] | None:
    if not is_a(value, Mapping) or not is_a(value.get("counter"), int):
        return None
    process = _object_id(value.get("processId"))
    return None if process is None else {"processId": process, "counter": int(value["counter"])}
