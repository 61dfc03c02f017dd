"""What operators ask about: the operations of an application, and the answers' common form."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Union

from readpref._description import Described, TopologyDescription, refuse_request
from readpref._encode import encode
from readpref._options import Milliseconds, Preference, WireVersions, range_of
from readpref._preference import preference_document
from readpref._reading import is_a, reading
from readpref._topology import Topology
from readpref._value import Value, field

AnyTopology = Union[Topology, TopologyDescription, Mapping[str, Any]]


class Asked(Value):
    """A part of a request, which is given as a value or as its document."""

    def _to_document(self) -> dict[str, object]:
        raise NotImplementedError


class Workload(Asked):
    """An operation that an application does again and again.

    Attributes:
        read_preference: a `ReadPreference`, or its document, or a mode alone. None: primary.
        name: what answers call it. None: ``workload`` and its number.
        operation: ``"read"``, ``"write"``, or ``"aggregateWithWriteStage"`` (an aggregate with $out or $merge).
        weight: how often it is done for the others, 1 to 1,000,000: of weights 3 and 1, three of four operations are
            the first's.
        writes_back: for `advise`: whether the application writes what it made of what it read.
        transaction: for `advise`: whether its operations are parts of transactions.

    >>> Workload("nearest", name="web", weight=3)
    Workload(read_preference='nearest', name='web', operation='read', weight=3, writes_back=False, transaction=False)
    """

    read_preference: Preference | None = None
    name: str | None = None
    operation: str = "read"
    weight: int = 1
    writes_back: bool = False
    transaction: bool = False

    def _to_document(self) -> dict[str, object]:
        """Give it as requests have it."""
        document = {
            "name": self.name,
            "readPreference": preference_document(self.read_preference),
            "operation": self.operation,
            "weight": self.weight,
            "writesBack": self.writes_back,
            "transaction": self.transaction,
        }
        return {key: value for key, value in document.items() if value is not None}


Workloads = Sequence[Union[Workload, Mapping[str, Any]]]

# The engine's limit of workloads, and of events.
MOST = 100


class Report(Value):
    """An answer to operators. Printed, it is its text."""

    text: str
    _document: Mapping[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as the engine's document; a new dict each time."""
        return copy.deepcopy(dict(self._document))

    def __str__(self) -> str:
        return self.text


# What every method takes of an open topology; simulate takes its pick, too.
SETTINGS = ("localThresholdMS", "heartbeatFrequencyMS", "wireVersions")


def operators_request(
    topology: AnyTopology,
    workloads: object,
    options: Mapping[str, object],
    settings: Sequence[str] = SETTINGS,
) -> bytes:
    """Write a request of one of the operators' methods; `settings` names what it takes of an open topology."""
    refuse_request(topology)
    given: dict[str, object] = {"topology": topology, "workloads": documents(workloads)}
    if is_a(topology, Topology):
        known = topology._settings()  # type: ignore[union-attr]
        given.update((key, known[key]) for key in settings)
    given.update((key, value) for key, value in options.items() if value is not None)
    return encode(given)


def shared_options(
    local_threshold_ms: Milliseconds | None,
    heartbeat_frequency_ms: int | None,
    wire_versions: WireVersions | None,
    format: str | None,  # noqa: A002 - the document's name
) -> dict[str, object]:
    """Give the options that all of the operators' methods have."""
    return {
        "localThresholdMS": local_threshold_ms,
        "heartbeatFrequencyMS": heartbeat_frequency_ms,
        "wireVersions": range_of(wire_versions),
        "format": format,
    }


def listed(values: Any, where: str, most: int = MOST) -> Any:
    """Give what may be iterated as a list; what is none stays as it is, for the engine to refuse.

    The engine takes no more than `most`. One more is for it to refuse; an endless iterable ends here.
    """
    if is_a(values, str, Mapping, Described) or not hasattr(type(values), "__iter__"):
        return values
    with reading((where,)):
        return list(islice(values, most + 1))


def documents(values: Any) -> Any:
    """Give the elements of a list as documents."""
    if type(values) is not list:
        return values
    return [one._to_document() if is_a(one, Asked) else one for one in values]
