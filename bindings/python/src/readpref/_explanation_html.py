"""An explanation as HTML: for notebooks, without a script, in the colours of the page around it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from readpref._explanation import Verdict
    from readpref._selection import Explanation

# The stages in the engine's order, as a column each (Server Selection specification, "Server selection algorithm").
_STAGES = (
    ("type", "type"),
    ("deprioritized", "deprioritized"),
    ("mode", "mode"),
    ("maxStaleness", "staleness"),
    ("tagSets", "tag sets"),
    ("customSelector", "custom"),
    ("latencyWindow", "latency"),
)
_PASSED_ALL = ("inLatencyWindow", "selected")
_MOST_ROWS = 200  # a notebook should stay usable
_WIDTH = 640  # of the axis
_MARGIN = 24

# Mid tones that can be read on white and on black; everything else is the page's own colour.
_CHOSEN, _WINDOW, _DROPPED = "#1a9850", "#2b83ba", "#d7301f"
_CELL = "padding:2px 8px;text-align:left;vertical-align:top"


def draw(explanation: Explanation) -> str:
    """Give the HTML of an explanation. All that comes from servers is escaped."""
    head = [f"<strong>{_outcome(explanation)}</strong>"]
    for line in explanation.text.split("\n\n", 1)[0].splitlines():
        name, _, value = line.partition(" ")
        if name in ("topology", "operation", "preference", "window"):
            head.append(f"{escape(name)} <code>{escape(value.strip())}</code>")
    parts = ["<br>".join(head), _table(explanation), _axis(explanation)]
    parts += [f"<div>{escape(note.message)}</div>" for note in explanation.notes]
    return f'<div style="line-height:1.5">{"".join(parts)}</div>'


def _outcome(explanation: Explanation) -> str:
    if explanation.server is None:
        return f'<span style="color:{_DROPPED}">no server</span>'
    among = len(explanation.in_latency_window)
    of = "the only one" if among == 1 else f"one of {among}"
    return f'<span style="color:{_CHOSEN}">{escape(explanation.server.address)}</span> ({of} in the latency window)'


def _table(explanation: Explanation) -> str:
    head = "".join(f'<th style="{_CELL}">{escape(title)}</th>' for title in _titles())
    shown = explanation.servers[:_MOST_ROWS]
    rows = "".join(_row(server) for server in shown)
    more = len(explanation.servers) - len(shown)
    if more:
        rows += f'<tr><td style="{_CELL}" colspan="{len(_titles())}">and {more} more</td></tr>'
    return f'<table style="border-collapse:collapse;margin:8px 0"><tr>{head}</tr>{rows}</table>'


def _titles() -> tuple[str, ...]:
    return ("server", "type", "RTT ms", *(title for _, title in _STAGES), "why")


def _row(server: Verdict) -> str:
    time = "\N{EN DASH}" if server.round_trip_time_ms is None else f"{server.round_trip_time_ms:g}"
    cells = [escape(server.address), escape(server.type), time, *_marks(server.stage), escape(server.why)]
    weight = "font-weight:bold;" if server.stage == "selected" else ""
    return "<tr>" + "".join(f'<td style="{weight}{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def _marks(stage: str) -> Iterable[str]:
    """Give a mark for each stage: passed, dropped here, or never asked."""
    alive = True
    for name, title in _STAGES:
        if alive and name == stage and stage not in _PASSED_ALL:
            alive = False
            yield f'<span style="color:{_DROPPED}" title="dropped: {title}">\N{MULTIPLICATION X}</span>'
        elif alive:
            yield f'<span style="color:{_CHOSEN}" title="passed: {title}">\N{BULLET}</span>'
        else:
            yield ""


def _axis(explanation: Explanation) -> str:
    """Draw the round-trip times, and which of them are in the window."""
    timed = [(float(one.round_trip_time_ms), one) for one in explanation.servers if one.round_trip_time_ms is not None]
    window = explanation.latency_window
    if not timed or window is None:
        return ""
    first, last = float(window.fastest_ms), float(window.end_ms)
    # The window is to be seen: what is far beyond it stands at the right edge.
    most = min(max([last, *(time for time, _ in timed)]), max(last * 4, 1.0)) or 1.0

    def at(time: float) -> float:
        return round(_MARGIN + min(time, most) / most * (_WIDTH - 2 * _MARGIN), 1)

    band = (
        f'<rect x="{at(first)}" y="8" width="{max(at(last) - at(first), 1):.1f}" height="24" fill="{_WINDOW}" '
        f'fill-opacity="0.25"><title>latency window, {first:g} to {last:g} ms</title></rect>'
    )
    dots = "".join(
        f'<circle cx="{at(time)}" cy="20" r="5" fill="{_colour(server.stage)}">'
        f"<title>{escape(server.address)}, {time:g} ms: {escape(server.why)}</title></circle>"
        for time, server in timed[:_MOST_ROWS]
    )
    labels = "".join(
        f'<text x="{at(time)}" y="48" text-anchor="{anchor}" font-size="11" fill="currentColor">{text}</text>'
        for time, anchor, text in (
            (0.0, "start", "0 ms"),
            (last, "middle", f"{last:g} ms"),
            *([(most, "end", f"{max(time for time, _ in timed):g} ms")] if most > last * 1.3 else []),
        )
    )
    line = f'<line x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="32" y2="32" stroke="currentColor"/>'
    return (
        f'<svg viewBox="0 0 {_WIDTH} 54" width="{_WIDTH}" style="max-width:100%" role="img" '
        f'aria-label="round-trip times">{band}{line}{dots}{labels}</svg>'
    )


def _colour(stage: str) -> str:
    if stage == "selected":
        return _CHOSEN
    return _WINDOW if stage == "inLatencyWindow" else _DROPPED
