"""What a notebook shows of an explanation."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from readpref import explain

HOSTILE = "<script>alert('x')</script>\"&"


class Reader(HTMLParser):
    """Collects the elements, and what a reader sees."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def test_what_is_drawn(description: dict[str, Any]) -> None:
    html = explain(description, {"mode": "secondary"}, seed=1)._repr_html_()
    reader = read(html)
    # Each server has a row under one of titles, and a dot on the axis.
    assert reader.elements.count("tr") == 1 + 3
    assert reader.elements.count("circle") == 3
    # Rules 3.3 and 3.9: the primary is dropped by the mode, c (150 ms) by the window of 5 to 20 ms.
    assert "b.example:27017 (the only one in the latency window)" in reader.text
    assert "latency window, 5 to 20 ms" in reader.text
    assert html.count('title="dropped: mode"') == 1
    assert html.count('title="dropped: latency"') == 1
    # The primary passed 2 stages before its, b all 7, c 6.
    assert html.count('title="passed:') == 2 + 7 + 6


def test_no_server(description: dict[str, Any]) -> None:
    explanation = explain(description, {"mode": "secondary", "tags": [{"dc": "la"}]})
    reader = read(explanation._repr_html_())
    assert "no server" in reader.text
    assert "svg" not in reader.elements


def test_no_round_trip_times() -> None:
    reader = read(explain({"servers": [{"address": "a", "type": "RSPrimary"}]})._repr_html_())
    assert "a (the only one" in reader.text
    assert "svg" not in reader.elements


def test_all_times_are_zero() -> None:
    servers = [{"address": "a", "type": "RSPrimary", "roundTripTimeMS": 0}]
    html = explain({"servers": servers}, {"mode": "nearest"}, local_threshold_ms=0)._repr_html_()
    assert read(html).elements.count("circle") == 1


def test_hostile_tags(description: dict[str, Any]) -> None:
    description["servers"][1]["tags"] = {HOSTILE: HOSTILE}
    explanation = explain(description, {"mode": "secondary", "tags": [{HOSTILE: "x"}, {"dc": HOSTILE}]})
    reader = read(explanation._repr_html_())
    allowed = {"div", "br", "strong", "span", "code", "table", "tr", "th", "td", "svg", "rect", "title", "line"}
    assert set(reader.elements) <= allowed | {"circle", "text"}
    assert not [name for name in reader.attributes if name.startswith("on")]
    assert "alert(" in reader.text  # it is there to read


def test_many_servers() -> None:
    servers = [{"address": f"m{i}", "type": "Mongos", "roundTripTimeMS": i} for i in range(1000)]
    html = explain({"servers": servers})._repr_html_()
    assert read(html).elements.count("tr") == 1 + 200 + 1
    assert "and 800 more" in html
