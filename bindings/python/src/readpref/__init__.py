"""MongoDB server selection: which member serves this read, and why.

>>> from readpref import ReadPreference, Topology, explain, select
>>> topology = Topology({"servers": [
...     {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
...     {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5}]})
>>> select(topology, ReadPreference("secondaryPreferred")).server.address
'b.example:27017'

The decisions are those of one engine, the same in every language; nothing is connected to. docs/json.md in the
repository describes its documents, docs/errors.md its error codes.
"""

from __future__ import annotations

from typing import Any

from readpref._call import call, call_raw
from readpref._errors import (
    ArgumentError,
    ForkedError,
    IncompatibleWireVersionError,
    InternalError,
    InvalidDocumentError,
    InvalidPreferenceError,
    LibraryError,
    NoServerError,
    ReadPrefError,
    UnknownMethodError,
    WrongTypeError,
)
from readpref._explanation import LatencyWindow, Note, Pass, Staleness, TagMiss, Verdict
from readpref._methods import build_info, methods, parse_hello, validate
from readpref._preference import ReadPreference
from readpref._select import explain, select
from readpref._selection import Explanation, Reason, Selection, Server
from readpref._topology import Topology
from readpref._warning import EngineDeprecationWarning, EngineWarning

__all__ = [
    "ArgumentError",
    "EngineDeprecationWarning",
    "EngineWarning",
    "Explanation",
    "ForkedError",
    "IncompatibleWireVersionError",
    "InternalError",
    "InvalidDocumentError",
    "InvalidPreferenceError",
    "LatencyWindow",
    "LibraryError",
    "NoServerError",
    "Note",
    "Pass",
    "ReadPrefError",
    "ReadPreference",
    "Reason",
    "Selection",
    "Server",
    "Staleness",
    "TagMiss",
    "Topology",
    "UnknownMethodError",
    "Verdict",
    "WrongTypeError",
    "build_info",
    "call",
    "call_raw",
    "explain",
    "methods",
    "parse_hello",
    "select",
    "validate",
]


def __getattr__(name: str) -> Any:
    # Read when asked for: importlib.metadata costs more than the rest of this import.
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("readpref")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
