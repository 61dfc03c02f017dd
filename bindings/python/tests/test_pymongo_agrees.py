"""PyMongo's own selection and our explanation of the same client: the same servers, stage by stage.

For each preference, a `server_selector` that only watches sees the servers PyMongo takes for suitable, and what PyMongo
picks from is what its description's `apply_selector` gives. Where the two are known to differ is below, by name.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from pymongo.hello import Hello
from pymongo.read_preferences import (
    Nearest,
    Primary,
    PrimaryPreferred,
    Secondary,
    SecondaryPreferred,
)
from pymongo.server_description import ServerDescription

from loopback import ReplicaSet, connect, replica_set
from readpref import ReadPrefError, select
from readpref.pymongo import ServerSelector, discovered, explain, topology_description

TAG_SETS: list[list[dict[str, str]] | None] = [
    None,
    [{}],
    [{"dc": "sf"}],
    [{"dc": "mars"}],
    [{"dc": "mars"}, {}],
    [{"dc": "ny", "rack": "2"}, {"dc": "ldn"}],
    [{"dc": "ny"}, {"dc": "sf"}],
]
STALENESSES = (-1, 90, 120, 150, 400)
PREFERENCES: list[Any] = [
    Primary(),
    *(
        mode(tags, max_staleness=seconds)
        for mode, tags, seconds in itertools.product(
            (PrimaryPreferred, Secondary, SecondaryPreferred, Nearest), TAG_SETS, STALENESSES
        )
    ),
]


def addresses(servers: list[ServerDescription]) -> set[str]:
    return {f"{one.address[0]}:{one.address[1]}" for one in servers}


class Watch:
    """A server selector that keeps all, and knows whom it was given."""

    def __init__(self) -> None:
        self.seen: list[ServerDescription] = []

    def __call__(self, servers: list[ServerDescription]) -> list[ServerDescription]:
        self.seen = list(servers)
        return servers


@pytest.fixture(scope="module", params=["all", "lagging", "without a primary", "without ny"])
def living(request: pytest.FixtureRequest) -> Iterator[tuple[str, Any, Watch]]:
    # At a heartbeat of 60 s nothing changes by itself: failures are told before the client looks.
    watch = Watch()
    with replica_set() as running:
        if request.param == "lagging":
            running.do("lag", member="c", seconds=300)
        if request.param == "without a primary":
            running.do("stepDown", member="a", elect=False)
        if request.param == "without ny":
            running.do("kill", tags={"dc": "ny"})
        with connect(running.uri, server_selector=watch) as client:
            assert discovered(client, 20)
            yield request.param, client, watch


def window_of_pymongo(client: Any, preference: Any, selector: Any) -> set[str]:
    return addresses(client.topology_description.apply_selector(preference, custom_selector=selector))


def test_it_agrees_on_all_preferences(living: tuple[str, Any, Watch]) -> None:
    state, client, watch = living
    served = 0
    for preference in PREFERENCES:
        watch.seen = []
        window = window_of_pymongo(client, preference, watch)
        ours = explain(client, preference)
        assert (set(ours.suitable), set(ours.in_latency_window)) == (addresses(watch.seen), window), (state, preference)
        served += bool(window)
    assert len(PREFERENCES) == 141
    # Mode nearest finds c or d in whatever state for 6 of the 7 tag sets, with any staleness from 400 s on, or none.
    assert 12 <= served < 141


@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_a_selector_of_ours(set_of_five: ReplicaSet, seed: int) -> None:
    selector = ServerSelector(
        [{"dc": "sf"}, {"dc": "ny"}],
        min_servers=1 + seed % 2,
        weights=[({"dc": "ny"}, 1), ({"dc": "sf"}, 1)],
        seed=seed,
    )
    with connect(set_of_five.uri, server_selector=selector) as client:
        assert discovered(client, 20)
        if seed == 2:
            selector.exclude(set_of_five.members["c"])
        for preference in PREFERENCES:
            ours = explain(client, preference)
            assert set(ours.in_latency_window) == window_of_pymongo(client, preference, selector), repr(preference)


def test_a_read_goes_where_explain_says(set_of_five: ReplicaSet) -> None:
    names = {address: name for name, address in set_of_five.members.items()}
    with connect(set_of_five.uri) as client:
        assert discovered(client, 20)
        alone = 0
        for preference in PREFERENCES[::4]:
            orders = client.shop.get_collection("orders", read_preference=preference)
            window = explain(orders).in_latency_window
            if not window:
                continue
            found = orders.find_one()
            assert found is not None
            assert found["member"] in {names[address] for address in window}
            alone += len(window) == 1
        assert alone >= 5


# Where PyMongo is not as the specifications have it; docs/pymongo.md tells of these.


def test_pymongo_takes_a_small_max_staleness_while_the_primary_serves(set_of_five: ReplicaSet) -> None:
    with connect(set_of_five.uri) as client:
        assert discovered(client, 20)
        small = PrimaryPreferred(max_staleness=1)
        assert window_of_pymongo(client, small, None) == {set_of_five.members["a"]}
        with pytest.raises(ReadPrefError) as raised:
            explain(client, small)
        # The greater of 90 s and the set's heartbeatFrequencyMS of 60 s + 10 s.
        assert (raised.value.code, raised.value.minimum_seconds) == ("maxStalenessTooSmall", 90)


def test_pymongo_measures_the_window_in_floating_point() -> None:
    # In both the other is 15 ms slower. In floats 0.016 - 0.001 is 0.015, and 0.017 - 0.002 a little more.
    assert windows(0.001, 0.016) == (2, 2)
    assert windows(0.002, 0.017) == (2, 1)


def windows(fastest: float, other: float) -> tuple[int, int]:
    """Give how many servers our window and PyMongo's have, of two with these round-trip times in seconds."""
    reply = {"ok": 1, "secondary": True, "setName": "rs0", "maxWireVersion": 25}
    servers = [ServerDescription((name, 1), Hello(reply), rtt) for name, rtt in (("a", fastest), ("b", other))]
    with connect("mongodb://a,b/?replicaSet=rs0", connect=False) as client:
        empty = client.topology_description
        described = type(empty)(
            empty.topology_type, {one.address: one for one in servers}, "rs0", None, None, empty._topology_settings
        )
    ours = select(topology_description(described), "nearest")
    return len(ours.in_latency_window), len(described.apply_selector(Nearest()))
