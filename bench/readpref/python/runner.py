"""readpref's Python package behind the bench's line protocol (bench/README.md)."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

import readpref
from lines import serve


def load(select, opening, _preference):
    request = json.loads(select)
    description = readpref.TopologyDescription(request["topology"])
    preference = readpref.ReadPreference.from_document(request["readPreference"])
    options = {
        "local_threshold_ms": request["localThresholdMS"],
        "heartbeat_frequency_ms": request["heartbeatFrequencyMS"],
    }
    data = select.encode()
    opened = json.loads(opening)
    document = opened["topology"]
    topology = readpref.Topology.from_document(opened)

    def pick(n):
        for _ in range(n):
            topology.select(preference)

    def update(n):
        for _ in range(n):
            topology.update(document)
            topology.select(preference)

    def typed(n):
        for _ in range(n):
            readpref.select(description, preference, **options)

    def raw(n):
        call_raw = readpref.call_raw
        for _ in range(n):
            call_raw("select", data)

    window = json.loads(readpref.call_raw("select", data))["inLatencyWindow"]
    assert tuple(window) == readpref.select(description, preference, **options).in_latency_window
    # Counted, so that the less busy of two brings every server of the window in time.
    servers = [topology.select(preference, checkout=True) for _ in range(64 * len(window))]
    for server in servers:
        topology.release(server)
    picked = sorted({server.address for server in servers})
    return {"window": window, "picked": picked}, {"pick": pick, "update": update, "cold": typed, "json": raw}


serve(load)
