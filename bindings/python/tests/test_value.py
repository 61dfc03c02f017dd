"""Values are what frozen dataclasses are."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any, Callable

import pytest

from readpref import ConnectionString, PoolClear, ReadPreference, Server, StartMonitor, StopMonitor
from readpref._value import Value, field


class Small(Value):
    """One with a default, a field that is not shown, and one that does not count."""

    name: str
    secret: str = field(repr=False)
    note: str = field(repr=False, compare=False)
    size: int = 5


class Larger(Small):
    """One more field, behind."""

    more: tuple[int, ...] = ()


def test_making_one() -> None:
    assert repr(Small("a", "b", "c")) == "Small(name='a', size=5)"
    assert repr(Larger("a", "b", size=6, note="c", more=(1,))) == "Larger(name='a', size=6, more=(1,))"
    one = Small("a", "b", note="c")
    assert (one.name, one.secret, one.note, one.size) == ("a", "b", "c", 5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Small("a", "b"), "Small: note, which was not given"),  # type: ignore[call-arg]
        (Small, "Small: name, which was not given"),
        (lambda: Small("a", "b", "c", 1, 2), "Small: more than 4 arguments"),  # type: ignore[call-arg]
        (lambda: Small("a", "b", "c", name="d"), "Small: name twice"),  # type: ignore[misc]
        (lambda: Small("a", "b", "c", sise=1), "Small: no argument sise, which was given"),  # type: ignore[call-arg]
        (lambda: Small("a", "b", sise=1), "Small: no argument sise, which was given"),  # type: ignore[call-arg]
    ],
)
def test_making_none(make: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == message


def test_comparing() -> None:
    assert Small("a", "b", "c") == Small("a", "b", "d")
    assert hash(Small("a", "b", "c")) == hash(Small("a", "b", "d"))
    assert Small("a", "b", "c") != Small("a", "c", "c")
    assert Small("a", "b", "c") != Larger("a", "b", "c")
    assert StartMonitor(1, "a") != StopMonitor(1, "a")
    assert Small("a", "b", "c") != "a"


def test_it_does_not_change() -> None:
    one: Any = Small("a", "b", "c")
    with pytest.raises(FrozenInstanceError):
        one.name = "d"
    with pytest.raises(FrozenInstanceError):
        one.other = "d"
    with pytest.raises(FrozenInstanceError):
        del one.name
    assert one.name == "a"


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies(make: Callable[[Any], Any]) -> None:
    for one in (Server(1, "a", "Mongos"), PoolClear(1, "a", True, 5), Larger("a", "b", "c", more=(5,))):
        again = make(one)
        assert again == one
        assert vars(again) == vars(one)


def test_patterns_and_reprs_that_eval() -> None:
    assert Larger.__match_args__ == ("name", "secret", "note", "size", "more")
    assert PoolClear.__match_args__[:2] == ("sequence", "address")
    assert eval(repr(PoolClear(1, "a", True, 5))) == PoolClear(1, "a", True, 5, None)
    assert ConnectionString.__match_args__[5] == "password"
    assert eval(repr(ReadPreference("nearest"))) == ReadPreference("nearest")
