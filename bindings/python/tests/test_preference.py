"""ReadPreference: its forms, its value, its errors."""

from __future__ import annotations

import copy
import pickle
import warnings
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from readpref import EngineDeprecationWarning, EngineWarning, InvalidPreferenceError, ReadPreference, ReadPrefError

TAGS = [{"dc": "ny", "rack": "1"}, {}]


def test_default_is_primary() -> None:
    preference = ReadPreference()
    assert preference.mode == "primary"
    assert preference.tags == ()
    assert preference.max_staleness_seconds is None
    assert preference.hedge is None
    assert preference.document == {"mode": "primary"}


def test_parts() -> None:
    preference = ReadPreference("secondaryPreferred", TAGS, 120)
    assert preference.mode == "secondaryPreferred"
    assert [dict(tag_set) for tag_set in preference.tags] == TAGS
    assert preference.max_staleness_seconds == 120
    assert preference.document == {"mode": "secondaryPreferred", "tags": TAGS, "maxStalenessSeconds": 120}


def test_what_means_nothing_is_normalised_away() -> None:
    assert ReadPreference("nearest", tags=[], max_staleness_seconds=-1).document == {"mode": "nearest"}
    assert ReadPreference("primary", tags=[], max_staleness_seconds=-1) == ReadPreference()


def test_three_spellings_are_equal() -> None:
    built = ReadPreference("secondary", tags=[{"dc": "ny"}, {}], max_staleness_seconds=90)
    assert built == ReadPreference.from_document(
        {"mode": "secondary", "tags": ({"dc": "ny"}, {}), "maxStalenessSeconds": 90}
    )
    assert built == ReadPreference.from_uri_options(
        "readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags=&maxStalenessSeconds=90"
    )
    assert ReadPreference("secondary", [{"dc": "ny"}]) == ReadPreference.from_mongosh("secondary", [{"dc": "ny"}])


def test_equal_values_have_equal_hashes_and_order_counts_where_it_means_something() -> None:
    one = ReadPreference("secondary", tags=[{"dc": "ny", "rack": "1"}])
    other = ReadPreference("secondary", tags=[{"rack": "1", "dc": "ny"}])
    assert one == other
    assert hash(one) == hash(other)
    assert ReadPreference("secondary", tags=[{"a": "1"}, {}]) != ReadPreference("secondary", tags=[{}, {"a": "1"}])
    assert ReadPreference("secondary") != ReadPreference("nearest")
    assert ReadPreference("secondary", max_staleness_seconds=90) != ReadPreference("secondary")
    assert ReadPreference("secondary") != {"mode": "secondary"}
    assert len({one, other, ReadPreference()}) == 2


@pytest.mark.parametrize(
    "preference",
    [
        ReadPreference(),
        ReadPreference("secondary", TAGS, 120),
        ReadPreference("nearest", tags=[{'q"uote': "back\\slash\n"}]),
    ],
)
def test_repr_evaluates_to_the_same(preference: ReadPreference) -> None:
    assert eval(repr(preference)) == preference
    assert pickle.loads(pickle.dumps(preference)) == preference
    assert copy.deepcopy(preference) == preference


def test_it_cannot_be_changed() -> None:
    preference = ReadPreference("secondary", TAGS)
    with pytest.raises(FrozenInstanceError):
        preference.mode = "primary"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del preference._json
    with pytest.raises(TypeError):
        preference.tags[0]["dc"] = "sf"  # type: ignore[index]
    preference.document["tags"].append({"dc": "sf"})
    assert [dict(tag_set) for tag_set in preference.tags] == TAGS


def test_hedge_warns_where_it_was_written() -> None:
    with pytest.warns(DeprecationWarning) as caught:
        preference = ReadPreference("nearest", hedge={"enabled": True})
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning) as caught:
        assert ReadPreference.from_document({"mode": "nearest", "hedge": {"enabled": True}}) == preference
    assert caught[0].filename == __file__
    assert preference.hedge == {"enabled": True}
    assert [warning.code for warning in preference.warnings] == ["hedgeDeprecated"]
    assert isinstance(preference.warnings[0], EngineDeprecationWarning)
    assert [issued.message for issued in caught] == list(preference.warnings)
    with pytest.warns(DeprecationWarning):
        assert eval(repr(preference)) == preference
    assert hash(preference) == hash(copy.copy(preference))


