"""Check what build/readpref.wasm costs who loads it: its size, and the packages it links (wasm/packages.txt).

check_wasm.py        prints both; a limit that is exceeded and a package that is not listed are errors
"""

from __future__ import annotations

import gzip
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "build" / "readpref.wasm"
MOST_BYTES, MOST_GZIP = 2_300_000, 700_000  # a bare Go runtime, linked alike, is 1.82 MB, 0.54 MB with gzip


def dependencies(package: str) -> set[str]:
    """A package's own dependencies, all of them, when it is built for WASI."""
    go = shlex.split(os.environ.get("GO", "go"))
    environment = {**os.environ, "GOOS": "wasip1", "GOARCH": "wasm", "CGO_ENABLED": "0"}
    command = [*go, "list", "-deps", package]
    out = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return set(out.stdout.split())


def main() -> None:
    wrong = []
    module = MODULE.read_bytes()
    for what, size, most in (
        ("", len(module), MOST_BYTES),
        (" with gzip", len(gzip.compress(module, 9)), MOST_GZIP),
    ):
        print(f"readpref.wasm: {size:,} bytes{what}, of {most:,}")
        if size > most:
            wrong.append(f"readpref.wasm is larger{what} than {most:,} bytes: RATIONALE.md, Bytes of WebAssembly")

    lines = (ROOT / "wasm" / "packages.txt").read_text().split("\n")
    listed = {line for line in lines if line and not line.startswith("#")}
    # Packages internal to the standard library come with others only, and change from one release of Go to the next.
    linked = {p for p in dependencies("./wasm") - dependencies("runtime") if not p.startswith("internal/")}
    wrong += [f"wasm/packages.txt does not list {p}, which readpref.wasm links" for p in sorted(linked - listed)]
    wrong += [f"wasm/packages.txt lists {p}, which readpref.wasm does not link" for p in sorted(listed - linked)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
