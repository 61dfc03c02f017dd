"""How the attributes of a server description are read from its document, and its parts written into one."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

from readpref._errors import new_error
from readpref._path import path_of
from readpref._reading import class_name

_WHOLE = re.compile(r"-?[0-9]{1,19}\Z")
_ISO = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:?[0-9]{2})\Z"
)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# The attribute of each key that `replace` takes.
KEYS = {
    "type": "type",
    "round_trip_time_ms": "roundTripTimeMS",
    "min_round_trip_time_ms": "minRoundTripTimeMS",
    "tags": "tags",
    "last_write_date": "lastWriteDate",
    "last_update_time_ms": "lastUpdateTimeMS",
    "min_wire_version": "minWireVersion",
    "max_wire_version": "maxWireVersion",
    "operation_count": "operationCount",
    "set_name": "setName",
    "set_version": "setVersion",
    "election_id": "electionId",
    "primary": "primary",
    "me": "me",
    "hosts": "hosts",
    "passives": "passives",
    "arbiters": "arbiters",
    "logical_session_timeout_minutes": "logicalSessionTimeoutMinutes",
    "error": "error",
}


class Fields:
    """The values of a document's keys, of the types that they have; another is ``wrongType`` with its path."""

    def __init__(self, document: Any, where: str) -> None:
        if not isinstance(document, dict):
            raise new_error("wrongType", f"expected an object, found a {class_name(document)}", where)
        self._document: dict[str, Any] = document
        self._where = where

    def _of(self, key: str, kinds: tuple[type, ...], what: str) -> Any:
        value = self._document.get(key)
        if value is None or (isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))):
            return value
        raise new_error("wrongType", f"expected {what}, found a {class_name(value)}", f"{self._where}.{key}")

    def has(self, key: str) -> bool:
        """Tell whether a key says something."""
        return self._document.get(key) is not None

    def all(self) -> dict[str, Any]:
        """Give the whole document."""
        return self._document

    def text(self, key: str) -> str | None:
        """Give a string."""
        found: str | None = self._of(key, (str,), "a string")
        return found

    def number(self, key: str) -> int | float | None:
        """Give a number."""
        found: int | float | None = self._of(key, (int, float), "a number")
        return found

    def whole(self, key: str) -> int | None:
        """Give an integer, which may be written as Extended JSON."""
        value = self._unwrapped(self._document.get(key), "$numberLong", "$numberInt")
        if type(value) is str and _WHOLE.match(value):
            return int(value)
        found: int | None = self._of(key, (int,), "an integer")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """Give a list of strings, empty where there is none."""
        return tuple(self._list(key, str, "string"))

    def objects(self, key: str) -> tuple[dict[str, Any], ...]:
        """Give a list of objects, empty where there is none."""
        return tuple(self._list(key, dict, "object"))

    def _list(self, key: str, kind: type, what: str) -> list[Any]:
        found: list[Any] = self._of(key, (list,), f"a list of {what}s") or []
        for i, one in enumerate(found):
            if not isinstance(one, kind):
                place = f"{self._where}.{key}[{i}]"
                raise new_error("wrongType", f"expected one {what}, found a {class_name(one)}", place)
        return found

    def tags(self, key: str) -> Mapping[str, str]:
        """Give an object of strings, empty where there is none."""
        found: dict[str, str] = self._of(key, (dict,), "an object of strings") or {}
        for name, value in found.items():
            if not isinstance(value, str):
                place = path_of((self._where, key, name))
                raise new_error("wrongType", f"expected a string, found a {class_name(value)}", place)
        return found

    def object_id(self, key: str) -> str | None:
        """Give an ObjectId as its 24 hexadecimal digits."""
        value = self._unwrapped(self._document.get(key), "$oid")
        if value is None or isinstance(value, str):
            return value
        raise new_error("wrongType", f"expected an ObjectId, found a {class_name(value)}", f"{self._where}.{key}")

    def date(self, key: str) -> datetime.datetime | None:
        """Give a date: integer milliseconds since 1970, or Extended JSON of either kind."""
        value = self._unwrapped(self._unwrapped(self._document.get(key), "$date"), "$numberLong")
        if value is None:
            return None
        try:
            iso = _ISO.match(value) if type(value) is str else None
            if iso is not None:
                # Before 3.11 Python reads no such zones, nor fractions of one digit.
                zone = "+0000" if iso[3] == "Z" else iso[3]
                moment = datetime.datetime.strptime(iso[1] + zone, "%Y-%m-%dT%H:%M:%S%z")
                milliseconds = int((iso[2] or "").ljust(3, "0")[:3])
                return moment.astimezone(datetime.timezone.utc) + datetime.timedelta(milliseconds=milliseconds)
            if type(value) is int or (type(value) is str and _WHOLE.match(value)):
                return _EPOCH + datetime.timedelta(milliseconds=int(value))
        except (ValueError, OverflowError):
            raise new_error("outOfRange", "the date is none that Python has", f"{self._where}.{key}") from None
        raise new_error("wrongType", f"expected a date, found a {class_name(value)}", f"{self._where}.{key}")

    @staticmethod
    def _unwrapped(value: Any, *names: str) -> Any:
        if type(value) is dict and len(value) == 1:
            [(name, inner)] = value.items()
            return inner if name in names else value
        return value


def changed(document: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Give a server's document with some attributes changed; None takes one away."""
    for name, value in changes.items():
        key = KEYS.get(name)
        if key is None:
            raise new_error("argument", "a server description has no such attribute to replace", name)
        if value is None:
            document.pop(key, None)
        elif key == "electionId" and type(value) is str:
            document[key] = {"$oid": value}
        else:
            document[key] = value
    return document
