"""The real PyMongo finds its way through the set: discovery, streamed replies, failover, a lost data centre."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pymongo import MongoClient, ReturnDocument
from pymongo.errors import AutoReconnect, NetworkTimeout, NotPrimaryError
from pymongo.read_preferences import Nearest, PrimaryPreferred, Secondary, SecondaryPreferred

from replicaset import RunningReplicaSet

# All but the monitors' streams is done within these; heartbeatFrequencyMS is 60 s, so that nothing is found by polling.
SOON_SECONDS = 20.0

Client = MongoClient[dict[str, Any]]


@pytest.fixture
def replica_set() -> Iterator[RunningReplicaSet]:
    with RunningReplicaSet() as running:
        yield running


@pytest.fixture
def client(replica_set: RunningReplicaSet) -> Iterator[Client]:
    with connect(replica_set) as opened:
        yield opened


def connect(replica_set: RunningReplicaSet) -> Client:
    return MongoClient(replica_set.uri, serverSelectionTimeoutMS=int(SOON_SECONDS * 1000))


def read(client: Client, preference: Any) -> str:
    found = client.shop.get_collection("orders", read_preference=preference).find_one()
    assert found is not None
    return str(found["member"])


def write(client: Client) -> str:
    change = {"$inc": {"n": 1}}
    found = client.shop.orders.find_one_and_update({}, change, return_document=ReturnDocument.AFTER)
    assert found is not None
    return str(found["member"])


def code(error: NotPrimaryError) -> int:
    assert isinstance(error.details, dict)
    return int(error.details["code"])


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def discover(client: Client, names: set[str], replica_set: RunningReplicaSet) -> None:
    """Wait until the client knows that these members, and no others, can serve something."""
    by_address = replica_set.names

    def known() -> set[str]:
        servers = client.topology_description.server_descriptions().values()
        return {by_address[f"{s.address[0]}:{s.address[1]}"] for s in servers if s.server_type_name != "Unknown"}

    wait_until(lambda: known() == names)


def test_reads_and_writes_go_where_they_should(client: Client, replica_set: RunningReplicaSet) -> None:
    assert write(client) == "a"
    discover(client, set("abcde"), replica_set)
    assert read(client, PrimaryPreferred()) == "a"
    assert read(client, SecondaryPreferred()) == "b"  # c is 200 ms away, d 400; the window is 100 ms
    assert read(client, Secondary([{"dc": "sf"}])) == "c"
    assert read(client, Nearest([{"dc": "mars"}, {"dc": "ldn"}])) == "d"
    assert client.shop.orders.insert_many([{}, {}]).acknowledged
    assert client.shop.orders.delete_many({}).deleted_count == 1
    assert [d["member"] for d in client.shop.orders.aggregate([])] == ["a"]


def test_a_lagging_member_is_too_stale(replica_set: RunningReplicaSet) -> None:
    # Before anybody looks: a stream tells of it with the next heartbeat only.
    replica_set.do("lag", member="c", seconds=300)
    with connect(replica_set) as client:
        discover(client, set("abcde"), replica_set)
        # c: 300 s + 60 s heartbeat > 150 s; b and d: 0 s + 60 s.
        assert read(client, Secondary([{"dc": "sf"}, {}], max_staleness=150)) == "b"
        assert read(client, Secondary([{"dc": "sf"}, {}], max_staleness=400)) == "c"


def test_a_step_down_is_streamed(client: Client, replica_set: RunningReplicaSet) -> None:
    discover(client, set("abcde"), replica_set)
    status = replica_set.do("stepDown", member="a")
    host, _, port = status["members"]["b"]["address"].partition(":")
    wait_until(lambda: client.primary == (host, int(port)))  # no operation, no heartbeat: a reply to an awaiting hello
    assert write(client) == "b"
    assert read(client, SecondaryPreferred()) == "a"


def test_a_lost_data_centre_and_its_return(client: Client, replica_set: RunningReplicaSet) -> None:
    discover(client, set("abcde"), replica_set)
    replica_set.do("kill", tags={"dc": "ny"})
    discover(client, set("cde"), replica_set)
    assert write(client) == "c"  # 3 of 5 votes are left, and c has the highest priority of them
    assert read(client, Secondary()) == "d"
    replica_set.do("restart", tags={"dc": "ny"})
    # Known to be down until somebody asks for it: the selection has all members checked.
    assert read(client, Secondary([{"rack": "1"}])) == "a"
    replica_set.do("elect", member="a")
    assert write(client) == "a"


def test_without_a_majority_nobody_is_primary(client: Client, replica_set: RunningReplicaSet) -> None:
    discover(client, set("abcde"), replica_set)
    replica_set.do("kill", members=["a", "b", "e"])
    wait_until(lambda: client.topology_description.topology_type_name == "ReplicaSetNoPrimary")
    assert read(client, PrimaryPreferred()) == "c"  # 200 ms away; d, 400 ms away, is outside the window


def test_the_newer_of_two_primaries_counts(client: Client, replica_set: RunningReplicaSet) -> None:
    discover(client, set("abcde"), replica_set)
    states = replica_set.do("partition", groups=[["a"]])["members"]
    assert (states["a"]["state"], states["b"]["state"]) == ("PRIMARY", "PRIMARY")
    address = states["b"]["address"].split(":")
    wait_until(lambda: client.primary == (address[0], int(address[1])))  # by electionId
    assert write(client) == "b"
    assert replica_set.do("heal")["members"]["a"]["state"] == "SECONDARY"


def test_what_a_member_refuses(replica_set: RunningReplicaSet) -> None:
    members = replica_set.do("status")["members"]
    b: Client = MongoClient(f"mongodb://{members['b']['address']}/?directConnection=true", retryWrites=False)
    with b:
        with pytest.raises(NotPrimaryError) as refused:
            b.shop.orders.insert_one({})
        assert code(refused.value) == 10107
        # Attached by the driver: primaryPreferred, so the secondary serves.
        assert b.shop.orders.find_one()["member"] == "b"  # type: ignore[index]
        replica_set.do("maintenance", member="b", on=True)
        with pytest.raises(NotPrimaryError) as refused:
            b.shop.command("find", "orders", read_preference=Nearest())
        assert code(refused.value) == 13436


def test_a_killed_member_resets_and_refuses_connections(replica_set: RunningReplicaSet) -> None:
    address = replica_set.do("status")["members"]["d"]["address"]
    options = "directConnection=true&retryReads=false&serverSelectionTimeoutMS=5000"
    d: Client = MongoClient(f"mongodb://{address}/?{options}")
    with d:
        assert d.admin.command("ping") == {"ok": 1.0}
        before = d.admin.command("hello")["topologyVersion"]["processId"]
        replica_set.do("kill", member="d")
        with pytest.raises(AutoReconnect):
            d.admin.command("ping")
        replica_set.do("restart", member="d")
        assert d.admin.command("hello")["topologyVersion"]["processId"] != before


def test_an_unplugged_member_says_nothing(replica_set: RunningReplicaSet) -> None:
    address = replica_set.do("status")["members"]["a"]["address"]
    a: Client = MongoClient(f"mongodb://{address}/?directConnection=true&socketTimeoutMS=2000&retryReads=false")
    with a:
        assert a.admin.command("ping") == {"ok": 1.0}
        replica_set.do("unplug", member="a")
        with pytest.raises(NetworkTimeout):
            a.admin.command("ping")
        replica_set.do("plugIn", member="a")
        assert a.admin.command("ping") == {"ok": 1.0}
