"""A topology's events and effects as an iterator, for a thread or for a task."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from readpref._events import Event, EventsDroppedEvent, Notice
from readpref._sleeper import ThreadSleeper, task_sleeper
from readpref._waiters import Waiters

if TYPE_CHECKING:
    from readpref._delivery import Delivery

_MOST = 10_000  # that wait, as in the engine


class EventStream:
    """What `Topology.events` gives: an iterator and an asynchronous iterator over a topology's events and effects.

    It begins with what happened since the topology was opened, where nobody has taken that before, and ends when the
    topology is closed. A stream that nobody reads keeps 10,000 of them; then its oldest events go, and an
    `EventsDroppedEvent` tells how many. Effects stay.
    """

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._waiting: deque[Notice] = deque()
        self._waiters = Waiters()
        self._dropped = 0
        self._ended = False
        delivery.listen(self._put)

    def _put(self, notice: Notice) -> None:
        if len(self._waiting) >= _MOST:
            oldest = next((one for one in list(self._waiting) if isinstance(one, Event)), None)
            if oldest is not None:
                self._waiting.remove(oldest)
                self._dropped += 1
        self._waiting.append(notice)
        self._waiters.notify()

    def _end(self) -> None:
        self._ended = True
        self._waiters.notify()

    def close(self) -> None:
        """End the stream; whoever waits for its next element is told that there is none."""
        self._delivery.unlisten(self._put)
        self._end()

    def pending(self) -> list[Notice]:
        """Take what there is, without waiting."""
        found: list[Notice] = []
        while True:
            notice = self._next()
            if notice is None:
                return found
            found.append(notice)

    def _next(self) -> Notice | None:
        if self._dropped:
            count, self._dropped = self._dropped, 0
            return EventsDroppedEvent(0, count)
        try:
            return self._waiting.popleft()
        except IndexError:
            return None

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
