"""Descriptions: what it is made from, and what it keeps."""

from __future__ import annotations

import copy
import datetime
import pickle
from dataclasses import FrozenInstanceError
from decimal import Decimal
from typing import Any

import pytest

from readpref import ReadPrefError, TopologyDescription, explain, select

HELLO = {
    "isWritablePrimary": False,
    "secondary": True,
    "setName": "rs0",
    "hosts": ["a.example:27017", "b.example:27017"],
    "me": "b.example:27017",
    "primary": "a.example:27017",
    "minWireVersion": 0,
    "maxWireVersion": 25,
    "ok": 1.0,
}


def test_it_keeps_its_own_copy(description: dict[str, Any]) -> None:
    topology = TopologyDescription(description)
    before = copy.deepcopy(description)
    description["servers"].clear()
    assert topology.to_dict() == before
    topology.to_dict()["servers"].clear()
    assert topology.to_dict() == before


def test_value(description: dict[str, Any]) -> None:
    one, other = TopologyDescription(description), TopologyDescription(copy.deepcopy(description))
    assert one == other
    assert hash(one) == hash(other)
    assert one != TopologyDescription({})
    assert one != description
    assert eval(repr(one)) == one
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(FrozenInstanceError):
        one.servers = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one._json


def test_dates_and_decimals_are_exact() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=2))
    topology = TopologyDescription(
        {
            "servers": [
                {
                    "address": "a.example",
                    "type": "RSPrimary",
                    "roundTripTimeMS": Decimal("2.400000"),
                    "lastWriteDate": datetime.datetime(2026, 10, 26, 1, 46, 40, 999999),
                },
                {
                    "address": "b.example",
                    "type": "RSSecondary",
                    "lastWriteDate": datetime.datetime(2026, 10, 26, 3, 46, 40, tzinfo=zone),
                },
                {"address": "c.example", "type": "RSSecondary", "lastWriteDate": datetime.datetime(1969, 12, 31)},
            ]
        }
    )
    dates = [server["lastWriteDate"]["$date"]["$numberLong"] for server in topology.to_dict()["servers"]]
    assert dates == ["1792979200999", "1792979200000", "-86400000"]
    assert b'"roundTripTimeMS":2.400000,' in topology._json


def test_saved_replies_decide_as_descriptions_do() -> None:
    topology = TopologyDescription.from_hello_replies(
        (
            {"address": "a.example:27017", "hello": {**HELLO, "isWritablePrimary": True, "secondary": False}},
            {"address": "b.example:27017", "hello": HELLO, "roundTripTimeMS": 3, "nowMS": 1793000000950},
            {"address": "c.example:27017", "hello": {}},
        )
    )
    answer = select(topology, {"mode": "secondary"})
    assert answer.server is not None
    assert (answer.server.index, answer.server.type) == (1, "RSSecondary")
    assert select(topology).candidates == ("a.example:27017",)


def test_type_and_set_name_of_replies() -> None:
    topology = TopologyDescription.from_hello_replies([], topology_type="ReplicaSetNoPrimary", set_name="rs0")
    assert topology.to_dict() == {"type": "ReplicaSetNoPrimary", "setName": "rs0", "servers": []}


class ObjectId:
    """Stands for PyMongo's, which this package does not need."""

    __module__ = "bson.objectid"

    def __str__(self) -> str:
        return "7fffffff0000000000000001"


class Timestamp:
    """Stands for PyMongo's."""

    __module__ = "bson.timestamp"
    time, inc = 1793000000, 4


def test_a_reply_as_pymongo_gives_it() -> None:
    reply = {
        **HELLO,
        "isWritablePrimary": True,
        "electionId": ObjectId(),
        "setVersion": 3,
        "lastWrite": {
            "opTime": {"ts": Timestamp(), "t": 7},
            "lastWriteDate": datetime.datetime(2026, 10, 26, 1, 46, 40),
        },
        "topologyVersion": {"processId": ObjectId(), "counter": 6},
        "localTime": datetime.datetime(2026, 10, 26, 1, 46, 41),
        "operationTime": Timestamp(),
        "$clusterTime": {"clusterTime": Timestamp(), "signature": {"hash": b"\0" * 20, "keyId": 0}},
    }
    topology = TopologyDescription.from_hello_replies([{"address": "a.example:27017", "hello": reply}])
    saved = topology.to_dict()["servers"][0]["hello"]
    assert saved["electionId"] == {"$oid": "7fffffff0000000000000001"}
    assert saved["operationTime"] == {"$timestamp": {"t": 1793000000, "i": 4}}
    assert saved["$clusterTime"]["signature"]["hash"] == {
        "$binary": {"base64": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "subType": "00"}
    }
    answer = select(topology)
    assert answer.server is not None
    assert answer.server.type == "RSPrimary"


def test_a_whole_request_is_no_topology(description: dict[str, Any]) -> None:
    request = {"topology": description, "readPreference": {"mode": "secondary"}}
    live = {"topology": TopologyDescription(description), "readPreference": {"mode": "secondary"}}
    for refused in (lambda: TopologyDescription(request), lambda: select(request), lambda: explain(live)):
        with pytest.raises(ReadPrefError, match=r'give its request\["topology"\]') as caught:
            refused()
        assert (caught.value.code, caught.value.path) == ("unknownKey", "topology.topology")
    # A shard may have that name.
    assert list(select({"topology": TopologyDescription(description)})) == ["topology"]


def test_a_fault_in_a_description_is_found_where_it_is() -> None:
    with pytest.raises(ReadPrefError) as caught:
        TopologyDescription({"servers": [{}, {"roundTripTimeMS": float("nan")}]})
    assert caught.value.path == "topology.servers[1].roundTripTimeMS"
    with pytest.raises(ReadPrefError) as caught:
        select(TopologyDescription({"servers": [{"address": "a.example", "type": "RSPrimray"}]}))
    assert (caught.value.code, caught.value.path) == ("unknownValue", "topology.servers[0].type")
