"""The log messages of a selection. Server Selection specification, "Logging".

They go to the logger ``readpref.serverSelection``; their fields are attributes of the log record (``extra``).
"""

from __future__ import annotations

import logging
from typing import Any, Callable

from readpref._description import TopologyDescription
from readpref._preference import ReadPreference
from readpref._selected import SelectedServer

LOGGER = logging.getLogger("readpref.serverSelection")
DEBUG, INFO = logging.DEBUG, logging.INFO
enabled = LOGGER.isEnabledFor

# Where the extension looks first: a lookup, in place of a method. Another class of loggers may decide in another way.
levels: dict[int, bool] | None = (
    getattr(LOGGER, "_cache", None) if type(LOGGER).isEnabledFor is logging.Logger.isEnabledFor else None
)


class SelectionLog:
    """The messages of one selection."""

    __slots__ = ("_describe", "_fields", "_waited")

    def __init__(
        self,
        preference: ReadPreference,
        operation: str,
        operation_id: int | None,
        describe: Callable[[], TopologyDescription],
    ) -> None:
        self._fields: dict[str, Any] = {"selector": repr(preference), "operation": operation}
        if operation_id is not None:
            self._fields["operationId"] = operation_id
        self._describe = describe
        self._waited = False

    def _write(self, level: int, message: str, **fields: Any) -> None:
        if enabled(level):
            described = {"topologyDescription": self._describe()}
            LOGGER.log(level, message, extra={**self._fields, **described, **fields})

    def started(self) -> None:
        """It begins."""
        self._write(DEBUG, "Server selection started")

    def succeeded(self, server: SelectedServer) -> None:
        """It found a server."""
        if enabled(DEBUG):
            self._write(DEBUG, "Server selection succeeded", serverHost=server.host, serverPort=server.port)

    def failed(self, failure: str) -> None:
        """It failed; the topology is in another field and not in the failure."""
        self._write(DEBUG, "Server selection failed", failure=failure)

    def waiting(self, remaining: float | None) -> None:
        """It waits; said once, however often it is woken."""
        if not self._waited:
            self._waited = True
            left = None if remaining is None else int(remaining * 1000)
            self._write(INFO, "Waiting for suitable server to become available", remainingTimeMS=left)
