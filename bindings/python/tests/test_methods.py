"""validate, parse_hello, build_info, methods."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import readpref
from readpref import ArgumentError, ReadPreference


def test_validate_tells_everything() -> None:
    found = readpref.validate({"mode": "primary", "tags": [{"dc": "ny"}], "maxStalenessSeconds": 120})
    assert found["valid"] is False
    assert found["readPreference"] is None
    assert [problem["code"] for problem in found["problems"]] == ["tagsWithPrimary", "maxStalenessWithPrimary"]


def test_validate_gives_the_normal_form() -> None:
    normal = {"mode": "secondary", "tags": [{"dc": "ny"}, {}]}
    for found in (
        readpref.validate({**normal, "maxStalenessSeconds": -1}),
        readpref.validate(ReadPreference("secondary", [{"dc": "ny"}, {}])),
        readpref.validate(uri_options="readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags="),
        readpref.validate(mongosh=("secondary", [{"dc": "ny"}, {}])),
    ):
        assert found == {"valid": True, "readPreference": normal, "problems": [], "warnings": []}


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({}, "none"),
        ({"uri_options": None}, "none"),
        ({"read_preference": {}, "mongosh": []}, "read_preference and mongosh"),
        ({"read_preference": {}, "uri_options": "", "mongosh": []}, "read_preference and uri_options and mongosh"),
    ],
)
def test_validate_needs_exactly_one_form(arguments: dict[str, Any], found: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        readpref.validate(**arguments)
    assert (caught.value.code, caught.value.status) == ("argument", -1)
    assert str(caught.value) == (
        f"validate takes exactly one of read_preference, uri_options, mongosh; it was given {found}"
    )


def test_validate_tells_warnings_in_its_answer_alone() -> None:
    found = readpref.validate(uri_options="readPreference=secondry")
    assert [warning["code"] for warning in found["warnings"]] == ["invalidURIOptionValue"]


def test_parse_hello() -> None:
    server = readpref.parse_hello(
        "a.example:27017",
        {
            "ok": 1,
            "isWritablePrimary": True,
            "setName": "rs0",
            "lastWrite": {"lastWriteDate": datetime.datetime(2026, 10, 26, 1, 46, 40)},
            "minWireVersion": 0,
            "maxWireVersion": 25,
            "newInSomeServer": {"anything": [1, 2]},
        },
        round_trip_time_ms=2.5,
        now_ms=1793000000950,
    )
    assert server["address"] == "a.example:27017"
    assert server["type"] == "RSPrimary"
    assert server["roundTripTimeMS"] == 2.5
    assert server["lastWriteDate"] == 1792979200000
    assert server["lastUpdateTimeMS"] == 1793000000950
    assert readpref.select({"servers": [server]}).server is not None


def test_a_failed_check_is_unknown() -> None:
    assert readpref.parse_hello("a.example", {})["type"] == "Unknown"


def test_build_info_and_methods() -> None:
    info = readpref.build_info()
    assert info["name"] == "readpref"
    assert info["abi"]["major"] == 1
    names = {method["name"] for method in readpref.methods()}
    assert {"select", "explain", "validate", "server.parse_hello", "build_info", "methods"} <= names
