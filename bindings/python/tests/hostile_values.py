"""Values that nobody should give: of wrong types, huge, endless, deep, cyclic, or with methods that raise or lie."""

from __future__ import annotations

import array
import collections
import datetime
import enum
import fractions
import itertools
import types
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Callable

from readpref import ReadPreference, SelectedServer, Topology, TopologyDescription


class MineError(Exception):
    """What the methods below raise."""


def fail(*_: object, **__: object) -> Any:
    raise MineError("mine")


class Everything:
    """An object all of whose methods raise."""

    __eq__ = __ne__ = __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = __call__ = fail
    __str__ = __repr__ = __format__ = __index__ = __int__ = __float__ = __bytes__ = __lt__ = __gt__ = fail
    __le__ = __ge__ = __enter__ = __exit__ = __getattr__ = __reduce_ex__ = fail
    __hash__ = fail


class Text(str):
    """A string all of whose methods raise."""

    __str__ = __repr__ = __len__ = __iter__ = __format__ = encode = __getitem__ = __eq__ = fail
    __ne__ = lower = upper = partition = rpartition = __contains__ = __bool__ = fail
    __hash__ = fail


class HashlessText(str):
    """A string that has no hash."""

    __hash__ = None  # type: ignore[assignment]


class Whole(int):
    """An integer all of whose methods raise."""

    __str__ = __repr__ = __index__ = __int__ = __float__ = bit_length = __bool__ = __eq__ = __hash__ = fail
    __ge__ = __le__ = __lt__ = __gt__ = __add__ = __sub__ = __mul__ = __format__ = __and__ = fail


class Real(float):
    """A float all of whose methods raise."""

    __str__ = __repr__ = __float__ = __int__ = is_integer = __eq__ = __hash__ = __bool__ = fail
    __ge__ = __le__ = __lt__ = __gt__ = __truediv__ = __format__ = fail


class Keys(dict[Any, Any]):
    """A dict all of whose methods raise."""

    items = keys = values = __iter__ = __getitem__ = __len__ = __contains__ = __bool__ = get = __eq__ = copy = fail


class Items(list[Any]):
    """A list all of whose methods raise."""

    __iter__ = __getitem__ = __len__ = __contains__ = __bool__ = __eq__ = copy = fail


class Pair(tuple[Any, ...]):
    """A tuple all of whose methods raise."""

    __iter__ = __getitem__ = __len__ = __contains__ = __bool__ = __eq__ = __hash__ = fail


class Map(Mapping[Any, Any]):
    """A mapping all of whose methods raise."""

    __getitem__ = __iter__ = __len__ = __contains__ = __bool__ = items = values = get = fail
    __eq__ = __hash__ = fail


class Junk(Mapping[Any, Any]):
    """A mapping whose items are none."""

    def __init__(self, *found: Any) -> None:
        self.found = found

    def __getitem__(self, key: object) -> Any:
        return self.found

    def __iter__(self) -> Iterator[Any]:
        return iter(self.found)

    def __len__(self) -> int:
        return -1  # noqa: PLE0303

    def items(self) -> Any:
        return self.found


class Endless(Sequence[Any]):
    """A list without an end."""

    def __init__(self, item: object) -> None:
        self.item = item

    def __getitem__(self, index: Any) -> Any:
        return self.item

    def __len__(self) -> int:
        return 2**62


class Own(Sequence[Any]):
    """A list that holds itself."""

    def __getitem__(self, index: Any) -> Any:
        return self

    def __len__(self) -> int:
        return 1


