"""A library that is missing, damaged, foreign or of another version."""

from __future__ import annotations

import _ctypes
import subprocess
import sys
from pathlib import Path

import pytest

import readpref
from readpref import LibraryError, ReadPrefError, _native


@pytest.fixture
def not_loaded(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Take away what is loaded, and the extension, which is there before the ctypes engine."""
    monkeypatch.setattr(_native, "_engine", None)
    monkeypatch.delattr(readpref, "_engine", raising=False)
    monkeypatch.setitem(sys.modules, "readpref._engine", None)
    return monkeypatch


def failure() -> ReadPrefError:
    with pytest.raises(LibraryError) as caught:
        readpref.select({"servers": []})
    error = caught.value
    assert isinstance(error, RuntimeError)
    assert (error.code, error.status, error.path) == ("internal", -6, "")
    assert _native._engine is None
    return error


def test_missing(not_loaded: pytest.MonkeyPatch, tmp_path: Path) -> None:
    not_loaded.setattr(_native, "_LIBRARY_PATH", tmp_path / "libreadpref_portable.so")
    assert "libreadpref_portable.so" in str(failure())
    assert "reinstall" in str(failure())


def test_damaged(not_loaded: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "libreadpref_portable.so"
    damaged.write_bytes(b"no library")
    not_loaded.setattr(_native, "_LIBRARY_PATH", damaged)
    assert "cannot be loaded" in str(failure())


def test_foreign(not_loaded: pytest.MonkeyPatch) -> None:
    not_loaded.setattr(_native, "_LIBRARY_PATH", Path(_ctypes.__file__))
    assert "is not readpref's library" in str(failure())


def test_it_works_again_afterwards() -> None:
    assert readpref.build_info()["name"] == "readpref"


def test_it_starts_no_thread_and_takes_no_signal() -> None:
    """What a library with the Go runtime inside would do to its host; seen where /proc tells."""
    program = """
import os, readpref
def seen():
    status = dict(line.split(":\\t", 1) for line in open("/proc/self/status", encoding="ascii"))
    return len(os.listdir("/proc/self/task")), status["SigCgt"]
before = seen() if os.path.exists("/proc/self/task") else None
readpref.select({"servers": []}, "nearest")
assert before is None or seen() == before, (before, seen())
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
