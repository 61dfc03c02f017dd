"""Run the demo in every runtime, print one table, and fail where two runtimes differ.

usage: run.py [RUNTIME …]   (go, c, python, node, wazero; absent: all)
Commands come from the environment as the Makefile sets it: BUILD, PYTHON, NODE.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / os.environ.get("BUILD", "build")
FILES = ["three-data-centres.json", "sharded-two-shards.json", "classic-2-5-150.json"]

COMMANDS = {
    "go": [str(BUILD / "demo-go")],
    "c": [str(BUILD / "demo-c")],
    "python": [os.environ.get("PYTHON", sys.executable), str(HERE / "demo.py")],
    "node": [os.environ.get("NODE", "node"), str(HERE / "demo.mjs")],
    "wazero": [str(BUILD / "demo-wazero"), str(BUILD / "readpref.wasm"), str(BUILD / "wazero-cache")],
}
HEADINGS = ["runtime", "server", "suitable", "in window", "µs for the call"]


def ask(runtime: str, method: str, names: list[str]) -> list[dict[str, object]]:
    files = [str(Path("examples/data") / f) for f in names]
    command = [*COMMANDS[runtime], method, *files]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"demo: the {runtime} program failed with exit status {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def short(address: str) -> str:
    return address.partition(".")[0]


def cells(answer: dict) -> list[str]:
    """The server, the suitable and those in the window; of each shard, where there are shards."""
    parts = answer.get("shards", {"": answer}).values()
    server = [short(p["server"]["address"]) if p.get("server") else "none" for p in parts]
    suitable = [" ".join(map(short, p.get("suitable", []))) or "none" for p in parts]
    window = [" ".join(map(short, p.get("inLatencyWindow", []))) or "none" for p in parts]
    return [" | ".join(column) for column in (server, suitable, window)]


def print_table(rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in [HEADINGS, *rows]) for i in range(len(HEADINGS))]
    for row in [HEADINGS, *rows]:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def main() -> None:
    runtimes = sys.argv[1:] or list(COMMANDS)
    for runtime in runtimes:
        if runtime not in COMMANDS:
            sys.exit(f"demo: no runtime {runtime}; there are {', '.join(COMMANDS)}")
    results = {runtime: ask(runtime, "select", FILES) for runtime in runtimes}
    different = 0
    for i, file in enumerate(FILES):
        request = json.loads((ROOT / "examples/data" / file).read_text(encoding="utf-8"))
        print(f"examples/data/{file}  {json.dumps(request['readPreference'])}")
        rows = []
        for runtime in runtimes:
            line = results[runtime][i]
            rows.append([runtime, *cells(json.loads(line["answer"])), f"{line['microseconds']:.1f}"])
        print_table(rows)
        answers = {results[runtime][i]["answer"] for runtime in runtimes}
        if len(answers) > 1:
            different += 1
            print("  DIFFERENT ANSWERS")
        elif len(runtimes) > 1:
            print(f"  the same {len(answers.pop().encode())} bytes from {len(runtimes)} runtimes")
        print()
    explain(runtimes)
    if different:
        sys.exit(f"demo: {different} of {len(FILES)} answers differ between runtimes")


def explain(runtimes: list[str]) -> None:
    """Print why, for the first cluster, with the first of the runtimes that was asked for."""
    runtime = runtimes[0]
    (line,) = ask(runtime, "explain", FILES[:1])
    print(f"why ({FILES[0]}, explained by {runtime}):\n")
    print(json.loads(str(line["answer"]))["text"], end="")


if __name__ == "__main__":
    main()
