"""A member on the network: its port, its connections, and what happens to them when it is killed."""

from __future__ import annotations

import asyncio
import itertools
import socket

from replicaset.commands import HELLO, CommandError, answer
from replicaset.member import Member
from replicaset.wire_protocol import Document, ProtocolError, Request, read_request, reply_bytes


class MemberServer:
    """Serves one member; the same port from its first start to the end of the set."""

    def __init__(self, member: Member) -> None:
        self.member = member
        # Bound, never listening: it keeps the port while the member is down, when nobody else must be given it (a
        # client's own socket could, and would then be connected to itself).
        self._reservation = _socket(0)
        self._port: int = self._reservation.getsockname()[1]
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._connection_ids = itertools.count(1)
        self._reply_ids = itertools.count(1)
        member.address = f"127.0.0.1:{self._port}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, sock=_socket(self._port))

    def kill(self) -> None:
        """Refuse connections from now on, and reset those there are, as the death of a process does."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task, writer in self._connections.items():
            writer.transport.abort()
            task.cancel()

    async def close(self) -> None:
        self.kill()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._reservation.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        connection_id = next(self._connection_ids)
        try:
            while request := await read_request(reader):
                await self._answer(request, writer, connection_id)
        except (ProtocolError, ConnectionError, asyncio.CancelledError):
            pass  # in each case nothing more can be said to this client
        finally:
            self._connections.pop(task, None)
            writer.close()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter, connection_id: int) -> None:
        member = self.member
        response_to = request.id
        while True:
            await asyncio.sleep(member.latency_ms / 1000)
            document = await self._document(request, connection_id)
            # A client that allows it gets hello after hello without asking again, each in answer to the one before.
            streaming = request.exhaust_allowed and _awaits(request.command) and document["ok"] == 1
            await member.reachable.wait()
            if not request.wants_reply:
                return
            reply_id = next(self._reply_ids)
            writer.write(reply_bytes(request, reply_id, response_to, document, streaming))
            await writer.drain()
            if not streaming:
                return
            response_to = reply_id
            request.command["topologyVersion"] = document["topologyVersion"]

    async def _document(self, request: Request, connection_id: int) -> Document:
        member = self.member
        if next(iter(request.command)) not in HELLO:
            return answer(member, request)
        try:
            await _wait_for_news(member, request.command)
        except CommandError as error:
            return {"ok": 0.0, "errmsg": str(error), "code": error.code, "codeName": error.name}
        return {**answer(member, request), "connectionId": connection_id}


def _socket(port: int) -> socket.socket:
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    s.bind(("127.0.0.1", port))
    return s


def _awaits(command: Document) -> bool:
    return "topologyVersion" in command and "maxAwaitTimeMS" in command


async def _wait_for_news(member: Member, command: Document) -> None:
    """Hold an awaitable hello back until there is something that the client does not know."""
    if "topologyVersion" not in command and "maxAwaitTimeMS" not in command:
        return
    if not _awaits(command):
        raise CommandError(51368, "Location51368", "topologyVersion and maxAwaitTimeMS go together")
    known, current = command["topologyVersion"], member.topology_version()
    if known["processId"] != current["processId"]:
        return
    if known["counter"] > current["counter"]:
        raise CommandError(51761, "Location51761", "a topologyVersion that this process has not reached yet")
    if known["counter"] == current["counter"]:
        await member.wait_for_change(command["maxAwaitTimeMS"] / 1000)
