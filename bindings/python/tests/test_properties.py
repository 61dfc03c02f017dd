"""Whatever comes in: an answer or a ReadPrefError."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import readpref
from readpref import ReadPreference, ReadPrefError, Selection, TopologyDescription
from readpref._encode import encode

METHODS = ["select", "explain", "validate", "server.parse_hello", "build_info", "methods"]
MODES = ["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"]
TYPES = ["Unknown", "Standalone", "Mongos", "RSPrimary", "RSSecondary", "RSArbiter", "RSOther", "RSGhost"]

text = st.text(max_size=20)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.decimals(), text, st.binary(max_size=5), st.datetimes()
)
keys = st.one_of(text, st.none(), st.booleans(), st.integers(), st.floats(), st.binary(max_size=5))
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), text),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(text, inner, max_size=4)),
    max_leaves=15,
)
any_values = st.recursive(
    st.one_of(scalars, st.text(st.characters(codec=None), max_size=3), st.sets(st.integers(), max_size=2)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.tuples(inner), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=15,
)
tag_sets = st.dictionaries(st.sampled_from(["dc", "rack"]), st.sampled_from(["ny", "sf"]), max_size=2)
servers = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "roundTripTimeMS": st.one_of(
            st.integers(0, 50), st.floats(0, 1e6), st.decimals(0, 1000, allow_nan=False, allow_infinity=False)
        ),
        "tags": tag_sets,
        "lastWriteDate": st.one_of(st.integers(0, 2**41), st.datetimes()),
        "lastUpdateTimeMS": st.integers(0, 2**41),
        "operationCount": st.integers(0, 10),
    },
)
requests = st.fixed_dictionaries(
    {},
    optional={
        "topology": any_values,
        "readPreference": st.one_of(any_values, st.fixed_dictionaries({"mode": st.sampled_from(MODES)})),
        "operation": any_values,
        "deprioritized": any_values,
        "seed": any_values,
        "hello": any_values,
        "address": any_values,
        "mongosh": any_values,
        "uriOptions": any_values,
    },
)


def answered(method: str, request: object) -> None:
    try:
        answer = readpref.call(method, request)
    except ReadPrefError as error:
        assert error.code
        assert error.status < 0
        assert error.message
        str(error).encode("utf-8")
    else:
        assert isinstance(answer, dict)


@given(st.sampled_from(METHODS), st.one_of(any_values, requests))
def test_any_value(method: str, request: object) -> None:
    answered(method, request)


@given(st.one_of(st.sampled_from(METHODS), text), st.binary(max_size=200))
def test_any_bytes(method: str, data: bytes) -> None:
    assert isinstance(json.loads(readpref.call_raw(method, data)), dict)


@given(json_values)
def test_written_values_read_back(value: Any) -> None:
    assert json.loads(encode(value)) == value


@given(
    st.lists(servers, max_size=6),
    st.sampled_from(MODES),
    st.lists(tag_sets, max_size=2),
    st.integers(0, 2**64 - 1),
)
@settings(max_examples=200)
def test_typed_and_raw_decide_the_same(members: list[dict[str, Any]], mode: str, tags: Any, seed: int) -> None:
    description = {"servers": [{"address": f"m{i}.example", **server} for i, server in enumerate(members)]}
    preference = ReadPreference(mode, None if mode == "primary" else tags)
    raw = {"topology": description, "readPreference": preference.document, "seed": str(seed)}
    try:
        typed = readpref.select(TopologyDescription(description), preference, seed=seed)
    except ReadPrefError as error:
        assert json.loads(readpref.call_raw("select", encode(raw))) == error.to_dict()
    else:
        assert isinstance(typed, Selection)
        assert typed.to_dict() == readpref.call("select", raw)
        assert (typed.server is None) == (typed.in_latency_window == ())


@given(st.sampled_from(MODES[1:]), st.lists(st.dictionaries(text, text, max_size=3), max_size=3), st.integers(-1))
def test_preferences_keep_what_they_mean(mode: str, tags: list[dict[str, str]], seconds: int) -> None:
    try:
        preference = ReadPreference(mode, tags, seconds)
    except ReadPrefError as error:
        assert (seconds >= 2**31, error.code) == (True, "outOfRange")
        return
    assert eval(repr(preference)) == preference
    assert ReadPreference.from_document(preference.document) == preference
    assert [dict(tag_set) for tag_set in preference.tags] == tags
    assert preference.max_staleness_seconds == (None if seconds == -1 else seconds)
