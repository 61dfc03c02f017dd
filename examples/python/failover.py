"""Route reads and writes through a failover, a lost data centre and a restart, and print which member served each.

usage: failover.py COMMAND...

COMMAND starts the replica set of examples/replicaset, as in failover.py python examples/replicaset.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from readpref import NoServerError, ReadPreference

from driver import Driver, OperationError
from replica_set import ReplicaSet


class Script:
    """A driver, and the set that it is connected to."""

    def __init__(self, command: list[str]) -> None:
        self._set = ReplicaSet(command)
        self.driver = Driver(self._set.uri)

    def happens(self, what: str, **request: Any) -> None:
        print(what)
        self._set.do(request)

    def read(self, preference: dict[str, Any]) -> None:
        text = json.dumps(preference, separators=(",", ":"))
        reply = self._run(
            f"  read {text}:", {"find": "orders", "$db": "shop"}, ReadPreference.from_document(preference)
        )
        if reply is not None:
            print("", reply["cursor"]["firstBatch"][0]["member"])

    def write(self) -> None:
        reply = self._run("  write:", {"insert": "orders", "documents": [{}], "$db": "shop"}, None)
        if reply is not None:
            print("", reply["member"])

    def _run(self, label: str, command: dict[str, Any], preference: ReadPreference | None) -> dict[str, Any] | None:
        print(label, end="")

        def failed(error: OperationError) -> None:
            outcome = "lost" if error.reply is None else f"refused ({error.reply['code']})"
            print(f" {self._set.names[error.address]} {outcome},", end="")

        try:
            return self.driver.run(command, preference, on_failure=failed)
        except NoServerError as error:
            print(" no server")
            print(error.message, file=sys.stderr)
            return None


def main() -> None:
    script = Script(sys.argv[1:])
    script.driver.heartbeat()
    print("start")
    script.write()
    script.read({})
    script.read({"mode": "secondaryPreferred"})
    script.read({"mode": "secondary", "tags": [{"dc": "sf"}]})
    script.read({"mode": "nearest", "tags": [{"dc": "mars"}, {"dc": "ldn"}]})
    script.happens("c lags 300 s behind", do="lag", member="c", seconds=300)
    script.driver.heartbeat()
    script.read({"mode": "secondary", "tags": [{"dc": "sf"}, {}], "maxStalenessSeconds": 150})
    script.happens("a steps down", do="stepDown", member="a")
    script.write()
    script.driver.heartbeat()
    script.read({"mode": "secondaryPreferred"})
    script.happens("ny is lost", do="kill", tags={"dc": "ny"})
    script.read({"mode": "secondaryPreferred"})
    script.write()
    script.driver.heartbeat()
    script.read({"mode": "secondaryPreferred"})
    script.read({"mode": "secondary", "tags": [{"dc": "ny"}]})
    script.happens("ny is back", do="restart", tags={"dc": "ny"})
    script.driver.heartbeat()
    script.read({"mode": "secondary", "tags": [{"rack": "2"}]})
    script.write()
    script.happens("a is elected", do="elect", member="a")
    script.write()
    script.happens("b restarts", do="restart", member="b")
    script.read({"mode": "secondary", "tags": [{"rack": "2"}]})
    script.happens("a is cut off", do="partition", groups=[["a"]])
    script.driver.heartbeat()
    script.write()
    script.read({"mode": "secondaryPreferred"})
    script.happens("a is joined again", do="heal")
    script.driver.heartbeat()
    script.read({"mode": "secondaryPreferred"})
    script.driver.close()


main()
