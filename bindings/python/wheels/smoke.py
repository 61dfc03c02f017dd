"""Use an unpacked wheel in a Python that has no pip and no pytest; print the version of that Python."""

import io
import platform
import sys
from contextlib import redirect_stderr, redirect_stdout

import readpref
from readpref import ReadPreference, Topology, _native
from readpref._cli.main import main

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
for arguments, status in ((["writable", "--document", '{"topology": {"servers": []}}'], 0), (["no-such-command"], 2)):
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        code = main(arguments)  # the command line
    assert code == status, (arguments, code)
assert platform.machine() in sys.argv[1:] or len(sys.argv) == 1
print(platform.python_version())
