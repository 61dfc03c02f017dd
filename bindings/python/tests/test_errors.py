"""The exceptions: classes, attributes, the document they carry."""

from __future__ import annotations

import copy
import pickle

import pytest

import readpref
from readpref import ReadPrefError, TopologyDescription
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


def test_a_code_of_a_newer_engine_is_still_an_error() -> None:
    error = error_from_document({"error": {"code": "brandNew", "status": -99, "message": "m", "path": "p"}})
    assert type(error) is ReadPrefError
    assert (error.code, error.status) == ("brandNew", -99)


def test_the_exception_and_the_raw_document_say_the_same(topology: TopologyDescription) -> None:
    raw = readpref.call_raw("select", b'{"topology":%s,"readPreference":{"mode":"x"}}' % topology._json)
    with pytest.raises(ReadPrefError) as caught:
        readpref.select(topology, {"mode": "x"})
    assert readpref._encode.encode(caught.value.to_dict()) == raw
