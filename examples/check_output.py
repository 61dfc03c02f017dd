"""Run a program and compare what it prints with what it should print.

usage: check_output.py EXPECTED.txt COMMAND...

Lines of EXPECTED.txt that begin with # say why, and are no part of it.
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

# Far more than any example needs: what hangs is ended.
TIMEOUT_SECONDS = 300


def main() -> None:
    expected_file, *command = sys.argv[1:]
    lines = Path(expected_file).read_text(encoding="utf-8").splitlines()
    expected = [line for line in lines if not line.startswith("#")]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired as expired:
        output = expired.output or ""
        sys.exit(f"{command[0]} did not end; so far:\n{output if isinstance(output, str) else output.decode('utf-8')}")
    name = " ".join(command)
    printed = done.stdout.splitlines()
    print(done.stdout, end="")
    difference = list(difflib.unified_diff(expected, printed, expected_file, command[0], lineterm=""))
    if done.returncode != 0 or difference:
        print(*difference, sep="\n")
        sys.exit(f"{name}: exit status {done.returncode}, and what it printed is {'wrong' if difference else 'right'}")
    print(f"{name}: as expected, {len(expected)} lines")


main()
