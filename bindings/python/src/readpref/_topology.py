"""A deployment that stays open: described by its owner, or discovered from what its servers say."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from json import JSONDecoder
from typing import Any, Callable, NoReturn, Union

from readpref import _native
from readpref._attempt import CHECKOUT, Attempt
from readpref._call import answer
from readpref._checkout import Checkout
from readpref._codes import STATUS_BY_CODE
from readpref._command import Decoration, decoration_from_document
from readpref._deadline import Seconds, selection_time
from readpref._delivery import Delivery
from readpref._description import TopologyDescription, refuse_request
from readpref._discovery import Discovery
from readpref._encode import encode
from readpref._errors import HandleError, NoServerError, new_error, no_server
from readpref._events import RequestCheck
from readpref._handles import TopologyHandle, quick
from readpref._loading import loading
from readpref._options import CustomSelector, Milliseconds, Preference, Seed, WireVersions, keep_only, range_of, seed_of
from readpref._preference import ReadPreference, preference_of
from readpref._prepared import Prepared, prepare
from readpref._reading import class_name, is_a, reading, whole
from readpref._selected import SelectedServer
from readpref._selection import Explanation, selection_from_document
from readpref._stream import EventStream
from readpref._waiters import Waiters
from readpref._warning import EngineWarning, issue

Source = Union[TopologyDescription, Mapping[str, Any], str]

_FLAGS = {"read": 0, "write": 1, "aggregateWithWriteStage": 2}
_DEBUG = 10  # logging.DEBUG
_NO_SERVER = STATUS_BY_CODE["noServer"]
_HANDLE = STATUS_BY_CODE["handle"]
_NOBODY: tuple[str, ...] = ()
_MAX_ID = 2**31 - 1
_MOST_PICKS = 2**20

# Server Selection specification, "serverSelectionTimeoutMS".
_DEFAULT_TIMEOUT_MS = 30_000


def wall_clock() -> int:
    """Give the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Topology(Discovery, TopologyHandle):
    """A deployment that stays open, from which a server is selected for one operation after another.

    It is made from one of three:

    - a description, which its owner replaces by `update`;
    - a connection string, or ``seeds``: then it discovers the deployment from what the servers say, which the owner
      tells it by `on_hello` and `on_error`. It connects to nothing: its events and effects (`listen`, `events`) tell
      whom to check.

    Selecting is one call of the engine, without a document: what a read preference makes of the topology is computed
    once for each description. Everything may be called from any thread, and in forked children, where the topology
    lives on separately.

    Args:
        source: a `TopologyDescription` or a description as a mapping; or a connection string.
        seeds: addresses to discover from, in place of a connection string.
        replica_set: with seeds, the replica set's name, which servers of others do not join.
        direct_connection: with seeds, whether the one seed is used whatever it is.
        load_balanced: with seeds, whether the one seed is a load balancer.
        enable_overload_retargeting: with seeds, whether overloaded servers are deprioritized outside of sharded
            clusters, too.
        srv: with a mongodb+srv connection string, what DNS answered: ``[{"target", "port", "ttlSeconds"}, …]``.
        txt: with a mongodb+srv connection string, its TXT records, each a list of strings.
        local_threshold_ms: width of the latency window in milliseconds. None: 15, or the connection string's.
        heartbeat_frequency_ms: whole milliseconds, at least 500. None: 10000, or the connection string's.
        wire_versions: what the client speaks, ``(min, max)``. None: (8, 29).
        pick: how one of the window is chosen: ``"leastBusyOfTwo"`` (the default), ``"random"``, ``"roundRobin"``.
        seed: an integer from 0 to 2**64-1 that makes the picks repeatable, also in another language. None: a new one
            from the system's entropy.
        server_selection_timeout_ms: how long `select` waits where it is not told. None: the connection string's, or
            30000; for a description 0, which is not to wait, since nothing changes it but its owner.
        clock: gives the milliseconds since 1970 at which a reply came, where `on_hello` is not told. None: no time is
            noted then, and maxStalenessSeconds makes no sense.

    Attributes:
        read_preference: that of the connection string, for selections that name none; else primary.
        warnings: what the connection string's author should know.

    Raises:
        ReadPrefError: what was given cannot be read.

    Warns:
        EngineWarning: each of `warnings`.

    >>> topology = Topology({"setName": "rs0", "servers": [
    ...     {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    ...     {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5}]})
    >>> topology.select("secondaryPreferred")
    SelectedServer(id=1, address='b.example:27017')
    >>> topology.update({"setName": "rs0", "servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
    >>> topology.select("secondaryPreferred").address
    'a.example:27017'
    >>> topology.close()
    """

    read_preference: ReadPreference
    warnings: tuple[EngineWarning, ...]

    def __init__(
        self,
        source: Source | None = None,
        *,
        seeds: Sequence[str] | None = None,
        replica_set: str | None = None,
        direct_connection: bool | None = None,
        load_balanced: bool | None = None,
        enable_overload_retargeting: bool | None = None,
        srv: Sequence[Mapping[str, Any]] | None = None,
        txt: Sequence[Sequence[str]] | None = None,
        local_threshold_ms: Milliseconds | None = None,
        heartbeat_frequency_ms: int | None = None,
        wire_versions: WireVersions | None = None,
        pick: str | None = None,
        seed: Seed | None = None,
        server_selection_timeout_ms: int | None = None,
        clock: Callable[[], int] | None = wall_clock,
    ) -> None:
        key = "uri" if is_a(source, str) else "topology"
        if key == "topology" and source is not None:
            refuse_request(source)
        self._open(
            {
                key: source,
                "srv": srv,
                "txt": txt,
                "seeds": seeds,
                "replicaSet": replica_set,
                "directConnection": direct_connection,
                "loadBalanced": load_balanced,
                "enableOverloadRetargeting": enable_overload_retargeting,
                "localThresholdMS": local_threshold_ms,
                "heartbeatFrequencyMS": heartbeat_frequency_ms,
                "wireVersions": range_of(wire_versions),
                "pick": pick,
                "seed": seed_of(seed),
            },
            server_selection_timeout_ms,
            clock,
        )
        issue(self.warnings, stacklevel=2)

    @classmethod
    def from_hello_replies(
        cls,
        replies: Any,
        *,
        topology_type: str | None = None,
        set_name: str | None = None,
        **settings: Any,
    ) -> Topology:
        """Open from saved replies: as `TopologyDescription.from_hello_replies`, with settings as for `Topology`.

        >>> Topology.from_hello_replies([{"address": "a.example", "hello": {"ok": 1, "maxWireVersion": 25}}]).select()
        SelectedServer(id=0, address='a.example:27017')
        """
        described = TopologyDescription.from_hello_replies(replies, topology_type=topology_type, set_name=set_name)
        return cls(described, **settings)

    @classmethod
    def from_document(
        cls,
        document: Mapping[str, Any],
        *,
        server_selection_timeout_ms: int | None = None,
        clock: Callable[[], int] | None = wall_clock,
    ) -> Topology:
        """Open from the document that `describe` gives, or another that the engine's ``topology.open`` takes.

        The new topology goes on as the one that was described would; its ids are given anew. Without a ``seed`` it gets
        one from the system's entropy.
        """
        if not is_a(document, Mapping):
            raise new_error("wrongType", f"expected a mapping, found a {class_name(document)}")
        with reading(()):
            request = dict(document)
        if request.get("seed") is None:
            request["seed"] = seed_of(None)
        topology = cls.__new__(cls)
        topology._open(request, server_selection_timeout_ms, clock)
        issue(topology.warnings, stacklevel=2)
        return topology

    def _open(self, request: dict[str, Any], timeout_ms: int | None, clock: Callable[[], int] | None) -> None:
        request = {key: value for key, value in request.items() if value is not None}
        if clock is not None and not callable(clock):
            raise new_error("wrongType", f"expected a function, found a {class_name(clock)}", "clock")
        default_ms = None if timeout_ms is None else _milliseconds(timeout_ms, "server_selection_timeout_ms")
        handle: int = answer("topology.open", encode(request))["topology"]
        engine = _native.engine()
        with loading:
            # Imports logging, which takes as long as the rest of this package.
            from readpref._selection_log import SelectionLog, enabled, levels  # noqa: PLC0415

        self._log_enabled, self._log_levels, self._log = enabled, levels, SelectionLog
        self._close_handle, self._rp_select, self._engine = engine.close, engine.select, engine
        if self._handle:
            self._close_handle(self._handle)  # of an __init__ before
        self._begin(handle)
        self._clock = clock
        self._waiters = Waiters()
        self._streams: set[EventStream] = set()
        self._discovered = "uri" in request or "seeds" in request
        # Not a bound method, which would keep the topology alive.
        self._delivery = Delivery(partial(_call_handle, handle) if self._discovered else None)
        self.read_preference, self.warnings = preference_of("primary"), ()
        self._operation_timeout: float | None = None
        uri_ms = _DEFAULT_TIMEOUT_MS if self._discovered else 0
        if "uri" in request:
            parsed = answer("parse_uri", encode({"uri": request["uri"]}))
            self.read_preference = ReadPreference._from_normal_form(parsed["readPreference"])
            self.warnings = tuple(EngineWarning._from_document(warning) for warning in parsed["warnings"])
            uri_ms = parsed["options"].get("serverSelectionTimeoutMS", uri_ms)
            timeout = parsed["options"].get("timeoutMS")
            self._operation_timeout = None if timeout is None else timeout / 1000
        self._timeout = (uri_ms if default_ms is None else default_ms) / 1000

    def __del__(self) -> None:
        # What was never opened has none.
        if self._handle:
            self._close_handle(self._handle)

    # Selection

    def select(
        self,
        read_preference: Preference | None = None,
        *,
        operation: str = "read",
        deprioritized: Sequence[str] = _NOBODY,
        custom_selector: CustomSelector | None = None,
        timeout: Seconds | None = None,
        operation_timeout: Seconds | None = None,
        checkout: bool = False,
        operation_name: str | None = None,
        operation_id: int | None = None,
    ) -> SelectedServer:
        """Select a server for an operation. Where there is none, wait for one.

        Args:
            read_preference: a `ReadPreference`, or its ``$readPreference`` document, or a mode alone. None: the
                topology's. Build it once and keep it: a document is checked again each time.
            operation: ``"read"``, ``"write"``, or ``"aggregateWithWriteStage"`` (an aggregate with $out or $merge).
            deprioritized: addresses avoided while anything else is suitable.
            custom_selector: the addresses that may be kept; runs on the suitable servers, before the latency window.
            timeout: how long to wait, in seconds; 0 is not at all. None: the topology's serverSelectionTimeoutMS.
            operation_timeout: what is left of the operation's timeoutMS, in seconds, if that is less; 0 is no limit.
                None: the connection string's timeoutMS.
            checkout: whether the server's operation count goes up by one, until `release`.
            operation_name: such as ``"find"``, for the log.
            operation_id: for the log.

        Raises:
            ServerSelectionTimeoutError: there was no server in time. Printed, it tells what became of each.
            NoServerError: there is none, and there was no time to wait.
            IncompatibleWireVersionError: a server and this client share no wire version.
            InvalidPreferenceError: maxStalenessSeconds is too small for this topology.
            HandleError: the topology is closed.

        >>> topology = Topology({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
        >>> topology.select("secondary", timeout=0.01)  # doctest: +ELLIPSIS, +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        ServerSelectionTimeoutError: server selection timed out after 10ms: no suitable server for a read with…
        """
        # The hot path: one call of the engine. All else is left to _attempt. With the extension, most calls do not even
        # come here: see below the class.
        if (
            type(read_preference) is ReadPreference
            and deprioritized is _NOBODY
            and custom_selector is None
            and type(operation) is str
            and operation in _FLAGS
            and (checkout is False or checkout is True)
            and not self._log_enabled(_DEBUG)
        ):
            try:
                preference = read_preference._prepared.handle
            except AttributeError:
                preference = prepare(read_preference).handle
            flags = _FLAGS[operation] | CHECKOUT if checkout else _FLAGS[operation]
            server = self._rp_select(self._handle, preference, flags)
            if server >= 0:
                return self._known(server) or self.server(server)
        return self._attempt(
            read_preference,
            operation,
            deprioritized,
            custom_selector,
            timeout,
            operation_timeout,
            checkout,
            operation_name,
            operation_id,
        ).run()

    async def select_async(
        self,
        read_preference: Preference | None = None,
        *,
        operation: str = "read",
        deprioritized: Sequence[str] = _NOBODY,
        custom_selector: CustomSelector | None = None,
        timeout: Seconds | None = None,
        operation_timeout: Seconds | None = None,
        checkout: bool = False,
        operation_name: str | None = None,
        operation_id: int | None = None,
    ) -> SelectedServer:
        """Select as `select` does, and let other tasks run while it waits.

        It may be cancelled at any time; a server is checked out only if it is returned. Tasks of many loops, and
        threads, may wait for one topology.

        >>> import asyncio
        >>> topology = Topology({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
        >>> asyncio.run(topology.select_async("nearest")).address
        'a.example:27017'
        """
        return await self._attempt(
            read_preference,
            operation,
            deprioritized,
            custom_selector,
            timeout,
            operation_timeout,
            checkout,
            operation_name,
            operation_id,
        ).run_async()

    def checkout(
        self,
        read_preference: Preference | None = None,
        *,
        operation: str = "read",
        deprioritized: Sequence[str] = _NOBODY,
        custom_selector: CustomSelector | None = None,
        timeout: Seconds | None = None,
        operation_timeout: Seconds | None = None,
        operation_name: str | None = None,
        operation_id: int | None = None,
    ) -> Checkout:
        """Give a context manager that selects a server as `select` does, and counts the operation while it runs.

        In coroutines it is for ``async with``, and selects as `select_async` does.

        >>> topology = Topology({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
        >>> with topology.checkout("nearest"):
        ...     topology.description.servers[0].to_dict()["operationCount"]
        1
        >>> "operationCount" in topology.description.servers[0].to_dict()
        False
        """
        return Checkout(
            self,
            {
                "read_preference": read_preference,
                "operation": operation,
                "deprioritized": deprioritized,
                "custom_selector": custom_selector,
                "timeout": timeout,
                "operation_timeout": operation_timeout,
                "operation_name": operation_name,
                "operation_id": operation_id,
            },
        )

    def select_ids(
        self,
        read_preference: Preference | None = None,
        count: int = 1,
        *,
        operation: str = "read",
        checkout: bool = False,
    ) -> list[int]:
        """Select many times at once, without waiting: give as many ids as as many selections would have given.

        Args:
            read_preference: as for `select`.
            count: from 1 to 1048576.
            operation: as for `select`.
            checkout: whether each selection counts on its server, until `release`.

        Raises:
            NoServerError: there is none.

        >>> topology = Topology({"servers": [
        ...     {"address": "a.example", "type": "Mongos"}, {"address": "b.example", "type": "Mongos"}]})
        >>> sorted(topology.select_ids("nearest", 4, checkout=True))  # the less busy one each time
        [0, 0, 1, 1]
        """
        preference = self._prepare(read_preference)
        flags = self._flags(operation, checkout)
        number = whole(count, "count")
        if not 0 < number <= _MOST_PICKS:
            raise new_error("outOfRange", f"expected an integer from 1 to {_MOST_PICKS}", "count")
        while True:
            status, ids = self._engine.select_batch(self._handle, preference.handle, flags, number)
            if status >= 0:
                return list(ids)
            # It raises, unless the topology changed between the two calls.
            explanation = self._explain(preference, {"operation": operation})
            if status == _NO_SERVER and explanation.reason is not None:
                raise no_server(NoServerError, explanation.reason.message, explanation)

    def select_batch(
        self,
        read_preference: Preference | None = None,
        count: int = 1,
        *,
        operation: str = "read",
        checkout: bool = False,
    ) -> list[SelectedServer]:
        """Select many times at once, as `select_ids` does; give the servers."""
        ids = self.select_ids(read_preference, count, operation=operation, checkout=checkout)
        return [self.server(one) for one in ids]

    def release(self, server: SelectedServer | int) -> None:
        """End an operation that was checked out, in whatever way: the server's operation count goes down by one.

        It never goes below 0. Also servers that are gone from the description are released.

        Args:
            server: what `select` gave, or its id.

        Raises:
            ArgumentError: this topology has no such server.
            HandleError: the topology is closed.
        """
        status = self._engine.release(self._handle, self._id(server))
        if status < 0:
            self._refuse(status)

    def server(self, id: int) -> SelectedServer:  # noqa: A002 - the field's name
        """Give the server that has an id, also one that is gone from the description.

        Raises:
            ArgumentError: this topology never gave the id.
        """
        known: SelectedServer | None = self._known(id)
        if known is None:
            number = self._id(id)
            address: str = self._call("topology.address", id=number)["address"]
            # One object for each, whoever was first.
            known = self._remember(number, SelectedServer(number, address))
        return known

    def explain(
        self,
        read_preference: Preference | None = None,
        *,
        operation: str = "read",
        deprioritized: Sequence[str] = _NOBODY,
        custom_selector: CustomSelector | None = None,
    ) -> Explanation:
        """Tell what `select` would choose now, and why not the others. Nothing is drawn and nothing counted.

        That no server is suitable is an answer here: ``server`` is None then, and ``reason`` says why.

        >>> topology = Topology({"servers": [{"address": "a.example", "type": "Mongos", "roundTripTimeMS": 2},
        ...     {"address": "b.example", "type": "Mongos", "roundTripTimeMS": 31}]})
        >>> topology.explain().servers[1].why
        'RTT 31 ms, window ends at 17 ms'
        """
        request = _request(operation, deprioritized, custom_selector)
        return self._explain(self._prepare(read_preference), request)

    def command(
        self,
        server: SelectedServer | int,
        read_preference: Preference | None = None,
        *,
        operation: str = "read",
        opcode: str = "OP_MSG",
    ) -> Decoration:
        """Tell what a command carries to the server that was selected for it.

        Args:
            server: what `select` gave, or its id. One that is gone from the description is of type Unknown.
            read_preference: what it was selected with. None: the topology's.
            operation: as for `select`.
            opcode: ``"OP_MSG"`` or ``"OP_QUERY"``.

        >>> topology = Topology({"type": "Single", "servers": [{"address": "a.example", "type": "RSSecondary"}]})
        >>> topology.command(topology.select()).attach({"ping": 1})
        {'ping': 1, '$readPreference': {'mode': 'primaryPreferred'}}
        """
        prepared = self._prepare(read_preference)
        return decoration_from_document(
            self._call(
                "topology.command",
                readPreference=prepared.handle,
                id=self._id(server),
                operation=operation,
                opcode=opcode,
            )
        )

    # The topology's state

    @property
    def description(self) -> TopologyDescription:
        """The present description, with the present operation counts."""
        return TopologyDescription._from_json(self._encoded())

    def _encoded(self) -> bytes:
        found, out = _native.call(b"topology.describe", b'{"topology":%d}' % self._handle)
        if not found:
            self._refuse(_HANDLE)
        # Cut out as it is, so that numbers stay exact.
        text = out.decode("utf-8")
        start = len('{"topology":')
        return text[start : _DECODER.raw_decode(text, start)[1]].encode("utf-8")

    def describe(self) -> dict[str, Any]:
        """Give the document with which `from_document` opens this topology again, there to go on as this one would."""
        return self._call("topology.describe")

    @property
    def generation(self) -> int:
        """A number that changes with every change of the topology. Compare it for inequality; 0: closed."""
        return self._engine.generation(self._handle)

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._handle == 0

    def update(self, description: TopologyDescription | Mapping[str, Any]) -> None:
        """Replace the description of a topology that its owner describes; those who wait for a server look again.

        Servers keep their operation counts, unless the description gives them. An update that is refused changes
        nothing.

        Raises:
            ReadPrefError: the description is wrong; path ``topology…``.
            ArgumentError: the topology is discovered from what its servers say.
        """
        refuse_request(description)
        self._run("topology.update", encode({"handle": self._open_handle(), "topology": description}))
        self._changed()

    def close(self) -> None:
        """Close the topology. Those who wait get a `HandleError`, listeners the closing events. Twice is once."""
        handle = self._handle
        if handle and self._discovered:
            _call_handle(handle, "topology.shutdown")
        self._handle = 0
        self._waiters.notify()
        if handle:
            self._delivery.finish(partial(self._closed, handle))

    def _closed(self, handle: int) -> None:
        self._close_handle(handle)
        for stream in list(self._streams):
            stream._end()

    def __enter__(self) -> Topology:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        if not self._handle:
            return "<readpref.Topology closed>"
        description = self.description
        servers = ", ".join(f"{server.address} ({server.type})" for server in description.servers[:10])
        return f"<readpref.Topology {description.type or 'of'} {servers}>"

    def __reduce__(self) -> NoReturn:
        raise new_error(
            "wrongType",
            "a Topology belongs to its process and is neither copied nor pickled: take its description, or what "
            "describe() gives, with which Topology.from_document opens another",
        )

    # Within the package

    def _attempt(
        self,
        read_preference: Preference | None,
        operation: str,
        deprioritized: Sequence[str],
        custom_selector: CustomSelector | None,
        timeout: Seconds | None,
        operation_timeout: Seconds | None,
        checkout: bool,
        operation_name: str | None,
        operation_id: int | None,
    ) -> Attempt:
        preference = preference_of(read_preference, self.read_preference)
        prepared = prepare(preference)
        flags = self._flags(operation, checkout)
        request = _request(operation, deprioritized, custom_selector)
        avoid = {key: value for key, value in request.items() if key != "operation"}
        limit = self._operation_timeout if operation_timeout is None else operation_timeout
        return Attempt(
            self,
            prepared,
            flags,
            request,
            encode(avoid) if avoid else None,
            selection_time(timeout, limit, self._timeout),
            self._log(preference, _name(operation_name) or operation, operation_id, lambda: self.description),
        )

    def _try_select(self, preference: int, flags: int, data: bytes | None) -> int:
        if data is None:
            return self._rp_select(self._handle, preference, flags)
        return self._engine.select_ex(self._handle, preference, flags, data)

    def _explain(self, preference: Prepared, request: Mapping[str, Any]) -> Explanation:
        return selection_from_document(
            Explanation, self._call("topology.explain", readPreference=preference.handle, **request)
        )

    def _prepare(self, read_preference: Preference | None) -> Prepared:
        return prepare(preference_of(read_preference, self.read_preference))

    def _flags(self, operation: Any, checkout: bool) -> int:
        if not is_a(operation, str):
            raise new_error("wrongType", f"expected a string, found a {class_name(operation)}", "operation")
        flags = _FLAGS.get(str.__str__(operation))
        if flags is None:
            # The engine says what is wrong, in its own words.
            answer("select", encode({"topology": {"servers": []}, "operation": operation}))
            raise new_error("unknownValue", "expected the name of an operation", "operation")
        if checkout is not True and checkout is not False:
            raise new_error("wrongType", f"expected a boolean, found a {class_name(checkout)}", "checkout")
        return flags | CHECKOUT if checkout else flags

    def _id(self, server: Any) -> int:
        if is_a(server, SelectedServer):
            with reading(("id",)):
                known = self._known(server.id)
                if known is not server and known != server:
                    raise new_error("argument", "the server is not one of this topology", "id")
                return int(server.id)
        number = whole(server, "id")
        if not 0 <= number <= _MAX_ID:
            raise new_error("argument", "no server of this topology has this id", "id")
        return number

    def _open_handle(self) -> int:
        if not self._handle:
            self._refuse(_HANDLE)
        return self._handle

    def _refuse(self, status: int) -> NoReturn:
        if status == _HANDLE:
            how = "was closed" if not self._handle else "was ended by a fault inside readpref: open it again"
            raise new_error("handle", f"the topology {how}", "topology")
        raise new_error("argument", "no server of this topology has this id", "id")

    def _call(self, method: str, **request: Any) -> dict[str, Any]:
        try:
            return _call_handle(self._open_handle(), method, **request)
        except HandleError as error:
            if error.path == "topology":
                self._refuse(_HANDLE)
            raise

    def _run(self, method: str, data: bytes) -> dict[str, Any]:
        try:
            return answer(method, data)
        except HandleError:
            self._refuse(_HANDLE)

    def _changed(self) -> None:
        self._waiters.notify()
        self._delivery.deliver()

    def _request_checks(self) -> None:
        if self._delivery.wanted:
            self._delivery.deliver([RequestCheck(0, server.address) for server in self.description.servers])

    def _settings(self) -> dict[str, Any]:
        """Give what select and explain, too, take of its settings."""
        described = self.describe()
        return {key: described[key] for key in ("localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "pick")}


# What does in C what the hot path of select does, where there is the extension; the rest it leaves to select itself.
Topology.select = quick(Topology.select, ReadPreference, _FLAGS, _NOBODY)  # type: ignore[method-assign]

_DECODER = JSONDecoder()


def _call_handle(handle: int, method: str, **request: Any) -> dict[str, Any]:
    return answer(method, encode({"topology": handle, **request}))


def _request(operation: str, deprioritized: Sequence[str], custom_selector: CustomSelector | None) -> dict[str, Any]:
    """Give the keys of topology.explain that say something."""
    request: dict[str, Any] = {"operation": operation}
    if deprioritized is not _NOBODY:
        request["deprioritized"] = deprioritized
    if custom_selector is not None:
        request["customSelector"] = keep_only(custom_selector)
    return request


def _name(given: Any) -> str:
    """Give an operation's name for the log, empty where there is none."""
    if given is None:
        return ""
    if not is_a(given, str):
        raise new_error("wrongType", f"expected a string, found a {class_name(given)}", "operation_name")
    return str.__str__(given)


def _milliseconds(value: Any, name: str) -> int:
    number = whole(value, name)
    if not 0 <= number < 2**63:
        raise new_error("outOfRange", "expected 0 or more milliseconds", name)
    return number
