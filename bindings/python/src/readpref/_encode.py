"""Python values to the engine's JSON, exactly, and with the path of whatever cannot be written.

The standard encoder is not used: it writes NaN, turns keys into strings silently, has no path in its errors, and
knows neither Decimal nor dates.
"""

from __future__ import annotations

import datetime
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring as quote
from math import isfinite
from operator import index
from typing import Any, Union

from readpref._errors import ReadPrefError, new_error

# The engine's own limits, kept here too so that a cycle or a shared subtree cannot make an endless document.
MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64

# No key takes a number of more bits, and writing a huge one takes Python quadratic time.
MAX_BITS = 1024

_PLAIN_KEY = re.compile(r"[A-Za-z0-9_$-]+\Z")
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MILLISECOND = datetime.timedelta(milliseconds=1)

Step = Union[str, int]


class Encoded:
    """An object that keeps its JSON: it is written into a larger document as it is."""

    __slots__ = ("_json",)

    _json: bytes


def encode(value: object, *where: Step) -> bytes:
    """Write a value as UTF-8 JSON; `where` is its place in the request, for the paths of errors."""
    encoder = _Encoder(list(where))
    encoder.write(value, 1)
    return "".join(encoder.parts).encode("utf-8")


def path_of(steps: Sequence[Step]) -> str:
    """Print a path as error documents do: ``readPreference.tags[1].dc``."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif _PLAIN_KEY.match(step):
            path += f".{step}" if path else step
        else:
            path += f"[{quote(step)}]"
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


class _Encoder:
    def __init__(self, where: list[Step]) -> None:
        self.where = where
        self.parts: list[str] = []
        self.size = 0

    def put(self, text: str) -> None:
        self.size += len(text)
        if self.size > MAX_BYTES:
            raise new_error("documentTooLarge", f"the document is larger than {MAX_BYTES} bytes")
        self.parts.append(text)

    def error(self, code: str, message: str) -> ReadPrefError:
        return new_error(code, message, path_of(self.where))

    def write(self, value: object, depth: int) -> None:  # noqa: PLR0912
        if isinstance(value, str):
            self.put(self.string(value))
        elif value is None:
            self.put("null")
        elif value is True:
            self.put("true")
        elif value is False:
            self.put("false")
        elif isinstance(value, int):
            self.put(self.integer(value))
        elif isinstance(value, float):
            self.put(self.finite(isfinite(value), float.__repr__(value)))
        elif isinstance(value, Decimal):
            self.put(self.finite(value.is_finite(), str(value)))
        elif isinstance(value, datetime.datetime):
            self.put(f'{{"$date":{{"$numberLong":"{self.milliseconds(value)}"}}}}')
        elif isinstance(value, Encoded):
            self.put(value._json.decode("utf-8"))
        elif isinstance(value, (dict, Mapping)):  # dict first: the abstract class is slow to ask
            self.object(value, depth)
        elif isinstance(value, (list, tuple, Sequence)) and not isinstance(value, (bytes, bytearray, memoryview)):
            self.array(value, depth)
        else:
            extended = self.bson(value)
            if extended is None:
                self.put(self.number(value))
            else:
                self.write(extended, depth)

    def string(self, value: str) -> str:
        try:
            str.encode(value, "utf-8")
        except UnicodeEncodeError:
            raise self.error("invalidUTF8", "the string holds a lone surrogate, which UTF-8 cannot carry") from None
        return quote(value)

    def integer(self, value: int) -> str:
        if value.bit_length() > MAX_BITS:
            raise self.error("outOfRange", f"an integer of {value.bit_length()} bits is out of range")
        return int.__repr__(value)

    def finite(self, is_finite: bool, text: str) -> str:
        if not is_finite:
            raise self.error("invalidJSON", f"{text} is no JSON number")
        return text

    def milliseconds(self, value: datetime.datetime) -> int:
        # Without a time zone it is UTC, as in PyMongo.
        aware = value if value.utcoffset() is not None else value.replace(tzinfo=datetime.timezone.utc)
        return (aware - _EPOCH) // _MILLISECOND

    def number(self, value: object) -> str:
        try:
            return self.integer(index(value))  # type: ignore[arg-type]
        except TypeError:
            raise self.error("wrongType", f"a {type(value).__name__} has no JSON form here") from None

    def bson(self, value: object) -> object:
        """Give the Extended JSON of what PyMongo puts into a server's reply; None for other values."""
        name = type(value).__name__
        if type(value).__module__.partition(".")[0] != "bson" and "hello" not in self.where:
            return None
        if isinstance(value, (bytes, bytearray, memoryview)):
            return {"$binary": {"base64": b64encode(value).decode("ascii"), "subType": "00"}}
        if name == "ObjectId":
            return {"$oid": str(value)}
        if name == "Timestamp":
            return {"$timestamp": {"t": value.time, "i": value.inc}}  # type: ignore[attr-defined]
        return None

    def array(self, value: Sequence[object], depth: int) -> None:
        self.check_depth(depth)
        self.put("[")
        for i, item in enumerate(value):
            if i:
                self.put(",")
            self.where.append(i)
            self.write(item, depth + 1)
            self.where.pop()
        self.put("]")

    def object(self, value: Mapping[Any, object], depth: int) -> None:
        self.check_depth(depth)
        self.put("{")
        # A list first: another thread may change the mapping meanwhile.
        for i, (key, item) in enumerate(list(value.items())):
            if not isinstance(key, str):
                raise self.error("wrongType", f"a key is a {type(key).__name__}; keys are strings")
            self.where.append(key)
            self.put(("," if i else "") + self.string(key) + ":")
            self.write(item, depth + 1)
            self.where.pop()
        self.put("}")

    def check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self.error("nestingTooDeep", f"more than {MAX_DEPTH} levels of nesting, or a value inside itself")
