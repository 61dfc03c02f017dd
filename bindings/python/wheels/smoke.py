"""Use an unpacked wheel in a Python that has no pip and no pytest; print the version of that Python."""

import platform
import sys

import readpref
from readpref import ReadPreference, Topology, _native

SERVERS = [
    {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
]

secondary = ReadPreference("secondary")
with Topology({"type": "ReplicaSetWithPrimary", "setName": "rs0", "servers": SERVERS}) as topology:
    picks = {topology.select(secondary).address for _ in range(1000)}
    assert picks == {"b.example:27017"}, picks
    assert topology.explain(secondary).text
    assert topology.select("primary", checkout=True).address == "a.example:27017"
    assert topology.description.servers[0].to_dict()["operationCount"] == 1
assert readpref.select({"servers": []}).server is None
assert _native.engine().__name__ == "readpref._engine", _native.engine()
assert platform.machine() in sys.argv[1:] or len(sys.argv) == 1
print(platform.python_version())
