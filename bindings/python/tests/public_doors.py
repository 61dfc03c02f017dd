"""Everything public that can be called, found by looking: a function that is added is tested by that alone."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Callable

import readpref
from readpref import Checkout, Effect, Event, EventStream, Notice, ReadPreference, Topology
from readpref._value import Value

URI = "mongodb://a.example,b.example/?replicaSet=rs0&readPreference=nearest"
DESCRIPTION: dict[str, Any] = {
    "setName": "rs0",
    "servers": [
        {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
        {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 50, "tags": {"dc": "ny"}},
    ],
}
WORKLOADS: list[dict[str, Any]] = [{"readPreference": {"mode": "nearest"}}, {"operation": "write", "weight": 3}]
EVENTS = [{"type": "memberDown", "address": "a.example"}]
HELLO = {"ok": 1, "setName": "rs0", "secondary": True, "hosts": ["a.example", "c.example"], "maxWireVersion": 25}
SAVED = {**HELLO, "isWritablePrimary": False}  # as it came: known by this key

# What a parameter of this name is given where another is tried. One that is not here gets what its annotation says.
USUAL: dict[str, Any] = {
    "topology": DESCRIPTION,
    "description": DESCRIPTION,
    "source": DESCRIPTION,
    "workloads": WORKLOADS,
    "events": EVENTS,
    "after": {"pick": "random"},
    "documents": [SAVED],
    "progress": lambda *_: None,
    "read_preference": "nearest",
    "mode": "nearest",
    "uri": URI,
    "options": "readPreference=nearest",
    "uri_options": "readPreference=nearest",
    "address": "a.example:27017",
    "hello": HELLO,
    "kind": "network",
    "operation": "read",
    "method": "validate",
    "data": b"{}",
    "request": {},
    "command": "find",
    "server": 0,
    "replies": [{"address": "a.example", "hello": HELLO}],
    "listener": lambda _: None,
    "records": [{"target": "db1.example.com", "port": 27017}],
    "document": {"mode": "nearest"},
    "samples": [1, 2],
    "current": ["db1.example.com:27017"],
    "timeout": 0,
    "count": 2,
    "opcode": "OP_MSG",
    "message": "told",
    "code": "argument",
    "path": "a.b",
}
USUAL_OF: dict[tuple[str, str], Any] = {
    ("ReadPreference.from_uri", "uri"): "mongodb://a.example/",
    ("resolve_srv", "uri"): "mongodb+srv://a.example.com",
    ("rescan_srv", "uri"): "mongodb+srv://a.example.com",
    ("command", "server"): "a.example",
    ("Topology.from_document", "document"): {"topology": DESCRIPTION},
    ("ServerDescription", "description"): {"address": "a.example", "type": "RSPrimary"},
    ("validate", "read_preference"): {"mode": "nearest"},
    ("Decoration.attach", "command"): {"find": "c"},
}
BY_ANNOTATION = [
    (r"str\b", "a"),
    (r"bool", True),
    (r"int|float|Seconds|Milliseconds", 1),
    (r"Mapping|dict", {}),
    (r"Sequence|tuple|list|Iterable", []),
    (r"bytes", b"{}"),
    (r"Callable", lambda *_: None),
]
WAITING = {"picks", "timeout", "operation_timeout", "server_selection_timeout_ms"}


class Door:
    """Something public that is called with arguments.

    Args:
        name: as users write it.
        open: gives what is to be called, new each time, and what is to be closed afterwards.
        signature: of what is called.
    """

    def __init__(self, name: str, open: Callable[[], Any], signature: inspect.Signature) -> None:  # noqa: A002
        self.name = name
        self.open = open
        self.parameters = {
            name: one
            for name, one in signature.parameters.items()
            if name != "self" and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        }
        self.takes_more = [one for one in signature.parameters.values() if one.kind is one.VAR_POSITIONAL]

    def __repr__(self) -> str:
        return self.name

    def usual(self, parameter: str) -> Any:
        """Give what is usual for a parameter."""
        for found in (USUAL_OF.get((self.name, parameter)), USUAL.get(parameter)):
            if found is not None:
                return found
        annotation = str(self.parameters[parameter].annotation)
        for pattern, value in BY_ANNOTATION:
            if re.search(pattern, annotation):
                return value
        return "a"

    def call(self, arguments: Mapping[str, Any], more: tuple[Any, ...] = ()) -> Any:
        """Call it with these and what is usual for the others that are required; use what it gives."""
        given = {
            name: self.usual(name)
            for name, one in self.parameters.items()
            if one.default is one.empty and name not in arguments and not more
        }
        given.update(arguments)
        if "timeout" in self.parameters and not WAITING & set(given):
            given["timeout"] = 0
        positional = [
            given.pop(name)
            for name, one in self.parameters.items()
            if one.kind is one.POSITIONAL_ONLY and name in given
        ]
        opened = self.open()
        return use(opened(*positional, *more, **given))


def use(found: Any) -> Any:
    """Do with a result what users do: await it, enter it, print and compare it."""
    if inspect.iscoroutine(found):
        found = asyncio.run(found)
    if isinstance(found, Checkout):
        with found as server:
            return server
    if isinstance(found, EventStream):
        for notice in found.pending():
            repr(notice)
        found.close()
        return found
    if type(found).__module__.startswith("readpref") and not isinstance(found, Topology):
        assert isinstance(repr(found), str)
        assert isinstance(str(found), str)
        assert found == found  # noqa: PLR0124
    return found


def discovered() -> Topology:
    """Give a topology that discovers its deployment, and has heard of it."""
    topology = Topology(URI, server_selection_timeout_ms=0)
    topology.on_hello("a.example", HELLO, round_trip_time_ms=2)
    return topology


def samples() -> dict[type, Callable[[], Any]]:
    """Give for each public class that is no exception how one of it is made."""
    made: dict[type, Callable[[], Any]] = {
        Topology: lambda: Topology(DESCRIPTION),
        Checkout: lambda: Topology(DESCRIPTION).checkout("nearest"),
        EventStream: lambda: discovered().events(),
        ReadPreference: lambda: ReadPreference("secondary", [{"dc": "ny"}, {}], 120),
    }
    for found in walk(
        readpref.explain(DESCRIPTION, ReadPreference("secondary", [{"dc": "sf"}, {"dc": "ny"}], 120)),
        readpref.explain(DESCRIPTION, ReadPreference("secondary", [{"dc": "sf"}])),
        readpref.explain(DESCRIPTION, "nearest"),
        readpref.select({"servers": []}),
        readpref.TopologyDescription(DESCRIPTION),
        readpref.TopologyDescription(DESCRIPTION).servers,
        readpref.parse_uri(URI),
        readpref.parse_uri("mongodb+srv://a.example.com"),
        readpref.resolve_srv("mongodb+srv://a.example.com", [{"target": "b.example.com", "port": 27017}]),
        readpref.effective_preference("find"),
        readpref.command(DESCRIPTION, "a.example", "nearest"),
        readpref.rtt([1, 2]),
        readpref.simulate(DESCRIPTION, WORKLOADS),
        readpref.what_if(DESCRIPTION, WORKLOADS, EVENTS),
        readpref.diff(DESCRIPTION, WORKLOADS, {"workloads": [{}, {}]}),
        readpref.import_topology([SAVED]),
        readpref.advise(DESCRIPTION, [{"readPreference": {"mode": "secondary"}}]),
        Topology(DESCRIPTION).select("nearest"),
        discovered().on_hello("a.example", HELLO),
        discovered().on_error("a.example", "network"),
        discovered().events().pending(),
    ):
        made.setdefault(type(found), partial(given, found))
    for kind in classes():
        if kind not in made and issubclass(kind, Value) and kind not in (Event, Effect, Notice):
            made[kind] = partial(kind, *(None for _ in kind._names))
    return made


def given(found: Any) -> Any:
    """Give it."""
    return found


def discovered_method(name: str) -> Any:
    """Give a method of a new topology."""
    return getattr(discovered(), name)


def walk(*found: Any) -> Iterator[Any]:
    """Give the values of readpref that answers hold."""
    for one in found:
        if isinstance(one, (tuple, list)):
            yield from walk(*one)
        elif type(one).__module__.startswith("readpref"):
            yield one
            if isinstance(one, Value):
                yield from walk(*(getattr(one, name) for name in one._names if name != "_document"))


def classes() -> list[type]:
    """Give the public classes."""
    return [thing for thing in (getattr(readpref, name) for name in readpref.__all__) if inspect.isclass(thing)]


def doors() -> list[Door]:
    """Give all doors."""
    found: list[Door] = []
    made = samples()
    for name in readpref.__all__:
        thing = getattr(readpref, name)
        if not inspect.isclass(thing):
            found.append(Door(name, partial(given, thing), inspect.signature(thing)))
            continue
        if thing not in (Checkout, EventStream, Event) and not issubclass(thing, (Value, Warning)):
            found.append(Door(name, partial(given, thing), inspect.signature(thing.__init__)))
        for method, kind in methods(thing):
            of_class = isinstance(kind, (classmethod, staticmethod))
            if not of_class and thing not in made:
                continue  # of an exception: it takes nothing

            def opened(thing: type = thing, method: str = method, of_class: bool = of_class) -> Any:
                return getattr(thing if of_class else made[thing](), method)

            signature = inspect.signature(kind.__func__ if of_class else kind)
            parameters = list(signature.parameters.values())[1:]
            found.append(Door(f"{name}.{method}", opened, signature.replace(parameters=parameters)))
    for method in ("on_hello", "on_error", "on_srv", "listen", "events", "update", "select", "shutdown", "explain"):
        signature = inspect.signature(getattr(Topology, method))
        found.append(Door(f"discovered.{method}", partial(discovered_method, method), signature))
    return found


def methods(kind: type) -> Iterator[tuple[str, Any]]:
    """Give the public methods of a class, its bases' too."""
    seen = set()
    for base in kind.__mro__:
        if not base.__module__.startswith("readpref"):
            continue
        for name, value in vars(base).items():
            public = not name.startswith("_")
            if public and name not in seen and (callable(value) or isinstance(value, (classmethod, staticmethod))):
                seen.add(name)
                yield name, value
