"""Run the demo's selections with the Python package."""

import json
import sys
import time

import readpref

method, *files = sys.argv[1:]
for file in files:
    with open(file, "rb") as f:
        request = f.read()
    times = []
    for _ in range(1000):
        start = time.perf_counter_ns()
        answer = readpref.call_raw(method, request)
        times.append(time.perf_counter_ns() - start)
    times.sort()
    print(json.dumps({"file": file, "answer": answer.decode(), "microseconds": times[500] / 1000}))
