"""What only the extension has: parts in C, which take whatever they are given, and a hot path without Python."""

from __future__ import annotations

import contextlib
import inspect
import io
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from readpref import ReadPreference, SelectedServer, Topology, WrongTypeError
from readpref import _engine as engine
from readpref._handles import PreferenceHandle, TopologyHandle
from readpref._topology import _FLAGS

MANY: Any = [None, "1", b"1", 1.5, [], {}, object(), True, -1, 2**31, 2**32, 2**64, -(2**200), "\ud800", "\0"]
HANDLE, ARGUMENT = -3, -1  # RP_E_HANDLE; RP_E_ARGUMENT is for flags that do not exist


@pytest.fixture
def live(description: dict[str, Any]) -> Iterator[Topology]:
    with Topology(description, seed=1) as topology:
        yield topology


@pytest.mark.parametrize("name", ["call", "select", "select_ex", "select_batch", "release", "generation", "close"])
def test_hostile_arguments_are_exceptions_or_statuses(name: str) -> None:
    function = getattr(engine, name)
    for arguments in ([], *([one] * n for one in MANY for n in range(1, 6))):
        try:
            found = function(*arguments)
        except (TypeError, OverflowError):
            continue
        # No handle is open that these numbers would be of, and b"1" is no method.
        assert found in (HANDLE, ARGUMENT, (HANDLE, []), (ARGUMENT, []), 0) or found[0] is False, (name, arguments)
    with pytest.raises(TypeError):
        function(wrong=1)


def test_bytes_with_anything_in_them() -> None:
    for method in (b"", b"\0", b"select\0", b"\xff", b"x" * 1_000_000):
        succeeded, answer = engine.call(method, b"\0")
        assert (succeeded, b'"code":"unknownMethod"' in answer) == (False, True)
    for data, code in (
        (b"\0", b"invalidJSON"),
        (b'"\\ud800"', b"invalidUTF8"),
        (b" " * (2**24 + 1), b"documentTooLarge"),
    ):
        succeeded, answer = engine.call(b"select", data)
        assert (succeeded, b'"code":"%b"' % code in answer) == (False, True)


def test_closed_handles(live: Topology) -> None:
    handle, preference = live._handle, ReadPreference("nearest")
    live.select(preference)
    opened = preference._prepared.handle
    live.close()
    assert engine.select(handle, opened, 0) == HANDLE
    assert engine.select_ex(handle, opened, 0, b"") == HANDLE
    assert engine.select_batch(handle, opened, 0, 10) == (HANDLE, [])
    assert engine.release(handle, 0) == HANDLE
    assert engine.generation(handle) == 0
    assert engine.close(handle) == HANDLE


def test_too_many_picks_are_refused_before_memory_is_asked_for() -> None:
    for count in (2**20 + 1, 2**32 - 1):
        with pytest.raises(OverflowError):
            engine.select_batch(1, 1, 0, count)


@pytest.mark.parametrize("one", MANY)
def test_handles_take_numbers_only(one: Any) -> None:
    for handle in (TopologyHandle(), PreferenceHandle()):
        fits = isinstance(one, int) and 0 <= one < 2**32
        try:
            handle._handle = one
        except (TypeError, OverflowError):
            assert not fits
        assert handle._handle == (one if fits else 0)
        with pytest.raises(AttributeError):
            del handle._handle


@pytest.mark.parametrize("one", MANY)
def test_servers_are_remembered_by_their_number_only(one: Any) -> None:
    handle = TopologyHandle()
    assert handle._known(one) is None
    if one is True:  # an int as any other to C; nobody in Python passes it
        return
    with pytest.raises((TypeError, OverflowError)):
        handle._remember(one, "server")
    with pytest.raises((TypeError, OverflowError)):
        handle._begin(one if one not in (2**31,) else -1)