class Index:
    """An integer as NumPy has them."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Recursion:
    """What recurses without an end."""

    def __index__(self) -> int:
        return Recursion.__index__(self)

    __iter__ = __call__ = __len__ = __bool__ = __index__


class Pretender:
    """An object that says it is of another class."""

    __class__ = property(lambda _: ReadPreference)


class Zone(datetime.tzinfo):
    """A time zone all of whose methods raise."""

    utcoffset = tzname = dst = fail


class Colour(enum.IntEnum):
    """An integer with a name."""

    RED = 1


class Meta(type):
    """A class of classes that has neither a name nor an order of bases."""

    __name__ = property(fail)
    __module__ = property(fail)
    __repr__ = __eq__ = __instancecheck__ = __subclasscheck__ = fail
    __hash__ = type.__hash__


class Strange(metaclass=Meta):
    """An object of such a class."""


def deep(levels: int, kind: str) -> Any:
    value: Any = None
    for _ in range(levels):
        value = [value] if kind == "list" else {"a": value}
    return value


def cycle(kind: str) -> Any:
    if kind == "list":
        lst: list[Any] = []
        lst.append(lst)
        return lst
    dct: dict[str, Any] = {}
    dct["a"] = dct
    return dct


def released() -> memoryview:
    view = memoryview(b"{}")
    view.release()
    return view


def closed() -> Topology:
    topology = Topology({"servers": []})
    topology.close()
    return topology


def one_of_each_type() -> Iterator[object]:
    yield {}
    fail()


def shared() -> Any:
    """Give a value that is small, and large when it is written."""
    value: Any = ["x" * 100]
    for _ in range(40):
        value = [value, value]
    return value


LARGE = "a" * (17 << 20)
DEEP_LIST = deep(100_000, "list")
DEEP_DICT = deep(100_000, "dict")

# To write these takes long; some doors stand for all.
HEAVY = {"17 MiB", "shared subtrees", "endless list", "70,000 strings", "70,000 keys"}

# Each with a name, and made anew for each use: some can be read once only.
MAKERS: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "False": lambda: False,
    "0": lambda: 0,
    "-1": lambda: -1,
    "1": lambda: 1,
    "2**31": lambda: 2**31,
    "2**63": lambda: 2**63,
    "2**64": lambda: 2**64,
    "-2**63-1": lambda: -(2**63) - 1,
    "2**2000": lambda: 2**2000,
    "10**5000": lambda: 10**5000,
    "0.5": lambda: 0.5,
    "-0.0": lambda: -0.0,
    "1e308": lambda: 1e308,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "-inf": lambda: float("-inf"),
    "Decimal NaN": lambda: Decimal("NaN"),
    "Decimal sNaN": lambda: Decimal("sNaN"),
    "Decimal Infinity": lambda: Decimal("-Infinity"),
    "Decimal 1e999999": lambda: Decimal("1e999999"),
    "Decimal 1e-999999": lambda: Decimal("1e-999999"),
    "Decimal of 5000 digits": lambda: Decimal("9" * 5000),
    "Fraction": lambda: fractions.Fraction(1, 3),
    "complex": lambda: 1j,
    "IntEnum": lambda: Colour.RED,
    "''": str,
    "'x'": lambda: "x",
    "lone surrogate": lambda: "\ud800",
    "surrogate pair": lambda: "\ud83d\ude00",
    "NUL": lambda: "a\0b",
    "direction marks": lambda: "\u202e\u2066\x1b[31m",
    "HTML": lambda: "<script>alert(1)</script>&\"'",
    "100,000 letters": lambda: "ab" * 50_000,
    "17 MiB": lambda: LARGE,
    "str subclass": lambda: Text("nearest"),
    "str without hash": lambda: HashlessText("nearest"),
    "b''": bytes,
    "b'nearest'": lambda: b"nearest",
    "no UTF-8": lambda: b"\xff\xfe",
    "bytearray": lambda: bytearray(b"{}"),
    "memoryview": lambda: memoryview(b"{}"),
    "released memoryview": released,
    "array": lambda: array.array("i", [1, 2]),
    "[]": list,
    "()": tuple,
    "{}": dict,
    "[None]": lambda: [None],
    "[[]]": lambda: [[]],
    "[{}]": lambda: [{}],
    "[surrogate]": lambda: ["\ud800"],
    "[bytes]": lambda: [b"a"],
    "{1: 2}": lambda: {1: 2},
    "{None: 1}": lambda: {None: 1},
    "{surrogate: 1}": lambda: {"\ud800": 1},
    "{bytes: 1}": lambda: {b"a": 1},
    "{'servers': 5}": lambda: {"servers": 5},
    "{'servers': cycle}": lambda: {"servers": cycle("list")},
    "{'mode': raises}": lambda: {"mode": Everything()},
    "{'error': 1}": lambda: {"error": 1},
    "list 100 deep": lambda: deep(100, "list"),
    "list 100,000 deep": lambda: DEEP_LIST,
    "dict 100 deep": lambda: deep(100, "dict"),
    "dict 100,000 deep": lambda: DEEP_DICT,
    "cyclic list": lambda: cycle("list"),
    "cyclic dict": lambda: cycle("dict"),
    "shared subtrees": shared,
    "70,000 strings": lambda: ["a.example"] * 70_000,
    "70,000 keys": lambda: {f"k{i}": {} for i in range(70_000)},
    "set": lambda: {1},
    "frozenset": lambda: frozenset("a"),
    "object": object,
    "class": lambda: int,
    "function": lambda: fail,
    "lambda": lambda: lambda *_, **__: None,
    "module": lambda: collections,
    "generator": lambda: (one for one in "a"),
    "generator that raises": one_of_each_type,
    "endless iterator": itertools.count,
    "endless list": lambda: Endless("x" * 65536),
    "list that holds itself": Own,
    "range": lambda: range(3),
    "mapping proxy": lambda: types.MappingProxyType({"mode": "nearest"}),
    "ChainMap": lambda: collections.ChainMap({"mode": "nearest"}, {}),
    "UserDict": lambda: collections.UserDict({"mode": "nearest"}),
    "UserString": lambda: collections.UserString("nearest"),
    "defaultdict": lambda: collections.defaultdict(dict),
    "namespace": lambda: types.SimpleNamespace(mode="nearest"),
    "date": lambda: datetime.date(2026, 11, 30),
    "first moment": lambda: datetime.datetime.min,
    "last moment": lambda: datetime.datetime.max.replace(tzinfo=datetime.timezone.utc),
    "moment in a bad zone": lambda: datetime.datetime(2026, 1, 1, tzinfo=Zone()),
    "timedelta": lambda: datetime.timedelta(days=1),
    "index 1": lambda: Index(1),
    "index 2**70": lambda: Index(2**70),
    "index that is none": lambda: Index("x"),  # type: ignore[arg-type]
    "index that recurses": Recursion,
    "everything raises": Everything,
    "[everything raises]": lambda: [Everything()],
    "int that raises": lambda: Whole(1),
    "float that raises": lambda: Real(1),
    "dict that raises": lambda: Keys(mode="nearest"),
    "list that raises": lambda: Items(["a.example"]),
    "tuple that raises": lambda: Pair([1, 2]),
    "mapping that raises": Map,
    "mapping of no pairs": lambda: Junk(1, "ab", ()),
    "mapping of triples": lambda: Junk(("a", 1, 2)),
    "liar": Pretender,
    "strange class": Strange,
    "instance of a strange class": lambda: types.SimpleNamespace(a=Strange),
    "exception": lambda: MineError("mine"),
    "Topology": lambda: Topology({"servers": []}),
    "closed Topology": closed,
    "{closed Topology}": lambda: {"a": closed()},
    "Topology without a beginning": lambda: Topology.__new__(Topology),
    "ReadPreference": lambda: ReadPreference("nearest"),
    "ReadPreference without a beginning": lambda: ReadPreference.__new__(ReadPreference),
    "TopologyDescription": lambda: TopologyDescription({"servers": []}),
    "TopologyDescription without a beginning": lambda: TopologyDescription.__new__(TopologyDescription),
    "another's server": lambda: SelectedServer(0, "z.example:27017"),
    "server of raising parts": lambda: SelectedServer(Everything(), Everything()),  # type: ignore[arg-type]
    "server 0 of raising parts": lambda: SelectedServer(0, Everything()),  # type: ignore[arg-type]
    "server of no parts": lambda: SelectedServer.__new__(SelectedServer),
}
