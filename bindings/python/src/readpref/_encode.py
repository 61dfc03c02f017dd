"""Python values to the engine's JSON, exactly, and with the path of whatever cannot be written.

The standard encoder is not used: it writes NaN, turns keys into strings silently, has no path in its errors, and
knows neither Decimal nor dates.

A class of the caller's may derive from a builtin and change every method of it; the builtin's own are called, so that
what is written is what the value holds.
"""

from __future__ import annotations

import datetime
import re
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring as quote
from math import isfinite
from operator import index
from typing import Any

from readpref._errors import ReadPrefError, new_error
from readpref._path import Step, path_of
from readpref._reading import class_name, reading

# The engine's own limits, kept here too so that a cycle or a shared subtree cannot make an endless document.
MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64

# No key takes a number of more bits, and writing a huge one takes Python quadratic time.
MAX_BITS = 1024

# Of a decimal; Python refuses to read back an integer of more than 4300.
MAX_DIGITS = 1000

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_EPOCH_WITHOUT_ZONE = _EPOCH.replace(tzinfo=None)
_MILLISECOND = datetime.timedelta(milliseconds=1)

_BYTES = (bytes, bytearray, memoryview)
_VIEWS: tuple[type, ...] = (type({}.items()), type(OrderedDict[str, str]().items()))
_OBJECT_ID = re.compile(r"[0-9a-f]{24}\Z")


class Encoded:
    """An object that has its JSON: it is written into a larger document as it is."""

    __slots__ = ()

    def _encoded(self) -> bytes:
        raise NotImplementedError


def encode(value: object, *where: Step) -> bytes:
    """Write a value as UTF-8 JSON; `where` is its place in the request, for the paths of errors."""
    encoder = _Encoder(list(where))
    with reading(encoder.where):
        encoder.write(value, 1)
    return "".join(encoder.parts).encode("utf-8")


class _Encoder:
    def __init__(self, where: list[Step]) -> None:
        self.where = where
        self.parts: list[str] = []
        self.size = 0

    def put(self, text: str) -> None:
        self.size += len(text)
        if self.size > MAX_BYTES:
            raise self.too_large()
        self.parts.append(text)

    def too_large(self) -> ReadPrefError:
        return new_error("documentTooLarge", f"the document is larger than {MAX_BYTES} bytes")

    def error(self, code: str, message: str) -> ReadPrefError:
        return new_error(code, message, path_of(self.where))

    def write(self, value: Any, depth: int) -> None:  # noqa: PLR0912
        # Asked of the class: what isinstance asks, the value may answer as it likes.
        kind = type(value)
        if issubclass(kind, str):
            self.put(self.string(value))
        elif value is None:
            self.put("null")
        elif value is True:
            self.put("true")
        elif value is False:
            self.put("false")
        elif issubclass(kind, int):
            self.put(self.integer(value))
        elif issubclass(kind, float):
            self.put(self.finite(isfinite(value), float.__repr__(value)))
        elif issubclass(kind, Decimal):
            self.put(self.decimal(value))
        elif issubclass(kind, datetime.datetime):
            self.put(f'{{"$date":{{"$numberLong":"{self.milliseconds(value)}"}}}}')
        elif issubclass(kind, Encoded):
            self.put(value._encoded().decode("utf-8"))
        elif issubclass(kind, (dict, Mapping)):  # dict first: the abstract class is slow to ask
            self.object(value, depth)
        elif issubclass(kind, (list, tuple, Sequence)) and not issubclass(kind, _BYTES):
            self.array(value, depth)
        else:
            extended = self.bson(value)
            if extended is None:
                self.put(self.number(value))
            else:
                self.write(extended, depth)

    def string(self, value: str) -> str:
        if str.__len__(value) > MAX_BYTES:
            raise self.too_large()
        try:
            str.encode(value, "utf-8")
        except UnicodeEncodeError:
            raise self.error("invalidUTF8", "the string holds a lone surrogate, which UTF-8 cannot carry") from None
        return quote(value)

    def integer(self, value: int) -> str:
        bits = int.bit_length(value)
        if bits > MAX_BITS:
            raise self.error("outOfRange", f"an integer of {bits} bits is out of range")
        return int.__repr__(value)

    def decimal(self, value: Decimal) -> str:
        digits = len(Decimal.as_tuple(value).digits)
        if digits > MAX_DIGITS:
            raise self.error("outOfRange", f"a decimal of {digits} digits is out of range")
        return self.finite(Decimal.is_finite(value), Decimal.__str__(value))

    def finite(self, is_finite: bool, text: str) -> str:
        if not is_finite:
            raise self.error("invalidJSON", f"{text} is no JSON number")
        return text

    def milliseconds(self, value: datetime.datetime) -> int:
        # Without a time zone it is UTC, as in PyMongo.
        naive = datetime.datetime.utcoffset(value) is None
        return datetime.datetime.__sub__(value, _EPOCH_WITHOUT_ZONE if naive else _EPOCH) // _MILLISECOND

    def number(self, value: Any) -> str:
        if not hasattr(type(value), "__index__"):
            raise self.error("wrongType", f"a {class_name(value)} has no JSON form here")
        return self.integer(index(value))

    def bson(self, value: Any) -> object:
        """Give the Extended JSON of what PyMongo puts into a server's reply; None for other values."""
        kind = type(value)
        if "hello" not in self.where and str(kind.__module__).partition(".")[0] != "bson":
            return None
        if issubclass(kind, _BYTES):
            if memoryview(value).nbytes > MAX_BYTES:
                raise self.too_large()
            return {"$binary": {"base64": b64encode(value).decode("ascii"), "subType": "00"}}
        # Any class may be called so.
        name = class_name(value)
        if name == "ObjectId" and _OBJECT_ID.match(oid := str(value)):
            return {"$oid": oid}
        if name == "Timestamp":
            t, i = getattr(value, "time", None), getattr(value, "inc", None)
            if issubclass(type(t), int) and issubclass(type(i), int):
                return {"$timestamp": {"t": t, "i": i}}
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
        items = value.items()
        # A list of a dict's first: another thread may change it meanwhile. Others may be endless.
        for i, (key, item) in enumerate(list(items) if type(items) in _VIEWS else items):
            if not issubclass(type(key), str):
                raise self.error("wrongType", f"a key is a {class_name(key)}; keys are strings")
            self.where.append(key if type(key) is str else str.__str__(key))
            self.put(("," if i else "") + self.string(key) + ":")
            self.write(item, depth + 1)
            self.where.pop()
        self.put("}")

    def check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self.error("nestingTooDeep", f"more than {MAX_DEPTH} levels of nesting, or a value inside itself")
