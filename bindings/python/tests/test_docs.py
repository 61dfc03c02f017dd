"""The examples in the docstrings and in the README run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import readpref
from conftest import PACKAGE, REPOSITORY

MODULES = ["readpref", *(f"readpref.{module.name}" for module in pkgutil.iter_modules(readpref.__path__))]
WITH_EXAMPLES = {"readpref", "readpref._call", "readpref._methods", "readpref._preference", "readpref._select"}


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    assert result.attempted > 0 or name not in WITH_EXAMPLES


def test_readme_explains_a_saved_request(tmp_path: Path) -> None:
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- the file here: (\S+) -->\n```python\n(.*?)```\n\n```text\n(.*?)```", readme, re.DOTALL)
    assert found is not None
    shutil.copyfile(REPOSITORY / found[1], tmp_path / "request.json")
    done = subprocess.run(
        [sys.executable, "-c", found[2]], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert done.stdout.rstrip("\n") == found[3].rstrip("\n")
    request = json.loads((tmp_path / "request.json").read_text(encoding="utf-8"))
    told = readpref.explain(readpref.Topology(request["topology"]), request["readPreference"], seed=request["seed"])
    assert told.text == done.stdout[:-1]


def test_readme() -> None:
    result = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 5
