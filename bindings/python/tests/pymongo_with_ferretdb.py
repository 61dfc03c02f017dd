"""PyMongo and FerretDB, a server that no one here wrote and that says it is a standalone.

`make test-pymongo` runs it; its name keeps it out of other runs, since build/ferretdb has to be there.
"""

from __future__ import annotations

import json
import subprocess

from pymongo.read_preferences import Secondary
from pymongo.server_description import ServerDescription

from conftest import REPOSITORY
from loopback import connect
from readpref.pymongo import discovered, explain, topology_description


def test_a_standalone_serves_whatever_is_preferred() -> None:
    seen: list[ServerDescription] = []

    def watch(servers: list[ServerDescription]) -> list[ServerDescription]:
        seen.extend(servers)
        return servers

    command = [str(REPOSITORY / "build" / "ferretdb")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            uri = json.loads(process.stdout.readline())["uri"]
            with connect(uri, server_selector=watch) as client:
                assert discovered(client, 20)
                client.shop.orders.insert_one({"_id": 1})
                orders = client.shop.get_collection("orders", read_preference=Secondary())
                assert orders.find_one() == {"_id": 1}
                description = topology_description(client)
                assert (description.type, [one.type for one in description.servers]) == ("Single", ["Standalone"])
                host, port = client.address or ("", 0)
                assert explain(orders).in_latency_window == (f"{host}:{port}",)
                assert seen == []  # PyMongo asks no selector where there is one server
        finally:
            process.stdin.close()  # that ends it
            process.wait(20)
