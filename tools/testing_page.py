#!/usr/bin/env python3
"""Write docs/testing.md from what the runs left in docs/testing/ and docs/conformance.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"


def read(name: str) -> dict | list | None:
    path = DOCS / "testing" / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def table(head: list[str], rows: list[list[object]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return [*lines, *("| " + " | ".join(str(c) for c in row) + " |" for row in rows), ""]


def conformance() -> list[str]:
    text = (DOCS / "conformance.md").read_text()
    rows = re.findall(r"^\| ((?:vectors|field-cases|[a-z-]+)[^|]*) \|(.*)\|$", text, re.M)
    head = next(line for line in text.splitlines() if line.startswith("| suite |"))
    runtimes = [c.strip() for c in head.strip("|").split("|")][3:]
    passed, cases = [0] * len(runtimes), [0] * len(runtimes)
    for suite, rest in rows:
        if suite == "suite":
            continue
        for i, cell in enumerate(rest.split("|")[2:]):
            counts = re.fullmatch(r"\s*(\d+) / (\d+)\s*", cell)
            if counts:
                passed[i] += int(counts[1])
                cases[i] += int(counts[2])
    body = [[r, f"{p:,}", f"{c:,}"] for r, p, c in zip(runtimes, passed, cases)]
    return [
        "## Cases and runtimes",
        "",
        (
            "Each runtime answers every official, field and own case, byte for byte the same: "
            "[conformance.md](conformance.md), `make conformance`."
        ),
        "",
        *table(["runtime", "passed", "cases"], body),
    ]


def differential() -> list[str]:
    record = read("differential")
    lines = [
        "## Against the official drivers",
        "",
        (
            "`make differential` asks them the same; every difference is of a known kind, each with a "
            "smallest case: [differences.md](differences.md)."
        ),
        "",
    ]
    if not record:
        return [*lines, "Not run yet.", ""]
    rows = [
        [
            f"{d['driver']} {d['version']}",
            f"{d['selectionsDiffer']:,} of {d['selections']:,}",
            f"{d['sequencesDiffer']:,} of {d['sequences']:,}" if d["sequences"] else "not asked",
            len(d["kinds"]),
        ]
        for d in record
    ]
    return [*lines, *table(["driver", "selections that differ", "sequences of replies that differ", "kinds"], rows)]


def mutation() -> list[str]:
    record = read("mutation") or {}
    lines = [
        "## Mutation testing",
        "",
        (
            "`make mutate` changes one small place of the core after another and asks the tests. The order is "
            "shuffled, so what is tried of a package is a"
        ),
        (
            "fair sample of it. Equivalent mutants have their proof in `tools/mutate/equivalent.txt`. The "
            "score is killed / (tried - equivalent)."
        ),
        (
            "Whatever survives gets a test or a proof, so the score is of what was tried: of mutants that nobody "
            "tried yet, more may survive."
        ),
        "",
    ]
    rows = []
    for package, c in sorted(record.items()):
        counted = c["tried"] - c["equivalent"]
        score = f"{100 * c['killed'] / counted:.1f} %" if counted else "not tried"
        rows.append([package, c["mutants"], c["tried"], c["killed"], c["equivalent"], c["survived"], score])
    return [*lines, *table(["package", "mutants", "tried", "killed", "equivalent", "survived", "score"], rows)]


def fuzzing() -> list[str]:
    record = dict(read("fuzz") or {})
    native = (read("sanitizers") or {}).get("fuzz")
    if native:
        record["capi/portable/sanitize fuzz_calls (libFuzzer, ASan, UBSan)"] = native
    rows = [[name, f"{r['minutes']:.1f}", f"{r['inputs']:,}", r["corpus"]] for name, r in sorted(record.items())]
    total = sum(r["minutes"] for r in record.values())
    return [
        "## Fuzzing",
        "",
        (
            f"`make fuzz FUZZTIME=`; added up over all runs, {total:.0f} minutes. The corpus is what a run "
            "knew of inputs that reach something new, besides the seeds in the source."
        ),
        "",
        *table(["target", "minutes", "inputs", "corpus"], rows),
    ]


def sanitizers() -> list[str]:
    threads = (read("sanitizers") or {}).get("threads", {})
    rows = [[f"TSan, `{name}`", f"{rounds:,} rounds", "clean"] for name, rounds in sorted(threads.items())]
    return [
        "## Races and memory",
        "",
        (
            "`make races`: the Go race detector over handles from 16 goroutines, and TSan over the portable "
            "library's shim. valgrind is part of `make test`."
        ),
        "",
        *table(["what", "how much", "result"], rows),
    ]


def soak() -> list[str]:
    record = read("soak")
    lines = [
        "## Soak",
        "",
        "`make soak`: resident memory over very many calls, each runtime in a process of its own.",
        "",
    ]
    if not record:
        return [*lines, "Not run yet.", ""]
    rows = []
    for kind, runtimes in record.items():
        for name, r in sorted(runtimes.items()):
            first, last = r["samples"][len(r["samples"]) // 5][1] / 1024, r["samples"][-1][1] / 1024
            rows.append(
                [kind, name, f"{r['calls']:,}", f"{first:.1f}", f"{last:.1f}", "flat" if r["flat"] else "climbs"]
            )
    return [
        *lines,
        "![resident memory over calls](testing/soak.svg)",
        "",
        *table(["calls", "runtime", "how many", "MiB after a fifth", "MiB at the end", ""], rows),
    ]


def main() -> None:
    parts = [
        [
            "# How it is tested",
            "",
            "Generated by `tools/testing_page.py` from what the runs left in `docs/testing/`; do not edit.",
            "",
        ],
        conformance(),
        differential(),
        mutation(),
        fuzzing(),
        sanitizers(),
        soak(),
    ]
    text = "\n".join(line for part in parts for line in part).rstrip() + "\n"
    (DOCS / "testing.md").write_text(text)


if __name__ == "__main__":
    main()
