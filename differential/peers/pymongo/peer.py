"""PyMongo's own selection and its reducer of hello replies, behind the lines that ../../peer.go writes.

Only what PyMongo's client would make for itself is made here: hello replies become its server descriptions by its own
code, and the preference is built by the function its connection strings use.
"""

from __future__ import annotations

import datetime
import json
import sys
from typing import Any

import pymongo
from bson import EPOCH_NAIVE, json_util
from pymongo.hello import Hello
from pymongo.read_preferences import _AggWritePref, make_read_preference, read_pref_mode_from_name
from pymongo.server_description import ServerDescription
from pymongo.server_selectors import writable_server_selector
from pymongo.topology_description import TOPOLOGY_TYPE, TopologyDescription, updated_topology_description

ROLES: dict[str, dict[str, Any]] = {
    "RSPrimary": {"setName": "rs0", "isWritablePrimary": True},
    "RSSecondary": {"setName": "rs0", "secondary": True},
    "RSArbiter": {"setName": "rs0", "arbiterOnly": True},
    "RSOther": {"setName": "rs0", "hidden": True},
    "RSGhost": {"isreplicaset": True},
    "Mongos": {"msg": "isdbgrid"},
    "LoadBalancer": {"serviceId": 1},
    "Standalone": {},
}


class HarnessError(Exception):
    """A case that this adapter cannot put to PyMongo."""


class Settings:
    """What a topology description reads of the client's settings."""

    _topology_id = 0
    _srv_max_hosts = 0

    def __init__(self, heartbeat_ms: int, threshold_ms: int, seeds: list[tuple[str, int]]) -> None:
        self.heartbeat_frequency = heartbeat_ms / 1000
        self.local_threshold_ms = threshold_ms
        self.seeds = seeds


def address_of(text: str) -> tuple[str, int]:
    host, port = text.rsplit(":", 1)
    return host, int(port)


def describe(server: dict[str, Any]) -> ServerDescription:
    address = address_of(server["address"])
    if server["type"] in ("Unknown", "PossiblePrimary"):
        return ServerDescription(address)
    hello = {
        "ok": 1,
        "minWireVersion": server.get("minWireVersion", 0),
        "maxWireVersion": server.get("maxWireVersion", 0),
        **ROLES[server["type"]],
    }
    if "tags" in server:
        hello["tags"] = server["tags"]
    if "lastWriteDate" in server:
        date = EPOCH_NAIVE + datetime.timedelta(milliseconds=server["lastWriteDate"])
        hello["lastWrite"] = {"lastWriteDate": date}
    rtt = server.get("roundTripTimeMS")
    described = ServerDescription(address, Hello(hello), None if rtt is None else rtt / 1000)
    if described.server_type_name != server["type"]:
        raise HarnessError(f"{server['address']} became {described.server_type_name}")
    if "lastUpdateTimeMS" in server:
        described._last_update_time = server["lastUpdateTimeMS"] / 1000
    return described


def select(case: dict[str, Any]) -> dict[str, Any]:
    described = {d.address: d for d in map(describe, case["topology"]["servers"])}
    settings: Any = Settings(case["heartbeatFrequencyMS"], case["localThresholdMS"], list(described))
    kind = getattr(TOPOLOGY_TYPE, case["topology"]["type"])
    topology = TopologyDescription(kind, described, case["topology"].get("setName"), None, None, settings)
    selector: Any = writable_server_selector
    if case.get("operation") != "write":
        asked = case["readPreference"]
        selector = make_read_preference(
            read_pref_mode_from_name(asked["mode"]), asked.get("tags"), asked.get("maxStalenessSeconds", -1)
        )
        if case.get("operation") == "aggregateWithWriteStage":
            selector = _AggWritePref(selector)
    avoided = [described[a] for a in map(address_of, case.get("deprioritized", [])) if a in described]
    found = topology.apply_selector(selector, None, custom_selector=None, deprioritized_servers=avoided or None)
    topology.check_compatible()  # as a client's topology does, whether servers were found or not
    return {"window": ["{}:{}".format(*d.address) for d in found]}


def state(topology: TopologyDescription) -> dict[str, Any]:
    election = topology.max_election_id
    return {
        "type": topology.topology_type_name,
        "setName": topology.replica_set_name,
        "maxSetVersion": topology.max_set_version,
        "maxElectionId": None if election is None else str(election),
        "servers": {"{}:{}".format(*a): d.server_type_name for a, d in topology.server_descriptions().items()},
    }


def reduce(case: dict[str, Any]) -> dict[str, Any]:
    seeds = [address_of(s) for s in case["seeds"]]
    settings: Any = Settings(10_000, 15, seeds)
    name = case.get("replicaSet")
    kind = TOPOLOGY_TYPE.Unknown if name is None else TOPOLOGY_TYPE.ReplicaSetNoPrimary
    if case.get("directConnection"):
        kind = TOPOLOGY_TYPE.Single
    topology = TopologyDescription(kind, {s: ServerDescription(s) for s in seeds}, name, None, None, settings)
    steps: list[dict[str, Any]] = []
    for reply in case["replies"]:
        address = address_of(reply["address"])
        # A client drops the reply of a server that it no longer has: Topology.on_change.
        if topology.has_server(address):
            hello = reply["hello"]
            if hello.get("ok") == 1:
                description = ServerDescription(address, Hello(hello), 0.001)
            else:
                description = ServerDescription(address, error=OSError("refused"))
            topology = updated_topology_description(topology, description)
        steps.append(state(topology))
    return {"steps": steps}


def main() -> None:
    print(json.dumps({"version": pymongo.version}), flush=True)
    works = {"select": select, "sdam": reduce}
    for line in sys.stdin:
        kind, document = line.rstrip("\n").split("\t")
        # The document's Extended JSON (ObjectIds) only stands in replies.
        case = json.loads(document) if kind == "select" else json_util.loads(document)
        try:
            answer = works[kind](case)
        except HarnessError as error:
            answer = {"harness": str(error)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
