"""What only the engine that ctypes reaches has: buffers in Python."""

from __future__ import annotations

from typing import Any

import pytest

import readpref
from readpref import LibraryError, TopologyDescription, _ctypes_engine, _native
from readpref._ctypes_engine import _BUFFER_KEEP, CtypesEngine


def loaded() -> CtypesEngine:
    engine = _native.engine()
    assert isinstance(engine, CtypesEngine)
    return engine


def test_a_large_buffer_is_not_kept() -> None:
    servers = [{"address": f"member-{i}.example", "type": "RSSecondary"} for i in range(20_000)]
    readpref.select(TopologyDescription({"type": "ReplicaSetNoPrimary", "servers": servers}), {"mode": "secondary"})
    readpref.select({"servers": []})
    assert len(loaded()._local.buffer) <= _BUFFER_KEEP


def test_a_buffer_in_use_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal handler or a finalizer may call readpref in the middle of a call."""
    run = loaded().rp_call
    inner: list[str] = []

    def interrupted(*arguments: Any) -> int:
        n: int = run(*arguments)
        if not inner:
            inner.append("started")
            inner.append(readpref.call_raw("build_info", b"").decode())
        return n

    expected = readpref.call_raw("methods", b"")
    monkeypatch.setattr(loaded(), "rp_call", interrupted)
    assert readpref.call_raw("methods", b"") == expected
    assert "readpref" in inner[1]


@pytest.mark.parametrize(("constant", "value"), [("_ABI_MAJOR", 2), ("_ABI_MINOR_AT_LEAST", 1 << 15)])
def test_a_library_of_another_version(monkeypatch: pytest.MonkeyPatch, constant: str, value: int) -> None:
    monkeypatch.setattr(_ctypes_engine, constant, value)
    with pytest.raises(LibraryError, match=r"ABI version 1\."):
        _ctypes_engine.load(_native._LIBRARY_PATH)
