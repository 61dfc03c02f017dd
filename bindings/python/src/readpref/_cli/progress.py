"""A bar on a terminal's stderr for what takes more than a second."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from readpref._cli.colour import is_terminal
from readpref._plain import plain

_WIDTH = 24
_EVERY = 0.1


def busy(what: str, limit: float | None = None, after: float = 1.0) -> Progress:
    """Show, while the block runs and once it has taken `after` seconds, what it does.

    With a limit in seconds the bar shows how much of it is over, else that something goes on. Where stderr is no
    terminal nothing is printed.
    """
    return Progress(what, limit, after)


class Progress:
    """See `busy`."""

    def __init__(self, what: str, limit: float | None, after: float) -> None:
        self._what = plain(what)
        self._limit = limit
        self._after = after
        self._share: float | None = None
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Progress:
        if sys.stderr is not None and is_terminal(sys.stderr):
            self._thread = threading.Thread(target=self._paint, name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def show(self, share: float) -> None:
        """Say how much of it is over, from 0 to 1, where that is known."""
        self._share = share

    def _paint(self) -> None:
        if self._done.wait(self._after):
            return
        start = time.monotonic() - self._after
        try:
            while True:
                sys.stderr.write("\r" + self._line(time.monotonic() - start) + "\x1b[K")
                sys.stderr.flush()
                if self._done.wait(_EVERY):
                    break
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # the terminal is gone; the answer may still be wanted

    def _line(self, seconds: float) -> str:
        if self._share is not None:
            filled = int(_WIDTH * self._share)
            return f"{self._what} [{'#' * filled}{'.' * (_WIDTH - filled)}] {100 * self._share:.0f} %"
        if self._limit:
            filled = min(_WIDTH, int(seconds / self._limit * _WIDTH))
            return f"{self._what} [{'#' * filled}{'.' * (_WIDTH - filled)}] {seconds:.0f} of {self._limit:g} s"
        place = int(seconds / _EVERY) % (_WIDTH - 2)
        return f"{self._what} [{'.' * place}###{'.' * (_WIDTH - 3 - place)}] {seconds:.0f} s"
