"""The server selector: whom it keeps, by the rules of its docstring; and in a live client, who serves."""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from typing import Any

import pytest
from bson import ObjectId
from pymongo.errors import ServerSelectionTimeoutError
from pymongo.hello import Hello
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent
from pymongo.read_preferences import Nearest, Primary, Secondary, SecondaryPreferred
from pymongo.server_description import ServerDescription

from loopback import ReplicaSet, connect
from readpref import ReadPrefError
from readpref.pymongo import Choice, OperationCounts, ServerSelector, discovered, explain

NY, SF, LDN = {"dc": "ny"}, {"dc": "sf"}, {"dc": "ldn"}


def server(name: str, primary: bool = False, **tags: str) -> ServerDescription:
    role = {"isWritablePrimary": True, "electionId": ObjectId()} if primary else {"secondary": True}
    reply = {"ok": 1, "setName": "rs0", "tags": tags, "maxWireVersion": 25, **role}
    return ServerDescription((f"{name}.example", 27017), Hello(reply), 0.001)


# Two in ny, one in sf, one in ldn, one without tags.
P, A, B, C, X = (
    server("p", True, dc="ny"),
    server("a", dc="ny"),
    server("b", dc="sf"),
    server("c", dc="ldn"),
    server("x"),
)
ALL = [P, A, B, C, X]


def names(servers: list[ServerDescription]) -> str:
    return "".join(str(one.address[0])[0] for one in servers)


def test_the_first_zone_with_a_server_is_kept() -> None:
    selector = ServerSelector([NY, SF])
    assert names(selector(ALL)) == "pa"
    assert names(selector([B, C, X])) == "b"
    assert names(selector([C, X])) == "cx"  # in no zone
    assert names(selector([])) == ""


def test_a_server_belongs_to_its_first_zone_and_an_empty_tag_set_is_all_others() -> None:
    selector = ServerSelector([{"dc": "ny", "rack": "1"}, NY, {}])
    assert names(selector(ALL)) == "pa"
    assert names(selector([B, C, X])) == "bcx"


def test_a_zone_with_too_few_servers_spills_over() -> None:
    selector = ServerSelector([SF, NY, LDN], min_servers=2)
    assert names(selector(ALL)) == "pa"  # sf has one, ny two
    assert names(selector([B, A, C])) == "b"  # none has two: the first with any


def test_busy_servers_spill_over() -> None:
    counts = {"p.example:27017": 10, "a.example:27017": 9}
    selector = ServerSelector([NY, SF], max_operations=10, operation_counts=counts)
    assert names(selector(ALL)) == "a"
    counts["a.example:27017"] = 10
    assert names(selector(ALL)) == "b"
    counts["b.example:27017"] = 11
    assert names(selector(ALL)) == "pa"  # all zones are busy: the first, as if nobody were


def test_excluded_servers_are_dropped_while_others_are_suitable() -> None:
    selector = ServerSelector([NY, SF])
    selector.exclude("A.example")
    assert selector.excluded == ("a.example:27017",)
    assert names(selector(ALL)) == "p"
    selector.exclude("p.example:27017")
    assert names(selector(ALL)) == "b"
    assert names(selector([P])) == "p"  # a write
    assert names(selector([P, A])) == "pa"
    selector.exclude("p.example:27017", strict=True)
    assert names(selector([P, A])) == "a"
    assert names(selector([P])) == ""
    selector.include("a.example:27017")
    selector.include("p.example")
    selector.include("never.example")
    assert names(selector(ALL)) == "pa"


def test_weights_draw_a_group() -> None:
    selector = ServerSelector(weights=[(NY, 3), (SF, 1), (LDN, 0)], seed=1)
    drawn = Counter(names(selector(ALL)) for _ in range(4000))
    assert set(drawn) == {"pa", "b"}
    # 3 of 4, and 5 standard deviations of a binomial: sqrt(4000 * 3/4 * 1/4) = 27.4.
    assert abs(drawn["pa"] - 3000) < 137
    assert names(selector([B, C, X])) == "b"  # the only group with a weight
    assert names(selector([C, X])) == "cx"  # no group: all


def test_draws_are_repeatable_and_a_preview_draws_nothing() -> None:
    def draws(seed: int) -> list[str]:
        selector = ServerSelector(weights=[(NY, 1), (SF, 1)], seed=seed)
        found = []
        for _ in range(50):
            ahead = selector.preview(ALL)
            assert selector.preview(ALL) == ahead
            found.append(names(selector(ALL)))
            assert names(ahead) == found[-1]
        return found

    assert draws(7) == draws(7) != draws(8)


