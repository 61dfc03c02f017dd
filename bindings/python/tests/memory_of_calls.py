"""Print how much memory the process has while it makes millions of calls: it has to stay flat.

    python tests/memory_of_calls.py [CALLS]

5,000,000 selections of a Topology, and as many requests with documents in and out. The first tenth is not counted: by
then the engine's heap has the size that its work takes. More than 2 MiB between the rest's first and last is a failure.
"""

from __future__ import annotations

import sys
import time
from typing import Callable

from readpref import ReadPreference, Topology, call_raw

CALLS = 5_000_000
POINTS = 10
MOST = 2 * 1024 * 1024
SERVERS = [
    {"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": 2},
    {"address": "b.example", "type": "RSSecondary", "roundTripTimeMS": 5, "tags": {"dc": "ny"}},
]
DOCUMENT = b'{"topology":{"servers":[{"address":"a.example","type":"Mongos","operationCount":%d}]},"seed":"%d"}'


def resident() -> int:
    """Give the resident memory of this process in bytes (Linux)."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def measured(name: str, some: Callable[[int], None], calls: int) -> bool:
    """Make the calls, a tenth at a time; print, and tell whether memory stayed flat."""
    sizes: list[int] = []
    begun = time.process_time()
    for point in range(POINTS):
        some(calls // POINTS)
        sizes.append(resident())
        print(f"{name:<10} {calls // POINTS * (point + 1):>10,} calls  {sizes[-1] / 2**20:8.2f} MiB", flush=True)
    grown = sizes[-1] - sizes[0]
    print(f"{name:<10} {grown:+,} bytes after the first tenth, {time.process_time() - begun:.0f} s of processor time")
    return grown <= MOST


def main() -> int:
    """Measure both; give the exit status."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else CALLS
    topology = Topology({"type": "ReplicaSetWithPrimary", "setName": "rs0", "servers": SERVERS})
    preference = ReadPreference("nearest")

    def select(count: int) -> None:
        for _ in range(count):
            topology.select(preference)

    def document(count: int) -> None:
        for i in range(count):
            call_raw(b"select", DOCUMENT % (i, i))

    flat = [measured("select", select, calls), measured("documents", document, calls)]
    return 0 if all(flat) else 1


if __name__ == "__main__":
    sys.exit(main())
