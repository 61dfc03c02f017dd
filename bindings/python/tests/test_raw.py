"""The raw doors."""

from __future__ import annotations

import json
from typing import Any

import pytest

import readpref
from readpref import ReadPrefError, TopologyDescription, WrongTypeError


def test_bytes_in_bytes_out(topology: TopologyDescription) -> None:
    data = b'{"topology":%s}' % topology._json
    out = readpref.call_raw("select", data)
    assert out == readpref.call_raw(b"select", data)
    assert out == readpref.call_raw("select", bytearray(data))
    assert out == readpref.call_raw("select", memoryview(data))
    assert out.startswith(b'{"server":{"index":0,"address":"a.example:27017","type":"RSPrimary"},"candidates":[')


def test_an_error_is_a_document_not_an_exception() -> None:
    for data, code in (
        (b"", "invalidJSON"),
        (b"{", "invalidJSON"),
        (b"\xff", "invalidUTF8"),
        (b'{"topology":NaN}', "invalidJSON"),
        (b'{"operation":"read","operation":"read"}', "duplicateKey"),
        (b"[" * 100, "nestingTooDeep"),
        (b" " * (16 * 1024 * 1024 + 1), "documentTooLarge"),
    ):
        error = json.loads(readpref.call_raw("select", data))["error"]
        assert (error["code"], error["status"] < 0) == (code, True)


@pytest.mark.parametrize("method", ["selekt", "", "select\0", "x" * 1000, "\ud800", b"\xff", "ünknown"])
def test_unknown_methods(method: Any) -> None:
    error = json.loads(readpref.call_raw(method, b"{}"))["error"]
    assert error["code"] == "unknownMethod"
    with pytest.raises(LookupError):
        readpref.call(method, {})


@pytest.mark.parametrize(
    ("method", "data"), [(5, b"{}"), (None, b"{}"), ("select", "{}"), ("select", None), ("select", 5)]
)
def test_wrong_arguments(method: Any, data: Any) -> None:
    with pytest.raises(WrongTypeError):
        readpref.call_raw(method, data)


def test_call_takes_and_gives_values(description: dict[str, Any]) -> None:
    answer = readpref.call("select", {"topology": description, "seed": 0})
    assert answer == json.loads(readpref.call_raw("select", json.dumps({"topology": description}).encode()))
    with pytest.raises(ReadPrefError) as caught:
        readpref.call("select", {"topologie": {}})
    assert (caught.value.code, caught.value.path) == ("unknownKey", "topologie")
    with pytest.raises(WrongTypeError):
        readpref.call("select", [])


def test_answers_larger_than_the_buffer() -> None:
    servers = [{"address": f"member-{i}.example", "type": "RSSecondary"} for i in range(20_000)]
    topology = TopologyDescription({"type": "ReplicaSetNoPrimary", "servers": servers})
    for _ in range(2):
        answer = readpref.select(topology, {"mode": "secondary"})
        assert len(answer.suitable) == 20_000
        assert readpref.select({"servers": []}).server is None
