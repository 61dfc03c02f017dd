"""Many threads at once."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import readpref
from readpref import ReadPreference, TopologyDescription


def test_threads_do_not_mix_their_answers() -> None:
    def member(n: int) -> TopologyDescription:
        # Of very different sizes, so that buffers grow in some threads and not in others.
        others = [{"address": f"m{n}-{i}.example", "type": "RSSecondary"} for i in range(n * n * 10)]
        primary: dict[str, Any] = {"address": f"primary{n}.example", "type": "RSPrimary"}
        return TopologyDescription({"servers": [primary, *others]})

    topologies = [member(n) for n in range(12)]
    nearest = ReadPreference("nearest")

    def work(turn: int) -> bool:
        n = turn % len(topologies)
        primary = readpref.select(topologies[n]).server
        suitable = readpref.select(topologies[n], nearest).suitable
        return (
            primary is not None
            and primary.address == f"primary{n}.example"
            and len(suitable) == n * n * 10 + 1
            and all(address.startswith((f"m{n}-", f"primary{n}.")) for address in suitable)
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(400)))


def test_threads_that_all_make_the_first_call() -> None:
    program = """
import threading, readpref
barrier, answers = threading.Barrier(16), []
def first():
    barrier.wait()
    answers.append(readpref.build_info()["name"])
threads = [threading.Thread(target=first) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert answers == ["readpref"] * 16, answers
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
