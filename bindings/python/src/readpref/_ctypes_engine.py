"""The engine as a shared library, reached by ctypes.

A call with a document lets other threads run meanwhile. The calls of the hot path do not: giving the interpreter's lock
away and waiting for it costs up to its switch interval, 5 ms, for a call of 0.1 µs. None of them calls back.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Sequence
from typing import Any, Callable

from readpref._errors import LibraryError

# The ABI this binding was written for; a newer minor only adds.
_ABI_MAJOR = 1
_ABI_MINOR_AT_LEAST = 0

# Answers start with a buffer of this size; one that had to grow over the other is given back to the system.
# What changes something needs room for 4096 bytes, and so is never asked twice.
_BUFFER_START = 16 * 1024
_BUFFER_KEEP = 1024 * 1024


class CtypesEngine:
    """The library's functions, bound."""

    def __init__(self, library: ctypes.CDLL) -> None:
        byte_string, size, pointer = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p
        u32, i32 = ctypes.c_uint32, ctypes.c_int32
        self.rp_call = _bind(library, "rp_call", i32, byte_string, size, byte_string, size, pointer, size)
        holding = ctypes.PyDLL(library._name, handle=library._handle)
        self.select: Callable[[int, int, int], int] = _bind(holding, "rp_select", i32, u32, u32, u32)
        self.release: Callable[[int, int], int] = _bind(holding, "rp_release", i32, u32, u32)
        self.generation: Callable[[int], int] = _bind(holding, "rp_generation", u32, u32)
        self.close: Callable[[int], int] = _bind(holding, "rp_close", i32, u32)
        self._select_ex = _bind(holding, "rp_select_ex", i32, u32, u32, u32, byte_string, size)
        self._select_batch = _bind(library, "rp_select_batch", i32, u32, u32, u32, pointer, u32)
        self._local = threading.local()

    def call(self, method: bytes, data: bytes, /) -> tuple[bool, bytes]:
        """Run a method on a document; give whether it succeeded, and the answer or the error document."""
        # Taken out while in use: a signal handler or a finalizer may call readpref in the middle of this.
        out = self._local.__dict__.pop("buffer", None) or ctypes.create_string_buffer(_BUFFER_START)
        while True:
            n = self.rp_call(method, len(method), data, len(data), out, len(out))
            if abs(n) <= len(out):
                break
            out = ctypes.create_string_buffer(abs(n))
        answer = ctypes.string_at(out, abs(n))
        if len(out) <= _BUFFER_KEEP:
            self._local.buffer = out
        return n >= 0, answer

    def select_ex(self, topology: int, preference: int, flags: int, data: bytes, /) -> int:
        """Do rp_select_ex."""
        id_or_status: int = self._select_ex(topology, preference, flags, data, len(data))
        return id_or_status

    def select_batch(self, topology: int, preference: int, flags: int, count: int, /) -> tuple[int, Sequence[int]]:
        """Do rp_select_batch."""
        ids = (ctypes.c_int32 * count)()
        status: int = self._select_batch(topology, preference, flags, ids, count)
        return status, ids[:] if status >= 0 else ()


def _bind(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(library, name)
    function.argtypes, function.restype = arguments, result
    return function


def load(path: str) -> CtypesEngine:
    """Load the library, and refuse what is not it or has another version; that is a LibraryError."""
    try:
        library = ctypes.CDLL(os.fspath(path))
    except OSError as error:
        if os.path.isfile(path):
            message = f"readpref's library cannot be loaded: {error}"
        else:
            message = (
                f"readpref's library is not at {path}; reinstall the package: pip install --force-reinstall readpref"
            )
        raise LibraryError("internal", message) from error
    try:
        major, minor = divmod(_bind(library, "rp_abi_version", ctypes.c_uint32)(), 1 << 16)
        if major == _ABI_MAJOR and minor >= _ABI_MINOR_AT_LEAST:
            return CtypesEngine(library)
    except AttributeError as error:
        raise LibraryError("internal", f"{path} is not readpref's library: {error}") from error
    raise LibraryError(
        "internal",
        f"{path} has ABI version {major}.{minor}; "
        f"this package needs {_ABI_MAJOR}.{_ABI_MINOR_AT_LEAST} or a newer {_ABI_MAJOR}.x",
    )
