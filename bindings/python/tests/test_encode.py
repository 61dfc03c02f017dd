"""Python values into JSON: exact, or an error with its place."""

from __future__ import annotations

import collections
import datetime
import enum
import json
from decimal import Decimal
from typing import Any

import pytest

from readpref import ReadPreference, ReadPrefError, TopologyDescription, call
from readpref._encode import MAX_BYTES, encode
from readpref._path import path_of


class Color(str, enum.Enum):
    """A string that prints otherwise."""

    RED = "red"


class Number(enum.IntEnum):
    """An integer that prints otherwise."""

    ONE = 1


class Reading(float):
    """A float that prints otherwise."""

    def __repr__(self) -> str:
        return "Reading"


class Index:
    """What numpy's integers are: no int, but usable as one."""

    def __index__(self) -> int:
        return 42


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-(2**63), "-9223372036854775808"),
        (2**64, "18446744073709551616"),
        (0.1, "0.1"),
        (1e-07, "1e-07"),
        (-0.0, "-0.0"),
        (120.0, "120.0"),
        (Decimal("15.000001000"), "15.000001000"),
        (Decimal(120), "120"),
        (Decimal("1E+999999999"), "1E+999999999"),
        ('a"b\\c\nd\x00é😀', '"a\\"b\\\\c\\nd\\u0000é😀"'),
        ([], "[]"),
        ((1, [2, ()]), "[1,[2,[]]]"),
        ({}, "{}"),
        ({"a": 1, "b": {"c": None}}, '{"a":1,"b":{"c":null}}'),
        (collections.OrderedDict(z=1, a=2), '{"z":1,"a":2}'),
        (collections.UserDict(a=1), '{"a":1}'),
        (collections.UserList([1]), "[1]"),
        (collections.deque([1]), "[1]"),
        (range(3), "[0,1,2]"),
        (Color.RED, '"red"'),
        ({Color.RED: Number.ONE}, '{"red":1}'),
        (Reading(1.5), "1.5"),
        (Index(), "42"),
        (datetime.datetime(1970, 1, 1, 0, 0, 1, 500), '{"$date":{"$numberLong":"1000"}}'),
        (datetime.datetime.min, '{"$date":{"$numberLong":"-62135596800000"}}'),
        (datetime.datetime.max, '{"$date":{"$numberLong":"253402300799999"}}'),
        ({"p": ReadPreference("nearest"), "t": TopologyDescription({})}, '{"p":{"mode":"nearest"},"t":{}}'),
    ],
)
def test_written(value: object, text: str) -> None:
    assert encode(value).decode("utf-8") == text
    json.loads(text)


def cyclic() -> dict[str, Any]:
    cycle: dict[str, Any] = {}
    cycle["a"] = [cycle]
    return cycle


def laughs() -> list[Any]:
    """Give a small object that would be an endless document."""
    shared: list[Any] = ["ha" * 500]
    for _ in range(60):
        shared = [shared, shared]
    return shared


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        (b"bytes", "wrongType", "x"),
        (bytearray(b"b"), "wrongType", "x"),
        (memoryview(b"b"), "wrongType", "x"),
        ({1, 2}, "wrongType", "x"),
        (object(), "wrongType", "x"),
        (1j, "wrongType", "x"),
        (iter([1]), "wrongType", "x"),
        (datetime.date(2026, 1, 1), "wrongType", "x"),
        ([0, {"deep": {1: 2}}], "wrongType", "x[1].deep"),
        ({None: 1}, "wrongType", "x"),
        ({"tags": [{}, {"a b": set()}]}, "wrongType", 'x.tags[1]["a b"]'),
        ({"": {'q"': set()}}, "wrongType", 'x[""]["q\\""]'),
        (float("nan"), "invalidJSON", "x"),
        ([float("-inf")], "invalidJSON", "x[0]"),
        (Decimal("NaN"), "invalidJSON", "x"),
        (Decimal("sNaN"), "invalidJSON", "x"),
        (Decimal("-Infinity"), "invalidJSON", "x"),
        ("\ud800", "invalidUTF8", "x"),
        ({"a": "x\udfff"}, "invalidUTF8", "x.a"),
        ({"k\ud800": 1}, "invalidUTF8", 'x["k\\ud800"]'),
        (10**5000, "outOfRange", "x"),
        (-(1 << 10_000_000), "outOfRange", "x"),
        ("x" * (MAX_BYTES + 1), "documentTooLarge", ""),
        (["x" * (1 << 20)] * 17, "documentTooLarge", ""),
        (laughs(), "documentTooLarge", ""),
    ],
    ids=lambda value: None if isinstance(value, str) and len(value) < 40 else type(value).__name__,
)
def test_refused(value: object, code: str, path: str) -> None:
    with pytest.raises(ReadPrefError) as caught:
        encode(value, "x")
    assert (caught.value.code, caught.value.path) == (code, path)
    str(caught.value).encode("utf-8")


@pytest.mark.parametrize("value", [cyclic(), {"topology": cyclic()}, [cyclic()]])
def test_a_value_inside_itself(value: object) -> None:
    with pytest.raises(ReadPrefError) as caught:
        call("select", value)
    assert caught.value.code == "nestingTooDeep"
    assert caught.value.path.count("a[0]") > 20


def test_nesting_is_refused_where_the_engine_refuses_it() -> None:
    def nested(levels: int) -> list[Any]:
        value: list[Any] = []
        for _ in range(levels - 1):
            value = [value]
        return value

    assert encode(nested(64)) == b"[" * 64 + b"]" * 64
    with pytest.raises(ReadPrefError) as caught:
        encode(nested(65))
    assert caught.value.code == "nestingTooDeep"


def test_paths() -> None:
    assert path_of([]) == ""
    assert path_of(["readPreference", "tags", 1, "dc"]) == "readPreference.tags[1].dc"
    assert path_of(["a", "$oid", "x-y_z"]) == "a.$oid.x-y_z"
    assert path_of(["é", "b"]) == '["é"].b'
