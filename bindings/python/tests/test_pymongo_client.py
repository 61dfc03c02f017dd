"""What PyMongo knows, converted exactly; and what it is asked wrongly."""

from __future__ import annotations

import datetime
import subprocess
import sys
from typing import Any

import pymongo
import pytest
from bson import Int64, ObjectId
from pymongo.hello import Hello
from pymongo.server_description import ServerDescription
from pymongo.topology_description import TOPOLOGY_TYPE
from pymongo.topology_description import TopologyDescription as PyMongoTopology

from loopback import ReplicaSet, connect
from readpref import ReadPreference, ReadPrefError, select
from readpref.pymongo import OperationCounts, discovered, explain, topology_description

ELECTION = "7fffffff0000000000000005"
PROCESS = "0123456789abcdef01234567"


def server(address: Any, reply: dict[str, Any] | None = None, seconds: float | None = None) -> ServerDescription:
    return ServerDescription(address, Hello(reply or {}), seconds)


def topology(*servers: ServerDescription, kind: int = TOPOLOGY_TYPE.ReplicaSetWithPrimary) -> PyMongoTopology:
    by_address = {one.address: one for one in servers}
    return PyMongoTopology(kind, by_address, "rs0", 7, ObjectId(ELECTION), None)


PRIMARY: dict[str, Any] = {
    "ok": 1,
    "isWritablePrimary": True,
    "setName": "rs0",
    "setVersion": 7,
    "electionId": ObjectId(ELECTION),
    "hosts": ["a.example:27017", "b.example:27017"],
    "primary": "a.example:27017",
    "me": "a.example:27017",
    "tags": {"dc": "ny"},
    "lastWrite": {"lastWriteDate": datetime.datetime(2026, 10, 26, 7, 33, 20, 123000)},
    "minWireVersion": 0,
    "maxWireVersion": 25,
    "logicalSessionTimeoutMinutes": 30,
    "topologyVersion": {"processId": ObjectId(PROCESS), "counter": Int64(6)},
}


def test_every_key_of_a_description() -> None:
    # 2.4 ms is no float: the nearest is 0.00239999999999999999…, and the nearest nanosecond is 2_400_000.
    converted = topology_description(topology(server(("a.example", 27017), PRIMARY, 0.0024))).to_dict()
    last_update = converted["servers"][0].pop("lastUpdateTimeMS")
    assert isinstance(last_update, int)
    assert converted == {
        "type": "ReplicaSetWithPrimary",
        "setName": "rs0",
        "maxElectionId": {"$oid": ELECTION},
        "maxSetVersion": 7,
        "logicalSessionTimeoutMinutes": 30,
        "servers": [
            {
                "address": "a.example:27017",
                "type": "RSPrimary",
                "roundTripTimeMS": 2.4,
                "topologyVersion": {"processId": {"$oid": PROCESS}, "counter": 6},
                "tags": {"dc": "ny"},
                "lastWriteDate": 1793000000123,  # 2026-10-26T07:33:20.123Z
                "minWireVersion": 0,
                "maxWireVersion": 25,
                "setName": "rs0",
                "setVersion": 7,
                "electionId": {"$oid": ELECTION},
                "primary": "a.example:27017",
                "me": "a.example:27017",
                "logicalSessionTimeoutMinutes": 30,
            }
        ],
    }


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [
        (0.0, "0"),
        (0.015, "15"),
        (0.1 + 0.2, "300"),  # 0.30000000000000004
        (5e-10, "0.000001"),  # a little over half a nanosecond
        (4.9e-10, "0"),
        (2.5, "2500"),
        (1 / 3, "333.333333"),
    ],
)
def test_seconds_are_rounded_to_nanoseconds(seconds: float, milliseconds: str) -> None:
    [one] = topology_description(topology(server(("a.example", 1), PRIMARY, seconds))).servers
    assert one.round_trip_time_ms == float(milliseconds)


@pytest.mark.parametrize(
    ("pair", "address"),
    [
        (("a.example", 27018), "a.example:27018"),
        (("::1", 27017), "[::1]:27017"),
        (("/tmp/mongodb-27017.sock", None), "/tmp/mongodb-27017.sock"),
    ],
)
def test_addresses(pair: Any, address: str) -> None:
    assert topology_description(topology(server(pair))).servers[0].address == address


def test_an_unknown_server_tells_its_error() -> None:
    broken = ServerDescription(("a.example", 27017), error=OSError("connection refused"))
    [one] = topology_description(topology(broken, kind=TOPOLOGY_TYPE.ReplicaSetNoPrimary)).to_dict()["servers"]
    assert one == {"address": "a.example:27017", "type": "Unknown", "error": "connection refused"}


