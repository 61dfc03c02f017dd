"""`what_if`: what becomes of operations when something happens to a deployment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readpref._call import answer
from readpref._description import ServerDescription
from readpref._options import Milliseconds, WireVersions
from readpref._preference import ReadPreference
from readpref._selection import Reason
from readpref._simulate import reason_of
from readpref._value import Value
from readpref._workload import (
    AnyTopology,
    Asked,
    Report,
    Workloads,
    documents,
    listed,
    operators_request,
    shared_options,
)


class PossibleEvent(Asked):
    """What may happen to a deployment. Those that derive from this say what."""

    def _to_document(self) -> dict[str, object]:
        """Give it as requests have it: classes and attributes are called as their documents' types and keys are."""
        name = type(self).__name__
        values = {_KEYS.get(key, key): getattr(self, key) for key in self._names}
        return {
            "type": name[0].lower() + name[1:],
            **{key: value for key, value in values.items() if value is not None},
        }


_KEYS = {"lag_seconds": "lagSeconds", "round_trip_time_ms": "roundTripTimeMS"}


class MemberDown(PossibleEvent):
    """A server does not answer any more.

    Attributes:
        address: the server's.
    """

    address: str


class ZoneDown(PossibleEvent):
    """No server that has all these tags answers any more.

    Attributes:
        tags: such as ``{"dc": "ny"}``.
    """

    tags: Mapping[str, str]


class NetworkSplit(PossibleEvent):
    """Seen from where the servers with these tags are: all others do not answer.

    Attributes:
        tags: such as ``{"dc": "ny"}``.
    """

    tags: Mapping[str, str]


class PrimarySteppedDown(PossibleEvent):
    """The primary becomes a secondary, as ``replSetStepDown`` makes it."""


class MemberLags(PossibleEvent):
    """A secondary's last write is so far behind the primary's, or without a primary behind the latest of the others.

    Attributes:
        address: the secondary's.
        lag_seconds: whole seconds, 1 to 999,999,999.
    """

    address: str
    lag_seconds: int


class ZoneSlower(PossibleEvent):
    """The round-trip times of the servers with all these tags are longer.

    Attributes:
        tags: such as ``{"dc": "ny"}``.
        round_trip_time_ms: what is added, in milliseconds.
    """

    tags: Mapping[str, str]
    round_trip_time_ms: Milliseconds


class MemberAdded(PossibleEvent):
    """A server joins.

    Attributes:
        server: its description: RSSecondary, RSArbiter or RSOther of a replica set, Mongos of a sharded cluster.
    """

    server: ServerDescription | Mapping[str, Any]


class TagsChanged(PossibleEvent):
    """A server has these tags in place of its own.

    Attributes:
        address: the server's.
        tags: such as ``{"dc": "ny"}``.
    """

    address: str
    tags: Mapping[str, str]


class ServedWorkload(Value):
    """How a workload is served before anything happens.

    Attributes:
        name: as it was given, or ``workload`` and its number.
        operation: ``"read"``, ``"write"`` or ``"aggregateWithWriteStage"``.
        read_preference: its read preference.
        weight: its weight.
        status: ``"served"``, or ``"fails"``.
        servers: the addresses in the latency window.
        reason: why no server is found; None where one is.
    """

    name: str
    operation: str
    read_preference: ReadPreference
    weight: int
    status: str
    servers: tuple[str, ...]
    reason: Reason | None


class BeforeEvents(Value):
    """How it is before anything happens.

    Attributes:
        primary: the primary's address; None where there is none.
        outcomes: how each workload is served.
    """

    primary: str | None
    outcomes: tuple[ServedWorkload, ...]


class WorkloadOutcome(Value):
    """How a workload is served after something happened.

    Attributes:
        status: ``"served"`` as well as before, ``"degraded"``, or ``"fails"``.
        servers: the addresses in the latency window.
        why: where degraded, how: ``"fallback"`` (by the mode's other role), ``"laterTagSet"``, ``"fewerServers"`` (in
            the latency window), ``"slower"`` (the fastest of them is farther away).
        reason: why no server is found; None where one is.
    """

    status: str
    servers: tuple[str, ...]
    why: tuple[str, ...]
    reason: Reason | None


