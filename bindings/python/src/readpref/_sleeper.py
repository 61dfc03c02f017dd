"""How threads and tasks sleep until they are woken. A wake before the sleep counts, so that none is lost."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from readpref import _native

if TYPE_CHECKING:
    from readpref._task_sleeper import TaskSleeper


class ThreadSleeper:
    """Sleeps in a thread; may be woken in any, and by a signal handler in the middle of its sleep."""

    __slots__ = ("_wakes", "wake")

    def __init__(self) -> None:
        # Of threading's classes all take a lock that a signal handler in the same thread would wait for in vain.
        self._wakes: SimpleQueue[None] = SimpleQueue()
        self.wake = lambda: self._wakes.put(None)

    def sleep(self, seconds: float | None) -> None:
        """Sleep until it is woken, at most so many seconds."""
        try:
            self._wakes.get(timeout=seconds)
            while True:
                self._wakes.get_nowait()
        except Empty:
            pass


def task_sleeper() -> TaskSleeper:
    """Make one for a task of the running loop."""
    with _native.loading:
        # By now asyncio is there, which takes longer to import than all of this package.
        from readpref._task_sleeper import TaskSleeper  # noqa: PLC0415

    return TaskSleeper()
