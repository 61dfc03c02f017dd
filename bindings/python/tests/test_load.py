"""A library that is missing, damaged, foreign or of another version."""

from __future__ import annotations

import _ctypes
from pathlib import Path

import pytest

import readpref
from readpref import LibraryError, ReadPrefError, _native


@pytest.fixture
def not_loaded(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(_native, "_rp_call", None)
    monkeypatch.setattr(_native, "_loaded_by", None)
    return monkeypatch


def failure() -> ReadPrefError:
    with pytest.raises(LibraryError) as caught:
        readpref.select({"servers": []})
    error = caught.value
    assert isinstance(error, RuntimeError)
    assert (error.code, error.status, error.path) == ("internal", -6, "")
    return error


def test_missing(not_loaded: pytest.MonkeyPatch, tmp_path: Path) -> None:
    not_loaded.setattr(_native, "_LIBRARY_PATH", tmp_path / "libreadpref.so")
    assert "libreadpref.so" in str(failure())
    assert "reinstall" in str(failure())
    assert _native._loaded_by is None


def test_damaged(not_loaded: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "libreadpref.so"
    damaged.write_bytes(b"no library")
    not_loaded.setattr(_native, "_LIBRARY_PATH", damaged)
    assert "cannot be loaded" in str(failure())


def test_foreign(not_loaded: pytest.MonkeyPatch) -> None:
    not_loaded.setattr(_native, "_LIBRARY_PATH", Path(_ctypes.__file__))
    assert "is not readpref's library" in str(failure())


@pytest.mark.parametrize(("constant", "value"), [("_ABI_MAJOR", 2), ("_ABI_MINOR_AT_LEAST", 1 << 15)])
def test_of_another_version(not_loaded: pytest.MonkeyPatch, constant: str, value: int) -> None:
    not_loaded.setattr(_native, constant, value)
    assert "ABI version 1." in str(failure())


def test_it_works_again_afterwards() -> None:
    assert readpref.build_info()["name"] == "readpref"
