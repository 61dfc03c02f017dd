"""A set in a thread of this process, for programs and tests that are written in Python."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any

from replicaset.control import Control
from replicaset.replica_set import DEFAULT_CONFIG, ReplicaSet, read_config


class RunningReplicaSet:
    """A context manager: inside it the set runs, and can be told what to do from any thread.

    >>> with RunningReplicaSet() as replica_set:
    ...     replica_set.do("stepDown", member="a")["members"]["b"]["state"]
    'PRIMARY'
    """

    def __init__(self, config: Path = DEFAULT_CONFIG) -> None:
        self._config = config
        self._started: Future[tuple[str, Control]] = Future()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="replica set", daemon=True)

    def __enter__(self) -> RunningReplicaSet:
        self._thread.start()
        self.uri, self._control = self._started.result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def do(self, what: str, **arguments: Any) -> dict[str, Any]:
        """Carry out one control request and wait until it has happened."""
        request = {"do": what, **arguments}
        return asyncio.run_coroutine_threadsafe(self._control.do(request), self._loop).result()

    @property
    def names(self) -> dict[str, str]:
        """The members' names by their addresses."""
        return {m["address"]: name for name, m in self.do("status")["members"].items()}

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._main())
        except BaseException as error:  # whoever waits for the start must hear of it
            self._started.set_exception(error)
        finally:
            self._loop.close()

    async def _main(self) -> None:
        self._end = asyncio.Event()
        replica_set = ReplicaSet(*read_config(self._config))
        await replica_set.start()
        self._started.set_result((replica_set.uri, Control(replica_set)))
        await self._end.wait()
        await replica_set.stop()
