#!/usr/bin/env python3
"""Run the Go fuzz targets, and keep what all runs came to in docs/testing/fuzz.json.

    fuzz.py [TIME]    each target for a time (60s) or a number of inputs (100000x): make fuzz FUZZTIME=

The time of a target is counted in inputs: go test is given a number of them, found from a first short run. With a time
it may end with "context deadline exceeded" as if a finding were there (golang/go#75804), as slow targets do.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs" / "testing" / "fuzz.json"
GO = os.environ.get("GO", "go")
FIRST = 2000  # inputs of the run that finds how fast a target is


def targets() -> list[tuple[str, str]]:
    found = []
    for path in sorted((ROOT / "core").rglob("*_test.go")):
        package = "./" + str(path.parent.relative_to(ROOT))
        found += [(package, name) for name in re.findall(r"^func (Fuzz\w+)\(f \*testing\.F\)", path.read_text(), re.M)]
    return found


def cache_of(package: str, name: str) -> Path:
    cache = subprocess.run([GO, "env", "GOCACHE"], capture_output=True, text=True, check=True).stdout.strip()
    return Path(cache) / "fuzz" / "github.com/readpref/readpref" / package.removeprefix("./") / name


def run(package: str, name: str, inputs: int) -> tuple[float, int]:
    """Give one target that many inputs; the seconds it took, and how many inputs of interest are known now."""
    start = time.monotonic()
    command = [GO, "test", "-run", "^$", "-fuzz", f"^{name}$", "-fuzztime", f"{inputs}x", package]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    took = time.monotonic() - start
    if done.returncode != 0:
        print(done.stdout[-6000:], done.stderr[-2000:])
        sys.exit(f"{package} {name} failed; the input is in testdata/fuzz/{name}: fix the kind, keep the input")
    corpus = cache_of(package, name)
    return took, len(list(corpus.iterdir())) if corpus.is_dir() else 0


def seconds_of(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(s|m|h)", text).groups()
    return float(number) * {"s": 1, "m": 60, "h": 3600}[unit]


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) > 1 else "60s"
    only = sys.argv[2:]
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    for package, name in targets():
        if only and name not in only:
            continue
        print(f"== {package} {name}", flush=True)
        inputs, took = 0, 0.0
        if wanted.endswith("x"):
            inputs = int(wanted[:-1])
            took, corpus = run(package, name, inputs)
        else:
            left = seconds_of(wanted)
            share = FIRST
            while left > 0:
                one, corpus = run(package, name, share)
                inputs, took, left = inputs + share, took + one, left - one
                # Half of what seems to fit: starting and compiling do not repeat, so the estimate is low at first.
                share = max(FIRST, int(share * max(left, 0.0) / max(one, 0.1) / 2))
        row = record.setdefault(f"{package.removeprefix('./')} {name}", {"minutes": 0.0, "inputs": 0, "corpus": 0})
        row["minutes"] = round(row["minutes"] + took / 60, 2)
        row["inputs"] += inputs
        row["corpus"] = max(row["corpus"], corpus)
        print(f"   {inputs} inputs in {took:.0f} s, {corpus} of interest", flush=True)
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
