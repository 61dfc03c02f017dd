"""A small MongoDB driver on readpref: a thread for each server that it monitors, and operations from any thread.

readpref knows what replies and errors mean, where an operation goes and what it carries; the driver opens connections,
keeps time, and does what the effects say. failover.py drives it through failures.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from readpref import (
    PoolClear,
    ReadPreference,
    RequestCheck,
    StartMonitor,
    StopMonitor,
    Topology,
)

from connection import Connection

HEARTBEAT_SECONDS = 60.0
MIN_HEARTBEAT_SECONDS = 0.5
SELECTION_MS = 3000

# Of servers that are not, or no longer, what they were. Retryable Reads specification, "Terms".
RETRYABLE_CODES = {10107, 11600, 11602, 13435, 13436, 189, 91}

Document = dict[str, Any]


class OperationError(Exception):
    """The server could not serve the operation; `reply` is None where there was none."""

    def __init__(self, address: str, reply: Document | None, message: str) -> None:
        super().__init__(f"{address}: {message}")
        self.address, self.reply = address, reply
        self.retryable = reply is None or reply.get("code") in RETRYABLE_CODES


class Driver:
    """Discovers the deployment of a connection string, and runs operations on it."""

    def __init__(self, uri: str) -> None:
        self.topology = Topology(uri, server_selection_timeout_ms=SELECTION_MS)
        self._lock = threading.Lock()
        self._monitors: dict[str, Monitor] = {}
        self._pools: dict[str, list[Connection]] = {}  # idle ones
        self.topology.listen(self._do)

    def _do(self, notice: object) -> None:
        """Do what readpref wants done. Events are for whoever else listens; checks end by themselves."""
        with self._lock:
            if isinstance(notice, StartMonitor):
                self._monitors[notice.address] = Monitor(self.topology, notice.address)
            elif isinstance(notice, StopMonitor):
                self._monitors.pop(notice.address).stop()
                self._clear(notice.address)
            elif isinstance(notice, RequestCheck) and notice.address in self._monitors:
                self._monitors[notice.address].request()
            elif isinstance(notice, PoolClear):
                self._clear(notice.address)

    def _clear(self, address: str) -> None:
        for connection in self._pools.pop(address, []):
            connection.close()

    def run(
        self,
        command: Document,
        read_preference: ReadPreference | None = None,
        on_attempt: Callable[[Mapping[str, Any] | None], object] = lambda _: None,
        on_failure: Callable[[OperationError], object] = lambda _: None,
    ) -> Document:
        """Run a read with a preference, or a write without one, and once more where the server could not serve it.

        (A real driver numbers its writes, so that none is done twice: Retryable Writes specification.)

        Args:
            command: with its $db.
            read_preference: where to read.
            on_attempt: is told the $readPreference that the command carries.
            on_failure: is told why it is run once more.
        """
        deprioritized: list[str] = []
        try:
            return self._attempt(command, read_preference, on_attempt, deprioritized)
        except OperationError as error:
            if not error.retryable:
                raise
            on_failure(error)
            return self._attempt(command, read_preference, on_attempt, deprioritized)

    def _attempt(
        self,
        command: Document,
        read_preference: ReadPreference | None,
        on_attempt: Callable[[Mapping[str, Any] | None], object],
        deprioritized: list[str],
    ) -> Document:
        """One try. What a failure says of the server, readpref knows afterwards."""
        operation = "read" if read_preference else "write"
        preference = read_preference or ReadPreference("primary")
        with self.topology.checkout(preference, operation=operation, deprioritized=deprioritized) as server:
            carried = self.topology.command(server, preference, operation=operation)
            on_attempt(carried.read_preference)
            try:
                reply = self._exchange(server.address, carried.attach(command))
            except OSError as error:
                kind = "networkTimeout" if isinstance(error, TimeoutError) else "network"
                known = self.topology.on_error(server.address, kind, error=str(error))
                failure = OperationError(server.address, None, str(error))
            else:
                if reply["ok"] == 1:
                    return reply
                known = self.topology.on_error(server.address, "command", reply=reply)
                failure = OperationError(server.address, reply, reply["errmsg"])
        if known.deprioritize:
            deprioritized.append(server.address)
        raise failure

    def _exchange(self, address: str, command: Document) -> Document:
        """Run a command over an idle connection, or a new one."""
        with self._lock:
            pool = self._pools.setdefault(address, [])
            connection = pool.pop() if pool else None
        connection = connection or Connection(address)
        try:
            reply = connection.run(command)
        except OSError:
            connection.close()
            raise
        with self._lock:
            if self._pools.get(address) is pool:
                pool.append(connection)
            else:  # cleared in the meantime
                connection.close()
        return reply

    def heartbeat(self) -> None:
        """Have every server checked now, and wait for it: as if a heartbeat had gone by."""
        with self._lock:
            checks = [monitor.begin_check() for monitor in self._monitors.values()]
        for wait in checks:
            wait()

    def close(self) -> None:
        self.topology.close()


class Monitor(threading.Thread):
    """Checks one server: every heartbeat, and when asked to, but not in too quick succession."""

    def __init__(self, topology: Topology, address: str) -> None:
        super().__init__(name=f"monitor of {address}", daemon=True)
        self._topology, self._address = topology, address
        self._stopped = self._requested = False
        self._begun = self._ended = 0  # checks
        self._changed = threading.Condition()  # of these
        self._connection: Connection | None = None
        self.start()

    def request(self) -> None:
        with self._changed:
            self._requested = True
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def begin_check(self) -> Callable[[], None]:
        """Ask for a check that begins after this call; give a function that waits for its end."""
        with self._changed:
            wanted = self._begun + 1

        def wait() -> None:
            with self._changed:
                while self._ended < wanted and not self._stopped:
                    self._requested = self._requested or self._begun < wanted
                    self._changed.notify_all()
                    self._changed.wait(0.1)

        return wait

    def run(self) -> None:
        while not self._stopped:
            self._begun += 1
            self._check()
            with self._changed:
                self._ended = self._begun
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._stopped, MIN_HEARTBEAT_SECONDS)
                self._changed.wait_for(lambda: self._stopped or self._requested, HEARTBEAT_SECONDS)
        if self._connection is not None:
            self._connection.close()

    def _check(self) -> None:
        began = time.monotonic()
        found: Document
        try:
            if self._connection is None:
                self._connection = Connection(self._address)
            hello = self._connection.run({"hello": 1, "$db": "admin"})
            found = {"hello": hello, "round_trip_time_ms": 1000 * (time.monotonic() - began)}
        except OSError as error:
            kind = "networkTimeout" if isinstance(error, TimeoutError) else "network"
            found = {"error": str(error), "error_kind": kind}
            if self._connection is not None:
                self._connection.close()
                self._connection = None
        self._requested = False  # while the check ran: it has been met
        if not self._stopped:
            self._topology.on_hello(self._address, **found)
