"""Forked children work, whatever the parent's threads were doing at the moment of the fork.

Each program runs in an interpreter of its own and prints what it saw. A child that hangs is ended by its parent after
LIMIT seconds and counted; nothing waits for it for ever.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forked_program import run

UNDER_LOAD = """
wrong(1)
with Load() as load:
    ends = []
    for _ in range(50):
        children = [start(lambda: wrong(3)) for _ in range(4)]
        ends += map(end, children)
print(count(ends), load.bad)
"""

CHILDREN_OF_CHILDREN = """
def family(depth):
    bad = wrong(1)
    if depth:
        bad += end(start(lambda: family(depth - 1))) != "right"
    return bad + wrong(1)
with Load() as load:
    ends = [end(start(lambda: family(3))) for _ in range(10)]
print(count(ends), load.bad)
"""

THREADS_OF_CHILDREN = """
def threaded():
    bad = []
    threads = [threading.Thread(target=lambda: bad.append(wrong(3))) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return sum(bad) + abs(len(bad) - 4)
with Load() as load:
    ends = [end(start(threaded)) for _ in range(10)]
print(count(ends), load.bad)
"""

# A call that takes long is under way: the fork waits for its end, which shows by the time it takes.
CALL_UNDER_WAY = """
from readpref._encode import encode
request = encode({"topology": {"type": "ReplicaSetNoPrimary", "servers": [
    {"address": f"m{i}.example:27017", "type": "RSSecondary"} for i in range(20_000)]}})
ends, waited, answers = [], 0, []
for _ in range(10):
    thread = threading.Thread(target=lambda: answers.append(readpref.call_raw("select", request)[:9]))
    thread.start()
    time.sleep(0.003)
    before = time.monotonic()
    child = start(lambda: wrong(1))
    waited += time.monotonic() - before > 0.005
    ends.append(end(child))
    thread.join()
print(count(ends), set(answers), waited > 0)
"""

# The library is being loaded by another thread: the fork waits for it.
WHILE_LOADING = """
from readpref import _native
load, loading = _native._load, threading.Event()
def slowly():
    loading.set()
    time.sleep(0.2)
    return load()
_native._load = slowly
thread = threading.Thread(target=readpref.build_info)
thread.start()
loading.wait()
print(end(start(lambda: 1 if _native._engine is None else wrong(1))))
thread.join()
"""

# Nothing has loaded it, and each thread of the parent is about to.
FIRST_CALLS = """
with Load() as load:
    child = start(lambda: wrong(1))
print(end(child), load.bad)
"""

# A topology of the parent's, with its counts, is the child's own from the fork on; its picks are others.
HANDLES = """
live = Topology(LARGE.to_dict(), seed=1)
near = ReadPreference("nearest")
server = live.select(near, checkout=True)
def counts(topology):
    return sum(one.to_dict().get("operationCount", 0) for one in topology.description.servers)
def child():
    bad = counts(live) != 1
    live.release(server)
    bad += counts(live) != 0
    live.update(SMALL)
    bad += live.select(ReadPreference("secondary", max_staleness_seconds=-1)).address != "b.example:27017"
    bad += Topology(SMALL).select(near).address not in ("a.example:27017", "b.example:27017")
    live.close()
    return bad
with Load() as load:
    ends = [end(start(child)) for _ in range(20)]
print(count(ends), load.bad, counts(live))

picks = []
for _ in range(3):
    reader, writer = os.pipe()
    def pick():
        os.write(writer, json.dumps(live.select_ids(near, 50)).encode())
        return 0
    ends = [end(start(pick))]
    picks.append(os.read(reader, 4096))
picks.append(json.dumps(live.select_ids(near, 50)).encode())
print(ends, len(set(picks)))
"""

# Threads of the parent wait at the fork, for a server or for the lock of what tells them; in the child nobody waits,
# and a new one is woken.
WAITERS = """
live = Topology({"type": "ReplicaSetNoPrimary", "servers": []})
stop = threading.Event()
def wait():
    while not stop.is_set():
        try:
            live.select("secondary", timeout=0.0005)
        except readpref.NoServerError:
            pass
def child():
    late = threading.Timer(0.01, live.update, (LARGE,))
    late.start()
    bad = len(live._waiters._wake)
    bad += live.server(live.select("secondary", timeout=LIMIT).id).address not in {
        server.address for server in live.description.servers}
    late.join()
    return bad
threads = [threading.Thread(target=wait) for _ in range(4)]
for thread in threads: thread.start()
ends = [end(start(child)) for _ in range(20)]
stop.set()
for thread in threads: thread.join()
print(count(ends))
"""

POOL = """
import multiprocessing
if __name__ == "__main__":
    wrong(1)
    with Load() as load:
        for method in METHODS:
            with multiprocessing.get_context(method).Pool(2, maxtasksperchild=5) as pool:
                print(method, sum(pool.map_async(wrong, [2] * 20, chunksize=1).get(LIMIT)))
    print(load.bad)
"""

ERRORS_TRAVEL = """
import multiprocessing
def fail(mode):
    return ReadPreference(mode)
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            pool.apply(fail, ["secundary"])
        except readpref.InvalidPreferenceError as error:
            print(error.code, error.path)
"""


def test_200_children_of_a_threaded_parent_under_load(tmp_path: Path) -> None:
    assert run(UNDER_LOAD, tmp_path) == ["{'right': 200, 'wrong': 0, 'hung': 0} [0, 0]"]


def test_children_of_children(tmp_path: Path) -> None:
    assert run(CHILDREN_OF_CHILDREN, tmp_path) == ["{'right': 10, 'wrong': 0, 'hung': 0} [0, 0]"]


def test_threads_of_children(tmp_path: Path) -> None:
    assert run(THREADS_OF_CHILDREN, tmp_path) == ["{'right': 10, 'wrong': 0, 'hung': 0} [0, 0]"]


def test_a_call_under_way_at_the_fork(tmp_path: Path) -> None:
    assert run(CALL_UNDER_WAY, tmp_path) == ["""{'right': 10, 'wrong': 0, 'hung': 0} {b'{"server"'} True"""]


def test_handles_of_the_parent(tmp_path: Path) -> None:
    assert run(HANDLES, tmp_path) == ["{'right': 20, 'wrong': 0, 'hung': 0} [0, 0] 1", "['right'] 4"]


def test_threads_of_the_parent_that_wait(tmp_path: Path) -> None:
    assert run(WAITERS, tmp_path) == ["{'right': 20, 'wrong': 0, 'hung': 0}"]


def test_forked_while_another_thread_loads(tmp_path: Path) -> None:
    assert run(WHILE_LOADING, tmp_path) == ["right"]


def test_forked_while_all_threads_make_their_first_call(tmp_path: Path) -> None:
    for _ in range(5):
        assert run(FIRST_CALLS, tmp_path) == ["right [0, 0]"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_of_multiprocessing(method: str, tmp_path: Path) -> None:
    assert run(POOL.replace("METHODS", repr([method])), tmp_path) == [f"{method} 0", "[0, 0]"]


def test_errors_travel_between_processes(tmp_path: Path) -> None:
    assert run(ERRORS_TRAVEL, tmp_path) == ["unknownMode readPreference.mode"]