def test_the_first_server_of_an_id_stays() -> None:
    handle = TopologyHandle()
    for id in (0, 7, 8, 2**20 - 1):  # noqa: A001
        first = SelectedServer(id, "a.example:27017")
        assert handle._remember(id, first) is first
        assert handle._remember(id, SelectedServer(id, "b.example:27017")) is first
        assert handle._known(id) is first
    with pytest.raises(OverflowError):
        handle._remember(2**20, "server")
    handle._begin(5)
    assert (handle._handle, handle._known(0), handle._known(7)) == (5, None, None)


@pytest.mark.parametrize("one", MANY)
def test_the_maker_of_the_method_takes_what_it_can_use(one: Any) -> None:
    good: list[Any] = [Topology.select, ReadPreference, _FLAGS, (), type(live_method())]
    for place in (1, 2, 4):
        bad = [*good]
        bad[place] = one
        if place == 2 and one == {}:
            continue
        with pytest.raises(TypeError):
            engine.quick_select(*bad)
    with pytest.raises(TypeError, match="PreferenceHandle"):
        engine.quick_select(Topology.select, int, _FLAGS, (), type(live_method()))
    with pytest.raises(TypeError):
        made: Any = type(Topology.select)
        made()


def live_method() -> Any:
    return Topology({"servers": []}).select


@pytest.mark.parametrize("one", MANY)
def test_wrong_selves_and_wrong_preferences_reach_python(one: Any, live: Any) -> None:
    with pytest.raises(AttributeError):
        Topology.select(one, ReadPreference("nearest"))
    if one is not None and one != {}:
        with pytest.raises((WrongTypeError, ValueError)):
            live.select(one)
    with pytest.raises(TypeError):
        live.select(ReadPreference("nearest"), one)
    with pytest.raises(TypeError):
        live.select(ReadPreference("nearest"), wrong=one)
    with pytest.raises(TypeError):
        Topology.select()  # type: ignore[call-arg]


def test_a_topology_that_was_never_opened() -> None:
    with pytest.raises(AttributeError):
        Topology.__new__(Topology).select(ReadPreference("nearest"))


def test_flags_that_are_none() -> None:
    wrong: Any = {"read": "x"}

    class Wrong(TopologyHandle):
        select: Any = engine.quick_select(lambda *_, **__: "python", ReadPreference, wrong, (), type(live_method()))

    made = Wrong()
    made._log_levels = {10: False}
    with pytest.raises(TypeError):
        made.select(ReadPreference("nearest"), operation="read")
    assert made.select(ReadPreference("nearest"), operation="write") == "python"


def calls_of_python(topology: Topology, *arguments: Any, **keywords: Any) -> int:
    """Tell how often the function in Python called the engine."""
    calls = 0
    real = topology._rp_select

    def select(*given: int) -> int:
        nonlocal calls
        calls += 1
        return real(*given)

    topology._rp_select = select
    topology.select(*arguments, **keywords)
    topology._rp_select = real
    return calls


def test_the_usual_selections_do_not_reach_python(live: Topology) -> None:
    nearest = ReadPreference("nearest")
    live.select(nearest)  # opens it
    assert calls_of_python(live, nearest) == 0
    assert calls_of_python(live, read_preference=nearest) == 0
    assert calls_of_python(live, nearest, operation="aggregateWithWriteStage", checkout=True) == 0
    assert calls_of_python(live, nearest, operation="write", checkout=False) == 0
    assert calls_of_python(live, nearest, timeout=1, operation_timeout=None, operation_name="find", operation_id=1) == 0
    assert calls_of_python(live, nearest, custom_selector=None, deprioritized=()) == 0
    assert calls_of_python(live, "nearest") == 1
    assert calls_of_python(live) == 1
    assert calls_of_python(live, ReadPreference("nearest")) == 1  # not open yet


