"""Write the table of docs/python-wheels.md from what test.sh recorded. Nothing in it is written by hand."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "capi" / "dist"))

from results import Results, read_results, rows_of, write_table  # noqa: E402

OUT = ROOT / os.environ.get("OUT", "build")
CHECKS = ("run", "auditwheel", "abi3audit", "identical", "size")


def cell(results: Results, target: str, what: str) -> str:
    """Give what is printed of a check."""
    status, detail = results.get((target, "wheel", what), ("not run", "not for it"))
    if status == "failed":
        return "**failed**"
    if what == "size":
        return f"{int(detail) / 1e6:.1f}"
    return detail


def main() -> None:
    """Write."""
    results = read_results(OUT / "wheels-work" / "results.tsv")
    head = ["wheel", "engine", "run", "auditwheel", "abi3audit", "two builds identical", "MB"]
    rows = []
    for target, tag, engine in rows_of(Path(__file__).parent / "targets"):
        name = f"{'cp39-abi3' if engine == 'extension' else 'py3-none'}-{tag}"
        rows.append([f"`{name}`", engine, *(cell(results, target, what) for what in CHECKS)])
    write_table(ROOT / "docs" / "python-wheels.md", "wheels-test", head, rows)


if __name__ == "__main__":
    main()
