"""Arguments that nobody would think of, by hypothesis: recipes, which can be printed and shrunk, and what they make."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from hostile_values import HEAVY, MAKERS
from public_doors import DESCRIPTION, HELLO, URI, WAITING, Door, doors
from readpref import methods


class Made(NamedTuple):
    """A value of hostile_values, by its name."""

    name: str


class Case(NamedTuple):
    """A call: of a door, with recipes of arguments."""

    door: Door
    arguments: dict[str, Any]
    more: tuple[Any, ...]

    def run(self) -> None:
        """Make the arguments, and call."""
        self.door.call({name: built(one) for name, one in self.arguments.items()}, built(self.more))


KEYS = [
    *("address", "type", "servers", "setName", "tags", "hello", "roundTripTimeMS", "lastWriteDate", "mode", "nowMS"),
    *("maxStalenessSeconds", "hedge", "topology", "readPreference", "keepOnly", "min", "max", "", "a.b", "\ud800"),
    *("uri", "seeds", "seed", "srv", "target", "port", "ok", "hosts", "setVersion", "electionId", "$date", "$oid"),
]
WORDS = [
    *("nearest", "primary", "secondary", "RSPrimary", "RSSecondary", "Mongos", "a.example:27017", "a.example", URI),
    *("read", "write", "network", "command", "ReplicaSetWithPrimary", "Sharded", "Single", "LoadBalanced", "OP_QUERY"),
]

any_text = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(WORDS)
leaves: SearchStrategy[Any] = st.one_of(
    st.sampled_from([name for name in MAKERS if name not in HEAVY]).map(Made),
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals(),
    any_text,
    st.binary(max_size=8),
    st.datetimes(),
    # What is right, or nearly so.
    st.sampled_from([DESCRIPTION, HELLO, DESCRIPTION["servers"], DESCRIPTION["servers"][0]]),
)
keys: SearchStrategy[Any] = st.sampled_from(KEYS) | any_text | st.integers(-1, 2) | st.none() | st.binary(max_size=2)
recipes: SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(KEYS) | any_text, inner, max_size=4),
        st.dictionaries(keys, inner, max_size=2),
    ),
    max_leaves=6,
)

JSON_WORDS = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"1e999", b"-", b"\\ud800", b"\xff", b"\0", b'{"a":']


@st.composite
def json_bytes(draw: st.DrawFn) -> bytes:
    """Give a document that was right, until someone sat on it."""
    base = json.dumps(
        draw(st.sampled_from([{"topology": DESCRIPTION}, {"hello": HELLO, "address": "a"}, {"uri": URI}]))
    )
    data = bytearray(base.encode("ascii"))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 6))] = draw(st.sampled_from(JSON_WORDS) | st.binary(max_size=3))
    return bytes(data)


@st.composite
def cases(draw: st.DrawFn, all_doors: list[Door] | None = None) -> Case:
    """Give a door with arguments, one or several of them hostile."""
    door = draw(st.sampled_from(doors() if all_doors is None else all_doors))
    if door.name == "call_raw" and draw(st.booleans()):
        name = draw(st.sampled_from([method["name"] for method in methods()]))
        return Case(door, {"method": name, "data": draw(json_bytes())}, ())
    names = [name for name in door.parameters if name not in WAITING]
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)) if names else []
    arguments = {name: draw(recipes) for name in chosen}
    if "timeout" in door.parameters:
        arguments["timeout"] = 0
    return Case(door, arguments, draw(st.lists(recipes, max_size=3).map(tuple)) if door.takes_more else ())


def built(recipe: Any) -> Any:
    """Give what a recipe makes, new each time."""
    if isinstance(recipe, Made):
        return MAKERS[recipe.name]()
    if type(recipe) is list:
        return [built(one) for one in recipe]
    if type(recipe) is tuple:
        return tuple(built(one) for one in recipe)
    if type(recipe) is dict:
        return {key: built(one) for key, one in recipe.items()}
    return recipe