def test_uri_options_that_are_ignored_are_warned_of() -> None:
    with pytest.warns(EngineWarning) as caught:
        preference = ReadPreference.from_uri_options("readPreference=secondry&maxStalenessSeconds=-2&w=majority")
    assert preference.document == {"mode": "primary"}
    assert [(warning.code, warning.path) for warning in preference.warnings] == [
        ("invalidURIOptionValue", "uriOptions.readPreference"),
        ("invalidURIOptionValue", "uriOptions.maxStalenessSeconds"),
    ]
    # Each once, where the caller wrote it, with its path and code.
    assert [issued.message for issued in caught] == list(preference.warnings)
    assert {(issued.category, issued.filename) for issued in caught} == {(EngineWarning, __file__)}
    assert str(caught[0].message) == (
        'uriOptions.readPreference: "secondry" is no read preference mode; the option is ignored '
        "(invalidURIOptionValue)"
    )


def test_a_warning_may_be_made_an_exception() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", EngineWarning)
        with pytest.raises(EngineWarning, match=r"^uriOptions\.readPreference: ") as caught:
            ReadPreference.from_uri_options("readPreference=secondry")
    assert caught.value.code == "invalidURIOptionValue"


def test_warnings_are_values() -> None:
    one = EngineWarning("somethingNew", "told", "a.b")
    assert one == EngineWarning("somethingNew", "told", "a.b") != EngineWarning("somethingNew", "told", "a.c")
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert len({one, copy.copy(one)}) == 1
    assert one != ("somethingNew", "told", "a.b")
    assert str(EngineWarning("somethingNew", "told", "")) == "told (somethingNew)"
    with pytest.raises(AttributeError):
        one.code = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "code", "path"),
    [
        ({"mode": "secundary"}, "unknownMode", "readPreference.mode"),
        ({"mode": "Secondary"}, "unknownMode", "readPreference.mode"),
        ({"tags": [{"dc": "ny"}]}, "tagsWithPrimary", "readPreference.tags"),
        ({"max_staleness_seconds": 120}, "maxStalenessWithPrimary", "readPreference.maxStalenessSeconds"),
        ({"hedge": {"enabled": True}}, "hedgeWithPrimary", "readPreference.hedge"),
        ({"mode": "nearest", "max_staleness_seconds": -2}, "invalidMaxStaleness", "readPreference.maxStalenessSeconds"),
    ],
)
def test_impossible_preferences(arguments: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(InvalidPreferenceError) as caught:
        ReadPreference(**arguments)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert isinstance(caught.value, ValueError)


def test_the_nearest_mode_is_suggested() -> None:
    with pytest.raises(ReadPrefError, match=r"secondary\b"):
        ReadPreference("secundary")


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"mode": 5}, "readPreference.mode"),
        ({"mode": "nearest", "tags": {"dc": "ny"}}, "readPreference.tags"),
        ({"mode": "nearest", "tags": [{"dc": 1}]}, "readPreference.tags[0].dc"),
        ({"mode": "nearest", "tags": [{}, {"dc": b"ny"}]}, "readPreference.tags[1].dc"),
        ({"mode": "nearest", "tags": [{"dc"}]}, "readPreference.tags[0]"),
        ({"mode": "nearest", "max_staleness_seconds": 120.0}, "readPreference.maxStalenessSeconds"),
        ({"mode": "nearest", "max_staleness_seconds": True}, "readPreference.maxStalenessSeconds"),
    ],
)
def test_wrong_types(arguments: dict[str, Any], path: str) -> None:
    with pytest.raises(TypeError) as caught:
        ReadPreference(**arguments)
    assert isinstance(caught.value, ReadPrefError)
    assert (caught.value.code, caught.value.path) == ("wrongType", path)


def test_unknown_keys_of_a_document() -> None:
    with pytest.raises(ReadPrefError) as caught:
        ReadPreference.from_document({"mode": "nearest", "tagSets": []})
    assert (caught.value.code, caught.value.path) == ("unknownKey", "readPreference.tagSets")
