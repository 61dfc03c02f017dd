"""How a thread sleeps until it is woken. A wake before the sleep counts, so that none is lost."""

from __future__ import annotations

from queue import Empty, SimpleQueue


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
