"""Drawings of answers, each a whole SVG document: no script, no font, no colour that alone says something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable
from xml.sax.saxutils import escape, quoteattr

from readpref._plain import cut, plain

Draw = Callable[[Mapping[str, Any]], str]

_ROW = 26
_LETTER = 7.3  # of the widest letters that are usual, at 12 px
_MAX_LETTERS = 60
_BAR = 320
_FILL = {"served": "#d7f0dd", "degraded": "#fdecc2", "fails": "#f8d3d3", "head": "#e8ecf2", "plain": "#ffffff"}
_READS, _BEFORE = "#3f6fb5", "#b9c9e4"


def nothing(_: Mapping[str, Any]) -> str:
    """Draw nothing: for answers that have no drawing."""
    return ""


def matrix(answer: Mapping[str, Any]) -> str:
    """Draw the table of what_if: events by workloads, coloured by what becomes of these."""
    before = answer["before"]
    names = [one["name"] for one in before["outcomes"]]
    rows = [[("event", "head"), ("primary", "head"), *((name, "head") for name in names)]]
    for name, phase, primary, outcomes in (
        ("none", "asBefore", before["primary"], before["outcomes"]),
        *((one["name"], one["phase"], one["primary"], one["outcomes"]) for one in answer["scenarios"]),
    ):
        nobody = {"noPrimary": "none until an election", "noMajority": "none: no majority"}.get(phase, "-")
        cells = [(_outcome(one), one["status"]) for one in outcomes]
        rows.append([(name, "plain"), (primary or nobody, "plain"), *cells])
    shown = [[(_short(text), fill) for text, fill in row] for row in rows]
    widths = [max(len(row[at][0]) for row in shown) * _LETTER + 16 for at in range(len(shown[0]))]
    parts = []
    for number, row in enumerate(shown):
        x = 0.0
        for (text, fill), width in zip(row, widths):
            y = number * _ROW
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_ROW}" fill="{_FILL[fill]}" stroke="#9aa5b1"/>'
                f'<text x="{x + 8:.1f}" y="{y + 17}"{_BOLD if fill == "head" else ""}>{escape(text)}</text>'
            )
            x += width
    return _document(sum(widths), len(shown) * _ROW, "What happens to operations when something is lost", parts)


def _outcome(one: Mapping[str, Any]) -> str:
    if one["status"] == "fails":
        return f"FAILS: {one['reason']['code']}"
    servers = ", ".join(one["servers"][:3]) + (", ..." if len(one["servers"]) > 3 else "")
    return f"degraded ({', '.join(one['why'])}): {servers}" if one["status"] == "degraded" else servers


def shares(answer: Mapping[str, Any]) -> str:
    """Draw the shares of reads of simulate: a bar for each server."""
    rows = [(one["address"], [(one["readsPPM"], _READS)]) for one in answer["servers"]]
    rows.append(("no server", [(answer["failed"]["readsPPM"], _READS)]))
    return _bars("Where reads go", rows)


def changes(answer: Mapping[str, Any]) -> str:
    """Draw the shares of reads of diff: for each server a bar of before and one of after."""
    rows = [
        (one["address"], [(_reads(one["before"]), _BEFORE), (_reads(one["after"]), _READS)])
        for one in answer["servers"]
    ]
    failed = answer["failed"]
    rows.append(("no server", [(_reads(failed["before"]), _BEFORE), (_reads(failed["after"]), _READS)]))
    return _bars("Where reads go, before (pale) and after", rows)


def _reads(side: Mapping[str, Any] | None) -> int:
    found: int = side["readsPPM"] if side else 0
    return found


def _bars(title: str, rows: Sequence[tuple[str, Sequence[tuple[int, str]]]]) -> str:
    names = max(len(_short(name)) for name, _ in rows) * _LETTER + 16
    parts = [f'<text x="8" y="17"{_BOLD}>{escape(title)}</text>']
    y = _ROW
    for name, bars in rows:
        parts.append(f'<text x="8" y="{y + 17}">{escape(_short(name))}</text>')
        for ppm, fill in bars:
            # Parts per million to tenths of a pixel, in whole numbers: the same drawing on every machine.
            tenths = ppm * _BAR * 10 // 1_000_000
            parts.append(
                f'<rect x="{names:.1f}" y="{y + 5}" width="{tenths // 10}.{tenths % 10}" height="16" fill="{fill}"/>'
                f'<text x="{names + _BAR + 8:.1f}" y="{y + 17}">{ppm // 10_000}.{ppm % 10_000:04d}%</text>'
            )
            y += _ROW
    return _document(names + _BAR + 90, y, title, parts)


_BOLD = ' font-weight="bold"'


def _short(text: str) -> str:
    text = plain(text)
    return text if len(text) <= _MAX_LETTERS else cut(text, _MAX_LETTERS)


def _document(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="-1 -1 {width + 2:.0f} {height + 2:.0f}" role="img" aria-label={quoteattr(title)} '
        'font-family="ui-monospace, monospace" font-size="12">'
        f'<title>{escape(title)}</title><rect x="-1" y="-1" width="100%" height="100%" fill="#ffffff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
