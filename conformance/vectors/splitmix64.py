"""The picks of conformance/vectors/pick, computed apart from readpref.

    python3 conformance/vectors/splitmix64.py random 3 42

prints the position in the window that `pick: random` takes of 3 servers with
seed 42. For leastBusyOfTwo the operation counts follow:

    python3 conformance/vectors/splitmix64.py leastBusyOfTwo 3 42 5 0 9

For conformance/vectors/handles, the same with `handle` and the number of picks
in front prints the positions of as many picks from one window, each going on
where the last one ended, then the state; `checkout` in place of `handle` also
adds one to the count of each server taken:

    python3 conformance/vectors/splitmix64.py checkout 4 leastBusyOfTwo 3 42 5 0 9

The generator is SplitMix64 (Steele, Lea, Flood 2014); `self_test` holds it to
the published outputs for seed 1234567.
"""

import sys

MASK = (1 << 64) - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed & MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def two(self, n):
        """Two different numbers of 0 … n-1, n at least 2: i from the high half of one output, j from the low half.

        An output is thrown away where either half would favour some numbers: where the low half of the product is
        less than 2^32 mod the number of choices.
        """
        while True:
            x = self.next()
            high, low = (x >> 32) * n, (x % 2**32) * (n - 1)
            if high % 2**32 >= 2**32 % n and low % 2**32 >= 2**32 % (n - 1):
                i, j = high >> 32, low >> 32
                return i, j + 1 if j >= i else j


def pick_random(generator, n):
    return 0 if n == 1 else generator.two(n)[0]


def pick_least_busy_of_two(generator, counts):
    if len(counts) == 1:
        return 0
    i, j = generator.two(len(counts))
    return j if counts[j] < counts[i] else i


def pick_round_robin(seed, n):
    return seed % n


def fnv1a64(text):
    h = 0xCBF29CE484222325
    for byte in text.encode():
        h = ((h ^ byte) * 0x100000001B3) & MASK
    return h


def self_test():
    r = SplitMix64(1234567)
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [r.next() for _ in published] == published
    assert fnv1a64("") == 0xCBF29CE484222325
    assert fnv1a64("a") == 0xAF63DC4C8601EC8C
    assert fnv1a64("foobar") == 0x85944171F73967E8


def main(pick, n, seed, *counts):
    n, seed, counts = int(n), int(seed), [int(c) for c in counts]
    if pick == "random":
        return pick_random(SplitMix64(seed), n)
    if pick == "roundRobin":
        return pick_round_robin(seed, n)
    if pick == "leastBusyOfTwo" and len(counts) == n:
        return pick_least_busy_of_two(SplitMix64(seed), counts)
    sys.exit(__doc__)


def main_handle(checkout, times, pick, n, seed, *counts):
    n, generator, counts = int(n), SplitMix64(int(seed)), [int(c) for c in counts]
    if not (pick in ("random", "roundRobin") or pick == "leastBusyOfTwo" and len(counts) == n):
        sys.exit(__doc__)
    counts = counts or [0] * n
    taken = []
    for _ in range(int(times)):
        if pick == "random":
            i = pick_random(generator, n)
        elif pick == "roundRobin":
            i = pick_round_robin(generator.state, n)
            generator.state = (generator.state + 1) & MASK
        else:
            i = pick_least_busy_of_two(generator, counts)
        counts[i] += checkout
        taken.append(i)
    return f"{taken}, state {generator.state}"


self_test()
if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    if sys.argv[1] in ("handle", "checkout"):
        print(main_handle(sys.argv[1] == "checkout", *sys.argv[2:]))
    else:
        print(main(*sys.argv[1:]))
