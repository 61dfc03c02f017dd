"""Print what a pick costs by ctypes, by cffi and by the extension, interleaved, in ns of processor time.

    python ext/measure.py ../../build/libreadpref_portable.so

in an environment that has this package with the extension, and cffi.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any, Callable

import cffi

from readpref import ReadPreference, Topology, _ctypes_engine, _native

ROUNDS, PICKS = 25, 20_000
SERVERS = [
    {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
    {"address": "c.example:27017", "type": "RSSecondary", "roundTripTimeMS": 9},
]
DESCRIPTION = {"type": "ReplicaSetWithPrimary", "setName": "rs0", "servers": SERVERS}
DECLARATIONS = """
int32_t rp_select(uint32_t, uint32_t, uint32_t);
int32_t rp_topology_open(const char *, size_t, char *, size_t);
int32_t rp_readpref_open(const char *, size_t, char *, size_t);
"""


def of(select: Callable[[int, int, int], int], topology: int, preference: int) -> Callable[[], None]:
    """Give a loop over a function that takes handles."""

    def loop() -> None:
        for _ in range(PICKS):
            select(topology, preference, 0)

    return loop


def main(path: str) -> None:
    """Measure."""
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS)
    library = ffi.dlopen(path)
    out = ffi.new("char[]", 8192)
    documents = [json.dumps({"topology": DESCRIPTION}).encode(), b'{"readPreference":{"mode":"nearest"}}']
    handles = [
        function(document, len(document), out, 8192)
        for function, document in zip((library.rp_topology_open, library.rp_readpref_open), documents)
    ]
    by_ctypes = _ctypes_engine.load(path)  # the same library: it has the same handles

    topology, nearest = Topology(DESCRIPTION), ReadPreference("nearest")
    topology.select(nearest)
    in_python: Any = Topology.select

    def method() -> None:
        for _ in range(PICKS):
            topology.select(nearest)

    def with_keywords() -> None:
        for _ in range(PICKS):
            topology.select(nearest, operation="read", checkout=False)

    def function() -> None:
        for _ in range(PICKS):
            in_python.__wrapped__(topology, nearest)

    loops: dict[str, Callable[[], None]] = {
        "rp_select, ctypes": of(by_ctypes.select, *handles),
        "rp_select, cffi": of(library.rp_select, *handles),
        "rp_select, extension": of(_native.engine().select, topology._handle, nearest._prepared.handle),
        "Topology.select, extension": method,
        "the same with keywords": with_keywords,
        "Topology.select in Python": function,
    }
    times: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(ROUNDS):
        for name, loop in loops.items():
            start = time.process_time_ns()
            loop()
            times[name].append((time.process_time_ns() - start) / PICKS)
    for name, found in times.items():
        print(f"{name:28} least {min(found):5.0f}   median {statistics.median(found):5.0f}")


if __name__ == "__main__":
    main(sys.argv[1])
