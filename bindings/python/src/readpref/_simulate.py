"""`simulate`: where operations go. Long simulations are made in pieces here, each by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Callable, Union

from readpref._call import answer, answer_and_raw
from readpref._encode import encode
from readpref._errors import ReadPrefError, new_error
from readpref._options import Milliseconds, Seed, WireVersions, seed_of
from readpref._preference import ReadPreference
from readpref._reading import class_name, is_a, whole
from readpref._selection import Reason
from readpref._value import Value
from readpref._warning import EngineWarning, issue
from readpref._workload import (
    SETTINGS,
    AnyTopology,
    Report,
    Workload,
    Workloads,
    listed,
    operators_request,
    shared_options,
)

# A piece takes less than a tenth of a second: so often there is progress, other threads run, and Ctrl-C is heard.
PIECE = 100_000

# Of a whole simulation; the engine counts no further.
MAX_PICKS = 2**40

Progress = Callable[[int, int], Union[bool, None]]


class ServerShare(Value):
    """A server that a workload reaches.

    Attributes:
        index: its place in the topology description's ``servers``.
        address: as the description gave it.
        share_ppm: its share of the workload's operations, in parts per million.
        picks: how many operations went there; None where shares are exact.
    """

    index: int
    address: str
    share_ppm: int
    picks: int | None


class ServerLoad(Value):
    """A server of the topology, and what it gets, in parts per million.

    Attributes:
        index: its place in the topology description's ``servers``.
        address: as the description gave it.
        type: such as ``"RSSecondary"``.
        reads_ppm: its share of all reads. An aggregate with a write stage counts as a read.
        writes_ppm: its share of all writes.
        operations_ppm: its share of all operations.
    """

    index: int
    address: str
    type: str
    reads_ppm: int
    writes_ppm: int
    operations_ppm: int


class Shares(Value):
    """Shares of all reads, of all writes and of all operations, in parts per million; of a change, what is gained.

    Attributes:
        reads_ppm: of all reads. An aggregate with a write stage counts as a read.
        writes_ppm: of all writes.
        operations_ppm: of all operations.
    """

    reads_ppm: int
    writes_ppm: int
    operations_ppm: int

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Shares:
        """Build from the answer's ``failed``, or from a change."""
        return cls(document["readsPPM"], document["writesPPM"], document["operationsPPM"])


class SimulatedWorkload(Value):
    """Where the operations of one workload go.

    Attributes:
        name: as it was given, or ``workload`` and its number.
        operation: ``"read"``, ``"write"`` or ``"aggregateWithWriteStage"``.
        read_preference: its read preference.
        weight: its weight.
        servers: the servers in the latency window.
        failed: how many operations found no server; None where shares are exact.
        failed_ppm: the share of operations that find no server, in parts per million.
        round_trip_time_ms: the average of those that find one; None where it is not known.
        reason: why they find none; None where they do.
        warnings: what to know about the read preference although it is legal.
    """

    name: str
    operation: str
    read_preference: ReadPreference
    weight: int
    servers: tuple[ServerShare, ...]
    failed: int | None
    failed_ppm: int
    round_trip_time_ms: int | float | None
    reason: Reason | None
    warnings: tuple[EngineWarning, ...]

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> SimulatedWorkload:
        """Build from one element of the answer's ``workloads``."""
        return cls(
            document["name"],
            document["operation"],
            ReadPreference._from_normal_form(document["readPreference"]),
            document["weight"],
            tuple(
                ServerShare(one["index"], one["address"], one["sharePPM"], one.get("picks"))
                for one in document["servers"]
            ),
            document.get("failed"),
            document["failedPPM"],
            document["roundTripTimeMS"],
            reason_of(document),
            tuple(EngineWarning._from_document(warning) for warning in document.get("warnings", ())),
        )


class Simulation(Report):
    """Where the operations go. Printed, it is a table for people.

    Attributes:
        picks: how many operations were simulated, those before ``state`` included; None where shares are exact.
        workloads: where those of each workload go.
        servers: every server of the topology, and its shares.
        failed: the operations that find no server.
        state: what the next call gets as ``state`` to go on from here; None where shares are exact.
        text: all of it as a table for people.
    """

    picks: int | None
    workloads: tuple[SimulatedWorkload, ...]
    servers: tuple[ServerLoad, ...]
    failed: Shares
    state: str | None

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Simulation:
        """Build from the engine's answer."""
        return cls(
            text=document["text"],
            picks=document["picks"],
            workloads=tuple(SimulatedWorkload._from_document(one) for one in document["workloads"]),
            servers=tuple(
                ServerLoad(
                    one["index"],
                    one["address"],
                    one["type"],
                    one["readsPPM"],
                    one["writesPPM"],
                    one["operationsPPM"],
                )
                for one in document["servers"]
            ),
            failed=Shares._from_document(document["failed"]),
            state=document.get("state"),
            _document=document,
        )


def reason_of(document: Mapping[str, Any]) -> Reason | None:
    """Give why a workload finds no server, where it does not."""
    reason = document.get("reason")
    return None if reason is None else Reason(reason["code"], reason["message"])


