"""How a task sleeps; apart, since asyncio takes longer to import than all of this package."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class TaskSleeper:
    """Sleeps in a task of the running loop; may be woken from any thread and from any loop."""

    __slots__ = ("_event", "_loop")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    def wake(self) -> None:
        """Wake it."""
        # A loop that is closed took its task with it.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._event.set)

    async def sleep(self, seconds: float | None) -> None:
        """Sleep until it is woken, at most so many seconds; may be cancelled at any time."""
        # Not by asyncio.wait_for, which before Python 3.12 loses a cancellation that comes with the wake.
        timer = None if seconds is None else self._loop.call_later(seconds, self._event.set)
        try:
            await self._event.wait()
        finally:
            if timer is not None:
                timer.cancel()
        self._event.clear()
