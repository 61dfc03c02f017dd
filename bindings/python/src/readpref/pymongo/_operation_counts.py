"""How many operations a client has in progress on each server."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

from readpref._fork import told_of_forks
from readpref.pymongo._addresses import address_of


class OperationCounts(CommandListener, Mapping[str, int]):
    """Count the commands in progress by address, as one of a client's ``event_listeners``.

    A mapping of addresses to counts, for `topology_description`, `explain` and `ServerSelector`. Thread-safe; a child
    of a fork begins at 0. Give each client its own.

    >>> from pymongo import MongoClient
    >>> counts = OperationCounts()
    >>> MongoClient("mongodb://a.example", connect=False, event_listeners=[counts]).close()
    >>> counts.get("a.example:27017", 0)
    0
    """

    def __init__(self) -> None:
        self._after_fork_in_child()
        told_of_forks(self)

    def _after_fork_in_child(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, int] = {}

    def started(self, event: CommandStartedEvent) -> None:
        """Count one more (PyMongo calls it)."""
        self._add(event, 1)

    def succeeded(self, event: CommandSucceededEvent) -> None:
        """Count one less (PyMongo calls it)."""
        self._add(event, -1)

    def failed(self, event: CommandFailedEvent) -> None:
        """Count one less (PyMongo calls it)."""
        self._add(event, -1)

    def _add(self, event: CommandStartedEvent | CommandSucceededEvent | CommandFailedEvent, number: int) -> None:
        address = address_of(event.connection_id)
        with self._lock:
            # Never below 0: a command may have been started by the parent of this process.
            count = max(self._counts.get(address, 0) + number, 0)
            if count:
                self._counts[address] = count
            else:
                self._counts.pop(address, None)

    def __getitem__(self, address: str) -> int:
        return self._counts[address]

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(list(self._counts))

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __len__(self) -> int:
        return len(self._counts)
