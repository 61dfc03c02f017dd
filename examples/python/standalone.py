"""Monitor a standalone server that no one here wrote, write to it and read from it, and print what happened.

usage: standalone.py COMMAND...

COMMAND starts the server: examples/ferretdb, built.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from readpref import NoServerError, ReadPreference

from driver import Driver
from replica_set import ReplicaSet


def compact(document: Any) -> str:
    return json.dumps(document, separators=(",", ":"))


def print_topology(driver: Driver) -> None:
    known = driver.topology.description
    print(f"topology {known.type}, server {', '.join(server.type for server in known.servers)}")


def print_read(driver: Driver, preference: dict[str, Any]) -> None:
    print(f"  read {compact(preference)}:", end="")
    find = {"find": "orders", "projection": {"_id": 0}, "$db": "shop"}
    attached: list[Any] = []
    try:
        reply = driver.run(
            find,
            ReadPreference.from_document(preference),
            on_attempt=attached.append,
            on_failure=lambda error: print(" the server is lost," if error.reply is None else f" {error}", end=""),
        )
    except NoServerError:
        print(" no server")
    else:
        print(f" attached {compact(attached[-1])}, found {compact(*reply['cursor']['firstBatch'])}")


def main() -> None:
    server = ReplicaSet(sys.argv[1:])
    driver = Driver(server.uri)
    driver.heartbeat()
    print_topology(driver)
    reply = driver.run({"insert": "orders", "documents": [{"item": "pen"}], "$db": "shop"})
    print(f"  write: {compact({'n': reply['n']})}")
    print_read(driver, {})
    print_read(driver, {"mode": "secondary", "tags": [{"dc": "ny"}]})
    print("the server ends")
    server.end()
    print_read(driver, {})
    print_topology(driver)
    driver.close()


main()
