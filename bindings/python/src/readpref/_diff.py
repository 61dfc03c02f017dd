"""`diff`: who gains and who loses operations, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readpref._call import answer
from readpref._description import refuse_request
from readpref._errors import new_error
from readpref._options import Milliseconds, WireVersions, range_of
from readpref._preference import ReadPreference
from readpref._reading import class_name, is_a
from readpref._selection import Reason
from readpref._simulate import ServerLoad, Shares, reason_of
from readpref._value import Value
from readpref._warning import EngineWarning
from readpref._workload import (
    SETTINGS,
    AnyTopology,
    Asked,
    Report,
    Workloads,
    documents,
    listed,
    operators_request,
    shared_options,
)


class After(Asked):
    """What is different after. What is None is as before.

    Attributes:
        topology: another topology. Of a `Topology` only the description counts here.
        workloads: as many workloads as before: each is compared with that at the same place.
        local_threshold_ms: another width of the latency window.
        heartbeat_frequency_ms: another heartbeatFrequencyMS.
        wire_versions: what another client speaks.
        pick: another way to choose one of the window.
    """

    topology: AnyTopology | None = None
    workloads: Workloads | None = None
    local_threshold_ms: Milliseconds | None = None
    heartbeat_frequency_ms: int | None = None
    wire_versions: WireVersions | None = None
    pick: str | None = None

    def _to_document(self) -> dict[str, object]:
        """Give it as requests have it."""
        refuse_request(self.topology)
        document = {
            "topology": self.topology,
            "workloads": documents(listed(self.workloads, "after.workloads")),
            "localThresholdMS": self.local_threshold_ms,
            "heartbeatFrequencyMS": self.heartbeat_frequency_ms,
            "wireVersions": range_of(self.wire_versions),
            "pick": self.pick,
        }
        return {key: value for key, value in document.items() if value is not None}


class ComparedWorkload(Value):
    """A workload on one side of a comparison, and what becomes of it.

    Attributes:
        name: as it was given, or ``workload`` and its number.
        operation: ``"read"``, ``"write"`` or ``"aggregateWithWriteStage"``.
        read_preference: its read preference.
        weight: its weight.
        failed_ppm: the share of its operations that find no server, in parts per million.
        round_trip_time_ms: the average of those that find one; None where it is not known.
        reason: why they find none; None where they do.
        warnings: what to know about the read preference although it is legal.
    """

    name: str
    operation: str
    read_preference: ReadPreference
    weight: int
    failed_ppm: int
    round_trip_time_ms: int | float | None
    reason: Reason | None
    warnings: tuple[EngineWarning, ...]

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> ComparedWorkload:
        """Build from a workload's ``before`` or ``after``."""
        return cls(
            document["name"],
            document["operation"],
            ReadPreference._from_normal_form(document["readPreference"]),
            document["weight"],
            document["failedPPM"],
            document["roundTripTimeMS"],
            reason_of(document),
            tuple(EngineWarning._from_document(warning) for warning in document.get("warnings", ())),
        )


class ComparedShare(Value):
    """A server's share of a workload on one side, and why.

    Attributes:
        share_ppm: in parts per million.
        stage: the stage that dropped the server, as in an `Explanation`, or ``"inLatencyWindow"``; None where it is not
            there, or where the selection is an error.
        why: in English, with the figures that decided.
    """

    share_ppm: int
    stage: str | None
    why: str


class ShareChange(Value):
    """A server whose share of a workload is another after.

    Attributes:
        address: as the request has it first.
        before: its share before, and why.
        after: its share after, and why.
        change_ppm: what it gains, in parts per million; less than 0: loses.
    """

    address: str
    before: ComparedShare
    after: ComparedShare
    change_ppm: int


class WorkloadChange(Value):
    """How a workload is served before and after.

    Attributes:
        before: the workload before.
        after: that at the same place after.
        failed_change_ppm: how many more of its operations find no server, in parts per million.
        servers: those whose share is another after.
    """

    before: ComparedWorkload
    after: ComparedWorkload
    failed_change_ppm: int
    servers: tuple[ShareChange, ...]


