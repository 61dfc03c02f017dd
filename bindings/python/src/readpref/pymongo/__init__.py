"""PyMongo's clients: why a read goes where it goes, and a server selector that prefers zones.

It needs PyMongo 4.0 or newer: ``pip install readpref[pymongo]``. Nothing here connects to anything: a client is asked
for what it knows, and what it is told is the ``server_selector`` of its constructor.
"""

from __future__ import annotations

try:
    import pymongo  # noqa: F401 - whether it is there
except ImportError as _error:
    raise ImportError("readpref.pymongo needs PyMongo: pip install readpref[pymongo]", name="pymongo") from _error

from readpref.pymongo._choice import Choice
from readpref.pymongo._client import explain, topology_description
from readpref.pymongo._discovered import discovered, discovered_async
from readpref.pymongo._operation_counts import OperationCounts
from readpref.pymongo._selector import ServerSelector

__all__ = [
    "Choice",
    "OperationCounts",
    "ServerSelector",
    "discovered",
    "discovered_async",
    "explain",
    "topology_description",
]
