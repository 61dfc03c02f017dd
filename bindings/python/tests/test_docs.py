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
from loopback import replica_set

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


def test_reference() -> None:
    text = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, "python.md", "python.md", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
    assert result.attempted > 40


class OfAnySet(doctest.OutputChecker):
    """The output of a set on loopback: its addresses have names in the README, and times and the order vary."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        for address, name in self._names.items():
            got = got.replace(address, name)
        return super().check_output(self._of_any_set(want), self._of_any_set(got), optionflags)

    def _of_any_set(self, text: str) -> str:
        if "RTT ms" not in text:
            return text
        return "\n".join(sorted(re.sub(r"\d+\.\d+", "N", " ".join(line.split())) for line in text.splitlines()))


def test_readme() -> None:
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    with replica_set(PACKAGE / "tests" / "data" / "readme-set.json") as running:
        names = {address: f"{name}.example:27017" for name, address in running.members.items()}
        for address, name in names.items():
            # In what is run; what it prints is compared under the README's names.
            run = (
                line.replace(name, address) if line.startswith((">>> ", "... ")) else line for line in text.split("\n")
            )
            text = "\n".join(run)
        test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, "README.md", "README.md", 0)
        result = doctest.DocTestRunner(OfAnySet(names)).run(test)
    assert result.failed == 0
    assert result.attempted > 5
