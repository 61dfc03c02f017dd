"""The loop of a selection that may wait.

Server Selection specification, "Multi-threaded or asynchronous server selection".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from readpref._codes import STATUS_BY_CODE
from readpref._deadline import Deadline
from readpref._errors import NoServerError, ReadPrefError, ServerSelectionTimeoutError, no_server
from readpref._prepared import Prepared
from readpref._selected import SelectedServer
from readpref._sleeper import ThreadSleeper, task_sleeper

if TYPE_CHECKING:
    from readpref._selection_log import SelectionLog
    from readpref._topology import Topology

CHECKOUT = 4  # of the flags
_NO_SERVER = STATUS_BY_CODE["noServer"]


class Attempt:
    """One selection, in as many turns as it takes.

    Args:
        topology: the topology.
        preference: the open read preference.
        flags: of rp_select.
        request: the keys of topology.explain beside the handles.
        data: the document of rp_select_ex, None for rp_select.
        seconds: how long it may take; 0: one turn.
        log: where it tells of itself.
    """

    __slots__ = ("_data", "_deadline", "_flags", "_log", "_preference", "_request", "_seconds", "_topology")

    def __init__(
        self,
        topology: Topology,
        preference: Prepared,
        flags: int,
        request: dict[str, Any],
        data: bytes | None,
        seconds: float,
        log: SelectionLog,
    ) -> None:
        self._topology = topology
        self._preference = preference
        self._flags = flags
        self._request = request
        self._data = data
        self._seconds = seconds
        self._deadline = Deadline(seconds)
        self._log = log

    def run(self) -> SelectedServer:
        """Select; the thread sleeps between the turns."""
        self._log.started()
        sleeper = ThreadSleeper()
        with self._topology._waiters.entered(sleeper.wake):
            while True:
                server = self._turn()
                if server is not None:
                    return server
                sleeper.sleep(self._deadline.remaining())

    async def run_async(self) -> SelectedServer:
        """Select; the task sleeps between the turns, and may be cancelled there and only there."""
        self._log.started()
        sleeper = task_sleeper()
        with self._topology._waiters.entered(sleeper.wake):
            while True:
                server = self._turn()
                if server is not None:
                    return server
                await sleeper.sleep(self._deadline.remaining())

    def _turn(self) -> SelectedServer | None:
        """Try once; give the server, or None where it is to be waited, or raise."""
        try:
            # Between a failed try and its explanation the topology may have changed, so that it has a server.
            while True:
                over = self._deadline.remaining() == 0
                id_or_status = self._topology._try_select(self._preference.handle, self._flags, self._data)
                if id_or_status >= 0:
                    server = self._topology.server(id_or_status)
                    try:
                        self._log.succeeded(server)
                    except BaseException:
                        # A filter of the application's: nobody gets the server, to release it.
                        if self._flags & CHECKOUT:
                            self._topology.release(server)
                        raise
                    return server
                if id_or_status == _NO_SERVER and not over:
                    break
                # Whatever else it is, this raises.
                explanation = self._topology._explain(self._preference, self._request)
                if explanation.reason is not None:
                    raise self._failure(explanation.reason.message, explanation)
        except ReadPrefError as error:
            self._log.failed(error.message)
            raise
        self._log.waiting(self._deadline.remaining())
        self._topology._request_checks()
        return None

    def _failure(self, reason: str, explanation: Any) -> NoServerError:
        if self._seconds == 0:
            return no_server(NoServerError, reason, explanation)
        return no_server(
            ServerSelectionTimeoutError,
            f"server selection timed out after {_duration(self._seconds)}: {reason}",
            explanation,
        )


def _duration(seconds: float) -> str:
    """Write a time as the Go client does, to the millisecond: 30s, 20ms, 1m30s."""
    milliseconds = round(seconds * 1000)
    if milliseconds < 1000:
        return f"{milliseconds}ms" if milliseconds else "0s"
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    text = f"{rest // 1000}.{rest % 1000:03}".rstrip("0").rstrip(".") + "s"
    return f"{hours}h{minutes}m{text}" if hours else f"{minutes}m{text}" if minutes else text