def simulate(
    topology: AnyTopology,
    workloads: Workloads,
    *,
    picks: int | None = None,
    clients: int | None = None,
    service_times_ms: Mapping[str, Milliseconds | Decimal] | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
    state: str | None = None,
    progress: Progress | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    format: str | None = None,  # noqa: A002 - the document's name
) -> Simulation:
    """Tell where operations go: the share of each server, which reads fail, and why.

    docs/operators.md tells what the model has, and what it leaves out.

    Args:
        topology: a `TopologyDescription`, or a description as a mapping, or a `Topology`, which means its present
            description and its settings. 1 to 1024 servers.
        workloads: what is done, 1 to 100: each a `Workload`, or its document.
        picks: how many operations are simulated, 1 to 2**40. None: the shares are counted out exactly.
        clients: goes with ``picks``: how many operations are in progress at any time, 1 to 1024. None: the operation
            counts stay as the topology has them.
        service_times_ms: goes with ``clients``: by address, how many milliseconds a server works on an operation, 0 to
            60,000. Others take 0.
        pick: ``"leastBusyOfTwo"`` (the default), ``"random"`` or ``"roundRobin"``.
        seed: an integer from 0 to 2**64-1. None: 0, so that the same question has the same answer.
        state: goes with ``picks``: the ``state`` of the answer to the same question, to go on from there.
        progress: called after each piece of 100,000 picks, and at the end, with how many are done and how many there
            are. Where it returns False, the answer is that of the picks so far.
        local_threshold_ms: width of the latency window in milliseconds, at least 0. None: 15.
        heartbeat_frequency_ms: whole milliseconds, at least 500. None: 10000.
        wire_versions: what the client speaks, ``(min, max)``. None: (8, 29).
        format: how ``text`` is written: ``"text"`` (the default), or ``"markdown"``.

    Raises:
        ReadPrefError: the request cannot be answered. Operations that find no server are part of the answer.
        ArgumentError: ``progress`` raised; what it raised is the cause.

    Warns:
        EngineWarning: what the workloads' ``warnings`` tell, unless a `ReadPreference` was given.

    >>> described = {"servers": [
    ...     {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    ...     {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
    ...     {"address": "c.example:27017", "type": "RSSecondary", "roundTripTimeMS": 150}]}
    >>> found = simulate(described, [Workload("nearest"), Workload("secondary", weight=3)])
    >>> [(server.address, server.reads_ppm) for server in found.servers]
    [('a.example:27017', 125000), ('b.example:27017', 875000), ('c.example:27017', 0)]
    """
    asked = listed(workloads, "workloads")
    options = {
        **shared_options(local_threshold_ms, heartbeat_frequency_ms, wire_versions, format),
        "pick": pick,
        "seed": None if seed is None else seed_of(seed),
        "clients": clients,
        "serviceTimesMS": service_times_ms,
    }
    if picks is None:
        options["state"] = state
        document = answer("simulate", _request(topology, asked, options))
    else:
        total = whole(picks, "picks")
        if total > MAX_PICKS:
            raise new_error("outOfRange", f"expected an integer from 1 to {MAX_PICKS}", "picks")
        document = _in_pieces(_request(topology, asked, options), total, state, progress)
    simulation = Simulation._from_document(document)
    # A ReadPreference told its warnings when it was built.
    told = [is_a(one, Workload) and is_a(one.read_preference, ReadPreference) for one in asked]
    issue((note for one, quiet in zip(simulation.workloads, told) if not quiet for note in one.warnings), stacklevel=2)
    return simulation


def _request(topology: AnyTopology, workloads: object, options: Mapping[str, object]) -> bytes:
    return operators_request(topology, workloads, options, (*SETTINGS, "pick"))


def _in_pieces(request: bytes, picks: int, state: object, progress: Any) -> dict[str, Any]:
    """Simulate so many picks; the answer is that to one request for all."""
    if progress is not None and not callable(progress):
        raise new_error("wrongType", f"expected a function, found a {class_name(progress)}", "progress")
    so_far: dict[str, Any] = {}
    for done, document, _ in pieces(request, picks, state):
        so_far = document
        if progress is not None and _is_enough(progress, done, picks):
            break
    return so_far


def pieces(request: bytes, picks: int, state: object = None) -> Iterator[tuple[int, dict[str, Any], str]]:
    """Simulate piece by piece: give how many picks are done, and the answer so far, read and as it came."""
    done = 0
    while True:
        piece = min(picks - done, PIECE)
        beside = {"picks": piece} if state is None else {"picks": piece, "state": state}
        document, raw = answer_and_raw("simulate", b"%b,%b" % (encode(beside)[:-1], request[1:]))
        done += piece
        state = document["state"]
        yield done, document, raw
        if done >= picks:
            return


def _is_enough(progress: Progress, done: int, picks: int) -> bool:
    try:
        return progress(done, picks) is False
    except ReadPrefError:
        raise
    except Exception as error:
        raise new_error("argument", f"progress raised {class_name(error)}", "progress") from error
