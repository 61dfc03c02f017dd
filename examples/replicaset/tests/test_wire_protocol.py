"""What no driver sends as long as all is well, byte by byte."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

import bson
import pytest

from replicaset import RunningReplicaSet

OP_REPLY, OP_QUERY, OP_MSG = 1, 2004, 2013
CHECKSUM_PRESENT, MORE_TO_COME, EXHAUST_ALLOWED = 1, 2, 1 << 16
PING = bson.encode({"ping": 1, "$db": "admin"})


class Connection:
    def __init__(self, address: str) -> None:
        host, _, port = address.partition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=10)

    def send(self, opcode: int, body: bytes, request_id: int = 7) -> None:
        self.socket.sendall(struct.pack("<iiii", 16 + len(body), request_id, 0, opcode) + body)

    def send_command(self, command: dict[str, Any], flags: int = 0) -> None:
        self.send(OP_MSG, struct.pack("<Ib", flags, 0) + bson.encode({**command, "$db": "admin"}))

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def receive(self) -> tuple[int, int, int, int, dict[str, Any]]:
        """Give id, responseTo, opcode, flags and document of the next message."""
        length, reply_id, response_to, opcode = struct.unpack("<iiii", self.read(16))
        body = self.read(length - 16)
        (flags,) = struct.unpack_from("<I", body)
        return reply_id, response_to, opcode, flags, bson.decode(body[5 if opcode == OP_MSG else 20 :])


@pytest.fixture
def replica_set() -> Iterator[RunningReplicaSet]:
    with RunningReplicaSet() as running:
        yield running


@pytest.fixture
def a(replica_set: RunningReplicaSet) -> Iterator[Connection]:
    connection = Connection(replica_set.do("status")["members"]["a"]["address"])
    yield connection
    connection.socket.close()


def query(command: dict[str, Any], flags: int = 4) -> bytes:
    return struct.pack("<i", flags) + b"admin.$cmd\0" + struct.pack("<ii", 0, -1) + bson.encode(command)


def test_a_legacy_handshake(a: Connection) -> None:
    a.send(OP_QUERY, query({"isMaster": 1, "helloOk": True}))
    _, response_to, opcode, flags, hello = a.receive()
    assert (response_to, opcode, flags) == (7, OP_REPLY, 8)
    assert (hello["ismaster"], hello["helloOk"], hello["ok"]) == (True, True, 1.0)
    assert "isWritablePrimary" not in hello
    a.send(OP_QUERY, query({"$query": {"hello": 1}, "$readPreference": {"mode": "nearest"}}))
    assert a.receive()[4]["isWritablePrimary"] is True
    a.send(OP_QUERY, query({"find": "orders"}))
    assert a.receive()[4]["code"] == 352


def test_a_hello_of_every_kind_of_member(replica_set: RunningReplicaSet) -> None:
    members = replica_set.do("status")["members"]
    address = {name: m["address"] for name, m in members.items()}

    def hello(name: str) -> dict[str, Any]:
        connection = Connection(address[name])
        connection.send_command({"hello": 1})
        reply = connection.receive()[4]
        connection.socket.close()
        return reply

    a, c, e = hello("a"), hello("c"), hello("e")
    assert a["hosts"] == [address[n] for n in "abcd"]
    assert a["arbiters"] == [address["e"]]
    assert (a["me"], a["primary"], a["setName"], a["setVersion"]) == (address["a"], address["a"], "rs0", 1)
    assert a["electionId"] == bson.ObjectId("7fffffff0000000000000001")  # the first term
    assert (c["isWritablePrimary"], c["secondary"], c["tags"]) == (False, True, {"dc": "sf"})
    assert "electionId" not in c
    assert (e["isWritablePrimary"], e["secondary"], e["arbiterOnly"]) == (False, False, True)
    assert "lastWrite" not in e
    replica_set.do("elect", member="b")
    assert hello("b")["electionId"] == bson.ObjectId("7fffffff0000000000000002")


def test_an_awaited_hello_comes_with_the_news(a: Connection, replica_set: RunningReplicaSet) -> None:
    a.send_command({"hello": 1})
    version = a.receive()[4]["topologyVersion"]
    a.send_command({"hello": 1, "topologyVersion": version, "maxAwaitTimeMS": 60_000})
    replica_set.do("stepDown", member="a")
    _, _, _, flags, hello = a.receive()
    assert flags == 0
    # Two changes: it is a secondary that knows no primary, and then it hears of b.
    assert hello["topologyVersion"]["counter"] > version["counter"]
    assert hello["secondary"] is True


def test_an_awaited_hello_comes_at_the_latest_when_it_must(a: Connection) -> None:
    a.send_command({"hello": 1})
    version = a.receive()[4]["topologyVersion"]
    began = time.monotonic()
    a.send_command({"hello": 1, "topologyVersion": version, "maxAwaitTimeMS": 200})
    assert a.receive()[4]["topologyVersion"] == version
    assert time.monotonic() - began >= 0.2


def test_streamed_replies_answer_each_other(a: Connection) -> None:
    a.send_command({"hello": 1})
    version = a.receive()[4]["topologyVersion"]
    command = {"hello": 1, "topologyVersion": version, "maxAwaitTimeMS": 50}
    a.send_command(command, EXHAUST_ALLOWED)
    first_id, response_to, _, flags, _ = a.receive()
    assert (response_to, flags) == (7, MORE_TO_COME)
    _, response_to, _, flags, hello = a.receive()
    assert (response_to, flags, hello["ok"]) == (first_id, MORE_TO_COME, 1.0)


@pytest.mark.parametrize("missing", ["topologyVersion", "maxAwaitTimeMS"])
def test_half_an_awaited_hello_is_an_error(a: Connection, missing: str) -> None:
    a.send_command({"hello": 1})
    command = {"hello": 1, "topologyVersion": a.receive()[4]["topologyVersion"], "maxAwaitTimeMS": 1000}
    del command[missing]
    a.send_command(command, EXHAUST_ALLOWED)
    _, _, _, flags, reply = a.receive()
    assert (flags, reply["ok"], reply["code"]) == (0, 0.0, 51368)


def test_a_version_from_the_future_is_an_error(a: Connection) -> None:
    a.send_command({"hello": 1})
    version = a.receive()[4]["topologyVersion"]
    version["counter"] = bson.Int64(version["counter"] + 1)
    a.send_command({"hello": 1, "topologyVersion": version, "maxAwaitTimeMS": 60_000})
    assert a.receive()[4]["code"] == 51761


def test_document_sequences_checksums_and_silent_writes(a: Connection) -> None:
    documents = bson.encode({"_id": 1}) + bson.encode({"_id": 2})
    sequence = struct.pack("<bi", 1, 4 + len(b"documents\0") + len(documents)) + b"documents\0" + documents
    command = b"\0" + bson.encode({"insert": "orders", "$db": "shop"})
    a.send(OP_MSG, struct.pack("<I", MORE_TO_COME) + command + sequence, request_id=8)  # unacknowledged
    a.send(OP_MSG, struct.pack("<I", CHECKSUM_PRESENT) + command + sequence + b"\0\0\0\0", request_id=9)
    _, response_to, _, _, reply = a.receive()
    assert (response_to, reply["n"], reply["member"]) == (9, 2, "a")


@pytest.mark.parametrize(
    ("opcode", "body"),
    [
        (OP_MSG, struct.pack("<Ib", 1 << 2, 0) + PING),  # a required bit that nobody knows
        (OP_MSG, struct.pack("<Ib", 0, 2) + PING),  # a kind of section that nobody knows
        (OP_MSG, struct.pack("<Ib", 0, 0) + bson.encode({"ping": 1})),  # no $db
        (OP_MSG, struct.pack("<I", 0)),  # no command
        (OP_MSG, struct.pack("<Ib", 0, 0) + b"\xff\0\0\0"),  # a document longer than the message
        (OP_QUERY, query({})),
        (2012, b""),  # OP_COMPRESSED, which was not negotiated
    ],
)
def test_what_is_no_message_ends_the_connection(a: Connection, opcode: int, body: bytes) -> None:
    a.send(opcode, body)
    with pytest.raises((EOFError, ConnectionResetError)):
        a.receive()


def test_commands_that_are_not_there(a: Connection) -> None:
    a.send_command({"frobnicate": 1})
    assert a.receive()[4]["code"] == 59
    a.send_command({"getMore": bson.Int64(1), "collection": "orders"})
    assert a.receive()[4]["code"] == 43
