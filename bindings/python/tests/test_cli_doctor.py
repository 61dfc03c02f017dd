"""readpref doctor, against a replica set on loopback that speaks the wire protocol, and against nobody."""

from __future__ import annotations

import importlib
import json
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from cli import process, run
from conftest import REPOSITORY
from readpref._cli import exit_codes

pytest.importorskip("pymongo")


@pytest.fixture(scope="module")
def replica_set() -> Iterator[Any]:
    """Run the set of examples/replicaset: a and b in ny, c in sf 200 ms away, d in ldn 400 ms away, e an arbiter."""
    sys.path.insert(0, str(REPOSITORY / "examples"))
    try:
        running_module = importlib.import_module("replicaset.running")
    finally:
        sys.path.pop(0)
    with running_module.RunningReplicaSet() as running:
        yield running


def with_preference(uri: str, preference: str) -> str:
    return f"{uri}&{preference}"


def test_explains_a_live_set(replica_set: Any) -> None:
    uri = with_preference(replica_set.uri, "readPreference=secondary&readPreferenceTags=dc:sf")
    done = run("doctor", uri, "--json")
    names = replica_set.names
    assert done.code == exit_codes.OK, done.out
    stages = {names[server["address"]]: server["stage"] for server in done.document["explanation"]["servers"]}
    # Of the secondaries b, c, d only c has dc sf; a is the primary, e an arbiter.
    assert stages == {"a": "mode", "b": "tagSets", "c": "selected", "d": "tagSets", "e": "type"}
    assert done.document["complete"] is True
    assert done.document["topology"]["setName"] == "rs0"


def test_prints_a_table_and_takes_another_preference(replica_set: Any) -> None:
    done = run("doctor", replica_set.uri, "--mode", "nearest", "--tags", "dc:ldn")
    address = next(address for address, name in replica_set.names.items() if name == "d")
    assert done.code == exit_codes.OK
    assert f"server      {address} (RSSecondary), the only one in the latency window\n" in done.out
    assert (
        done.err == "note: the servers were asked once: round-trip times are of one reply, and doctor did not log in\n"
    )


def test_no_suitable_server_is_1(replica_set: Any) -> None:
    done = run("doctor", replica_set.uri, "--mode", "secondary", "--tags", "dc:tokyo")
    assert done.code == exit_codes.NO
    assert "no tag set matches a candidate" in done.out


def test_secrets_are_never_printed(replica_set: Any) -> None:
    uri = with_preference(replica_set.uri.replace("mongodb://", "mongodb://app:s3cr3t%40@"), "foo=bar")
    for arguments in (["doctor", uri], ["doctor", uri, "--json"]):
        done = run(*arguments)
        assert done.code == exit_codes.OK
        assert "s3cr3t" not in done.out + done.err
        assert "unknownURIOption" in done.out


def test_uri_from_stdin(replica_set: Any) -> None:
    done = process("doctor", "-", "--json", stdin=replica_set.uri.encode() + b"\n")
    assert json.loads(done.stdout)["explanation"]["server"] is not None


def test_another_sets_name(replica_set: Any) -> None:
    done = run("doctor", replica_set.uri.replace("replicaSet=rs0", "replicaSet=rs1"), "--timeout", "2")
    assert done.code == exit_codes.UNREACHABLE
    assert done.err.startswith("readpref: error: noServer: ")
    assert "rs1" in done.err


def test_a_dead_address_fails_at_once() -> None:
    with socket.socket() as taken:  # a port that nobody listens on
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        start = time.monotonic()
        done = run("doctor", f"mongodb://u:s3cr3t@{address}", "--timeout", "30")
        took = time.monotonic() - start
    assert took < 10
    assert (done.code, done.out) == (exit_codes.UNREACHABLE, "")
    assert done.err.startswith(f"readpref: error: noServer: cannot reach the deployment: {address}: ")
    assert "refused" in done.err
    assert done.err.count("\n") == 1


def test_a_server_that_says_nothing_is_waited_for_no_longer_than_asked() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        start = time.monotonic()
        done = run("doctor", f"mongodb://127.0.0.1:{silent.getsockname()[1]}", "--timeout", "1", "--json")
        took = time.monotonic() - start
    assert 0.9 < took < 10
    assert done.code == exit_codes.UNREACHABLE
    assert done.document["error"]["code"] == "noServer"


def test_a_wrong_connection_string_is_no_reason_to_connect() -> None:
    done = run("doctor", "mongodb://u:s3cr3t@h:0")
    assert done.code == exit_codes.NO
    assert done.err.startswith("readpref: error: invalidHost: ")
    assert "s3cr3t" not in done.err


def test_without_pymongo() -> None:
    with mock.patch.dict(sys.modules, {"pymongo": None}):
        done = run("doctor", "mongodb://127.0.0.1:1")
    assert done.code == exit_codes.UNUSABLE
    assert "pip install 'readpref[pymongo]'" in done.err
