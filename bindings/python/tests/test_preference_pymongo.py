"""Read preferences to PyMongo and back."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo import read_preferences as theirs

from readpref import ReadPreference, WrongTypeError
from readpref.pymongo import explain

PAIRS: list[tuple[ReadPreference, Any]] = [
    (ReadPreference("primary"), theirs.Primary()),
    (ReadPreference("primaryPreferred"), theirs.PrimaryPreferred()),
    (ReadPreference("secondary", [{"dc": "ny"}, {}]), theirs.Secondary(tag_sets=[{"dc": "ny"}, {}])),
    (
        ReadPreference("secondaryPreferred", max_staleness_seconds=120),
        theirs.SecondaryPreferred(max_staleness=120),
    ),
    (ReadPreference("nearest", [{}]), theirs.Nearest(tag_sets=[{}])),
    (
        ReadPreference("nearest", [{"dc": "ny", "rack": "1"}], 90),
        theirs.Nearest(tag_sets=[{"dc": "ny", "rack": "1"}], max_staleness=90),
    ),
]


@pytest.mark.parametrize(("ours", "pymongos"), PAIRS)
def test_there_and_back(ours: ReadPreference, pymongos: Any) -> None:
    assert ours.to_pymongo() == pymongos
    # [{}] and no tag sets mean the same; PyMongo does not tell them apart, and sends neither.
    assert ReadPreference.from_pymongo(pymongos).to_pymongo() == pymongos
    if ours.tags != ({},):
        assert ReadPreference.from_pymongo(pymongos) == ours


def test_hedge() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        preference = ReadPreference("nearest", hedge={"enabled": True})
        assert preference.to_pymongo() == theirs.Nearest(hedge={"enabled": True})
        assert ReadPreference.from_pymongo(theirs.Nearest(hedge={"enabled": True})) == preference


class OfAUser(theirs.Nearest):
    """PyMongo takes what derives from its preferences."""


def test_what_derives_from_theirs() -> None:
    client: MongoClient[dict[str, Any]] = MongoClient("mongodb://a.example", connect=False)
    with client:
        database = client.get_database("shop", read_preference=OfAUser(tag_sets=[{"dc": "ny"}]))
        explanation = explain(database)
    assert ReadPreference.from_pymongo(OfAUser(tag_sets=[{"dc": "ny"}])) == ReadPreference("nearest", [{"dc": "ny"}])
    assert "preference  nearest, tags [{dc: ny}]" in explanation.text


class Pretender:
    """Says of itself that it is PyMongo's."""

    __module__ = "pymongo.read_preferences"

    @property
    def document(self) -> Any:
        raise OSError("no document")


@pytest.mark.parametrize("value", [None, "nearest", {"mode": "nearest"}, 1, theirs.Nearest, theirs.MovingAverage()])
def test_what_is_none_of_them(value: Any) -> None:
    with pytest.raises(WrongTypeError, match="expected a read preference of PyMongo's") as caught:
        ReadPreference.from_pymongo(value)
    assert (caught.value.code, caught.value.path) == ("wrongType", "readPreference")


def test_what_raises() -> None:
    with pytest.raises(WrongTypeError, match="reading the value raised OSError"):
        ReadPreference.from_pymongo(Pretender())  # type: ignore[arg-type]
