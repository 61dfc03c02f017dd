"""A connection to a MongoDB server: a TCP socket, and commands over it as OP_MSG, with PyMongo's bson."""

from __future__ import annotations

import socket
import struct
from typing import Any

import bson

_OP_MSG = 2013
_HEAD = struct.Struct("<iiiiIb")  # length, id, responseTo, opcode; flags, kind of the section
_TIMEOUT_SECONDS = 5.0


class Connection:
    """One at a time may use it. Whatever a method raises is an OSError, and then the connection is of no more use."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host.strip("[]"), int(port)), _TIMEOUT_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def run(self, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command, with its $db, and give the reply."""
        body = bson.encode(command)
        self._socket.sendall(_HEAD.pack(_HEAD.size + len(body), 0, 0, _OP_MSG, 0, 0) + body)
        length, _, _, opcode, _, kind = _HEAD.unpack(self._read(_HEAD.size))
        if opcode != _OP_MSG or kind != 0:
            raise OSError(f"a reply with opcode {opcode}")
        return bson.decode(self._read(length - _HEAD.size))

    def close(self) -> None:
        self._socket.close()

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            if not more:
                raise ConnectionResetError("the server has closed the connection")
            data += more
        return bytes(data)
