"""Run a set and obey the lines on standard input: python examples/replicaset [CONFIG.json].

The first line on standard output is {"uri": "mongodb://…"}. Every line of input is a control request and is answered
by one line (README.md lists them). The set ends when standard input ends, so it never outlives the program that
started it.
"""

import asyncio
import sys
from pathlib import Path

# Started as a folder; its modules are those of a package. The folder itself must not be searched.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from replicaset.control import serve_lines  # noqa: E402
from replicaset.replica_set import DEFAULT_CONFIG, ReplicaSet, read_config  # noqa: E402


async def main() -> None:
    config = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CONFIG
    replica_set = ReplicaSet(*read_config(config))
    await replica_set.start()
    try:
        await serve_lines(replica_set)
    finally:
        await replica_set.stop()


asyncio.run(main())
