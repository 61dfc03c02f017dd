"""One kind of call very often, on the Python package; prints resident memory as it goes. See soak.py."""

import json
import os
import sys

import readpref


def resident_kib() -> int:
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024


def main(
    kind: str, calls: int, samples: int, topology: str, preference: str, select: str, seeds: str, *hellos: str
) -> None:
    opened = readpref.Topology.from_document(json.loads(topology))
    asked = readpref.ReadPreference.from_document(json.loads(preference)["readPreference"])
    discovered = readpref.Topology.from_document(json.loads(seeds))
    discovered.listen(lambda change: None)  # as a host does: what happened is fetched, and acknowledged
    replies = [json.loads(h) for h in hellos]
    data = select.encode()
    for k in range(samples + 1):
        print(calls // samples * k, resident_kib(), flush=True)
        if k == samples:
            return
        for i in range(calls // samples):
            if kind == "select":
                opened.select(asked)
            elif kind == "json":
                readpref.call_raw("select", data)
            else:
                r = replies[i % 2]
                discovered.on_hello(
                    r["address"], r["hello"], round_trip_time_ms=r["roundTripTimeMS"], now_ms=r["nowMS"]
                )


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
