"""What importing the package does, and what it offers."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import readpref
from conftest import REPOSITORY, engine_name


def modules_after(program: str) -> set[str]:
    """Give what an interpreter has loaded, beyond what it had before."""
    program = f"import sys; before = set(sys.modules); {program}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", program], check=True, capture_output=True, text=True, timeout=60)
    return set(done.stdout.split())


@pytest.fixture
def found() -> str:
    """Give a statement that finds the package that is tested, in an interpreter that is told of no other folder."""
    return f"sys.path.insert(0, {str(Path(readpref.__file__).parent.parent)!r})"


def test_import_loads_next_to_nothing(found: str) -> None:
    """What takes time is imported with the first name that needs it."""
    assert {name for name in modules_after(f"{found}; import readpref") if name != "__future__"} == {"readpref"}


def test_using_the_package_loads_nothing_heavy(found: str) -> None:
    """RATIONALE.md has the milliseconds; these modules are most of them."""
    heavy = {"ctypes", "dataclasses", "importlib.metadata", "inspect", "logging", "asyncio", "argparse", "socket"}
    program = f"{found}; from readpref import ReadPreference, Topology; Topology; ReadPreference('nearest')"
    loaded = modules_after(program)
    ours = {"ctypes"} if engine_name() == "ctypes" else set()
    assert loaded & heavy == ours
    assert "readpref._topology" in loaded


def test_each_name_is_where_type_checkers_look_for_it() -> None:
    tree = ast.parse(Path(readpref.__file__).read_text(encoding="utf-8"))
    [checking] = [node for node in tree.body if isinstance(node, ast.If)]
    places = {
        alias.name: node.module
        for node in checking.body
        if isinstance(node, ast.ImportFrom) and node.module != "typing"
        for alias in node.names
    }
    assert places == {name: f"readpref.{place}" for name, place in readpref._PLACE.items()}
    assert sorted(places) == sorted(readpref.__all__)
    for name, place in places.items():
        assert getattr(readpref, name) is getattr(sys.modules[str(place)], name)


def test_dir_and_star_give_all_names() -> None:
    assert set(readpref.__all__) <= set(dir(readpref))
    program = "from readpref import *; print(Topology.__name__, select.__name__)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).split() == ["Topology", "select"]


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


def test_version_where_the_metadata_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """As programs are packed that carry their packages."""

    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    assert readpref.__version__ == readpref.build_info()["version"]


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
