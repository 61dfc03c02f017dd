"""Colour of the engine's tables: one for each stage that a server came to."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, TextIO

_RESET = "\x1b[0m"
BOLD, DIM, RED, GREEN, YELLOW, MAGENTA, CYAN = ("1", "2", "31", "32", "33", "35", "36")

STAGES = {
    "selected": "1;32",
    "inLatencyWindow": GREEN,
    "latencyWindow": YELLOW,
    "tagSets": MAGENTA,
    "maxStaleness": RED,
    "customSelector": CYAN,
    "deprioritized": CYAN,
    "mode": DIM,
    "type": DIM,
}

_LABEL = re.compile(r"(topology|operation|preference|server|window|staleness|note:|shard)(?= )")


def wanted(choice: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether to colour what goes to the stream: --color, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return environment.get("TERM") != "dumb" and is_terminal(stream)


def is_terminal(stream: TextIO) -> bool:
    """Tell whether people look at the stream; one that is closed is none."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def paint(text: str, style: str) -> str:
    """Give the text in a colour."""
    return f"\x1b[{style}m{text}{_RESET}"


def paint_explanation(explanation: Mapping[str, Any]) -> str:
    """Give the text of an answer of explain in colour: the rows of its table by the servers' stages."""
    out = []
    stages: list[str] = []
    column = 0
    for line in explanation["text"].splitlines(keepends=True):
        body, end = (line[:-1], "\n") if line.endswith("\n") else (line, "")
        if stages:
            stage = stages.pop()
            out.append(body[:column] + paint(body[column:], STAGES.get(stage, BOLD)))
        elif body.startswith("address ") and "  stage " in body:
            column = body.index("  stage ") + 2
            stages = [server["stage"] for server in reversed(explanation.get("servers", []))]
            out.append(paint(body, BOLD))
        elif body.startswith("server ") and explanation.get("server") is None:
            out.append(paint(body, RED))
        else:
            out.append(
                _LABEL.sub(lambda match: paint(match[0], YELLOW if match[0] == "note:" else BOLD), body, count=1)
            )
        out.append(end)
    return "".join(out)