class ServerChange(Value):
    """A server of either topology.

    Attributes:
        address: as the request has it first.
        before: what it got; None where it was not there.
        after: what it gets; None where it is not there.
        change: what it gains; less than 0: loses.
    """

    address: str
    before: ServerLoad | None
    after: ServerLoad | None
    change: Shares


class FailedChange(Value):
    """The operations that find no server.

    Attributes:
        before: their shares before.
        after: their shares after.
        change: how many more.
    """

    before: Shares
    after: Shares
    change: Shares


class Diff(Report):
    """Who gains and who loses operations. Printed, it is a table for people.

    Attributes:
        changed: whether the share of any server in any workload is another after.
        workloads: each before and after.
        servers: every server of either topology, and what it gains.
        failed: the operations that find no server.
        text: all of it as a table for people.
    """

    changed: bool
    workloads: tuple[WorkloadChange, ...]
    servers: tuple[ServerChange, ...]
    failed: FailedChange

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Diff:
        """Build from the engine's answer."""
        failed = document["failed"]
        return cls(
            text=document["text"],
            changed=document["changed"],
            workloads=tuple(
                WorkloadChange(
                    ComparedWorkload._from_document(one["before"]),
                    ComparedWorkload._from_document(one["after"]),
                    one["failedChangePPM"],
                    tuple(_share_change(server) for server in one["servers"]),
                )
                for one in document["workloads"]
            ),
            servers=tuple(
                ServerChange(
                    one["address"],
                    _load(one["address"], one["before"]),
                    _load(one["address"], one["after"]),
                    Shares._from_document(one["change"]),
                )
                for one in document["servers"]
            ),
            failed=FailedChange(*(Shares._from_document(failed[side]) for side in ("before", "after", "change"))),
            _document=document,
        )


def _share_change(document: Mapping[str, Any]) -> ShareChange:
    before, after = (
        ComparedShare(side["sharePPM"], side["stage"], side["why"]) for side in (document["before"], document["after"])
    )
    return ShareChange(document["address"], before, after, document["changePPM"])


def _load(address: str, document: Mapping[str, Any] | None) -> ServerLoad | None:
    if document is None:
        return None
    shares = Shares._from_document(document)
    return ServerLoad(
        document["index"], address, document["type"], shares.reads_ppm, shares.writes_ppm, shares.operations_ppm
    )


def diff(
    topology: AnyTopology,
    workloads: Workloads,
    after: After | Mapping[str, Any],
    *,
    pick: str | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    format: str | None = None,  # noqa: A002 - the document's name
) -> Diff:
    """Tell who gains and who loses operations between two preferences, two topologies or two sets of options, and why.

    Args:
        topology: how it is before: a `TopologyDescription`, or a description as a mapping, or a `Topology`, which means
            its present description and its settings. 1 to 1024 servers.
        workloads: what is done before, 1 to 100: each a `Workload`, or its document.
        after: what is different after, or its document.
        pick: ``"leastBusyOfTwo"`` (the default), ``"random"`` or ``"roundRobin"``.
        local_threshold_ms: width of the latency window in milliseconds, at least 0. None: 15.
        heartbeat_frequency_ms: whole milliseconds, at least 500. None: 10000.
        wire_versions: what the client speaks, ``(min, max)``. None: (8, 29).
        format: how ``text`` is written: ``"text"`` (the default), or ``"markdown"``.

    Raises:
        ReadPrefError: the request cannot be answered, or nothing is different after.

    >>> from readpref import After, Workload
    >>> described = {"servers": [
    ...     {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    ...     {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5}]}
    >>> found = diff(described, [Workload("primary")], After(workloads=[Workload("nearest")]))
    >>> [(server.address, server.change.reads_ppm) for server in found.servers]
    [('a.example:27017', -500000), ('b.example:27017', 500000)]
    """
    if is_a(after, After):
        changed: object = after._to_document()  # type: ignore[union-attr]
    elif is_a(after, Mapping):
        changed = after
    else:
        raise new_error("wrongType", f"expected an After or its document, found a {class_name(after)}", "after")
    options = {
        **shared_options(local_threshold_ms, heartbeat_frequency_ms, wire_versions, format),
        "pick": pick,
        "after": changed,
    }
    request = operators_request(topology, listed(workloads, "workloads"), options, (*SETTINGS, "pick"))
    return Diff._from_document(answer("diff", request))
