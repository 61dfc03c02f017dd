"""Compare readpref's choice with that of the real PyMongo, which is connected to the same replica set.

usage: pymongo_agrees.py COMMAND...

After each failure both know the same of the set, and for every preference below the servers that both would read from
must be the same; where that is one, both read from it.
"""

from __future__ import annotations

import contextlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pymongo
from pymongo.errors import PyMongoError
from pymongo.read_preferences import make_read_preference
from pymongo.server_description import ServerDescription
from readpref import ReadPreference

from driver import Driver
from replica_set import ReplicaSet

Client = pymongo.MongoClient[dict[str, Any]]

MODES = ["primaryPreferred", "secondary", "secondaryPreferred", "nearest"]
TAGS: list[list[dict[str, str]]] = [
    [],
    [{"dc": "sf"}],
    [{"dc": "ny", "rack": "2"}, {"dc": "ldn"}],
    [{"dc": "mars"}, {}],
]
PREFERENCES: list[dict[str, Any]] = [
    {"mode": "primary"},
    *(
        {"mode": mode, "tags": tags, "maxStalenessSeconds": seconds}
        for mode in MODES
        for tags in TAGS
        for seconds in (-1, 150)
    ),
]
PATIENCE_SECONDS = 30.0
LATE_MS = 100_000

STEPS: list[tuple[str, dict[str, Any]]] = [
    ("start", {"do": "status"}),
    ("c lags 300 s behind", {"do": "lag", "member": "c", "seconds": 300}),
    ("a steps down", {"do": "stepDown", "member": "a"}),
    ("ny is lost", {"do": "kill", "tags": {"dc": "ny"}}),
    ("c is up to date", {"do": "lag", "member": "c", "seconds": 0}),
    ("ldn is lost", {"do": "kill", "tags": {"dc": "ldn"}}),
    ("ny is back", {"do": "restart", "tags": {"dc": "ny"}}),
    ("b recovers", {"do": "maintenance", "member": "b", "on": True}),
    ("c is cut off", {"do": "partition", "groups": [["c"]]}),
]


def of_pymongo(preference: dict[str, Any]) -> Any:
    index = ["primary", *MODES].index(preference["mode"])
    return make_read_preference(index, preference.get("tags") or None, preference.get("maxStalenessSeconds", -1))


def address_of(server: ServerDescription) -> str:
    return f"{server.address[0]}:{server.address[1]}"


def state(kind: str, last_write_ms: float | None) -> str:
    """Give what matters of a server: its type, and whether it is minutes behind."""
    late = last_write_ms is not None and time.time() * 1000 - last_write_ms > LATE_MS
    return kind.replace("PossiblePrimary", "Unknown") + (", late" if late else "")


def known_to_readpref(driver: Driver) -> dict[str, str]:
    servers = [s.to_dict() for s in driver.topology.description.servers]
    return {s["address"]: state(s["type"], s.get("lastWriteDate")) for s in servers}


def known_to_pymongo(client: Client) -> dict[str, str]:
    servers = client.topology_description.server_descriptions().values()
    # PyMongo keeps float seconds.
    return {address_of(s): state(s.server_type_name, s.last_write_date and s.last_write_date * 1000) for s in servers}


def let_both_know(driver: Driver, client: Client) -> None:
    """Wait until both have checked what there is; at a heartbeat of 60 s somebody has to ask."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    nobody = of_pymongo({"mode": "nearest", "tags": [{"dc": "nowhere"}]})
    while True:
        driver.heartbeat()
        # A selection that fails has PyMongo check all servers.
        with contextlib.suppress(PyMongoError), pymongo.timeout(1.5):
            client.shop.get_collection("orders", read_preference=nobody).find_one()
        ours, theirs = known_to_readpref(driver), known_to_pymongo(client)
        if ours == theirs:
            return
        if time.monotonic() > deadline:
            sys.exit(f"readpref knows {ours}\nPyMongo knows {theirs}")


def read(client: Client, preference: dict[str, Any]) -> str:
    found = client.shop.get_collection("orders", read_preference=of_pymongo(preference)).find_one()
    return str(found and found["served_by"])


def compare(driver: Driver, client: Client, preference: dict[str, Any]) -> bool:
    """Exit where the two differ; tell whether there was one server, and both read from it."""
    ours = list(driver.topology.explain(preference).in_latency_window)
    theirs = [address_of(s) for s in client.topology_description.apply_selector(of_pymongo(preference))]
    if sorted(ours) != sorted(theirs):
        sys.exit(f"{preference}: readpref would read from {ours}, PyMongo from {theirs}")
    if len(ours) != 1:
        return False
    reply = driver.run({"find": "orders", "$db": "shop"}, ReadPreference.from_document(preference))
    served = [reply["cursor"]["firstBatch"][0]["served_by"], read(client, preference)]
    if served != ours * 2:
        sys.exit(f"{preference}: chosen {ours}, served by {served}")
    return True


def main() -> None:
    replica_set = ReplicaSet(sys.argv[1:])
    driver = Driver(replica_set.uri)
    # Polling, like ours: streams do not tell that a member lags until the next heartbeat.
    client: Client = pymongo.MongoClient(replica_set.uri, serverMonitoringMode="poll")
    with client, ThreadPoolExecutor(8) as threads:
        for what, request in STEPS:
            replica_set.do(request)
            let_both_know(driver, client)
            alone = sum(threads.map(lambda p: compare(driver, client, p), PREFERENCES))
            print(f"{what}: PyMongo agrees on {len(PREFERENCES)} preferences, and on who served {alone} of them")
    driver.close()


main()