def test_a_log_that_is_read_reaches_python(live: Topology) -> None:
    nearest, logger = ReadPreference("nearest"), logging.getLogger("readpref.serverSelection")
    live.select(nearest)
    for level, reached in ((logging.DEBUG, 1), (logging.INFO, 0), (logging.DEBUG, 1), (logging.NOTSET, 0)):
        logger.setLevel(level)
        live.select(nearest)  # the logger finds out of its level
        assert calls_of_python(live, nearest) == reached, level


def test_each_operation_is_the_one_that_was_asked_for(live: Topology) -> None:
    """By the specification a write goes to the primary, whatever the read preference."""
    secondary = ReadPreference("secondary")
    live.select(secondary)
    assert {live.select(secondary).address for _ in range(20)} == {"b.example:27017"}
    assert {live.select(secondary, operation="write").address for _ in range(20)} == {"a.example:27017"}


def test_checkout_counts_once(live: Topology) -> None:
    secondary = ReadPreference("secondary")
    # The first of a server: its object is not there yet, and it is not selected again to make it.
    for n in range(1, 5):
        server = live.select(secondary, checkout=True)
        assert live.description.servers[1].to_dict()["operationCount"] == n
    for n in range(3, 0, -1):
        live.release(server)
        assert live.description.servers[1].to_dict()["operationCount"] == n


def shown(thing: Any) -> str:
    """Give what help() prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        help(thing)
    return text.getvalue()


def test_the_method_looks_like_the_function(live: Topology) -> None:
    function = Topology.select.__wrapped__  # type: ignore[attr-defined]
    assert inspect.isfunction(function)
    assert inspect.signature(Topology.select) == inspect.signature(function)
    assert list(inspect.signature(live.select).parameters) == list(inspect.signature(function).parameters)[1:]
    assert inspect.isroutine(Topology.select)
    assert Topology.select.__doc__ == function.__doc__
    assert (Topology.select.__name__, Topology.select.__qualname__) == ("select", "Topology.select")
    assert re.search(r"\bselect\([\s|]*self,[\s|]*read_preference: ", shown(Topology))  # from 3.13 on in several lines
    assert "Select a server for an operation" in shown(live.select)
    assert live.select.__self__ is live  # type: ignore[attr-defined]
    assert repr(Topology.select) == repr(function)


def test_subclasses(description: dict[str, Any]) -> None:
    class Plain(Topology):
        """Has an attribute of its own."""

        mine = 1

    class Selecting(Topology):
        calls = 0

        def select(self, *arguments: Any, **keywords: Any) -> SelectedServer:
            self.calls += 1
            return super().select(*arguments, **keywords)

    secondary = ReadPreference("secondary")
    plain, selecting = Plain(description), Selecting(description)
    with plain, selecting:
        for _ in range(3):
            assert plain.select(secondary).address == selecting.select(secondary).address == "b.example:27017"
        assert calls_of_python(plain, secondary) == 0
        assert selecting.calls == 3

    class Preference(ReadPreference):
        """May mean anything, so Python asks it."""

    with Plain(description) as other_topology:
        other = Preference("secondary")
        assert other_topology.select(other).address == other_topology.select(other).address == "b.example:27017"


INTERPRETERS = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
program = '''
import sys
sys.path[:] = PATH
from readpref import ReadPreference, Topology, _native
topology = Topology({"servers": [{"address": "index.example", "type": "RSPrimary"}]})
for _ in range(1000):
    assert topology.select(ReadPreference("primary")).address == "index.example:27017"
assert _native.engine().__name__ == "readpref._engine"
'''.replace("PATH", repr(sys.path))
exec(program)
made = [interpreters.create() for _ in range(3)]
for one in made:
    failed = interpreters.run_string(one, program.replace("index", f"m{int(one)}"))
    assert failed is None, failed
for one in made:
    interpreters.destroy(one)
exec(program)
"""


def test_interpreters_of_one_process() -> None:
    """From 3.12 on each has a lock of its own, and a module has to say that it bears that."""
    subprocess.run([sys.executable, "-c", INTERPRETERS], check=True, timeout=60)
