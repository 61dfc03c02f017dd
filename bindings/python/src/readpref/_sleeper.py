"""How threads and tasks sleep until they are woken. A wake before the sleep counts, so that none is lost."""

from __future__ import annotations

from _thread import allocate_lock
from contextlib import suppress
from typing import TYPE_CHECKING

from readpref._loading import loading

if TYPE_CHECKING:
    from readpref._task_sleeper import TaskSleeper


class ThreadSleeper:
    """Sleeps in a thread; may be woken in any, and by a signal handler in the middle of its sleep."""

    __slots__ = ("_asleep",)

    def __init__(self) -> None:
        # Held but for the moment between a wake and the end of the sleep. Of threading's classes all take a lock that a
        # signal handler in the same thread would wait for in vain; SimpleQueue.get sleeps for ever where its time is
        # over before it begins to wait (CPython 3.11).
        self._asleep = allocate_lock()
        self._asleep.acquire()

    def wake(self) -> None:
        """End the sleep, or the next one."""
        # It raises where it is woken already.
        with suppress(RuntimeError):
            self._asleep.release()

    def sleep(self, seconds: float | None) -> None:
        """Sleep until it is woken, at most so many seconds."""
        self._asleep.acquire(timeout=-1 if seconds is None else seconds)


def task_sleeper() -> TaskSleeper:
    """Make one for a task of the running loop."""
    with loading:
        # By now asyncio is there, which takes longer to import than all of this package.
        from readpref._task_sleeper import TaskSleeper  # noqa: PLC0415

    return TaskSleeper()
