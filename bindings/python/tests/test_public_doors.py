"""Everything public, given what nobody should give, answers, or raises an error of readpref that says where."""

from __future__ import annotations

import inspect
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import readpref
from hostile_values import HEAVY, MAKERS
from public_doors import WAITING, Door, doors, samples
from readpref import ReadPrefError
from recipes import Case, cases

DOORS = doors()
# These wait for ever, or for long, and are meant to.
PATIENT = {"True", "1", "2**31", "2**63", "2**64", "2**2000", "10**5000", "1e308", "inf"}

STRONG = {"call", "call_raw", "select", "parse_uri", "ReadPreference", "TopologyDescription", "Topology.select"}


def tried(door: Door, arguments: dict[str, Any], more: tuple[Any, ...] = ()) -> None:
    """Call; whatever is raised is of readpref."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            door.call(arguments, more)
        except ReadPrefError as error:
            checked(error)


def checked(error: ReadPrefError) -> None:
    """Everything that an error says is there, short, and can be printed."""
    assert error.code
    assert error.status < 0
    assert error.message
    assert len(error.message) < 1100
    assert len(error.path) < 1100
    for text in (str(error), repr(error), error.path, error.message):
        text.encode("utf-8")


def test_the_doors_are_all_there() -> None:
    names = {door.name.partition(".")[0] for door in DOORS}
    functions = {name for name in readpref.__all__ if inspect.isfunction(getattr(readpref, name))}
    assert functions <= names
    assert {"Topology.select", "Topology.on_srv", "ReadPreference.from_uri", "TopologyDescription"} <= {
        door.name for door in DOORS
    }
    assert len(DOORS) > 80


@pytest.mark.parametrize("door", DOORS, ids=repr)
def test_what_is_usual_is_no_error_of_python(door: Door) -> None:
    tried(door, {})


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let no listener that fails be told of; there are thousands."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("door", DOORS, ids=repr)
def test_each_argument(door: Door) -> None:
    failures: list[str] = []
    for parameter in [*door.parameters, *(f"*{one.name}" for one in door.takes_more)]:
        for name, make in MAKERS.items():
            if (parameter in WAITING and name in PATIENT) or (name in HEAVY and door.name not in STRONG):
                continue
            value = make()
            try:
                if parameter.startswith("*"):
                    tried(door, {}, (value,))
                else:
                    tried(door, {parameter: value})
            except Exception as error:  # the list of all is what helps
                failures.append(f"{parameter} = {name}: {type(error).__name__}")
    assert failures == []


@given(cases(DOORS))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_call(case: Case) -> None:
    """A few of those that make fuzz has many of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            case.run()
        except ReadPrefError as error:
            checked(error)


@pytest.mark.parametrize("kind", samples(), ids=lambda kind: kind.__name__)
def test_what_is_read(kind: type) -> None:
    """Properties of what there is, and of a Topology that is closed."""
    one = samples()[kind]()
    for _ in range(2):
        for name, value in inspect.getmembers(type(one)):
            if isinstance(value, property):
                try:
                    getattr(one, name)
                except ReadPrefError as error:
                    checked(error)
        repr(one)
        if hasattr(one, "close"):
            one.close()
