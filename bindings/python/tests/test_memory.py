"""Memory stays flat: what a call takes, it gives back."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

import readpref
from readpref import ReadPreference, SelectedServer, Topology

CALLS = 2_000


def references(*things: Any) -> list[int]:
    return [sys.getrefcount(thing) for thing in things]


def test_a_selection_keeps_no_reference(description: dict[str, Any]) -> None:
    with Topology(description) as topology:
        secondary, server, name = ReadPreference("secondary"), topology.select("secondary"), "find"
        keywords: dict[str, Any] = {"operation": "read", "timeout": 0, "operation_name": name}
        topology.select(secondary, **keywords)
        wrong: Any = {"wrong": 1}
        before = references(topology, secondary, server, name, True, None, Topology, ReadPreference)
        for _ in range(CALLS):
            topology.select(secondary)
            topology.select(secondary, **keywords)
            topology.select(read_preference=secondary, checkout=True)
            topology.release(server)
            with pytest.raises(TypeError):
                topology.select(secondary, **wrong)
        # Python itself may hold one or two more at any moment; the calls would hold thousands.
        after = references(topology, secondary, server, name, True, None, Topology, ReadPreference)
        assert [n for n, m in zip(after, before) if n > m + CALLS // 10] == []


def test_documents_keep_no_reference() -> None:
    data = b'{"topology":{"servers":[{"address":"a.example","type":"Mongos"}]}}'
    method = b"select"
    readpref.call_raw(method, data)
    before = references(data, method, True, False)
    for _ in range(CALLS):
        readpref.call_raw(method, data)
        readpref.call_raw(method, b"{")
    assert [n for n, m in zip(references(data, method, True, False), before) if n > m + CALLS // 10] == []


def test_a_topology_goes_with_its_servers(description: dict[str, Any]) -> None:
    class Watched(Topology):
        """Has a __dict__ and weak references, as every class of Python's."""

    topology = Watched(description)
    ends: list[Any] = [weakref.ref(topology), weakref.ref(topology.select("nearest"))]
    topology.myself = topology  # type: ignore[attr-defined]
    handle, generation = topology._handle, topology._engine.generation
    assert generation(handle) > 0
    del topology
    gc.collect()
    assert [end() for end in ends] == [None, None]
    assert generation(handle) == 0


def test_opening_again_forgets_and_closes(description: dict[str, Any]) -> None:
    topology = Topology(description)
    handle, server = topology._handle, topology.select("secondary")
    Topology.__init__(topology, {"servers": [{"address": "z.example:1", "type": "RSPrimary"}]})
    assert topology._engine.generation(handle) == 0
    assert topology.server(0) == SelectedServer(0, "z.example:1") != server


RESIDENT = """
import readpref, sys
from readpref import ReadPreference, Topology
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
servers = [{"address": "a.example", "type": "RSPrimary"}, {"address": "b.example", "type": "RSSecondary"}]
topology = Topology({"type": "ReplicaSetWithPrimary", "setName": "rs0", "servers": servers})
preference = ReadPreference("nearest")
validate = b'{"readPreference":{"mode":"secondary","tags":[{"turn":"%d"}]}}'
def select(i):
    topology.select(preference)
def document(i):
    readpref.call_raw("validate", validate % i)
def lives(i):
    with Topology({"servers": servers[:1]}) as short:
        short.select(ReadPreference("primary"))
for kind, warm, more in ((select, 10_000, 500_000), (document, 150_000, 150_000), (lives, 500, 2_000)):
    for i in range(warm):
        kind(i)
    before = resident()
    for i in range(warm, warm + more):
        kind(i)
    print(kind.__name__, resident() - before)
"""


def test_resident_memory_stays_flat() -> None:
    if not Path("/proc/self/statm").exists():
        return
    done = subprocess.run([sys.executable, "-c", RESIDENT], check=True, capture_output=True, text=True, timeout=300)
    grown = {name: int(size) for name, size in (line.split() for line in done.stdout.splitlines())}
    # One byte of each selection would be 500,000, and four of each document 600,000; a page of each topology 8,192,000.
    # The engine's collector has its heap's size by then.
    assert {name: size for name, size in grown.items() if size > 400_000} == {}
