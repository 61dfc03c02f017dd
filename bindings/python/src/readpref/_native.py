"""The only module that knows how the engine is reached: libreadpref over ctypes.

The library is loaded by the first call, not by the import. ctypes lets other threads run during a call.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Optional

from readpref._errors import ForkedError, LibraryError

# The ABI this binding was written for; a newer minor only adds.
_ABI_MAJOR = 1
_ABI_MINOR_AT_LEAST = 0

_NAME = {"darwin": "libreadpref.dylib", "win32": "readpref.dll"}.get(sys.platform, "libreadpref.so")
_LIBRARY_PATH = Path(__file__).parent / "_lib" / _NAME

# Answers start with a buffer of this size; one that had to grow over the other is given back to the system.
_BUFFER_START = 16 * 1024
_BUFFER_KEEP = 1024 * 1024

RPCall = Callable[[Optional[bytes], int, Optional[bytes], int, Any, int], int]

_rp_call: RPCall | None = None
_loaded_by: int | None = None  # the process that has, or is getting, the library
_loading = threading.Lock()
_local = threading.local()


def _after_fork_in_child() -> None:
    # The thread that held the lock does not exist in the child.
    global _loading  # noqa: PLW0603
    _loading = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


def rp_call() -> RPCall:
    """Give the library's rp_call, loading it if need be; ForkedError or LibraryError where that cannot be."""
    global _rp_call  # noqa: PLW0603
    # By process id, since a fork made in C runs no hook of Python's.
    if _loaded_by is not None and _loaded_by != os.getpid():
        raise ForkedError(
            "forked",
            "this process was forked after readpref was loaded, and the engine's runtime does not survive a fork; "
            "use readpref only after the fork, or start processes by 'spawn' or 'forkserver'",
        )
    if _rp_call is None:
        with _loading:
            if _rp_call is None:
                _rp_call = _load(_LIBRARY_PATH)
    return _rp_call


def _load(path: Path) -> RPCall:
    global _loaded_by  # noqa: PLW0603
    _loaded_by = os.getpid()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        _loaded_by = None
        if path.is_file():
            message = f"readpref's library cannot be loaded: {error}"
        else:
            message = (
                f"readpref's library is not at {path}; reinstall the package: pip install --force-reinstall readpref"
            )
        raise LibraryError("internal", message) from error
    try:
        version, call = library.rp_abi_version, library.rp_call
    except AttributeError as error:
        raise LibraryError("internal", f"{path} is not readpref's library: {error}") from error
    version.argtypes = ()
    version.restype = ctypes.c_uint32
    major, minor = divmod(version(), 1 << 16)
    if major != _ABI_MAJOR or minor < _ABI_MINOR_AT_LEAST:
        raise LibraryError(
            "internal",
            f"{path} has ABI version {major}.{minor}; "
            f"this package needs {_ABI_MAJOR}.{_ABI_MINOR_AT_LEAST} or a newer {_ABI_MAJOR}.x",
        )
    call.argtypes = (
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_void_p,
        ctypes.c_size_t,
    )
    call.restype = ctypes.c_int32
    return call


def call(method: bytes, data: bytes) -> tuple[bool, bytes]:
    """Run a method on a document; give whether it succeeded, and the answer or the error document."""
    run = rp_call()
    # Taken out while in use: a signal handler or a finalizer may call readpref in the middle of this.
    out = _local.__dict__.pop("buffer", None) or ctypes.create_string_buffer(_BUFFER_START)
    while True:
        n = run(method, len(method), data, len(data), out, len(out))
        if abs(n) <= len(out):
            break
        out = ctypes.create_string_buffer(abs(n))
    answer = ctypes.string_at(out, abs(n))
    if len(out) <= _BUFFER_KEEP:
        _local.buffer = out
    return n >= 0, answer
