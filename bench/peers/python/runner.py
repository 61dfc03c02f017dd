"""PyMongo's selection behind the bench's line protocol (bench/README.md)."""

import json
import os
import random
import sys
from datetime import timedelta

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from bson import EPOCH_NAIVE
from lines import serve
from pymongo.hello import Hello
from pymongo.read_preferences import make_read_preference, read_pref_mode_from_name
from pymongo.server_description import ServerDescription
from pymongo.synchronous.settings import TopologySettings
from pymongo.synchronous.topology import Topology
from pymongo.topology_description import TOPOLOGY_TYPE, TopologyDescription

HELLOS = {
    "RSPrimary": {"setName": "rs0", "isWritablePrimary": True},
    "RSSecondary": {"setName": "rs0", "secondary": True},
    "Mongos": {"msg": "isdbgrid"},
}


def describe(server):
    hello = {"ok": 1, "minWireVersion": server["minWireVersion"], "maxWireVersion": server["maxWireVersion"]}
    hello.update(HELLOS[server["type"]])
    if "tags" in server:
        hello["tags"] = server["tags"]
    if "lastWriteDate" in server:
        date = EPOCH_NAIVE + timedelta(milliseconds=server["lastWriteDate"])
        hello["lastWrite"] = {"lastWriteDate": date}
    host, port = server["address"].rsplit(":", 1)
    described = ServerDescription((host, int(port)), Hello(hello), server["roundTripTimeMS"] / 1000)
    assert described.server_type_name == server["type"], described
    described._last_update_time = server["lastUpdateTimeMS"] / 1000
    return described


class Pool:
    operation_count = 0


class Server:
    """What the driver's pick reads of a server."""

    def __init__(self, description):
        self.description = description
        self.pool = Pool()


def load(select, _open, _preference):
    request = json.loads(select)
    described = {d.address: d for d in map(describe, request["topology"]["servers"])}
    settings = TopologySettings(
        seeds=list(described),
        local_threshold_ms=request["localThresholdMS"],
        heartbeat_frequency=request["heartbeatFrequencyMS"] // 1000,
    )
    name = request["topology"].get("setName")
    kind = getattr(TOPOLOGY_TYPE, request["topology"]["type"])
    description = TopologyDescription(kind, described, name, None, None, settings)
    asked = request["readPreference"]
    selector = make_read_preference(
        read_pref_mode_from_name(asked["mode"]), asked.get("tags"), asked.get("maxStalenessSeconds", -1)
    )
    servers = {address: Server(d) for address, d in described.items()}

    def select_of_description():
        description.check_compatible()
        return description.apply_selector(selector, None, custom_selector=None, deprioritized_servers=None)

    def cold(n):
        # The steps of selection alone, and the pick of two, without the driver's lock and bookkeeping.
        for _ in range(n):
            found = [servers[d.address] for d in select_of_description()]
            if len(found) > 1:
                a, b = random.sample(found, 2)
                a.pool.operation_count <= b.pool.operation_count  # noqa: B015

    topology = Topology(settings)
    topology._servers = servers
    topology._description = description

    def whole(n):
        for _ in range(n):
            topology.select_server(selector, "find", 0)

    window = ["{}:{}".format(*d.address) for d in select_of_description()]
    return {"window": window}, {"cold": cold, "whole": whole}


serve(load)
