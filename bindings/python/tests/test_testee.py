"""The testee keeps to the protocol, and its two ways in give the same."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from typing import Any

import pytest

from conftest import PACKAGE

HELLO = {"ok": 1, "isWritablePrimary": True, "setName": "rs0", "minWireVersion": 0, "maxWireVersion": 25}


def ask(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps({"id": i, **request}) + "\n" for i, request in enumerate(requests))
    done = subprocess.run(
        [sys.executable, str(PACKAGE / "tests" / "testee.py")],
        input=lines.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == b""
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == list(range(len(requests)))
    assert all(set(reply) == {"id", "status", "out"} for reply in replies)
    return replies


def test_raw_bytes_and_ids() -> None:
    text, data, bad = ask(
        {"method": "build_info", "in": "{}"},
        {"method": "build_info", "in_b64": base64.b64encode(b"{}").decode(), "via": "raw"},
        {"method": "select", "in_b64": base64.b64encode(b"\xff").decode()},
    )
    assert text["status"] == 0
    assert text["out"] == data["out"]
    assert json.loads(bad["out"])["error"]["status"] == bad["status"] == -11
    [named] = ask({"id": 0, "method": "unheard", "in": "{}"})
    assert named["status"] == -7


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("select", {"topology": "@", "readPreference": {"mode": "secondary", "tags": [{"dc": "ny"}, {}]}}),
        ("select", {"topology": "@", "readPreference": {"mode": "nearest"}, "customSelector": {"keepOnly": []}}),
        (
            "select",
            {"topology": "@", "readPreference": {"mode": "nearest", "hedge": {}}, "seed": "9999999999999999999"},
        ),
        ("select", {"topology": "@", "operation": "aggregateWithWriteStage", "readPreference": {"mode": "secondary"}}),
        ("select", {"topology": "@", "readPreference": {"mode": "nearest", "maxStalenessSeconds": 1}}),
        ("select", {"topology": "@", "readPreference": {"mode": "secundary"}}),
        ("select", {"topology": "@", "readPreference": None, "operation": "reed"}),
        ("select", {"topology": "@", "localThresholdMS": 0.000001, "unheard": 1}),
        ("select", {"topology": "@", "seed": -1}),
        ("select", {"topology": "@", "seed": 2**53}),
        ("select", {"topology": "@", "readPreference": "secondary"}),
        ("select", {"topology": "@", "shards": {}}),
        ("select", {"shards": {"one": "@", "two": {"servers": [], "typ": 1}}}),
        ("select", {"shards": {}}),
        ("select", {"shards": 5}),
        ("select", {}),
        ("select", []),
        ("explain", {"topology": "@", "readPreference": {"mode": "secondaryPreferred", "tags": [{"dc": "la"}]}}),
        ("explain", {"shards": {"one": "@"}, "pick": "random"}),
        ("validate", {"readPreference": {"mode": "nearest", "tags": [], "maxStalenessSeconds": -1}}),
        ("validate", {"readPreference": {"mode": "primary", "tags": [{"dc": "ny"}], "maxStalenessSeconds": 5}}),
        ("validate", {"uriOptions": "readPreference=nearest&maxStalenessSeconds=-2"}),
        ("validate", {"uriOptions": "readPreference=nearest", "mongosh": ["nearest"]}),
        ("validate", {"mongosh": ["secondary", [{"region": "us-east"}, {}]]}),
        ("validate", {}),
        ("server.parse_hello", {"address": "a.example", "hello": HELLO, "roundTripTimeMS": 0.000001, "nowMS": 5}),
        ("server.parse_hello", {"address": "a.example", "hello": {}}),
        ("server.parse_hello", {"hello": {}}),
        ("build_info", {}),
        ("methods", {}),
        ("unheard", {}),
    ],
)
def test_typed_and_raw_give_the_same_values(method: str, request_: Any, description: dict[str, Any]) -> None:
    text = json.dumps(request_).replace('"@"', json.dumps(description))
    raw, typed = ask({"method": method, "in": text}, {"method": method, "in": text, "via": "typed"})
    assert typed["status"] == raw["status"]
    assert json.loads(typed["out"]) == json.loads(raw["out"])
    assert "e-06" not in typed["out"]


def test_typed_takes_what_is_no_document() -> None:
    for data in (b"{", b"\xff", b"", b"\xef\xbb\xbf{}", "{}".encode("utf-16"), b"[" * 100_000):
        encoded = base64.b64encode(data).decode()
        raw, typed = ask(
            {"method": "select", "in_b64": encoded}, {"method": "select", "in_b64": encoded, "via": "typed"}
        )
        assert typed["status"] == raw["status"] < 0
        assert typed["out"] == raw["out"]


def test_typed_topologies_answer_as_handles_do(description: dict[str, Any]) -> None:
    """Each step is asked of a handle, raw, and of an object, typed, that saw the same."""
    hello = {
        "ok": 1,
        "isWritablePrimary": True,
        "setName": "rs0",
        "hosts": ["a.example", "b.example"],
        "maxWireVersion": 25,
    }
    steps: list[tuple[str, dict[str, Any]]] = [
        ("topology.open", {"seeds": ["A.example", "b.example"], "replicaSet": "rs0", "seed": 7}),
        (
            "topology.hello",
            {"topology": "@", "address": "a.example", "hello": hello, "roundTripTimeMS": 2.5, "nowMS": 5},
        ),
        ("topology.hello", {"topology": "@", "address": "a.example", "roundTripTimeMS": 0.000001}),
        ("topology.hello", {"topology": "@", "address": "b.example", "hello": {}, "error": "refused"}),
        ("topology.events", {"topology": "@"}),
        ("topology.events", {"topology": "@"}),
        ("topology.events_ack", {"topology": "@", "upto": 6}),
        ("topology.events", {"topology": "@"}),
        ("topology.events_ack", {"topology": "@", "upto": "!"}),
        ("topology.events_ack", {"topology": "@", "upto": 1000}),
        ("topology.error", {"topology": "@", "address": "a.example", "kind": "network", "generation": 0}),
        ("topology.error", {"topology": "@", "address": "a.example", "kind": "slow"}),
        ("topology.hello", {"topology": "@", "address": "a.example", "helo": {}}),
        ("topology.srv", {"topology": "@", "srv": []}),
        ("topology.describe", {"topology": "@"}),
        ("topology.generation", {"topology": "@"}),
        ("topology.shutdown", {"topology": "@"}),
        ("topology.events", {"topology": "@"}),
        ("close", {"handle": "@"}),
        ("topology.describe", {"topology": "@"}),
        ("topology.open", {"topology": description, "seed": 42, "pick": "random"}),
        ("readpref.open", {"readPreference": {"mode": "nearest"}}),
        ("topology.select", {"topology": "@", "readPreference": "#", "checkout": True}),
        ("topology.select", {"topology": "@", "readPreference": "#", "deprioritized": ["a.example"]}),
        ("topology.select", {"topology": "@", "readPreference": "#", "customSelector": {"keepOnly": []}}),
        ("topology.select_batch", {"topology": "@", "readPreference": "#", "count": 4}),
        ("topology.explain", {"topology": "@", "readPreference": "#"}),
        ("topology.address", {"topology": "@", "id": 1}),
        ("topology.command", {"topology": "@", "readPreference": "#", "id": 1}),
        ("topology.update", {"handle": "@", "topology": {"servers": []}}),
        ("topology.describe", {"topology": "@"}),
        ("close", {"handle": "#"}),
    ]
    answers: dict[str, list[dict[str, Any]]] = {}
    for via in ("raw", "typed"):
        numbers = {"@": 0, "#": 0, "!": 0}
        replies = answers[via] = []
        with subprocess.Popen(
            [sys.executable, str(PACKAGE / "tests" / "testee.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as testee:
            assert testee.stdin is not None
            assert testee.stdout is not None
            for method, request in steps:
                named = {
                    key: numbers.get(value, value) if isinstance(value, str) else value
                    for key, value in request.items()
                }
                line = {"id": 0, "method": method, "in": json.dumps(named), "via": via}
                testee.stdin.write(json.dumps(line).encode() + b"\n")
                testee.stdin.flush()
                reply = json.loads(testee.stdout.readline())
                out = json.loads(reply["out"])
                if method.endswith(".open"):
                    [(key, number)] = out.items()
                    numbers["@" if key == "topology" else "#"] = number
                    out = {key: 0}
                numbers["!"] = out.get("last", numbers["!"])
                if "error" in out:
                    del out["error"]["message"]
                replies.append({"status": reply["status"], "out": out})
            testee.stdin.close()
    for (method, request), raw, typed in zip(steps, answers["raw"], answers["typed"]):
        assert typed == raw, (method, request)


def test_probes() -> None:
    names = ["nullMethod", "nullIn", "absurdLength", "emptyIn", "nullOut", "shortOut", "askLength"]
    replies = dict(zip(names, ask(*({"probe": name} for name in names))))
    for name in ("nullMethod", "nullIn", "absurdLength", "emptyIn"):
        error = json.loads(replies[name]["out"])["error"]
        assert error["status"] == replies[name]["status"] < 0
    for name in ("nullOut", "shortOut", "askLength"):
        assert (replies[name]["status"], replies[name]["out"]) == (0, "ok")