class Scenario(Value):
    """What may be the case after something happened.

    Attributes:
        name: what happened, in English.
        phase: what became of the primary: ``"asBefore"``, ``"noPrimary"`` (until an election), ``"noMajority"`` (nor
            can one be elected), or ``"elected"``: who wins is not known, so there is a scenario for each that may.
        primary: the primary's address; None where there is none.
        outcomes: how each workload is served, in the order of ``before.outcomes``.
    """

    name: str
    phase: str
    primary: str | None
    outcomes: tuple[WorkloadOutcome, ...]


class WhatIf(Report):
    """What becomes of operations. Printed, it is a table for people: events by workloads.

    Attributes:
        before: how it is now.
        scenarios: one for each event or events together, several where it is not known who is elected.
        text: all of it as a table for people.
    """

    before: BeforeEvents
    scenarios: tuple[Scenario, ...]

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> WhatIf:
        """Build from the engine's answer."""
        before = document["before"]
        served = tuple(
            ServedWorkload(
                one["name"],
                one["operation"],
                ReadPreference._from_normal_form(one["readPreference"]),
                one["weight"],
                one["status"],
                tuple(one["servers"]),
                reason_of(one),
            )
            for one in before["outcomes"]
        )
        return cls(
            text=document["text"],
            before=BeforeEvents(before["primary"], served),
            scenarios=tuple(
                Scenario(
                    one["name"],
                    one["phase"],
                    one["primary"],
                    tuple(
                        WorkloadOutcome(
                            each["status"], tuple(each["servers"]), tuple(each.get("why", ())), reason_of(each)
                        )
                        for each in one["outcomes"]
                    ),
                )
                for one in document["scenarios"]
            ),
            _document=document,
        )


def what_if(
    topology: AnyTopology,
    workloads: Workloads,
    events: Sequence[PossibleEvent | Mapping[str, Any]] = (),
    *,
    at_once: int | None = None,
    every_single: bool = False,
    every_pair: bool = False,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    format: str | None = None,  # noqa: A002 - the document's name
) -> WhatIf:
    """Tell what becomes of operations when something is lost, or changes.

    docs/operators.md tells what is known, and what is not.

    Args:
        topology: a `TopologyDescription`, or a description as a mapping, or a `Topology`, which means its present
            description and its settings. 1 to 1024 servers.
        workloads: what is done, 1 to 100: each a `Workload`, or its document.
        events: what may happen, at most 100: `MemberDown`, `ZoneDown`, `NetworkSplit`, `PrimarySteppedDown`,
            `MemberLags`, `ZoneSlower`, `MemberAdded`, `TagsChanged`, or their documents.
        at_once: how many of ``events`` happen together at most: 1, 2 or 3. None: 1.
        every_single: also the loss of each available server.
        every_pair: also the loss of each two available servers.
        local_threshold_ms: width of the latency window in milliseconds, at least 0. None: 15.
        heartbeat_frequency_ms: whole milliseconds, at least 500. None: 10000.
        wire_versions: what the client speaks, ``(min, max)``. None: (8, 29).
        format: how ``text`` is written: ``"text"`` (the default), or ``"markdown"``.

    Raises:
        ReadPrefError: the request cannot be answered: an event is impossible, such as the loss of a server that is not
            there, or two exclude each other, or there are too many scenarios.

    >>> from readpref import Workload
    >>> described = {"servers": [
    ...     {"address": "a.example:27017", "type": "RSPrimary"},
    ...     {"address": "b.example:27017", "type": "RSSecondary"},
    ...     {"address": "c.example:27017", "type": "RSSecondary"}]}
    >>> found = what_if(described, [Workload(operation="write")], [MemberDown("a.example")])
    >>> [(scenario.phase, scenario.outcomes[0].status) for scenario in found.scenarios]
    [('noPrimary', 'fails'), ('elected', 'served'), ('elected', 'served')]
    """
    options = {
        **shared_options(local_threshold_ms, heartbeat_frequency_ms, wire_versions, format),
        "events": documents(listed(events, "events")),
        "atOnce": at_once,
        "everySingle": every_single,
        "everyPair": every_pair,
    }
    request = operators_request(topology, listed(workloads, "workloads"), options)
    return WhatIf._from_document(answer("what_if", request))
