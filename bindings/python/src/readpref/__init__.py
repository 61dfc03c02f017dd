"""MongoDB server selection: which member serves this read, and why.

>>> from readpref import ReadPreference, Topology
>>> topology = Topology({"servers": [
...     {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
...     {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5}]})
>>> topology.select(ReadPreference("secondaryPreferred")).address
'b.example:27017'

The decisions are those of one engine, the same in every language; nothing is connected to. docs/json.md in the
repository describes its documents, docs/errors.md its error codes.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; importing it would cost more than all the rest of this module

if TYPE_CHECKING:
    from typing import Any

    from readpref._advise import Advice, Finding, advise
    from readpref._call import call, call_raw
    from readpref._changes import ErrorOutcome, HelloOutcome, SRVOutcome
    from readpref._checkout import Checkout
    from readpref._command import Decoration, EffectivePreference, command, effective_preference
    from readpref._description import ServerDescription, TopologyDescription
    from readpref._diff import (
        After,
        ComparedShare,
        ComparedWorkload,
        Diff,
        FailedChange,
        ServerChange,
        ShareChange,
        WorkloadChange,
        diff,
    )
    from readpref._errors import (
        ArgumentError,
        ForkedError,
        HandleError,
        IncompatibleWireVersionError,
        InternalError,
        InvalidDocumentError,
        InvalidPreferenceError,
        LibraryError,
        NoServerError,
        ReadPrefError,
        ServerSelectionTimeoutError,
        UnknownMethodError,
        WrongTypeError,
    )
    from readpref._events import (
        CancelCheck,
        Effect,
        Event,
        EventsDroppedEvent,
        Notice,
        PoolClear,
        PoolReady,
        RequestCheck,
        ScanSRV,
        ServerClosedEvent,
        ServerDescriptionChangedEvent,
        ServerOpeningEvent,
        StartMonitor,
        StopMonitor,
        TopologyClosedEvent,
        TopologyDescriptionChangedEvent,
        TopologyOpeningEvent,
    )
    from readpref._explanation import LatencyWindow, Note, Pass, Staleness, TagMiss, Verdict
    from readpref._import import ImportedTopology, ImportNote, import_topology
    from readpref._methods import build_info, methods, parse_hello, validate
    from readpref._preference import ReadPreference
    from readpref._select import explain, select
    from readpref._selected import SelectedServer
    from readpref._selection import Explanation, Reason, Selection, Server
    from readpref._simulate import ServerLoad, ServerShare, Shares, SimulatedWorkload, Simulation, simulate
    from readpref._state import RoundTripTime, readable, rtt, writable
    from readpref._stream import EventStream
    from readpref._topology import Topology
    from readpref._uri import (
        ConnectionString,
        SRVLookup,
        SRVScan,
        URIHost,
        parse_uri,
        rescan_srv,
        resolve_srv,
        to_uri,
    )
    from readpref._warning import EngineDeprecationWarning, EngineWarning
    from readpref._what_if import (
        BeforeEvents,
        MemberAdded,
        MemberDown,
        MemberLags,
        NetworkSplit,
        PossibleEvent,
        PrimarySteppedDown,
        Scenario,
        ServedWorkload,
        TagsChanged,
        WhatIf,
        WorkloadOutcome,
        ZoneDown,
        ZoneSlower,
        what_if,
    )
    from readpref._workload import Workload

# Where each name is: a module is imported when one of its names is asked for, so that the import of this package costs
# next to nothing. Type checkers read the imports above; a test compares the two.
_PLACES = {
    "_advise": (
        "Advice",
        "Finding",
        "advise",
    ),
    "_call": (
        "call",
        "call_raw",
    ),
    "_changes": (
        "ErrorOutcome",
        "HelloOutcome",
        "SRVOutcome",
    ),
    "_checkout": ("Checkout",),
    "_command": (
        "Decoration",
        "EffectivePreference",
        "command",
        "effective_preference",
    ),
    "_description": (
        "ServerDescription",
        "TopologyDescription",
    ),
    "_diff": (
        "After",
        "ComparedShare",
        "ComparedWorkload",
        "Diff",
        "FailedChange",
        "ServerChange",
        "ShareChange",
        "WorkloadChange",
        "diff",
    ),
    "_errors": (
        "ArgumentError",
        "ForkedError",
        "HandleError",
        "IncompatibleWireVersionError",
        "InternalError",
        "InvalidDocumentError",
        "InvalidPreferenceError",
        "LibraryError",
        "NoServerError",
        "ReadPrefError",
        "ServerSelectionTimeoutError",
        "UnknownMethodError",
        "WrongTypeError",
    ),
    "_events": (
        "CancelCheck",
        "Effect",
        "Event",
        "EventsDroppedEvent",
        "Notice",
        "PoolClear",
        "PoolReady",
        "RequestCheck",
        "ScanSRV",
        "ServerClosedEvent",
        "ServerDescriptionChangedEvent",
        "ServerOpeningEvent",
        "StartMonitor",
        "StopMonitor",
        "TopologyClosedEvent",
        "TopologyDescriptionChangedEvent",
        "TopologyOpeningEvent",
    ),
    "_explanation": (
        "LatencyWindow",
        "Note",
        "Pass",
        "Staleness",
        "TagMiss",
        "Verdict",
    ),
    "_import": (
        "ImportNote",
        "ImportedTopology",
        "import_topology",
    ),
    "_methods": (
        "build_info",
        "methods",
        "parse_hello",
        "validate",
    ),
    "_preference": ("ReadPreference",),
    "_select": (
        "explain",
        "select",
    ),
    "_selected": ("SelectedServer",),
    "_selection": (
        "Explanation",
        "Reason",
        "Selection",
        "Server",
    ),
    "_simulate": (
        "ServerLoad",
        "ServerShare",
        "Shares",
        "SimulatedWorkload",
        "Simulation",
        "simulate",
    ),
    "_state": (
        "RoundTripTime",
        "readable",
        "rtt",
        "writable",
    ),
    "_stream": ("EventStream",),
    "_topology": ("Topology",),
    "_uri": (
        "ConnectionString",
        "SRVLookup",
        "SRVScan",
        "URIHost",
        "parse_uri",
        "rescan_srv",
        "resolve_srv",
        "to_uri",
    ),
    "_warning": (
        "EngineDeprecationWarning",
        "EngineWarning",
    ),
    "_what_if": (
        "BeforeEvents",
        "MemberAdded",
        "MemberDown",
        "MemberLags",
        "NetworkSplit",
        "PossibleEvent",
        "PrimarySteppedDown",
        "Scenario",
        "ServedWorkload",
        "TagsChanged",
        "WhatIf",
        "WorkloadOutcome",
        "ZoneDown",
        "ZoneSlower",
        "what_if",
    ),
    "_workload": ("Workload",),
}
_PLACE = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "Advice",
    "After",
    "ArgumentError",
    "BeforeEvents",
    "CancelCheck",
    "Checkout",
    "ComparedShare",
    "ComparedWorkload",
    "ConnectionString",
    "Decoration",
    "Diff",
    "Effect",
    "EffectivePreference",
    "EngineDeprecationWarning",
    "EngineWarning",
    "ErrorOutcome",
    "Event",
    "EventStream",
    "EventsDroppedEvent",
    "Explanation",
    "FailedChange",
    "Finding",
    "ForkedError",
    "HandleError",
    "HelloOutcome",
    "ImportNote",
    "ImportedTopology",
    "IncompatibleWireVersionError",
    "InternalError",
    "InvalidDocumentError",
    "InvalidPreferenceError",
    "LatencyWindow",
    "LibraryError",
    "MemberAdded",
    "MemberDown",
    "MemberLags",
    "NetworkSplit",
    "NoServerError",
    "Note",
    "Notice",
    "Pass",
    "PoolClear",
    "PoolReady",
    "PossibleEvent",
    "PrimarySteppedDown",
    "ReadPrefError",
    "ReadPreference",
    "Reason",
    "RequestCheck",
    "RoundTripTime",
    "SRVLookup",
    "SRVOutcome",
    "SRVScan",
    "ScanSRV",
    "Scenario",
    "SelectedServer",
    "Selection",
    "ServedWorkload",
    "Server",
    "ServerChange",
    "ServerClosedEvent",
    "ServerDescription",
    "ServerDescriptionChangedEvent",
    "ServerLoad",
    "ServerOpeningEvent",
    "ServerSelectionTimeoutError",
    "ServerShare",
    "ShareChange",
    "Shares",
    "SimulatedWorkload",
    "Simulation",
    "Staleness",
    "StartMonitor",
    "StopMonitor",
    "TagMiss",
    "TagsChanged",
    "Topology",
    "TopologyClosedEvent",
    "TopologyDescription",
    "TopologyDescriptionChangedEvent",
    "TopologyOpeningEvent",
    "URIHost",
    "UnknownMethodError",
    "Verdict",
    "WhatIf",
    "Workload",
    "WorkloadChange",
    "WorkloadOutcome",
    "WrongTypeError",
    "ZoneDown",
    "ZoneSlower",
    "advise",
    "build_info",
    "call",
    "call_raw",
    "command",
    "diff",
    "effective_preference",
    "explain",
    "import_topology",
    "methods",
    "parse_hello",
    "parse_uri",
    "readable",
    "rescan_srv",
    "resolve_srv",
    "rtt",
    "select",
    "simulate",
    "to_uri",
    "validate",
    "what_if",
    "writable",
]


def __getattr__(name: str) -> Any:
    from readpref._loading import loading  # noqa: PLC0415

    place = _PLACE.get(name)
    if place is not None:
        with loading:
            found = getattr(__import__(f"readpref.{place}", fromlist=(name,)), name)
        globals()[name] = found
        return found
    # Read when asked for: importlib.metadata costs more than everything else.
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

        try:
            return version("readpref")
        except PackageNotFoundError:  # packed by something that leaves metadata behind
            return __getattr__("build_info")()["version"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
