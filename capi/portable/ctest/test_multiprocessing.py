"""Python's multiprocessing with fork, by ctypes: test_multiprocessing.py LIBRARY.

The parent loads the library, calls it, and keeps threads calling while pools of workers are forked, as web servers do
that load the application before they fork. Each worker compares its answers. Prints the lines that capi/ctest/run.sh
counts.
"""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import sys
import threading
import time

REQUEST = {
    "topology": {
        "servers": [
            {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2.4},
            {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
            {"address": "c.example:27017", "type": "RSSecondary", "roundTripTimeMS": 150},
        ]
    },
    "readPreference": {"mode": "secondary"},
}
REQUEST_BYTES = json.dumps(REQUEST).encode()
LIMIT = 120  # seconds for each pool

library = ctypes.CDLL(sys.argv[1])
library.rp_call.argtypes = [
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_char_p,
    ctypes.c_size_t,
]
library.rp_call.restype = ctypes.c_int32


def call(method: bytes, request: bytes) -> bytes:
    out = ctypes.create_string_buffer(4096)
    n = library.rp_call(method, len(method), request, len(request), out, len(out))
    return out.raw[: abs(n)]


def wrong_answers(calls: int) -> int:
    wrong = 0
    for _ in range(calls):
        wrong += json.loads(call(b"select", REQUEST_BYTES))["server"]["address"] != "b.example:27017"
        wrong += json.loads(call(b"selekt", b"{}"))["error"]["code"] != "unknownMethod"
    return wrong


def work(_: int) -> int:
    return wrong_answers(20)


def pools(count: int, workers: int) -> tuple[int, int]:
    """Wrong answers, and pools that did not end in time."""
    wrong = hung = 0
    context = multiprocessing.get_context("fork")
    for _ in range(count):
        pool = context.Pool(workers, maxtasksperchild=4)  # children come and go
        try:
            wrong += sum(pool.map_async(work, range(8 * workers), chunksize=1).get(LIMIT))
        except multiprocessing.TimeoutError:
            hung += 1
        pool.terminate()
    return wrong, hung


def forked_by_hand(count: int) -> int:
    """Children of os.fork that did not end with status 0 in time, each forked while other threads call."""
    bad = 0
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            os._exit(0 if wrong_answers(10) == 0 else 1)
        until = time.monotonic() + LIMIT
        ended, status = os.waitpid(pid, os.WNOHANG)
        while ended == 0 and time.monotonic() < until:
            time.sleep(0.002)
            ended, status = os.waitpid(pid, os.WNOHANG)
        if ended == 0:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
        bad += ended == 0 or status != 0
    return bad


def main() -> int:
    stop = threading.Event()
    errors: list[int] = []

    def load() -> None:
        wrong = 0
        while not stop.is_set():
            wrong += wrong_answers(5)
        errors.append(wrong)

    wrong_answers(1)  # the engine runs before the first fork
    threads = [threading.Thread(target=load) for _ in range(3)]
    for t in threads:
        t.start()
    wrong, hung = pools(5, 4)
    bad = forked_by_hand(40)
    stop.set()
    for t in threads:
        t.join()
    results = {
        "pools of forked workers": wrong == 0 and hung == 0,
        "os.fork while threads call": bad == 0,
        "the parent's threads": len(errors) == len(threads) and not any(errors),
    }
    print(f"{wrong} wrong, {hung} pools hung, {bad} children bad, parent {errors}", file=sys.stderr)
    for name, right in results.items():
        print("ok" if right else "FAIL", name)
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
