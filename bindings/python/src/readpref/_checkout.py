"""An operation on a server that is counted while it runs."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from readpref._errors import HandleError, new_error
from readpref._selected import SelectedServer

if TYPE_CHECKING:
    from readpref._topology import Topology


class Checkout:
    """What `Topology.checkout` gives: a context manager, also for ``async with``.

    On entry a server is selected and its operation count goes up by one; on exit, in whatever way, it goes down again.
    One object serves one block at a time.
    """

    __slots__ = ("_arguments", "_server", "_topology")

    def __init__(self, topology: Topology, arguments: dict[str, Any]) -> None:
        self._topology = topology
        self._arguments = arguments
        self._server: SelectedServer | None = None

    def __enter__(self) -> SelectedServer:
        self._refuse_second()
        self._server = self._topology.select(**self._arguments, checkout=True)
        return self._server

    def __exit__(self, *_: Any) -> None:
        server, self._server = self._server, None
        if server is not None:
            # A topology that was closed in the meantime took its counts with it.
            with suppress(HandleError):
                self._topology.release(server)

    async def __aenter__(self) -> SelectedServer:
        self._refuse_second()
        self._server = await self._topology.select_async(**self._arguments, checkout=True)
        return self._server

    async def __aexit__(self, *_: Any) -> None:
        self.__exit__()

    def _refuse_second(self) -> None:
        if self._server is not None:
            raise new_error("argument", "this checkout is in use: call checkout once for each block")
