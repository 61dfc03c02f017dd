"""The picks of conformance/vectors/simulate, computed apart from readpref.

    python3 conformance/vectors/simulate.py '{"pick": "random", "seed": 42, "picks": 10, "counts": [0, 0],
        "workloads": [[3, [0, 1]], [1, []]], "clients": 2, "takes": [1000000, 5000000]}'

prints for each workload [weight, window] how many operations failed, and how many went to each server of its window.
`counts` are the operation counts, `takes` the nanoseconds of an operation on each server.
"""

import json
import sys

from splitmix64 import SplitMix64, pick_least_busy_of_two, pick_random, pick_round_robin


def workload_of(generator, weights):
    lots = sum(weights)
    while len(weights) > 1:
        product = (generator.next() >> 32) * lots
        if product % 2**32 >= 2**32 % lots:
            place = product >> 32
            return next(i for i in range(len(weights)) if place < sum(weights[: i + 1]))
    return 0


def simulate(pick, seed, picks, counts, workloads, clients=0, takes=()):
    generator, turn = SplitMix64(seed), seed
    result = [[0] + [0] * len(window) for _, window in workloads]
    busy = [(0, number, None) for number in range(clients)]  # (ends, number, server)
    for number in range(clients, clients + picks):
        now = 0
        if clients:
            now, _, server = first = min(busy, key=lambda operation: operation[:2])
            busy.remove(first)
            if server is not None:
                counts[server] -= 1
        which = workload_of(generator, [weight for weight, _ in workloads])
        window, server = workloads[which][1], None
        if window:
            if pick == "random":
                i = pick_random(generator, len(window))
            elif pick == "roundRobin":
                i = pick_round_robin(turn, len(window))
            else:
                i = pick_least_busy_of_two(generator, [counts[s] for s in window])
            turn = (turn + 1) % 2**64
            server = window[i]
            result[which][i + 1] += 1
        else:
            result[which][0] += 1
        if clients:
            if server is not None:
                counts[server] += 1
            busy.append((now + (takes[server] if server is not None else 0), number, server))
    return result


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(simulate(**json.loads(sys.argv[1])))
