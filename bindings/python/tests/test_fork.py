"""A forked child gets an error at once, where the Go runtime would hang."""

from __future__ import annotations

import subprocess
import sys

# Each prints what it saw; the time limit catches a hang.
LOADED_BEFORE = """
import os, readpref
readpref.build_info()
child = os.fork()
if child == 0:
    for attempt in (
        lambda: readpref.call_raw("build_info", b""),
        lambda: readpref.ReadPreference("nearest"),
        lambda: readpref.select({"servers": []}),
    ):
        try:
            attempt()
        except readpref.ForkedError as error:
            print(error.code, error.status, isinstance(error, RuntimeError), flush=True)
    os._exit(7)
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
print("parent", readpref.build_info()["name"])
"""

NOT_LOADED_BEFORE = """
import os, readpref
child = os.fork()
if child == 0:
    os._exit(readpref.build_info()["name"] == "readpref" and 7)
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print("parent", readpref.build_info()["name"])
"""

# The lock of the loader is held at the moment of the fork, by a thread that the child does not have.
WHILE_LOADING = """
import os, threading, readpref
from readpref import _native
held = threading.Event()
def hold():
    with _native._loading:
        held.set()
        threading.Event().wait(30)
threading.Thread(target=hold, daemon=True).start()
held.wait()
child = os.fork()
if child == 0:
    os._exit(readpref.build_info()["name"] == "readpref" and 7)
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

SPAWNED = """
import multiprocessing, readpref
if __name__ == "__main__":
    readpref.build_info()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.apply(readpref.build_info)["name"])
"""

PICKLED = """
import multiprocessing, readpref
if __name__ == "__main__":
    readpref.build_info()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            pool.apply(readpref.build_info)
        except readpref.ForkedError as error:
            print(error.code)
"""


def run(program: str, name: str, folder: str) -> list[str]:
    path = f"{folder}/{name}.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", path],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    return done.stdout.splitlines()


def test_loaded_before_the_fork(tmp_path: object) -> None:
    assert run(LOADED_BEFORE, "loaded", str(tmp_path)) == ["forked -5 True"] * 3 + ["child 7", "parent readpref"]


def test_loaded_only_after_the_fork(tmp_path: object) -> None:
    assert run(NOT_LOADED_BEFORE, "fresh", str(tmp_path)) == ["child 7", "parent readpref"]


def test_forked_while_another_thread_loads(tmp_path: object) -> None:
    assert run(WHILE_LOADING, "loading", str(tmp_path)) == ["child 7"]


def test_spawned_processes_work(tmp_path: object) -> None:
    assert run(SPAWNED, "spawned", str(tmp_path)) == ["readpref"]


def test_the_error_travels_between_processes(tmp_path: object) -> None:
    assert run(PICKLED, "pickled", str(tmp_path)) == ["forked"]
