"""Write the table of docs/platforms.md from what capi/dist/test.sh and twice.sh recorded, and from the files themselves.

Nothing in it is written by hand: a library was run where its C tests and its conformance run say so, "built, not run" is
everything else, with the reason that test.sh gave.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

from results import Results, read_results, rows_of, write_table

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / os.environ.get("OUT", "build")
PAGE = ROOT / "docs" / "platforms.md"
NAMES = {"readpref_portable": "libreadpref_portable", "readpref": "libreadpref"}


def targets() -> list[tuple[str, list[str]]]:
    """Each target with its libraries, in order."""
    rows = rows_of(ROOT / "capi" / "dist" / "targets")
    return [(row[0], ["readpref_portable"] if row[3] == "-" else ["readpref_portable", "readpref"]) for row in rows]


def megabytes(n: int) -> str:
    return f"{n / 1e6:.1f}"


def size(target: str, library: str) -> str:
    """Of the shared library, as it is and compressed, and of the static one."""
    folder = OUT / "dist" / target
    names = [f"lib/lib{library}.so", f"lib/lib{library}.dylib", f"bin/{library}.dll"]
    shared = next((folder / name for name in names if (folder / name).exists()), None)
    static = folder / "lib" / f"lib{library}.a"
    if shared is None or not static.exists():
        sys.exit(f"platforms: {target}: {library} is not built")
    compressed = len(gzip.compress(shared.read_bytes(), 9, mtime=0))
    return f"{megabytes(shared.stat().st_size)} ({megabytes(compressed)}) / {megabytes(static.stat().st_size)}"


def outcome(results: Results, target: str, library: str, what: str) -> str:
    status, detail = results.get((target, library, what), ("not run", ""))
    return detail if status == "passed" else "**failed**" if status == "failed" else "–"


def row(results: Results, target: str, library: str) -> list[str]:
    status, how = results.get((target, "-", "how"), ("not run", "not tested"))
    run = how if status == "run" else f"built, not run: {how}"
    symbols = outcome(results, target, "-", "symbols")
    twice = "yes" if outcome(results, target, "-", "identical") != "–" else "–"
    cells = [target, NAMES[library], run, outcome(results, target, library, "C tests"), outcome(results, target, library, "conformance")]
    use = outcome(results, target, "-", "use")
    return [*cells, symbols, use, twice, size(target, library)]


def main() -> None:
    results = read_results(OUT / "dist-work" / "results.tsv")
    head = ["target", "library", "run", "C tests", "conformance", "exports", "pkg-config, CMake", "two builds identical", "MB: shared (gzip) / static"]
    write_table(PAGE, "dist-test", head, [row(results, target, library) for target, libraries in targets() for library in libraries])


if __name__ == "__main__":
    main()
