"""What a discovered topology is told by its host, and what it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Callable

from readpref._changes import ErrorOutcome, HelloOutcome, SRVOutcome
from readpref._delivery import Delivery, Listener
from readpref._description import Described, ServerDescription
from readpref._errors import new_error
from readpref._options import Milliseconds
from readpref._reading import class_name, reading
from readpref._stream import EventStream
from readpref._warning import EngineWarning


class Discovery(Described):
    """The half of `Topology` that is for whoever monitors the servers."""

    _clock: Callable[[], int] | None
    _delivery: Delivery
    _streams: set[EventStream]  # that are open

    def on_hello(
        self,
        address: str,
        hello: Mapping[str, Any] | None = None,
        *,
        round_trip_time_ms: Milliseconds | None = None,
        now_ms: int | None = None,
        error: str | None = None,
        error_kind: str | None = None,
    ) -> HelloOutcome:
        """Tell what a server answered to ``hello``, or that the check failed. Discovered topologies take it.

        Args:
            address: the address that was asked.
            hello: the reply, as PyMongo's ``client.admin.command("hello")`` or ``EJSON.stringify(db.hello())`` gives
                it; None: there was none.
            round_trip_time_ms: how long the reply took, in milliseconds. None: it was streamed. Alone, without a reply
                and without an error, it is the sample of a probe.
            now_ms: when the reply came, in milliseconds since 1970. None: now, by the topology's clock.
            error: why the check failed.
            error_kind: ``"network"``, ``"networkTimeout"`` or ``"command"``.

        Raises:
            ReadPrefError: the reply holds a value of the wrong type; nothing changed.
            ArgumentError: the topology is described by its owner.
        """
        request = {
            "address": address,
            "hello": hello,
            "roundTripTimeMS": round_trip_time_ms,
            "nowMS": self._now(now_ms),
            "error": error,
            "errorKind": error_kind,
        }
        found = self._tell("topology.hello", request)
        server = found["server"]
        return HelloOutcome(
            found["accepted"],
            None if server is None else ServerDescription._from_answer(server),
            found["generation"],
            found.get("connectionError"),
        )

    def on_error(
        self,
        address: str,
        kind: str,
        *,
        stage: str | None = None,
        labels: Sequence[str] | None = None,
        generation: int | None = None,
        service_id: Any = None,
        reply: Mapping[str, Any] | None = None,
        error: str | None = None,
        now_ms: int | None = None,
    ) -> ErrorOutcome:
        """Tell of an error that an operation had with a server. Discovered topologies take it.

        Args:
            address: the server's address.
            kind: ``"network"``, ``"networkTimeout"`` or ``"command"``.
            stage: ``"connectAndHello"``, ``"authentication"`` or ``"afterHandshake"`` (the default).
            labels: the error's labels that the reply does not have.
            generation: that of the connection's pool, as the last `PoolClear` said, when the connection was made.
            service_id: behind a load balancer, the connection's service.
            reply: of ``"command"``, the server's reply as it came, also one with a ``writeConcernError``.
            error: in words.
            now_ms: when, in milliseconds since 1970. None: now, by the topology's clock.
        """
        request = {
            "address": address,
            "stage": stage,
            "kind": kind,
            "labels": labels,
            "generation": generation,
            "serviceId": service_id,
            "reply": reply,
            "error": error,
            "nowMS": self._now(now_ms),
        }
        found = self._tell("topology.error", request)
        return ErrorOutcome(found["accepted"], found["deprioritize"], found["generation"])

    def on_srv(self, records: Sequence[Mapping[str, Any]]) -> SRVOutcome:
        """Tell what DNS answers now to the SRV lookup of a mongodb+srv connection string.

        Args:
            records: ``[{"target", "port", "ttlSeconds"}, …]``; empty: none, or the lookup failed.
        """
        found = self._tell("topology.srv", {"srv": records})
        return SRVOutcome(
            None if found["added"] is None else tuple(found["added"]),
            None if found["removed"] is None else tuple(found["removed"]),
            found["nextMS"],
            tuple(EngineWarning._from_document(warning) for warning in found.get("warnings", ())),
            found["generation"],
        )

    def shutdown(self) -> None:
        """Let a discovered topology say goodbye: its closing events; it takes no more replies and finds no server.

        `close` does it by itself.
        """
        self._tell("topology.shutdown", {})

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function with each event and effect from now on; the first listener gets what has waited for it.

        It is called by whoever changes the topology, in that thread and before that call returns, or by another thread
        that is delivering already; with one at a time, in order. It may use the topology. What it raises is logged to
        the logger ``readpref``. While a selection waits, it is asked to check all servers (`RequestCheck`).

        Args:
            listener: takes one `Event` or `Effect`.

        Returns:
            A function that ends it.

        Raises:
            WrongTypeError: the listener cannot be called.
            HandleError: the topology is closed.
        """
        self._open_handle()
        if not callable(listener):
            raise new_error("wrongType", f"expected a function, found a {class_name(listener)}", "listener")
        self._delivery.listen(listener)
        return partial(self._delivery.unlisten, listener)

    def events(self) -> EventStream:
        """Give the events and effects as an iterator, also for ``async for``; it ends when the topology is closed."""
        self._open_handle()
        stream = EventStream(self._delivery, self._streams.discard)
        self._streams.add(stream)
        return stream

    def _tell(self, method: str, request: Mapping[str, Any]) -> dict[str, Any]:
        given = {key: value for key, value in request.items() if value is not None}
        found = self._call(method, **given)
        self._changed()
        return found

    def _now(self, now_ms: int | None) -> int | None:
        if now_ms is not None or self._clock is None:
            return now_ms
        with reading(("clock",)):
            return self._clock()

    # What the other half has

    def _call(self, method: str, **request: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _changed(self) -> None:
        raise NotImplementedError

    def _open_handle(self) -> int:
        raise NotImplementedError
