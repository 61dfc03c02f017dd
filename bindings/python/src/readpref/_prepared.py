"""Read preferences as the engine keeps them open: each once for a process, for as long as someone has it."""

from __future__ import annotations

import os
import threading
from typing import Callable
from weakref import WeakValueDictionary

from readpref import _native
from readpref._call import answer
from readpref._errors import new_error
from readpref._preference import ReadPreference


class Prepared:
    """An open handle of a read preference; it is closed when nobody has it any more."""

    __slots__ = ("__weakref__", "_close", "handle")

    def __init__(self, handle: int, close: Callable[[int], int]) -> None:
        self.handle = handle
        self._close = close

    def __del__(self) -> None:
        self._close(self.handle)


_prepared: WeakValueDictionary[bytes, Prepared] = WeakValueDictionary()
_lock = threading.RLock()

# Held over a fork, so that in the child nobody is in the middle of it. The child's handles are copies of its parent's.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_lock.acquire, after_in_child=_lock.release, after_in_parent=_lock.release)


def prepare(preference: ReadPreference) -> Prepared:
    """Give what is open for a read preference; it stays open while that or the preference is there."""
    try:
        data = preference._json
    except AttributeError:
        raise new_error("wrongType", "the read preference was made without its __init__", "readPreference") from None
    prepared = _prepared.get(data)
    if prepared is None:
        handle: int = answer("readpref.open", b'{"readPreference":%b}' % data)["readPreference"]
        opened = Prepared(handle, _native.engine().close)
        with _lock:
            # Another thread may have been faster; then this one is closed when it goes.
            prepared = _prepared.setdefault(data, opened)
    object.__setattr__(preference, "_prepared", prepared)
    object.__setattr__(preference, "_handle", prepared.handle)  # for the extension
    return prepared
