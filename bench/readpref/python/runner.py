"""readpref's Python package behind the bench's line protocol (bench/README.md)."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

import readpref
from lines import serve


def load(select, _open, _preference):
    request = json.loads(select)
    topology = readpref.TopologyDescription(request["topology"])
    preference = readpref.ReadPreference.from_document(request["readPreference"])
    options = {
        "local_threshold_ms": request["localThresholdMS"],
        "heartbeat_frequency_ms": request["heartbeatFrequencyMS"],
    }
    data = select.encode()

    def typed(n):
        for _ in range(n):
            readpref.select(topology, preference, **options)

    def raw(n):
        call_raw = readpref.call_raw
        for _ in range(n):
            call_raw("select", data)

    window = json.loads(readpref.call_raw("select", data))["inLatencyWindow"]
    assert tuple(window) == readpref.select(topology, preference, **options).in_latency_window
    return {"window": window}, {"cold": typed, "json": raw}


serve(load)
