"""A topology's events and effects as an iterator, for a thread or for a task."""

from __future__ import annotations

from collections import deque
from threading import RLock
from typing import TYPE_CHECKING, Any, Callable

from readpref._events import Event, EventsDroppedEvent, Notice
from readpref._fork import told_of_forks
from readpref._sleeper import ThreadSleeper, task_sleeper
from readpref._waiters import Waiters

if TYPE_CHECKING:
    from readpref._delivery import Delivery

_MOST = 10_000  # that wait, as in the engine


def _number_of_first(queue: deque[tuple[int, Notice]]) -> int:
    return queue[0][0]


class EventStream:
    """What `Topology.events` gives: an iterator and an asynchronous iterator over a topology's events and effects.

    It begins with what happened since the topology was opened, where nobody has taken that before, and ends when the
    topology is closed. A stream that nobody reads keeps 10,000 of them; then its oldest events go, and an
    `EventsDroppedEvent` tells how many. Effects stay.
    """

    def __init__(self, delivery: Delivery, closed: Callable[[EventStream], object]) -> None:
        self._delivery = delivery
        self._closed = closed  # is told when it is
        # Two queues, so that the oldest event is found at once; the numbers tell which of the two is next.
        self._events: deque[tuple[int, Notice]] = deque()
        self._effects: deque[tuple[int, Notice]] = deque()
        self._put_in = 0
        self._lock = RLock()
        self._waiters = Waiters()
        self._dropped = 0
        self._ended = False
        told_of_forks(self)
        delivery.listen(self._put)

    def _put(self, notice: Notice) -> None:
        with self._lock:
            if self._events and len(self._events) + len(self._effects) >= _MOST:
                self._events.popleft()
                self._dropped += 1
            self._put_in += 1
            queue = self._events if isinstance(notice, Event) else self._effects
            queue.append((self._put_in, notice))
        self._waiters.notify()

    def _end(self) -> None:
        self._ended = True
        self._waiters.notify()

    def close(self) -> None:
        """End the stream; whoever waits for its next element is told that there is none."""
        self._delivery.unlisten(self._put)
        self._end()
        self._closed(self)

    def pending(self) -> list[Notice]:
        """Take what there is, without waiting."""
        found: list[Notice] = []
        while True:
            notice = self._next()
            if notice is None:
                return found
            found.append(notice)

    def _next(self) -> Notice | None:
        with self._lock:
            if self._dropped:
                count, self._dropped = self._dropped, 0
                return EventsDroppedEvent(0, count)
            queues = [queue for queue in (self._events, self._effects) if queue]
            return min(queues, key=_number_of_first).popleft()[1] if queues else None

    def _after_fork_in_child(self) -> None:
        # Whoever held it is the parent's.
        self._lock = RLock()

    def __iter__(self) -> EventStream:
        return self

    def __next__(self) -> Notice:
        sleeper = ThreadSleeper()
        with self._waiters.entered(sleeper.wake):
            while True:
                notice = self._next()
                if notice is not None:
                    return notice
                if self._ended:
                    raise StopIteration
                sleeper.sleep(None)

    def __aiter__(self) -> EventStream:
        return self

    async def __anext__(self) -> Notice:
        sleeper = task_sleeper()
        with self._waiters.entered(sleeper.wake):
            while True:
                notice = self._next()
                if notice is not None:
                    return notice
                if self._ended:
                    raise StopAsyncIteration
                await sleeper.sleep(None)

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
