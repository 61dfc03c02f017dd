"""`advise`: what is unwise about read preferences, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readpref._call import answer
from readpref._options import Milliseconds, WireVersions
from readpref._value import Value
from readpref._workload import AnyTopology, Report, Workloads, listed, operators_request, shared_options


class Finding(Value):
    """Something unwise.

    Attributes:
        code: a stable camelCase name; docs/json.md lists all.
        severity: ``"error"`` for what fails or destroys something, now or always, ``"warning"`` for what is not as it
            is meant, or not always, ``"info"`` for what people should know.
        workload: the index of the workload that it is about; None: the deployment.
        path: what it is about in the request, also where it is the absence of a key.
        message: what is the case, in English.
        fix: what to do, in English.
        see: a section of a specification or of the MongoDB manual.
    """

    code: str
    severity: str
    workload: int | None
    path: str
    message: str
    fix: str
    see: str


class Advice(Report):
    """What is unwise. Printed, it is a list for people.

    Attributes:
        findings: by workload, then in the order of docs/json.md; those about the deployment last.
        text: all of it for people.
    """

    findings: tuple[Finding, ...]

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Advice:
        """Build from the engine's answer."""
        return cls(
            text=document["text"],
            findings=tuple(
                Finding(
                    one["code"],
                    one["severity"],
                    one["workload"],
                    one["path"],
                    one["message"],
                    one["fix"],
                    one["see"],
                )
                for one in document["findings"]
            ),
            _document=document,
        )


def advise(
    topology: AnyTopology,
    workloads: Workloads,
    *,
    direct_connection: bool = False,
    flow_control: bool = True,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    format: str | None = None,  # noqa: A002 - the document's name
) -> Advice:
    """Tell what is unwise about the read preferences of an application, for this deployment.

    Args:
        topology: a `TopologyDescription`, or a description as a mapping, or a `Topology`, which means its present
            description and its settings. 1 to 1024 servers.
        workloads: what is done, 1 to 100: each a `Workload`, or its document.
        direct_connection: whether the client connects to one member directly.
        flow_control: whether the members slow writes down while secondaries lag (``enableFlowControl``).
        local_threshold_ms: width of the latency window in milliseconds, at least 0. None: 15.
        heartbeat_frequency_ms: whole milliseconds, at least 500. None: 10000.
        wire_versions: what the client speaks, ``(min, max)``. None: (8, 29).
        format: how ``text`` is written: ``"text"`` (the default), or ``"markdown"``.

    Raises:
        ReadPrefError: the request cannot be answered.

    >>> from readpref import Workload
    >>> described = {"servers": [
    ...     {"address": "a.example:27017", "type": "RSPrimary"},
    ...     {"address": "b.example:27017", "type": "RSSecondary"},
    ...     {"address": "c.example:27017", "type": "RSArbiter"}]}
    >>> [(one.code, one.severity) for one in advise(described, [Workload("secondary")]).findings]
    [('oneSecondary', 'warning')]
    """
    options = {
        **shared_options(local_threshold_ms, heartbeat_frequency_ms, wire_versions, format),
        "directConnection": direct_connection,
        "flowControl": flow_control,
    }
    return Advice._from_document(answer("advise", operators_request(topology, listed(workloads, "workloads"), options)))
