"""Whatever a value does when it is read, the error is of readpref, and what was raised is its cause."""

from __future__ import annotations

import datetime
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Callable

import pytest

import readpref
from readpref import ReadPreference, ReadPrefError, TopologyDescription, WrongTypeError, call, select
from readpref._encode import MAX_BYTES, encode

EMPTY: dict[str, Any] = {"servers": []}


class MineError(Exception):
    """What the methods below raise."""


MINE = MineError("mine")


def fail(*_: object) -> Any:
    raise MINE


class BadItems(dict[str, Any]):
    """A dict."""

    items = fail


class BadMapping(Mapping[str, Any]):
    """A mapping."""

    __getitem__ = __iter__ = __len__ = __contains__ = __bool__ = items = values = fail


class BadSequence(Sequence[Any]):
    """A sequence."""

    __getitem__ = __iter__ = __len__ = fail


class BadList(list[Any]):
    """A list."""

    __iter__ = fail


class BadIndex:
    """An integer."""

    __index__ = fail


class BadIndexType:
    """An integer that raises what usable ones do not."""

    def __index__(self) -> int:
        return "x"  # type: ignore[return-value]  # noqa: PLE0305


class BadZone(datetime.tzinfo):
    """A time zone."""

    utcoffset = tzname = dst = fail


class BadClass:
    """An object that raises when asked for its class."""

    __class__ = property(fail)


def bad_generator() -> Iterator[Any]:
    yield {}
    fail()


MAKERS: list[Callable[[], Any]] = [
    BadItems,
    BadMapping,
    BadSequence,
    lambda: BadList([1]),
    BadIndex,
    lambda: datetime.datetime(2026, 1, 1, tzinfo=BadZone()),
]


@pytest.mark.parametrize("make", MAKERS)
def test_what_a_method_raises_is_the_cause(make: Callable[[], Any]) -> None:
    with pytest.raises(WrongTypeError) as caught:
        call("select", {"topology": [0, {"a b": make()}]})
    assert caught.value.path == 'topology[1]["a b"]'
    assert caught.value.message == "reading the value raised MineError"
    assert caught.value.__cause__ is MINE


def test_an_index_that_is_none_has_its_cause() -> None:
    with pytest.raises(WrongTypeError) as caught:
        encode(BadIndexType(), "x")
    assert caught.value.path == "x"
    assert isinstance(caught.value.__cause__, TypeError)


