"""What the type checkers read as users' code (type_checking/users) also runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent / "type_checking" / "users").glob("*.py"))
# match statements came with 3.10; PyMongo is not there with every Python that the wheels are tested with.
UNABLE = {"matching" if sys.version_info < (3, 10) else ""}


def test_there_are_programs() -> None:
    assert {"selecting", "discovering", "values"} <= {program.stem for program in PROGRAMS}


@pytest.mark.parametrize("program", [one for one in PROGRAMS if one.stem not in UNABLE], ids=lambda one: one.stem)
def test_it_runs(program: Path) -> None:
    if program.stem == "with_pymongo":
        pytest.importorskip("pymongo")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
