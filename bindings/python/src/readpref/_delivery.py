"""How a topology's events and effects reach those who listen: each once, in order, to one listener at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any, Callable

from readpref._events import EventsDroppedEvent, Notice, notice_from_document
from readpref._fork import told_of_forks

Listener = Callable[[Notice], object]


class Delivery:
    """Takes what waits in the engine to the listeners, in the thread of whoever changed something.

    No lock is held while a listener runs, so it may use the topology; what that changes is delivered afterwards, by the
    thread that is delivering already.

    Args:
        call: runs a method of the engine on the topology, with more keys; None: the engine has nothing to tell.
    """

    def __init__(self, call: Callable[..., dict[str, Any]] | None) -> None:
        self._call = call
        self._listeners: tuple[Listener, ...] = ()
        self._own: list[Notice] = []
        self._lock = threading.RLock()
        self._delivering = False
        self._again = False
        self._finish: Callable[[], object] | None = None
        told_of_forks(self)

    @property
    def wanted(self) -> bool:
        """Whether anyone listens."""
        return bool(self._listeners)

    def listen(self, listener: Listener) -> None:
        """Add a listener; the first gets what has waited for it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
        self.deliver()

    def unlisten(self, listener: Listener) -> None:
        """Take a listener away; what it has not got by now it does not get."""
        with self._lock:
            left = list(self._listeners)
            if listener in left:
                left.remove(listener)
            self._listeners = tuple(left)

    def finish(self, action: Callable[[], object]) -> None:
        """Deliver what there is, and then do this, by whoever delivers last."""
        with self._lock:
            self._finish = action
        self.deliver()

    def deliver(self, own: Sequence[Notice] = ()) -> None:
        """Deliver what there is in the engine, and these of our own."""
        with self._lock:
            if not self._listeners and self._finish is None:
                return
            self._own += own
            self._again = True
            if self._delivering:
                return
            self._delivering = True
        try:
            while self._take_turn():
                if self._listeners:
                    for notice in (*self._drained(), *self._taken()):
                        self._tell(notice)
        except BaseException:
            with self._lock:
                self._delivering = False
            raise

    def _take_turn(self) -> bool:
        with self._lock:
            if self._again:
                self._again = False
                return True
            # In one step with the look, so that whoever comes now delivers.
            self._delivering = False
            finish, self._finish = self._finish, None
        if finish is not None:
            finish()
        return False

    def _taken(self) -> list[Notice]:
        with self._lock:
            own, self._own = self._own, []
            return own

    def _drained(self) -> Iterable[Notice]:
        more = self._call is not None
        while more and self._call is not None:
            found = self._call("topology.events")
            more = found["more"]
            if found["dropped"]:
                yield EventsDroppedEvent(0, found["dropped"])
            if found["last"]:
                self._call("topology.events_ack", upto=found["last"])
            for document in found["events"]:
                notice = notice_from_document(document)
                if notice is not None:
                    yield notice

    def _tell(self, notice: Notice) -> None:
        for listener in self._listeners:
            try:
                listener(notice)
            except Exception:
                import logging  # noqa: PLC0415 - the topology has imported it

                logging.getLogger("readpref").exception("a listener failed for %r", notice)

    def _after_fork_in_child(self) -> None:
        # Whoever was delivering is the parent's.
        self._lock = threading.RLock()
        self._delivering = False