def test_zones_come_before_weights() -> None:
    selector = ServerSelector([{"dc": "ny"}], weights=[(SF, 100), ({"dc": "ny"}, 1)])
    assert names(selector(ALL)) == "pa"


def test_a_single_server_is_left_alone() -> None:
    choices: list[Choice] = []
    selector = ServerSelector([NY], weights=[(NY, 1)], on_choice=choices.append)
    assert names(selector([C])) == "c"
    assert (choices[0].zone, choices[0].weight) == (None, None)


def test_choices_are_told_logged_and_remembered(caplog: pytest.LogCaptureFixture) -> None:
    told: list[Choice] = []
    selector = ServerSelector([SF, NY], weights=[(NY, 1)], on_choice=told.append, remember=2)
    selector.exclude("b.example")
    with caplog.at_level(logging.DEBUG, "readpref.pymongo"):
        selector([A, B])
        selector(ALL)
        selector([B])
    a, b, c, p, x = (f"{name}.example:27017" for name in "abcpx")
    seen = [(one.suitable, one.kept, one.excluded, one.last_resort, one.zone, one.weight) for one in told]
    assert seen == [
        ((a, b), (a,), (b,), False, None, None),
        ((p, a, b, c, x), (p, a), (b,), False, 1, 0),
        ((b,), (b,), (), True, None, None),
    ]
    assert selector.choices == tuple(told[1:])
    records = [one for one in caplog.records if one.name == "readpref.pymongo"]
    assert [one.getMessage() for one in records][1] == f"Server selector kept {p}, {a} of {p}, {a}, {b}, {c}, {x}"
    fields = [(vars(one)["kept"], vars(one)["zone"], vars(one)["lastResort"]) for one in records]
    assert fields == [((a,), None, False), ((p, a), 1, False), ((b,), None, True)]


def test_a_callback_that_raises_does_not_stop_the_operation(caplog: pytest.LogCaptureFixture) -> None:
    def fail(choice: Choice) -> None:
        raise OSError("disk full")

    assert names(ServerSelector([NY], on_choice=fail)(ALL)) == "pa"
    assert "OSError: disk full" in caplog.text