@pytest.mark.parametrize(
    ("act", "path"),
    [
        (lambda: select(BadMapping()), "topology"),
        (lambda: TopologyDescription(BadMapping()), "topology"),
        (lambda: TopologyDescription.from_hello_replies(bad_generator()), "topology.servers"),
        (lambda: TopologyDescription.from_hello_replies([{}, BadMapping()]), "topology.servers[1]"),
        (lambda: select(EMPTY, BadMapping()), "readPreference"),
        (lambda: select(EMPTY, custom_selector=BadMapping()), "customSelector"),
        (lambda: select(EMPTY, custom_selector=BadSequence()), "customSelector.keepOnly"),
        (lambda: select(EMPTY, seed=BadIndex()), "seed"),  # type: ignore[call-overload]
        (lambda: select(EMPTY, wire_versions=(0, BadIndex())), "wireVersions.max"),  # type: ignore[arg-type]
        (lambda: ReadPreference("nearest", BadSequence()), "readPreference.tags"),
        (lambda: ReadPreference.from_mongosh("nearest", BadList()), "mongosh[1]"),
        (lambda: readpref.validate(BadMapping()), "readPreference"),
        (lambda: readpref.parse_hello("a", BadMapping()), "hello"),
    ],
)
def test_every_door(act: Callable[[], object], path: str) -> None:
    with pytest.raises(WrongTypeError) as caught:
        act()
    assert (caught.value.path, caught.value.__cause__) == (path, MINE)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_no_error_passes(raised: type[BaseException]) -> None:
    class Interrupted(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            raise raised

    with pytest.raises(raised):
        encode([Interrupted([1])])


@pytest.mark.parametrize(
    "raised", [StopIteration, OverflowError, AttributeError, UnicodeDecodeError("x", b"", 0, 1, "")]
)
def test_errors_that_mean_something_here_are_wrapped_too(raised: Any) -> None:
    class Raises(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            raise raised

    with pytest.raises(WrongTypeError) as caught:
        encode([Raises([1])])
    assert caught.value.path == "[0]"
    assert isinstance(caught.value.__cause__, raised if isinstance(raised, type) else type(raised))


def test_an_endless_recursion_is_nesting_too_deep() -> None:
    class Endless(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            return iter(self)

    with pytest.raises(ReadPrefError) as caught:
        encode({"a": Endless()})
    assert (caught.value.code, caught.value.path) == ("nestingTooDeep", "a")
    assert isinstance(caught.value.__cause__, RecursionError)


def test_an_error_of_readpref_in_a_method_stays_itself() -> None:
    class Asks(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            select({"servers": 5})
            return iter(())

    with pytest.raises(WrongTypeError) as caught:
        encode([Asks()])
    assert caught.value.path == "topology.servers"


class Timestamp:
    """Not PyMongo's."""


class ObjectId:
    """Not PyMongo's."""

    def __str__(self) -> str:
        return 'x"'


class TextTime:
    """A time as text."""

    time, inc = "1", "2"


TextTime.__name__ = "Timestamp"


@pytest.mark.parametrize("value", [Timestamp(), ObjectId(), TextTime()])
def test_a_class_that_is_merely_named_as_pymongos(value: object) -> None:
    for module in (__name__, "bson", 5):
        type(value).__module__ = module  # type: ignore[assignment]
        with pytest.raises(WrongTypeError) as caught:
            readpref.parse_hello("a", {"ok": 1, "at": [value]})
        assert caught.value.path == "hello.at[0]"
        assert caught.value.message == f"a {type(value).__name__} has no JSON form here"


class Pretender:
    """An object that says it is of another class."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    __class__ = property(lambda self: self.kind)


KINDS: list[Any] = [
    str,
    int,
    float,
    bool,
    bytes,
    memoryview,
    dict,
    list,
    tuple,
    Decimal,
    datetime.datetime,
    TopologyDescription,
]


@pytest.mark.parametrize("make", [BadClass, ReadPreference, *KINDS])
def test_a_class_that_lies(make: Any) -> None:
    # Made here: pytest, too, asks values for their class.
    value: Any = BadClass() if make is BadClass else Pretender(make)
    for act, path in (
        (lambda: call("select", {"x": [value]}), "x[0]"),
        (lambda: call("select", {value: 1}), ""),
        (lambda: call(value, {}), ""),
        (lambda: readpref.call_raw("select", value), ""),
        (lambda: select(value), "topology"),
        (lambda: TopologyDescription(value), "topology"),
        (lambda: select(EMPTY, value), "readPreference"),
        (lambda: select(EMPTY, seed=value), "seed"),
        (lambda: select(EMPTY, wire_versions=value), "wireVersions"),
        (lambda: select(EMPTY, custom_selector=value), "customSelector.keepOnly"),
        (lambda: readpref.parse_hello("a", {"x": value}), "hello.x"),
        (lambda: TopologyDescription.from_hello_replies(value), "topology.servers"),
    ):
        with pytest.raises(WrongTypeError) as caught:
            act()
        assert caught.value.path == path
    assert ReadPreference("nearest") != value
    assert TopologyDescription({}) != value


class Text(str):
    """A string that changes all it can."""

    __str__ = __repr__ = __len__ = __iter__ = __format__ = encode = __getitem__ = fail  # type: ignore[assignment]
    __hash__ = str.__hash__


class Whole(int):
    """An integer that changes all it can."""

    __str__ = __repr__ = __index__ = __int__ = __float__ = bit_length = __ge__ = __le__ = __lt__ = fail


class Real(float):
    """A float that changes all it can."""

    __str__ = __repr__ = __float__ = __int__ = is_integer = fail


class Exact(Decimal):
    """A decimal that changes all it can."""

    __str__ = __repr__ = __float__ = is_finite = fail


class Moment(datetime.datetime):
    """A date that changes all it can."""

    utcoffset = replace = __sub__ = __str__ = timestamp = fail  # type: ignore[assignment]


def test_a_class_derived_from_a_builtin_is_what_it_holds() -> None:
    given = [Text("a"), Whole(5), Real(1.5), Exact("2.50"), Moment(1970, 1, 1, 0, 0, 1), {Text("k"): 1}]
    want = b'["a",5,1.5,2.50,{"$date":{"$numberLong":"1000"}},{"k":1}]'
    assert encode(given) == want
    with pytest.raises(WrongTypeError) as caught:
        encode({Text("k"): {Text("a b"): set()}})
    assert caught.value.path == 'k["a b"]'
    assert select(EMPTY, seed=Whole(5)).server is None


def test_bytes_are_as_long_as_they_are() -> None:
    class Long(bytes):
        def __len__(self) -> int:
            return 1 << 20

        __bytes__ = fail

    want = readpref.call_raw("build_info", b"{}")
    assert readpref.call_raw("build_info", Long(b"{}")) == want
    assert readpref.call_raw(Long(b"build_info"), b"{}") == want
    released = memoryview(b"{}")
    released.release()
    with pytest.raises(WrongTypeError):
        readpref.call_raw("build_info", released)


def test_what_is_endless_ends() -> None:
    class Endless(dict[str, Any]):
        def items(self) -> Any:
            return (("k", i) for i in itertools.count())

    class EndlessList(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            return itertools.repeat("x" * 1000)

    for value in (Endless(), EndlessList(), {"hello": bytes(MAX_BYTES)}):
        with pytest.raises(ReadPrefError) as caught:
            encode(value)
        assert caught.value.code == "documentTooLarge"
    topology = TopologyDescription.from_hello_replies(itertools.repeat({}))
    assert len(json.loads(topology._json)["servers"]) == 65_537
