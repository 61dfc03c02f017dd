"""The raw doors: the engine's methods by name, with documents in and out."""

from __future__ import annotations

import json
from typing import Any

from readpref import _native
from readpref._encode import encode
from readpref._errors import error_from_document, new_error
from readpref._reading import class_name, is_a, reading


def call_raw(method: str | bytes, data: bytes | bytearray | memoryview) -> bytes:
    """Run a method of the engine on the bytes of a document; give the bytes of its answer.

    Nothing is read or changed on the way: an error comes as the bytes of an error document, not as an exception, and
    every runtime of readpref gives the same bytes for the same request.

    Args:
        method: the method's name, as `methods` lists them.
        data: the request document, UTF-8 JSON; not changed and not kept.

    Raises:
        WrongTypeError: an argument is of another type.
        ForkedError, LibraryError: the engine cannot be reached at all.

    >>> call_raw("validate", b'{"readPreference": {"mode": "nearest", "tags": []}}')
    b'{"valid":true,"readPreference":{"mode":"nearest"},"problems":[],"warnings":[]}'
    >>> call_raw("select", b"{")[:30]
    b'{"error":{"code":"invalidJSON"'
    """
    return _native.call(_method_name(method), _document(data))[1]


def call(method: str | bytes, request: object) -> dict[str, Any]:
    """Run a method of the engine on a document given as Python values; give its answer the same way.

    Mappings, sequences, strings, integers, floats, `decimal.Decimal`, booleans, None, `datetime.datetime` (without a
    time zone it is UTC), `ReadPreference` and `Topology` can be written; numbers are written exactly.

    Args:
        method: the method's name, as `methods` lists them.
        request: the request document; docs/json.md describes it.

    Raises:
        ReadPrefError: of the subclass that goes with the error's code.

    >>> call("validate", {"mongosh": ["secondary", [{"region": "us-east"}, {}]]})["readPreference"]
    {'mode': 'secondary', 'tags': [{'region': 'us-east'}, {}]}
    """
    return answer(method, encode(request))


def answer(method: str | bytes, data: bytes) -> dict[str, Any]:
    """Run a method on an encoded document, give the parsed answer, raise an error document."""
    return answer_and_raw(method, data)[0]


def answer_and_raw(method: str | bytes, data: bytes) -> tuple[dict[str, Any], str]:
    """Give the answer as `answer` does, and as it came."""
    succeeded, out = _native.call(_method_name(method), data)
    raw = out.decode("utf-8")
    document: dict[str, Any] = json.loads(raw)
    if not succeeded:
        raise error_from_document(document)
    return document, raw


def _method_name(method: Any) -> bytes:
    if is_a(method, str):
        # A lone surrogate is in no method's name; the engine says so.
        return str.encode(method, "utf-8", "surrogatepass")
    if is_a(method, bytes):
        return _bytes(method)
    raise new_error("wrongType", f"the method is a {class_name(method)}; give its name as str or bytes")


def _document(data: Any) -> bytes:
    if is_a(data, bytes, bytearray, memoryview):
        return _bytes(data)
    raise new_error("wrongType", f"the document is a {class_name(data)}; call_raw takes bytes, call takes values")


def _bytes(data: Any) -> bytes:
    """Give exact bytes: another class may lie about its length, and the engine would read that far."""
    if type(data) is bytes:
        return data
    with reading(()):
        return memoryview(data).tobytes()
