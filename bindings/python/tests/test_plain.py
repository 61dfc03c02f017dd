"""Errors are short and safe to print, whatever they repeat."""

from __future__ import annotations

import json
import re
from typing import Any, Callable

import pytest

import readpref
from readpref import ReadPrefError, Topology
from readpref._path import path_of
from readpref._plain import cut, error_text, plain

HOSTILE = "\x1b]52;c;\x07\u202e\x9b" * 100_000


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", ""),
        ("Zürich 日本 😀", "Zürich 日本 😀"),
        ("\0\x1b\n\r\t", r"\u0000\u001b\u000a\u000d\u0009"),
        ("\x7f\x80\x9b\x9f\xa0", "\\u007f\\u0080\\u009b\\u009f\xa0"),
        ("\u061c\u200b\u200e\u200f\u2010", "\\u061c\\u200b\\u200e\\u200f\u2010"),
        ("\u2027\u2028\u2029\u202a\u202e\u202f", "\u2027\\u2028\\u2029\\u202a\\u202e\u202f"),
        ("\u2060\u2066\u2069\u206a\ufeff", "\\u2060\\u2066\\u2069\u206a\\ufeff"),
        ("\xad\u180e\ufff9\U000e0041\U000e0080", "\\u00ad\\u180e\\ufff9\\U000e0041\U000e0080"),
        ("a\ud800b", r"a\ud800b"),
    ],
)
def test_what_a_terminal_obeys_is_escaped_as_the_engine_does(text: str, want: str) -> None:
    assert plain(text) == want


def test_text_is_cut_by_bytes_at_the_edge_of_a_character() -> None:
    assert cut("x" * 64, 64) == "x" * 64
    assert cut("x" * 65, 64) == "x" * 64 + "..."
    assert cut("é" * 33, 64) == "é" * 32 + "..."
    assert cut("日" * 22, 64) == "日" * 21 + "..."
    assert cut("x" * 62 + "😀", 64) == "x" * 62 + "..."
    assert cut("\ud800" * 22, 64) == "\ud800" * 21 + "..."


@pytest.mark.parametrize("text", ["x" * 1003, "é" * 5000, "\x1b" * 5000, "x" * 10_000_000])
def test_an_errors_text_stays_as_it_is(text: str) -> None:
    once = error_text(text)
    assert len(once.encode()) <= 1003
    assert error_text(once) == once


def test_paths_are_cut() -> None:
    assert path_of(["x" * 100, "b"]) == "x" * 64 + "....b"
    assert path_of(["é" * 100, "b"]) == '["' + "é" * 32 + '..."].b'
    assert path_of(["a\x1b[31m\u202e", 2]) == r'["a\u001b[31m\u202e"][2]'
    assert len(path_of(["\x9b" * 1_000_000])) < 210
    assert path_of(["x" * 30] * 1000) == (".".join(["x" * 30] * 40)[:1000]) + "..."


@pytest.mark.parametrize(
    "key",
    ["x" * 1000, "ä ö" * 1000, "\x1b]0;x\x07", "\x9b31m", "\u202egnp", 'a"b\\c', "\U000e0041", "x" * 63 + "é"],
    ids=["bare", "long", "control", "C1", "direction", "quotes", "tag", "edge"],
)
def test_the_same_path_as_the_engines(key: str) -> None:
    def path(value: object) -> str:
        with pytest.raises(ReadPrefError) as caught:
            readpref.select({"servers": [{"address": "a", "type": "Mongos", "tags": {key: value}}]})
        return caught.value.path

    assert path(set()) == path(5)


def deep() -> Any:
    value: Any = float("nan")
    for i in range(60):
        value = {f"{HOSTILE}{i}": value}
    return value


def raising() -> None:
    raise ReadPrefError("wrongType", HOSTILE, HOSTILE)


NAMED = type(HOSTILE, (), {})
RAISED = type(HOSTILE, (Exception,), {})


class Raises:
    """An integer that raises an exception of a hostile name."""

    def __index__(self) -> int:
        raise RAISED(HOSTILE)


@pytest.mark.parametrize(
    "act",
    [
        lambda: readpref.call("select", {HOSTILE: NAMED()}),
        lambda: readpref.call("select", {HOSTILE: {NAMED(): 1}}),
        lambda: readpref.call("select", {HOSTILE: Raises()}),
        lambda: readpref.call("select", deep()),
        lambda: readpref.call(HOSTILE, {}),
        lambda: readpref.call(NAMED(), {}),
        lambda: readpref.call_raw("select", NAMED()),
        lambda: Topology.from_hello_replies(NAMED()),
        lambda: readpref.select(Topology({HOSTILE: 1})),
        lambda: readpref.select({"servers": []}, HOSTILE),
        lambda: readpref.select({"servers": []}, seed=HOSTILE),
        raising,
    ],
)
def test_errors_are_short_and_plain(act: Callable[[], object]) -> None:
    with pytest.raises(ReadPrefError) as caught:
        act()
    error = caught.value
    for text in (str(error), error.message, error.path):
        assert len(text.encode()) < 2100
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202e]", text)
    assert len(json.dumps(error.to_dict(), ensure_ascii=False).encode()) <= 4096
