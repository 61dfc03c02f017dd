"""Programs that fork: each runs in an interpreter of its own, with a load of threads and with a limit for children."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Before each program: a load of two threads that make garbage in Python and in the engine, whose large documents let
# the engine's collector run, and children with a limit of time.
COMMON = """
import gc, json, os, signal, sys, threading, time
import readpref
from readpref import ReadPreference, Topology, TopologyDescription, select

LIMIT = 60
SMALL = TopologyDescription({"servers": [
    {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
    {"address": "c.example:27017", "type": "RSSecondary", "roundTripTimeMS": 150}]})
LARGE = TopologyDescription({"type": "ReplicaSetNoPrimary",
    "servers": [{"address": f"m{i}.example:27017", "type": "RSSecondary"} for i in range(400)]})

def wrong(turns):
    bad = 0
    for _ in range(turns):
        bad += select(SMALL, ReadPreference("secondary", max_staleness_seconds=-1)).server.address != "b.example:27017"
        bad += json.loads(readpref.call_raw("selekt", b"{}"))["error"]["code"] != "unknownMethod"
    bad += len(select(LARGE, "secondary").suitable) != 400
    return bad

class Load:
    def __enter__(self):
        self.stop, self.bad = threading.Event(), []
        self.threads = [threading.Thread(target=self.run) for _ in range(2)]
        for thread in self.threads: thread.start()
        return self
    def run(self):
        bad = 0
        while not self.stop.is_set():
            bad += wrong(2)
            gc.collect()
        self.bad.append(bad)
    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads: thread.join()

def start(work):
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = int(work() != 0)
        finally:
            os._exit(status)
    return child

def end(child):
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return "right" if status == 0 else "wrong"
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hung"

def count(ends):
    ends = list(ends)
    return {name: ends.count(name) for name in ("right", "wrong", "hung")}
"""


def run(program: str, folder: Path) -> list[str]:
    path = folder / "program.py"
    path.write_text(COMMON + program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", str(path)],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
