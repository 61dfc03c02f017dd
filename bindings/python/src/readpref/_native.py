"""The only door to the engine. It is opened by the first call, not by the import.

What stands behind it can be exchanged: whatever has the functions of `Engine` will do. That is the extension
`readpref._engine`, where it is; else the portable library over ctypes, `readpref._ctypes_engine`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Protocol

from readpref._loading import loading

_NAME = {"darwin": "libreadpref_portable.dylib", "win32": "readpref_portable.dll"}.get(
    sys.platform, "libreadpref_portable.so"
)
_LIBRARY_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib", _NAME)


class Engine(Protocol):
    """The functions of readpref.h that this package needs; capi/readpref.h tells what they do.

    `call` does everything that has a document. The others are those of the hot path; they keep the interpreter's lock,
    since each is over sooner than it could be given away.
    """

    def call(self, method: bytes, data: bytes, /) -> tuple[bool, bytes]:
        """Run a method on a document; give whether it succeeded, and the answer or the error document."""

    def select(self, topology: int, preference: int, flags: int, /) -> int:
        """Do rp_select: give an id, or a negative status."""

    def select_ex(self, topology: int, preference: int, flags: int, data: bytes, /) -> int:
        """Do rp_select_ex: give an id, or a negative status."""

    def select_batch(self, topology: int, preference: int, flags: int, count: int, /) -> tuple[int, Sequence[int]]:
        """Do rp_select_batch: give a negative status and nothing, or the count and that many ids."""

    def release(self, topology: int, server: int, /) -> int:
        """Do rp_release: give 0 or a negative status."""

    def generation(self, topology: int, /) -> int:
        """Do rp_generation: give a number, 0 for a bad handle."""

    def close(self, handle: int, /) -> int:
        """Do rp_close: give 0 or a negative status."""


_engine: Engine | None = None


def engine() -> Engine:
    """Give the engine, loading it if need be; LibraryError where that cannot be."""
    global _engine  # noqa: PLW0603
    if _engine is None:
        with loading:
            if _engine is None:
                _engine = _load()
    return _engine


def _load() -> Engine:
    try:
        from readpref import _engine as extension  # noqa: PLC0415
    except ImportError:
        # Imported when it is needed: ctypes takes longer than all the rest of this package.
        from readpref._ctypes_engine import load  # noqa: PLC0415

        return load(_LIBRARY_PATH)
    return extension


def call(method: bytes, data: bytes) -> tuple[bool, bytes]:
    """Run a method on a document; give whether it succeeded, and the answer or the error document."""
    return engine().call(method, data)
