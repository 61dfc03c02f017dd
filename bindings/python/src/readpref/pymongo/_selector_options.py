"""The arguments of a server selector, checked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from readpref._errors import ReadPrefError, new_error
from readpref._preference import ReadPreference
from readpref._reading import class_name, is_a, reading, whole

TagSets = tuple[dict[str, str], ...]

# The engine's limit on the tag sets of a preference.
_MAX_TAG_SETS = 100
_MAX_NUMBER = 2**53 - 1


def tag_sets_of(given: Any, where: str) -> TagSets:
    """Give a list of tag sets, checked as those of a read preference are."""
    if given is None:
        return ()
    try:
        preference = ReadPreference("nearest", given)
    except ReadPrefError as error:
        raise new_error(error.code, error.message, error.path.replace("readPreference.tags", where, 1)) from error
    return tuple(dict(tag_set) for tag_set in preference.tags)


def weights_of(given: Any) -> tuple[tuple[dict[str, str], int], ...]:
    """Give pairs of a tag set and a weight."""
    if given is None:
        return ()
    if is_a(given, str, bytes) or not is_a(given, Sequence):
        raise new_error("wrongType", f"expected pairs of a tag set and a weight, found {class_name(given)}", "weights")
    with reading(("weights",)):
        pairs = list(islice(given, _MAX_TAG_SETS + 1))
    if len(pairs) > _MAX_TAG_SETS:
        raise new_error("limitExceeded", f"more than {_MAX_TAG_SETS} weights", "weights")
    found = []
    for i, pair in enumerate(pairs):
        where = f"weights[{i}]"
        if not is_a(pair, tuple, list) or len(pair) != 2:
            raise new_error("wrongType", "expected a pair of a tag set and a weight", where)
        [tag_set] = tag_sets_of([pair[0]], where)
        found.append((tag_set, whole_number(pair[1], f"{where}[1]", 0)))
    return tuple(found)


def whole_number(given: Any, where: str, minimum: int, maximum: int = _MAX_NUMBER) -> int:
    """Give an integer of this range."""
    number = whole(given, where)
    if not minimum <= number <= maximum:
        raise new_error("outOfRange", f"expected an integer from {minimum} to {maximum}", where)
    return number
