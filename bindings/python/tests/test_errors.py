"""The exceptions: classes, attributes, the document they carry."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import pytest

import readpref
from readpref import NoServerError, ReadPrefError, TopologyDescription
from readpref._codes import STATUS_BY_CODE
from readpref._errors import _CLASS_BY_CODE, error_from_document, new_error


def test_every_code_has_a_class() -> None:
    assert set(_CLASS_BY_CODE) == set(STATUS_BY_CODE)


@pytest.mark.parametrize(
    ("code", "builtin"),
    [
        ("wrongType", TypeError),
        ("wrongType", ValueError),
        ("invalidJSON", ValueError),
        ("unknownMode", ValueError),
        ("unknownMethod", LookupError),
        ("noServer", LookupError),
        ("incompatibleWireVersion", RuntimeError),
        ("forked", RuntimeError),
        ("internal", RuntimeError),
        ("argument", ValueError),
    ],
)
def test_a_code_is_also_the_builtin_one_would_expect(code: str, builtin: type[Exception]) -> None:
    error = new_error(code, "told")
    assert isinstance(error, builtin)
    assert isinstance(error, ReadPrefError)
    assert error.status == STATUS_BY_CODE[code]


def test_text_and_document() -> None:
    document = {
        "error": {
            "code": "maxStalenessTooSmall",
            "status": -21,
            "message": "too small",
            "path": "readPreference.maxStalenessSeconds",
            "minimumSeconds": 90,
        }
    }
    error = error_from_document(document)
    assert str(error) == "readPreference.maxStalenessSeconds: too small"
    assert error.minimum_seconds == 90
    assert error.to_dict() == document
    assert str(new_error("forked", "told")) == "told"
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is type(error)
        assert twin.to_dict() == document


def named(error: ReadPrefError) -> ReadPrefError:
    """Give it back from another process."""
    return error


def raised(error: ReadPrefError) -> None:
    raise error


KINDS = [
    kind
    for kind in (getattr(readpref, name) for name in readpref.__all__)
    if isinstance(kind, type) and issubclass(kind, ReadPrefError)
]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_pickled_whole(kind: type[ReadPrefError], protocol: int) -> None:
    error = kind("noServer", "told", "a.b", status=-7, minimum_seconds=90)
    if isinstance(error, NoServerError):
        error.explanation = readpref.explain({"servers": []})
    twin = pickle.loads(pickle.dumps(error, protocol))
    assert type(twin) is kind
    for name in ("code", "status", "message", "path", "minimum_seconds", "explanation"):
        assert getattr(twin, name, None) == getattr(error, name, None)
    assert str(twin) == str(error)


def test_what_a_worker_raises_arrives() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for code in ("unknownMode", "noServer", "handle"):
            error = new_error(code, "told", "a.b")
            with pytest.raises(type(error)) as caught:
                pool.apply(raised, (error,))
            assert caught.value.to_dict() == error.to_dict()
            twin = pool.apply(named, (error,))
            assert (type(twin), twin.to_dict()) == (type(error), error.to_dict())


@pytest.mark.parametrize("given", [None, 5, b"a", {}])
def test_an_error_is_made_of_strings(given: object) -> None:
    for arguments in ((given, "m"), ("argument", given), ("argument", "m", given)):
        with pytest.raises(readpref.WrongTypeError):
            ReadPrefError(*arguments)


def test_a_code_of_a_newer_engine_is_still_an_error() -> None:
    error = error_from_document({"error": {"code": "brandNew", "status": -99, "message": "m", "path": "p"}})
    assert type(error) is ReadPrefError
    assert (error.code, error.status) == ("brandNew", -99)


def test_the_exception_and_the_raw_document_say_the_same(topology: TopologyDescription) -> None:
    raw = readpref.call_raw("select", b'{"topology":%s,"readPreference":{"mode":"x"}}' % topology._json)
    with pytest.raises(ReadPrefError) as caught:
        readpref.select(topology, {"mode": "x"})
    assert readpref._encode.encode(caught.value.to_dict()) == raw
