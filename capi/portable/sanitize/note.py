"""Add what a run under sanitizers did to docs/testing/sanitizers.json."""

import json
import sys
from pathlib import Path

RECORD = Path(__file__).resolve().parents[3] / "docs" / "testing" / "sanitizers.json"


def main(kind: str, *values: str) -> None:
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    if kind == "fuzz":
        inputs, seconds, corpus = map(int, values)
        row = record.setdefault("fuzz", {"minutes": 0.0, "inputs": 0, "corpus": 0})
        row["inputs"] += inputs
        row["minutes"] = round(row["minutes"] + seconds / 60, 2)
        row["corpus"] = max(row["corpus"], corpus)
    else:
        test, rounds = values
        record.setdefault("threads", {})[test] = int(rounds)
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
