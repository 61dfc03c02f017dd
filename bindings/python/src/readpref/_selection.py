"""What `select` and `explain` answer."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, TypeVar

from readpref._explanation import LatencyWindow, Note, Pass, Staleness, Verdict
from readpref._preference import ReadPreference
from readpref._value import Value, field
from readpref._warning import EngineWarning


class Server(Value):
    """The member that was chosen.

    Attributes:
        index: its place in the topology description's ``servers``.
        address: as the description gave it.
        type: such as ``"RSSecondary"``.
    """

    index: int
    address: str
    type: str


class Reason(Value):
    """Why no server was chosen.

    Attributes:
        code: a stable camelCase name.
        message: in English.
    """

    code: str
    message: str


class Selection(Value):
    """The server that serves the operation, and what was left after each stage. All lists are of addresses.

    Attributes:
        server: the one chosen, or None: that no server is suitable is an answer, not an error.
        candidates: after deprioritization and the mode.
        fresh: after maxStalenessSeconds.
        suitable: after tag sets and the custom selector.
        in_latency_window: after the latency window; one of these was chosen.
        reason: why there is no server; None when there is one.
        warnings: what to know about the request although it succeeded.
        effective_read_preference: for ``operation="aggregateWithWriteStage"``, the one the operation must use and send.
    """

    server: Server | None
    candidates: tuple[str, ...]
    fresh: tuple[str, ...]
    suitable: tuple[str, ...]
    in_latency_window: tuple[str, ...]
    reason: Reason | None
    warnings: tuple[EngineWarning, ...]
    effective_read_preference: ReadPreference | None
    _document: Mapping[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as the engine's document; a new dict each time."""
        return copy.deepcopy(dict(self._document))

    @classmethod
    def _fields(cls, document: Mapping[str, Any]) -> dict[str, Any]:
        server, reason = document["server"], document.get("reason")
        effective = document.get("effectiveReadPreference")
        return {
            "server": None if server is None else Server(server["index"], server["address"], server["type"]),
            "candidates": tuple(document["candidates"]),
            "fresh": tuple(document["fresh"]),
            "suitable": tuple(document["suitable"]),
            "in_latency_window": tuple(document["inLatencyWindow"]),
            "reason": None if reason is None else Reason(reason["code"], reason["message"]),
            "warnings": tuple(EngineWarning._from_document(warning) for warning in document.get("warnings", ())),
            "effective_read_preference": None if effective is None else ReadPreference._from_normal_form(effective),
            "_document": document,
        }


class Explanation(Selection):
    """A `Selection` with its story. Printed, it is a table for people.

    Attributes:
        passes: the tries, in order.
        staleness: how staleness was measured; None where maxStalenessSeconds does not count.
        latency_window: None where no round-trip time is known.
        servers: what became of each server, in the topology description's order.
        notes: remarks on the whole.
        text: all of it as a table for people.
    """

    passes: tuple[Pass, ...]
    staleness: Staleness | None
    latency_window: LatencyWindow | None
    servers: tuple[Verdict, ...]
    notes: tuple[Note, ...]
    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Draw it in a notebook: what each stage dropped, and the latency window on an axis of round-trip times."""
        from readpref._explanation_html import draw  # noqa: PLC0415 - notebooks alone need it

        return draw(self)

    @classmethod
    def _fields(cls, document: Mapping[str, Any]) -> dict[str, Any]:
        staleness, window = document.get("staleness"), document.get("latencyWindow")
        return {
            **super()._fields(document),
            "passes": tuple(Pass._from_document(one) for one in document["passes"]),
            "staleness": None if staleness is None else Staleness._from_document(staleness),
            "latency_window": None if window is None else LatencyWindow._from_document(window),
            "servers": tuple(Verdict._from_document(server) for server in document["servers"]),
            "notes": tuple(Note._from_document(note) for note in document["notes"]),
            "text": document["text"],
        }


S = TypeVar("S", bound=Selection)


def selection_from_document(kind: type[S], document: Mapping[str, Any]) -> S:
    """Build a Selection or an Explanation from the engine's answer."""
    return kind(**kind._fields(document))
