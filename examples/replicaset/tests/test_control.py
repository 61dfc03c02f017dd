"""The control: its requests, its refusals, and the set as a program of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replicaset import RunningReplicaSet

FOLDER = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def untouched() -> Iterator[RunningReplicaSet]:
    with RunningReplicaSet() as running:
        yield running


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"do": "explode"}, "do is 'explode'"),
        ({"do": "heal", "member": "a"}, "heal does not take member"),
        ({"do": "kill", "member": "z"}, "no member is named 'z'"),
        ({"do": "kill"}, "no member is meant"),
        ({"do": "kill", "tags": {"dc": "mars"}}, "no member is meant"),
        ({"do": "kill", "tags": "dc"}, "tags are an object"),
        ({"do": "stepDown", "member": "b"}, "b is no primary"),
        ({"do": "elect", "member": "e"}, "e cannot be elected"),
        ({"do": "maintenance", "member": "a", "on": True}, "a is in state PRIMARY"),
    ],
)
def test_refusals_change_nothing(untouched: RunningReplicaSet, request_: dict[str, Any], message: str) -> None:
    before = untouched.do("status")
    with pytest.raises((LookupError, ValueError), match=message):
        untouched.do(request_.pop("do"), **request_)
    assert untouched.do("status") == before


def states(status: dict[str, Any]) -> str:
    return " ".join(f"{name}:{m['state']}" for name, m in status["members"].items())


def test_elections_by_majority_and_priority() -> None:
    with RunningReplicaSet() as rs:
        assert states(rs.do("status")) == "a:PRIMARY b:SECONDARY c:SECONDARY d:SECONDARY e:ARBITER"
        # One who steps down does not stand; the next by priority does.
        assert states(rs.do("stepDown", member="a")) == "a:SECONDARY b:PRIMARY c:SECONDARY d:SECONDARY e:ARBITER"
        assert states(rs.do("stepDown", member="b", elect=False)).count("PRIMARY") == 0
        assert states(rs.do("elect")) == "a:PRIMARY b:SECONDARY c:SECONDARY d:SECONDARY e:ARBITER"
        # Two of five are no majority.
        assert states(rs.do("kill", members=["c", "d", "e"])) == "a:SECONDARY b:SECONDARY c:DOWN d:DOWN e:DOWN"
        # Three of five are; the arbiter votes and is never elected.
        assert states(rs.do("restart", member="e")) == "a:PRIMARY b:SECONDARY c:DOWN d:DOWN e:ARBITER"


def test_a_program_of_its_own_that_ends_with_its_input() -> None:
    with subprocess.Popen(
        [sys.executable, str(FOLDER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        uri = json.loads(program.stdout.readline())["uri"]
        assert uri.startswith("mongodb://127.0.0.1:")
        for line in ('{"do": "kill", "member": "a"}', "{", "[]", '{"do": "lag"}'):
            program.stdin.write(line + "\n")
        program.stdin.flush()
        answers = [json.loads(program.stdout.readline()) for _ in range(4)]
        assert answers[0]["members"]["a"]["state"] == "DOWN"
        assert all(set(a) == {"error"} for a in answers[1:])
        program.stdin.close()
        assert program.wait(timeout=20) == 0
    host, port = answers[0]["members"]["b"]["address"].split(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=10)
