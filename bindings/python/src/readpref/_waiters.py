"""Threads and tasks that wait for something to change."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Callable

from readpref._fork import told_of_forks


class Waiters:
    """Those who are to be woken.

    Whoever waits is entered first, with a function that wakes it, and looks for what it needs then: a change before the
    look is seen by it, one after the look wakes it, so that none is slept through. Changing takes no waiter's lock.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._wake: dict[object, Callable[[], object]] = {}
        told_of_forks(self)

    @contextmanager
    def entered(self, wake: Callable[[], object]) -> Iterator[None]:
        """Enter for the time of a block; wake is called by whoever changes something, in its thread."""
        key = object()
        with self._lock:
            self._wake[key] = wake
        try:
            yield
        finally:
            with self._lock:
                self._wake.pop(key, None)

    def notify(self) -> None:
        """Wake all."""
        if self._wake:  # one who is entered after this looks after this
            with self._lock:
                wake = list(self._wake.values())
            for one in wake:
                one()

    def _after_fork_in_child(self) -> None:
        # Those who waited are the parent's, and so is the lock's owner.
        self._lock = threading.RLock()
        self._wake = {}
