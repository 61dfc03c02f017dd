"""Whatever everything public is given, nothing but an error of readpref comes of it, and the interpreter lives on.

    python tests/fuzz_public_doors.py [CASES] [SEED]

The cases run in a child process: a crash is seen, and so is a call that does not come back in a minute. The case that
was running is told, and the seed with which it is found again.
"""

from __future__ import annotations

import faulthandler
import logging
import random
import subprocess
import sys
import time
import warnings
from typing import Any

from hostile_values import HEAVY, MAKERS
from public_doors import WAITING, Door, doors
from readpref import ReadPrefError

CASES = 50_000
LIMIT = 60.0  # seconds that a call may take
NAMES = [name for name in MAKERS if name not in HEAVY]


def value(chance: random.Random, depth: int = 0) -> tuple[str, Any]:
    """Give a value and what it is: one of the hostile, or a container or random text of such."""
    kind = chance.random()
    if kind < 0.7 or depth > 2:
        name = chance.choice(NAMES)
        return name, MAKERS[name]()
    parts = [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    told, values = ", ".join(name for name, _ in parts), [made for _, made in parts]
    if kind < 0.78:
        return f"[{told}]", values
    if kind < 0.83:
        return f"({told})", tuple(values)
    if kind < 0.94:
        keys = chance.sample(KEYS, len(values))
        return f"{keys} of ({told})", dict(zip(keys, values))
    text = "".join(chr(chance.choice((chance.randrange(128), chance.randrange(0x110000)))) for _ in values * 4)
    return repr(text.encode("utf-8", "surrogatepass")), text


KEYS = [
    *("address", "type", "servers", "setName", "tags", "hello", "roundTripTimeMS", "lastWriteDate", "mode"),
    *("maxStalenessSeconds", "hedge", "topology", "readPreference", "keepOnly", "min", "max", "", "a.b", "\ud800"),
]


def case(door: Door, chance: random.Random) -> tuple[str, dict[str, Any], tuple[Any, ...]]:
    """Give arguments of a door, one or several of them hostile."""
    names = [name for name in door.parameters if name not in WAITING]
    chosen = chance.sample(names, min(len(names), chance.choice((1, 1, 2, 3))))
    arguments, told = {}, []
    for name in chosen:
        what, arguments[name] = value(chance)
        told.append(f"{name}={what}")
    if "timeout" in door.parameters:
        arguments["timeout"] = 0
    more = tuple(value(chance)[1] for _ in range(chance.randrange(4))) if door.takes_more else ()
    return f"{door}({', '.join(told)})", arguments, more


def run(cases: int, seed: int) -> int:
    """Run the cases; print what is wrong with which, and give how many were."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    all_doors, wrong = doors(), 0
    for number in range(cases):
        chance = random.Random(f"{seed} {number}")
        door = all_doors[number % len(all_doors)]
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        told, arguments, more = case(door, chance)
        print(f"at {number} {told[:400]}".encode("ascii", "backslashreplace").decode(), flush=True)
        try:
            door.call(arguments, more)
        except ReadPrefError as error:
            if not (error.code and error.status < 0 and error.message):
                wrong += 1
                print(f"wrong {number}: an error that says nothing", flush=True)
            f"{error} {error!r}".encode()
        except BaseException as error:  # whatever else it is, it is looked for
            wrong += 1
            print(f"wrong {number} {type(error).__name__}", flush=True)
    faulthandler.cancel_dump_traceback_later()
    return wrong


def watch(cases: int, seed: int) -> int:
    """Run the cases in a child; tell what came of it."""
    command = [sys.executable, "-X", "faulthandler", __file__, "--child", str(cases), str(seed)]
    begun, last = time.monotonic(), ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="ascii") as child:
        assert child.stdout is not None
        for line in child.stdout:
            if line.startswith("wrong"):
                print(last, line, sep="", end="")
            last = line
    took = f"{time.monotonic() - begun:.0f} s, seed {seed}"
    if child.returncode:
        print(f"failed: the child ended with {child.returncode} {last.strip()!r} ({took})")
        return 1
    print(f"{cases} cases of {len(doors())} public functions and methods: errors of readpref alone ({took})")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(1 if run(int(sys.argv[2]), int(sys.argv[3])) else 0)
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(watch(given[0] if given else CASES, given[1] if len(given) > 1 else time.time_ns() % 2**32))
