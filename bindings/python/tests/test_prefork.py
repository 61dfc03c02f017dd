"""Servers that load the application once and fork their workers from it: gunicorn --preload, and the pool of Celery.

The parent has a topology open and threads at work, whose garbage is being collected, at the moment of each fork.
Every wait has an end: a worker that hangs fails the test.
"""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from forked_program import COMMON, run

WORKERS = 200
PATIENCE_SECONDS = 60

# The secondaries are 5 ms and 150 ms away: b is in the window that ends at 5 + 15 ms, c is not.
ANSWER = {
    "opened": "b.example:27017",
    "described": "b.example:27017",
    "why": "RTT 150 ms, window ends at 20 ms",
    "large": 400,
}

APPLICATION = (
    COMMON
    + """
import mmap
turns = mmap.mmap(-1, 8)  # of the master's load, and all workers see it

def load():
    while True:
        wrong(2)
        gc.collect()
        turns[:] = (int.from_bytes(turns[:], "big") + 1).to_bytes(8, "big")
        time.sleep(0.001)  # for the thread that forks

topology = Topology(SMALL)
secondary = ReadPreference("secondary")
topology.select(secondary)
for _ in range(2):
    threading.Thread(target=load, daemon=True).start()

def application(environ, start_response):
    body = json.dumps({
        "pid": os.getpid(),
        "turns": int.from_bytes(turns[:], "big"),
        "answer": {
            "opened": topology.select(secondary).address,
            "described": select(SMALL, secondary).server.address,
            "why": topology.explain(secondary).servers[2].why,
            "large": len(select(LARGE, secondary).suitable),
        },
    }).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]
"""
)

# With --max-requests 1 each request is served by a worker that was forked for it.
GUNICORN = ["--preload", "--workers", "4", "--max-requests", "1", "--timeout", "30", "--bind", "127.0.0.1:0"]


@contextmanager
def gunicorn(folder: Path) -> Iterator[tuple[int, list[str]]]:
    """Run the application; give its port, and its log, which is whole when the server has ended."""
    (folder / "served.py").write_text(APPLICATION, encoding="utf-8")
    command = [sys.executable, "-m", "gunicorn", *GUNICORN, "--chdir", str(folder), "served:application"]
    log: list[str] = []
    listening = threading.Event()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:

        def read() -> None:
            for line in server.stderr or ():
                log.append(line)
                if "Listening at" in line:
                    listening.set()

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            assert listening.wait(PATIENCE_SECONDS), "".join(log)
            found = re.search(r"Listening at: http://127\.0\.0\.1:(\d+)", "".join(log))
            assert found is not None, log
            yield int(found[1]), log
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                status = server.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                raise
            reader.join(PATIENCE_SECONDS)
    assert status == 0, "".join(log)


def get(port: int) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    connection.request("GET", "/")
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def test_200_workers_of_a_preloaded_application_of_gunicorn(tmp_path: Path) -> None:
    with gunicorn(tmp_path) as (port, log), ThreadPoolExecutor(4) as clients:
        served = list(clients.map(get, [port] * WORKERS))
    assert len({one["pid"] for one in served}) == WORKERS
    assert [one["answer"] for one in served] == [ANSWER] * WORKERS
    # The master's threads went on all the time.
    assert max(one["turns"] for one in served) > min(one["turns"] for one in served)
    # What gunicorn says of a worker that does not answer for 30 s, or that ended by itself; SIGTERM is the test's.
    assert [line for line in log if re.search(r"TIMEOUT|Traceback|was sent (?!SIGTERM)|exited with code", line)] == []


# Celery's pool is billiard's: a thread of the parent forks its workers, and looks every 0.8 s for those that ended.
CELERY = """
import billiard
topology = Topology(SMALL)
secondary = ReadPreference("secondary")
def task(number):
    bad = wrong(1)
    bad += topology.select(secondary).address != "b.example:27017"
    bad += topology.explain(secondary).servers[2].why != "RTT 150 ms, window ends at 20 ms"
    return os.getpid(), bad
if __name__ == "__main__":
    wrong(1)
    with Load() as load:
        pool = billiard.get_context("fork").Pool(8, maxtasksperchild=1)
        tasks = [pool.apply_async(task, (number,)) for number in range(TASKS)]
        served = [one.get(LIMIT) for one in tasks]
        pool.terminate()
        pool.join()
    print(len({pid for pid, bad in served}), sum(bad for pid, bad in served), load.bad)
"""


def test_workers_of_the_pool_of_celery(tmp_path: Path) -> None:
    assert run(CELERY.replace("TASKS", "40"), tmp_path) == ["40 0 [0, 0]"]
