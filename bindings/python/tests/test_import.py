"""What importing the package does, and what it offers."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import readpref
from conftest import REPOSITORY


def test_import_does_not_load_the_library() -> None:
    program = (
        "import readpref, sys; from readpref import _native; "
        "sys.exit(_native._engine is not None or 'ctypes' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_import_needs_no_other_package() -> None:
    # Without the site module no installed package is found but this one.
    folder = Path(readpref.__file__).parent.parent
    program = (
        f"import sys; sys.path[:] = [p for p in sys.path if 'packages' not in p] + [{str(folder)!r}]; import readpref"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program + "; print(*{name.partition('.')[0] for name in sys.modules})"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    installed = {path.name.partition(".")[0] for path in Path(pytest.__file__).parent.parent.iterdir()}
    assert set(done.stdout.split()) & installed <= {"readpref"}


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
