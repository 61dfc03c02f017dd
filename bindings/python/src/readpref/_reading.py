"""Values of the caller's may run code of the caller's when they are read; what that raises is told with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import index
from typing import Any

from readpref._errors import ReadPrefError, new_error
from readpref._path import Step, path_of
from readpref._plain import cut

_MAX_NAME = 64  # bytes of a class's name in a message

# A metaclass may have another __name__.
_NAME_OF = type.__dict__["__name__"].__get__


def is_a(value: object, *kinds: Any) -> bool:
    """Tell whether a value is of one of these classes; isinstance would ask the value, which may say anything."""
    try:
        return issubclass(type(value), kinds)
    except MemoryError:
        raise
    except Exception:  # of a class of classes, which abstract classes ask
        return False


def class_name(value: object) -> str:
    """Give the name of a value's class, for a message."""
    return cut(_NAME_OF(type(value)), _MAX_NAME)


def whole(value: Any, name: str) -> int:
    """Give a caller's integer; what is none is wrongType at `name`."""
    with reading((name,)):
        if value is True or value is False or not hasattr(type(value), "__index__"):
            raise new_error("wrongType", f"expected an integer, found a {class_name(value)}", name)
        return int.__pos__(index(value))  # before 3.10 index gives what derives from int as it is


@contextmanager
def reading(where: Iterable[Step]) -> Iterator[None]:
    """Make errors of readpref of what the caller's code raises; `where` is looked at only then."""
    try:
        yield
    except (ReadPrefError, MemoryError):
        raise
    except RecursionError as error:
        raise new_error(
            "nestingTooDeep", "reading the value took more levels than Python has left", path_of(where)
        ) from error
    except Exception as error:
        raise new_error("wrongType", f"reading the value raised {class_name(error)}", path_of(where)) from error