@pytest.mark.parametrize(
    ("arguments", "code", "path"),
    [
        ({"zones": "ny"}, "wrongType", "zones"),
        ({"zones": {"dc": "ny"}}, "wrongType", "zones"),
        ({"zones": [NY, {"dc": 1}]}, "wrongType", "zones[1].dc"),
        ({"zones": [NY] * 101}, "limitExceeded", "zones[100]"),
        ({"weights": [NY]}, "wrongType", "weights[0]"),
        ({"weights": 3}, "wrongType", "weights"),
        ({"weights": [(NY, 1), (SF, -1)]}, "outOfRange", "weights[1][1]"),
        ({"weights": [(NY, 0.5)]}, "wrongType", "weights[0][1]"),
        ({"weights": [(NY, True)]}, "wrongType", "weights[0][1]"),
        ({"weights": [({"dc": None}, 1)]}, "wrongType", "weights[0][0].dc"),
        ({"weights": [(NY, 1)] * 101}, "limitExceeded", "weights"),
        ({"min_servers": 0}, "outOfRange", "min_servers"),
        ({"min_servers": "2"}, "wrongType", "min_servers"),
        ({"max_operations": 0, "operation_counts": {}}, "outOfRange", "max_operations"),
        ({"max_operations": 10}, "argument", "operation_counts"),
        ({"operation_counts": 3}, "wrongType", "operation_counts"),
        ({"seed": -1}, "outOfRange", "seed"),
        ({"seed": 2**64}, "outOfRange", "seed"),
        ({"on_choice": 1}, "wrongType", "on_choice"),
        ({"remember": -1}, "outOfRange", "remember"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(ReadPrefError) as raised:
        ServerSelector(**arguments)
    assert (raised.value.code, raised.value.path) == (code, path)


@pytest.mark.parametrize("address", ["", "a.example:0", "a.example:port", "a,b", "a/b", "a b", "u@a.example", "a?x=1"])
def test_bad_addresses(address: str) -> None:
    for function in (ServerSelector().exclude, ServerSelector().include):
        with pytest.raises(ReadPrefError) as raised:
            function(address)
        assert (raised.value.code, raised.value.path) == ("invalidHost", "address")


@pytest.mark.parametrize("address", [None, 27017, ("a.example", 27017), b"a.example"])
def test_addresses_of_the_wrong_type(address: Any) -> None:
    with pytest.raises(ReadPrefError) as raised:
        ServerSelector().exclude(address)
    assert (raised.value.code, raised.value.path) == ("wrongType", "address")


def test_all_forms_of_addresses() -> None:
    selector = ServerSelector()
    for address in ("a.example", "[::1]:27018", "/tmp/mongodb-27017.sock", "B.Example:1"):
        selector.exclude(address)
    assert selector.excluded == ("a.example:27017", "[::1]:27018", "/tmp/mongodb-27017.sock", "b.example:1")


def test_many_threads() -> None:
    selector = ServerSelector([NY, SF], weights=[(NY, 1)], remember=10)
    wrong: list[str] = []
    stop = threading.Event()

    def choose() -> None:
        while not stop.is_set():
            kept = names(selector(ALL))
            if kept not in {"pa", "p"}:
                wrong.append(kept)

    threads = [threading.Thread(target=choose) for _ in range(4)]
    for one in threads:
        one.start()
    for _ in range(500):
        selector.exclude("a.example")
        assert len(selector.choices) <= 10
        selector.include("a.example")
    stop.set()
    for one in threads:
        one.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_while_another_thread_holds_the_lock() -> None:
    selector = ServerSelector(weights=[(NY, 1), (SF, 1)])
    selector.exclude("a.example")
    with selector._lock:
        child = os.fork()
        if child == 0:
            right = names(selector(ALL)) in {"p", "b"} and selector.excluded == ("a.example:27017",)
            os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0


def served_by(client: Any, preference: Any, times: int = 8) -> set[str]:
    orders = client.shop.get_collection("orders", read_preference=preference)
    return {str(orders.find_one()["member"]) for _ in range(times)}


# ny: a (primary) and b; sf: c, 200 ms away; ldn: d, 400 ms away. The set's own window is 100 ms.
def test_zones_of_a_live_client(set_of_five: ReplicaSet) -> None:
    selector = ServerSelector([SF, NY])
    with connect(set_of_five.uri, server_selector=selector) as client:
        assert discovered(client, 20)
        assert served_by(client, Nearest(), 2) == {"c"}
        assert served_by(client, Primary()) == {"a"}
        assert client.shop.orders.insert_one({}).acknowledged
        c = set_of_five.members["c"]
        told = explain(client, Nearest())
        assert told.in_latency_window == (c,)
        stages = {one.address: one.stage for one in told.servers}
        assert stages[set_of_five.members["b"]] == "customSelector"
        selector.exclude(c)
        assert served_by(client, Nearest(), 40) == {"a", "b"}
        assert served_by(client, Secondary([SF]), 2) == {"c"}  # nothing else is suitable
        selector.exclude(c, strict=True)
        sf = client.shop.get_collection("orders", read_preference=SecondaryPreferred([SF]))
        assert explain(sf).reason is not None  # the primary is no match of what PyMongo has chosen already
        hurried = connect(set_of_five.uri, server_selector=selector, serverSelectionTimeoutMS=700)
        with hurried, pytest.raises(ServerSelectionTimeoutError):
            hurried.shop.get_collection("orders", read_preference=Secondary([SF])).find_one()


def test_weights_of_a_live_client(set_of_five: ReplicaSet) -> None:
    selector = ServerSelector(weights=[(SF, 1), (NY, 9)], seed=3, remember=100)
    with connect(set_of_five.uri, server_selector=selector) as client:
        assert discovered(client, 20)
        assert served_by(client, Secondary(), 20) == {"b", "c"}
    drawn = Counter(one.weight for one in selector.choices if len(one.suitable) == 3)
    assert drawn[0] + drawn[1] == sum(drawn.values())


def test_a_busy_server_of_a_live_client_spills_over(set_of_five: ReplicaSet) -> None:
    members = set_of_five.members
    counts = OperationCounts()
    meanwhile: list[tuple[set[str], tuple[str, ...]]] = []

    class Meanwhile(CommandListener):
        """While an operation is in progress at b, another begins."""

        def started(self, event: CommandStartedEvent) -> None:
            if event.command_name == "find" and not meanwhile:
                meanwhile.append((set(), ()))
                window = explain(client, Secondary(), operation_counts=counts).in_latency_window
                meanwhile[0] = (served_by(client, Secondary(), 1), window)

        def succeeded(self, event: CommandSucceededEvent) -> None:
            """It is over."""

        def failed(self, event: CommandFailedEvent) -> None:
            """It is over."""

    selector = ServerSelector([NY, SF], max_operations=1, operation_counts=counts)
    listeners = [counts, Meanwhile()]
    with connect(set_of_five.uri, server_selector=selector, event_listeners=listeners) as client:
        assert discovered(client, 20)
        assert served_by(client, Secondary(), 1) == {"b"}
        assert meanwhile == [({"c"}, (members["c"],))]
        assert served_by(client, Secondary(), 1) == {"b"}
