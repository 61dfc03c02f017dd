"""What commands print, whole: tests/golden has values worked out by hand, as each case says, in the engine's layout.

After a change of layout: pytest tests/test_cli_golden.py --update-golden, and read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import DATA, run

GOLDEN = Path(__file__).parent / "golden"

CASES = {
    # Max Staleness "no primary": sf1 is 154 s older than the freshest, and a heartbeat of 10 s: 44 over 120.
    # Seed 0, e220…, draws the second of two first: ny3.
    "status-without-primary": [
        "explain",
        "status-no-primary.json",
        "--mode",
        "secondary",
        "--max-staleness-seconds",
        "120",
    ],
    # Seed 42 draws the second of two first (docs/json.md, "Picks"), and both are idle: ny2.
    # From ny1: ny1 0 ms, ny2 1 ms, window to 15 ms; the hidden, the arbiter and the dead serve nothing.
    "status-nearest": ["explain", "rs-status.json", "rs-conf.json", "--mode", "nearest", "--seed", "42"],
    # rtt 2 of ny1 opens the window to 17; the others are not measured, hence outside.
    "hello-nearest": [
        "explain",
        "hello-ny1.json",
        "hello-ny2.json",
        "hello-sf1.json",
        "--rtt=ny1.example.net=2",
        "--mode=nearest",
    ],
    # Server Selection, "mode primary": neither tag sets nor maxStalenessSeconds go with it; both are told.
    "validate-all-wrong": ["validate", "--mode", "primary", "--tags", "dc:ny", "--max-staleness-seconds", "120"],
    "uri": ["uri", "mongodb://app:secret@a.example,b.example/shop?replicaSet=rs0&readPreference=nearest&tiemoutMS=5"],
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    arguments = [str(DATA / word) if word.endswith(".json") else word for word in CASES[name]]
    done = run(*arguments)
    shown = f"{done.out}-- stderr\n{done.err}-- exit code {done.code}\n"
    file = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")
