"""What importing the package does, and what it offers."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import readpref
from conftest import REPOSITORY


def test_import_does_not_load_the_library() -> None:
    program = "import readpref, sys; from readpref import _native; sys.exit(_native._rp_call is not None)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_import_needs_no_other_package() -> None:
    program = (
        "import sys, readpref; names = {name.partition('.')[0] for name in sys.modules};"
        "print(*sorted(names - set(sys.stdlib_module_names) - {'readpref', '__main__'}))"
    )
    # -S: the site module runs the import hooks that editable installs bring.
    source = str(inspect.getfile(readpref)).rpartition("readpref")[0]
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {source!r}); {program}"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == []


def test_version_is_that_of_the_repository_and_of_the_engine() -> None:
    version = (REPOSITORY / "VERSION").read_text(encoding="utf-8").strip()
    assert readpref.__version__ == version
    assert readpref.build_info()["version"] == version


def test_no_other_attribute_appears() -> None:
    with pytest.raises(AttributeError, match="no attribute 'selekt'"):
        readpref.selekt  # noqa: B018


@pytest.mark.parametrize("name", readpref.__all__)
def test_every_public_name_and_member_is_documented(name: str) -> None:
    thing = getattr(readpref, name)
    assert inspect.getdoc(thing)
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                assert inspect.getdoc(getattr(thing, member)), f"{name}.{member}"


def test_select_and_explain_take_the_same_arguments() -> None:
    assert inspect.signature(readpref.select).parameters == inspect.signature(readpref.explain).parameters
