#!/usr/bin/env python3
"""Make very many calls in every runtime and see that memory stays flat: make soak.

    soak.py [--scale N] [--runtime NAME]...

50 million selections, 5 million selections by JSON and 1 million hello replies (each divided by N) in Go, in C with
both libraries, in Python, Node.js and wazero, each a process of its own that prints its resident memory fifty times.
Memory that is higher in the last fifth of a run than in the second by more than 5 % and 2 MiB fails. Writes
docs/testing/soak.json and docs/testing/soak.svg.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
RECORD = ROOT / "docs" / "testing" / "soak.json"
PLOT = ROOT / "docs" / "testing" / "soak.svg"
SAMPLES = 50
CALLS = {"select": 50_000_000, "json": 5_000_000, "hello": 1_000_000}

SERVERS = [
    {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2, "tags": {"dc": "ny"}},
    {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5, "tags": {"dc": "ny"}},
    {"address": "c.example:27017", "type": "RSSecondary", "roundTripTimeMS": 9, "tags": {"dc": "sf"}},
]
TOPOLOGY = {"topology": {"type": "ReplicaSetWithPrimary", "setName": "rs0", "servers": SERVERS}, "seed": 1}
PREFERENCE = {"readPreference": {"mode": "nearest", "tags": [{"dc": "ny"}, {}]}}
SEEDS = {"seeds": ["a.example:27017"], "replicaSet": "rs0", "seed": 1}
HELLO = {"ok": 1, "setName": "rs0", "hosts": ["a.example:27017"], "setVersion": 1, "maxWireVersion": 25}
HELLO["electionId"] = {"$oid": "000000000000000000000001"}
ROLES = ({"isWritablePrimary": True}, {"isWritablePrimary": False, "secondary": True})
HELLOS = [
    {"address": "a.example:27017", "roundTripTimeMS": 2, "nowMS": 5, "hello": {**HELLO, **role}} for role in ROLES
]
DOCUMENTS = [json.dumps(d) for d in (TOPOLOGY, PREFERENCE, {**TOPOLOGY, **PREFERENCE}, SEEDS, *HELLOS)]


def build() -> dict[str, list[str]]:
    """Build what is built; the command of each runtime that can run here."""
    out = BUILD / "soak"
    out.mkdir(parents=True, exist_ok=True)
    run = {"cwd": ROOT, "check": True}
    subprocess.run([os.environ.get("GO", "go"), "build", "-o", out / "soak", "./soak/go"], **run)
    commands = {"go": [str(out / "soak"), "go"]}
    for name, library in (("c", "readpref"), ("portable", "readpref_portable")):
        if (BUILD / f"lib{library}.so").exists():
            flags = ["-std=c99", "-O2", "-Icapi", "-o", out / name, "soak/soak.c", f"-L{BUILD}", f"-l{library}"]
            subprocess.run([*os.environ.get("CC", "cc").split(), *flags, f"-Wl,-rpath,{BUILD}"], **run)
            commands[name] = [str(out / name)]
    commands["python"] = [sys.executable, "soak/soak_python.py"]
    commands["node"] = [os.environ.get("NODE", "node"), "soak/soak.mjs"]
    commands["wazero"] = [str(out / "soak"), str(BUILD / "readpref.wasm")]
    return commands


def soak(command: list[str], kind: str, calls: int) -> list[list[int]]:
    """Run one; its lines of calls and resident KiB."""
    done = subprocess.run(
        [*command, kind, str(calls), str(SAMPLES), *DOCUMENTS], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def flat(series: list[list[int]]) -> bool:
    """Whether the last fifth is no higher than the second, after which everything is warm."""
    fifth = len(series) // 5
    early = max(kib for _, kib in series[fifth : 2 * fifth])
    late = max(kib for _, kib in series[-fifth:])
    return late <= max(early * 1.05, early + 2048)


COLOURS = ["#1b6ca8", "#c4473a", "#3a8f4c", "#8a5bb5", "#b8860b", "#3d3d3d"]


def plot(record: dict) -> str:
    """Resident memory over calls, a panel for each kind."""
    width, height, left, top = 300, 180, 60, 40
    runtimes = sorted({name for kinds in record.values() for name in kinds})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {3 * (width + left) + 20} {height + top + 60}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for n, (kind, rows) in enumerate(record.items()):
        x0 = left + n * (width + left)
        calls = max(row["calls"] for row in rows.values())
        most = max(kib for row in rows.values() for _, kib in row["samples"]) / 1024 * 1.1
        parts.append(f'<text x="{x0}" y="20" font-weight="600">{kind}: {calls:,} calls, resident MiB</text>')
        parts.append(f'<path d="M{x0} {top}V{top + height}H{x0 + width}" fill="none" stroke="#888"/>')
        for tick in range(5):
            y = top + height - height * tick / 4
            parts.append(
                f'<text x="{x0 - 6}" y="{y + 4:.0f}" text-anchor="end" fill="#555">{most * tick / 4:.0f}</text>'
            )
        for name, row in rows.items():
            points = " ".join(
                f"{x0 + width * done / row['calls']:.1f},{top + height - height * kib / 1024 / most:.1f}"
                for done, kib in row["samples"]
            )
            colour = COLOURS[runtimes.index(name)]
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    for i, name in enumerate(runtimes):
        x = left + i * 110
        parts.append(f'<rect x="{x}" y="{top + height + 30}" width="12" height="3" fill="{COLOURS[i]}"/>')
        parts.append(f'<text x="{x + 18}" y="{top + height + 35}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--scale", type=int, default=1)
    arguments.add_argument("--runtime", action="append")
    asked = arguments.parse_args()
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    climbing = []
    for name, command in build().items():
        if asked.runtime and name not in asked.runtime:
            continue
        for kind, all_calls in CALLS.items():
            calls = all_calls // asked.scale
            start = time.monotonic()
            samples = soak(command, kind, calls)
            took = time.monotonic() - start
            is_flat = flat(samples)
            if not is_flat:
                climbing.append(f"{name} {kind}")
            row = {"calls": calls, "seconds": round(took, 1), "flat": is_flat, "samples": samples}
            record.setdefault(kind, {})[name] = row
            peak = max(kib for _, kib in samples) / 1024
            word = "flat" if is_flat else "CLIMBS"
            print(f"{name:9} {kind:7} {calls:>11,} calls {took:7.1f} s  {peak:6.1f} MiB at most  {word}", flush=True)
            RECORD.parent.mkdir(exist_ok=True)
            RECORD.write_text(json.dumps(record, separators=(",", ":")) + "\n")
            PLOT.write_text(plot(record))
    if climbing:
        sys.exit("memory climbs: " + ", ".join(climbing))


if __name__ == "__main__":
    main()
