"""Installed from the checkout into a clean environment, as a user does it, the package works."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from conftest import PACKAGE

PROGRAM = """
import importlib.metadata, pathlib, sys, readpref
assert [name for name in importlib.metadata.requires("readpref") or [] if "extra" not in name] == []
servers = [
    {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
]
preference = readpref.ReadPreference("secondaryPreferred")
print(readpref.select(readpref.Topology({"servers": servers}), preference).server.address)
print(pathlib.Path(readpref.__file__).is_relative_to(sys.prefix))
"""
REQUEST = """
{"topology": {"servers": [{"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
                          {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5}]}}
"""


@pytest.mark.parametrize("options", [[], ["--editable"]], ids=["installed", "editable"])
def test_install(options: list[str], tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "READPREF_LIB")}

    def run(*command: str) -> str:
        whole = [str(python), *command]
        done = subprocess.run(
            whole, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=1800, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    (tmp_path / "request.json").write_text(REQUEST, encoding="utf-8")
    run("-m", "pip", "install", "--disable-pip-version-check", *options, str(PACKAGE))
    shown = run("-m", "pip", "show", "--disable-pip-version-check", "--verbose", "readpref")
    assert "\nLicense: Apache-2.0\n" in shown
    assert "\nAuthor: The readpref authors\n" in shown
    assert "Homepage, https://github.com/readpref/readpref\n" in shown
    assert run("-c", PROGRAM).split() == ["b.example:27017", str(not options)]
    # The command that it installs, by its own name.
    command = str(python.with_name("readpref.exe" if sys.platform == "win32" else "readpref"))
    version = run("-c", "import readpref; print(readpref.__version__)").strip()
    for arguments, printed in (
        (["--version"], f"readpref {version}"),
        (["select", "request.json", "--mode", "secondary"], "b.example:27017"),
        (["writable", "request.json"], '{"writable":true}'),
    ):
        done = subprocess.run(
            [command, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{printed}\n", "")
