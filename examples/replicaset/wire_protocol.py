"""Messages of the MongoDB wire protocol: OP_MSG, and OP_QUERY with OP_REPLY as far as handshakes use them."""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from typing import Any

import bson

Document = dict[str, Any]

OP_REPLY = 1
OP_QUERY = 2004
OP_MSG = 2013

CHECKSUM_PRESENT = 1 << 0
MORE_TO_COME = 1 << 1
EXHAUST_ALLOWED = 1 << 16
_KNOWN_REQUIRED_BITS = CHECKSUM_PRESENT | MORE_TO_COME  # a bit of the lower 16 that a reader does not know is an error

SECONDARY_OK = 1 << 2  # of OP_QUERY

MAX_MESSAGE_SIZE = 48_000_000
_HEADER = struct.Struct("<iiii")


class ProtocolError(Exception):
    """The peer sent what is no message; the connection is of no more use."""


@dataclass
class Request:
    """One message from a client, whichever way it was written."""

    id: int
    opcode: int
    command: Document
    database: str
    secondary_ok: bool = False
    exhaust_allowed: bool = False
    wants_reply: bool = True


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """Read the next message, None where the client has closed the connection."""
    try:
        header = await reader.readexactly(_HEADER.size)
        length, request_id, _, opcode = _HEADER.unpack(header)
        if not _HEADER.size <= length <= MAX_MESSAGE_SIZE:
            raise ProtocolError(f"a message of {length} bytes")
        body = await reader.readexactly(length - _HEADER.size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    try:
        if opcode == OP_MSG:
            return _read_msg(request_id, body)
        if opcode == OP_QUERY:
            return _read_query(request_id, body)
    except (bson.errors.BSONError, struct.error, ValueError, IndexError, KeyError) as error:
        raise ProtocolError(str(error)) from error
    raise ProtocolError(f"opcode {opcode}")


def _read_msg(request_id: int, body: bytes) -> Request:
    (flags,) = struct.unpack_from("<I", body)
    if flags & 0xFFFF & ~_KNOWN_REQUIRED_BITS:
        raise ProtocolError(f"flag bits {flags:#x}")
    at, end = 4, len(body) - (4 if flags & CHECKSUM_PRESENT else 0)
    command: Document | None = None
    sequences: Document = {}
    while at < end:
        kind = body[at]
        (size,) = struct.unpack_from("<i", body, at + 1)
        section = body[at + 1 : at + 1 + size]
        if kind == 0:
            command = bson.decode(section)
        elif kind == 1:
            name, _, documents = section[4:].partition(b"\0")
            sequences[name.decode("utf-8")] = list(bson.decode_iter(documents))
        else:
            raise ProtocolError(f"a section of kind {kind}")
        at += 1 + size
    if not command:
        raise ProtocolError("a message without a command")
    command.update(sequences)
    return Request(
        request_id,
        OP_MSG,
        command,
        command["$db"],
        exhaust_allowed=bool(flags & EXHAUST_ALLOWED),
        wants_reply=not flags & MORE_TO_COME,
    )


def _read_query(request_id: int, body: bytes) -> Request:
    (flags,) = struct.unpack_from("<i", body)
    collection, _, rest = body[4:].partition(b"\0")
    (size,) = struct.unpack_from("<i", rest, 8)  # behind numberToSkip and numberToReturn
    command = bson.decode(rest[8 : 8 + size])
    if "$query" in command:
        command = {**command["$query"], **{k: v for k, v in command.items() if k == "$readPreference"}}
    if not command:
        raise ProtocolError("a query without a command")
    database = collection.decode("utf-8").partition(".")[0]
    return Request(request_id, OP_QUERY, command, database, secondary_ok=bool(flags & SECONDARY_OK))


def reply_bytes(request: Request, reply_id: int, response_to: int, document: Document, more_to_come: bool) -> bytes:
    """Write a reply in the way of its request."""
    if request.opcode == OP_MSG:
        flags = MORE_TO_COME if more_to_come else 0
        body = struct.pack("<Ib", flags, 0) + bson.encode(document)
        opcode = OP_MSG
    else:
        body = struct.pack("<iqii", 8, 0, 0, 1) + bson.encode(document)  # 8: AwaitCapable, as every server sets it
        opcode = OP_REPLY
    return _HEADER.pack(_HEADER.size + len(body), reply_id, response_to, opcode) + body
