"""Runs the command line, in this process or as one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from conftest import REPOSITORY
from readpref._cli.main import main

DATA = REPOSITORY / "examples" / "data"


class Done(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Its output, read as the one document that --json promises."""
        return json.loads(self.out)


def run(*arguments: str, stdin: bytes = b"") -> Done:
    """Run main() in this process."""
    out, err = io.StringIO(), io.StringIO()
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(err), mock.patch.object(sys, "stdin", source):
        code = main(list(arguments))
    return Done(code, out.getvalue(), err.getvalue())


def environment(**changes: str) -> dict[str, str]:
    """Give this process's, without what changes colour, and with the package that is tested."""
    unwanted = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS")
    kept = {key: value for key, value in os.environ.items() if key not in unwanted}
    return {**kept, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **changes}


def process(
    *arguments: str, stdin: bytes | None = b"", cwd: Path = DATA, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run python -m readpref."""
    return subprocess.run(
        [sys.executable, "-m", "readpref", *arguments],
        input=stdin,
        cwd=cwd,
        env=environment() if env is None else env,
        capture_output=True,
        timeout=60,
        check=False,
    )
