"""The options that selections and topologies take, as the engine's documents have them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from operator import index
from typing import Any, Union

from readpref._encode import MAX_BITS
from readpref._errors import new_error
from readpref._preference import ReadPreference
from readpref._reading import is_a, reading

Preference = Union[ReadPreference, Mapping[str, Any], str]
CustomSelector = Union[Sequence[str], Mapping[str, Any]]
Milliseconds = Union[int, float, Decimal]
WireVersions = Union[tuple[int, int], Mapping[str, int]]
Seed = Union[int, str]

# From here on the engine's documents ask for a seed as a decimal string.
_SEED_AS_STRING = 2**53
_SEED_MAX = 2**64 - 1


def keep_only(selector: CustomSelector | None) -> object:
    """Give a custom selector as its document."""
    return selector if selector is None or is_a(selector, Mapping) else {"keepOnly": selector}


def range_of(versions: Any) -> object:
    """Give a pair as the document of a range."""
    if is_a(versions, tuple) and tuple.__len__(versions) == 2:
        low, high = tuple.__iter__(versions)
        return {"min": low, "max": high}
    return versions


def seed_of(seed: Any) -> object:
    """Give a seed as documents have it; entropy where there is none."""
    if seed is None:
        return str(int.from_bytes(os.urandom(8), "little"))
    with reading(("seed",)):
        # A string is one already; what else is no integer, the engine refuses.
        if seed is True or seed is False or not hasattr(type(seed), "__index__"):
            return seed
        number = int.__index__(index(seed))
    if not 0 <= number <= _SEED_MAX:
        # Python refuses to print very long integers.
        found = str(number) if number.bit_length() <= MAX_BITS else f"one of {number.bit_length()} bits"
        raise new_error("outOfRange", f"expected an integer from 0 to {_SEED_MAX}, found {found}", "seed")
    return str(number) if number >= _SEED_AS_STRING else number
