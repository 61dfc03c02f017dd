"""Whatever everything public is given, nothing but an error of readpref comes of it, and the interpreter lives on.

    python tests/fuzz_public_doors.py [CASES] [TIME] [SEED]

Hypothesis makes the calls: so many, and more until TIME (such as 60s, 10m, 1h) is over. They run in a child process: a
crash is seen, and so is a call that does not come back in ten minutes. The call that was running is told, and the seed
with which it is found again; what is wrong, but no crash, is told in the smallest form that hypothesis finds.
"""

from __future__ import annotations

import faulthandler
import gc
import logging
import re
import subprocess
import sys
import time
import warnings

from hypothesis import HealthCheck, Phase, given, seed, settings

from public_doors import doors
from readpref import ReadPrefError
from recipes import Case, cases

CASES = 50_000
AT_ONCE = 2_500  # calls between which hypothesis begins anew; it keeps something of each
LIMIT = 600.0  # seconds that a hundred calls may take, on a busy machine, too
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def seconds_of(text: str) -> int:
    """Read a time as Go's -fuzztime has it: 90s, 1h30m; or 1000x, a number of inputs, which is no time."""
    if re.fullmatch(r"\d+x", text):
        return 0
    if not re.fullmatch(r"(\d+[hms]?)+", text):
        sys.exit(f"no time: {text}")
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([hms]?)", text))


def checked(error: ReadPrefError) -> None:
    """Everything that an error says is there, and can be printed."""
    assert error.code
    assert error.status < 0
    assert error.message
    f"{error} {error!r}".encode()


class Run:
    """The calls of one child."""

    def __init__(self, number: int) -> None:
        self.number = number  # the seed
        self.done = 0

    def some(self) -> None:
        """Make some calls; whatever is wrong is raised."""

        @seed(self.number * 1_000_003 + self.done)
        @settings(
            max_examples=AT_ONCE,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )
        @given(cases(doors()))
        def call(case: Case) -> None:
            if self.done % 100 == 0:
                faulthandler.dump_traceback_later(LIMIT, exit=True)  # in place of the last
            self.done += 1
            print(f"at {self.done} {case!r:.600}".encode("ascii", "backslashreplace").decode(), flush=True)
            try:
                case.run()
            except ReadPrefError as error:
                checked(error)

        call()
        faulthandler.cancel_dump_traceback_later()
        gc.collect()  # a crash of what is taken down belongs here


def run(count: int, seconds: int, number: int) -> None:
    """Make at least so many calls, in at least so many seconds."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    until, calls = time.monotonic() + seconds, Run(number)
    while calls.done < count or time.monotonic() < until:
        calls.some()


def watch(count: int, seconds: int, number: int) -> int:
    """Make the calls in a child; tell what came of it."""
    command = [sys.executable, "-X", "faulthandler", __file__, "--child", str(count), str(seconds), str(number)]
    begun, last, made = time.monotonic(), "", 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="ascii") as child:
        assert child.stdout is not None
        for line in child.stdout:
            if line.startswith("at "):
                last, made = line, int(line.split()[1])
    took = f"{time.monotonic() - begun:.0f} s, seed {number}"
    if child.returncode:
        print(f"failed: the child ended with {child.returncode}, {last.strip()!r} ({took})")
        return 1
    print(f"{made} calls of {len(doors())} public functions and methods: errors of readpref alone ({took})")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run(*(int(one) for one in sys.argv[2:]))
    else:
        arguments = [*sys.argv[1:], *("", "", "")][:3]
        sys.exit(
            watch(
                int(arguments[0] or CASES),
                seconds_of(arguments[1] or "0s"),
                int(arguments[2] or time.time_ns() % 2**32),
            )
        )