def test_operation_counts_are_put_in() -> None:
    two = topology(server(("a.example", 1), PRIMARY, 0.001), server(("b.example", 2)))
    servers = topology_description(two, {"a.example:1": 3}).to_dict()["servers"]
    assert [one.get("operationCount") for one in servers] == [3, None]


def test_a_live_client(set_of_five: ReplicaSet) -> None:
    with connect(set_of_five.uri) as client:
        assert discovered(client, 20)
        description = topology_description(client)
        types = {one.address: (one.type, dict(one.tags)) for one in description.servers}
        members = set_of_five.members
        assert types == {
            members["a"]: ("RSPrimary", {"dc": "ny", "rack": "1"}),
            members["b"]: ("RSSecondary", {"dc": "ny", "rack": "2"}),
            members["c"]: ("RSSecondary", {"dc": "sf"}),
            members["d"]: ("RSSecondary", {"dc": "ldn"}),
            members["e"]: ("RSArbiter", {}),
        }
        assert (description.type, description.set_name) == ("ReplicaSetWithPrimary", "rs0")
        # The latencies of three-data-centres.json.
        far = {one.address: one.round_trip_time_ms or 0 for one in description.servers}
        assert 200 <= far[members["c"]] < far[members["d"]]
        assert select(description, {"mode": "secondary", "tags": [{"dc": "sf"}]}).suitable == (members["c"],)


def test_whose_preference_is_explained(set_of_five: ReplicaSet) -> None:
    members = set_of_five.members
    uri = f"{set_of_five.uri}&readPreference=secondary&readPreferenceTags=dc:sf"
    with connect(uri) as client:
        assert discovered(client, 20)
        database = client.get_database("shop", read_preference=pymongo.ReadPreference.PRIMARY)
        ldn = pymongo.read_preferences.Nearest([{"dc": "ldn"}])
        assert explain(client).in_latency_window == (members["c"],)
        assert explain(database).in_latency_window == (members["a"],)
        assert explain(database.get_collection("orders", read_preference=ldn)).in_latency_window == (members["d"],)
        assert explain(database.orders, ldn).in_latency_window == (members["d"],)
        assert explain(client, ReadPreference("primary")).in_latency_window == (members["a"],)
        assert explain(client, "primary").in_latency_window == (members["a"],)
        assert explain(client, {"mode": "primary"}).in_latency_window == (members["a"],)
        assert explain(client, operation="write").in_latency_window == (members["a"],)


def test_operations_are_counted(set_of_five: ReplicaSet) -> None:
    counts, address = OperationCounts(), set_of_five.members["a"]
    seen: list[int] = []

    class Watch(pymongo.monitoring.CommandListener):
        def started(self, event: pymongo.monitoring.CommandStartedEvent) -> None:
            seen.append(counts[address])

        def succeeded(self, event: pymongo.monitoring.CommandSucceededEvent) -> None:
            pass

        def failed(self, event: pymongo.monitoring.CommandFailedEvent) -> None:
            pass

    with connect(set_of_five.uri, event_listeners=[counts, Watch()]) as client:
        client.shop.orders.find_one()
        with pytest.raises(pymongo.errors.OperationFailure):
            client.shop.command("noSuchCommand")
    assert seen[:2] == [1, 1]
    assert dict(counts) == {}


@pytest.mark.parametrize("wrong", [None, "mongodb://a.example", {}, object(), pymongo.MongoClient])
def test_what_is_no_client(wrong: Any) -> None:
    for function in (topology_description, explain, discovered):
        with pytest.raises(ReadPrefError) as raised:
            function(wrong)
        assert (raised.value.code, raised.value.path) == ("wrongType", "client")


@pytest.mark.parametrize("timeout", ["1", None, -1, float("nan")])
def test_wrong_times(timeout: Any) -> None:
    with connect("mongodb://a.example", connect=False) as client:
        with pytest.raises(ReadPrefError) as raised:
            discovered(client, timeout)
        assert raised.value.path == "timeout"
        assert not discovered(client, 0)


def test_a_wrong_preference_has_its_path() -> None:
    with connect("mongodb://a.example", connect=False) as client:
        with pytest.raises(ReadPrefError) as raised:
            explain(client, "secondry")
        assert (raised.value.code, raised.value.path) == ("unknownMode", "readPreference.mode")


def test_without_pymongo() -> None:
    program = "import sys; sys.modules['pymongo'] = None\nimport readpref\nimport readpref.pymongo"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr.endswith("ImportError: readpref.pymongo needs PyMongo: pip install readpref[pymongo]\n")
