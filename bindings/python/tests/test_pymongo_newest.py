"""What the oldest PyMongo that readpref works with does not have: asynchronous clients, and those that stay closed."""

from __future__ import annotations

import asyncio
from typing import Any

import pymongo
import pytest

from loopback import ReplicaSet, connect
from readpref import ReadPrefError
from readpref.pymongo import discovered, discovered_async, explain, topology_description


def test_an_asynchronous_client(set_of_five: ReplicaSet) -> None:
    async def run() -> tuple[bool, str | None, tuple[str, ...]]:
        async with pymongo.AsyncMongoClient[dict[str, Any]](set_of_five.uri) as client:
            known = await discovered_async(client, 20)
            sf = pymongo.read_preferences.Secondary([{"dc": "sf"}])
            orders = client.shop.get_collection("orders", read_preference=sf)
            return known, topology_description(client).type, explain(orders).in_latency_window

    assert asyncio.run(run()) == (True, "ReplicaSetWithPrimary", (set_of_five.members["c"],))


def test_a_closed_client() -> None:
    client = connect("mongodb://a.example", connect=False)
    client.close()
    for function in (topology_description, explain, discovered):
        with pytest.raises(ReadPrefError) as raised:
            function(client)
        assert (raised.value.code, raised.value.path) == ("handle", "client")
