"""Check what build/readpref.wasm costs who loads it: its size.

check_wasm.py        prints it, and with gzip; a limit that is exceeded is an error

The packages that it links are wasm/host's to check (TestPackages).
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "build" / "readpref.wasm"
MOST_BYTES, MOST_GZIP = 2_600_000, 780_000  # a bare Go runtime, linked alike, is 1.82 MB, 0.54 MB with gzip


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
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
