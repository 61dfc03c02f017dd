"""The parts of an explanation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

from readpref._value import Value

# Milliseconds are printed with at most 6 decimals.
Milliseconds = Union[int, float]


class Pass(Value):
    """One try. A preferred mode may need two, and deprioritized servers one more each.

    Attributes:
        role: whom it looked for: ``"primary"``, ``"secondary"``, ``"member"``, ….
        without_deprioritized: whether deprioritized servers were left out.
        candidates: the addresses that the mode left.
        fresh: those that maxStalenessSeconds left.
        tagged: those that tag sets left.
        tag_set: the index of the tag set that matched; None where none was needed, or none did.
    """

    role: str
    without_deprioritized: bool
    candidates: tuple[str, ...]
    fresh: tuple[str, ...]
    tagged: tuple[str, ...]
    tag_set: int | None

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Pass:
        """Build from one element of the answer's ``passes``."""
        return cls(
            document["role"],
            document["withoutDeprioritized"],
            tuple(document["candidates"]),
            tuple(document["fresh"]),
            tuple(document["tagged"]),
            document["tagSet"],
        )


class Staleness(Value):
    """How the staleness of secondaries was measured.

    Attributes:
        formula: ``"withPrimary"`` or ``"withoutPrimary"``.
        reference: the address of the server they were compared with; None where there was none.
        heartbeat_frequency_ms: the heartbeatFrequencyMS of the formula.
        max_staleness_seconds: the most that was allowed.
    """

    formula: str
    reference: str | None
    heartbeat_frequency_ms: int
    max_staleness_seconds: int

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Staleness:
        """Build from the answer's ``staleness``."""
        return cls(
            document["formula"],
            document["reference"],
            document["heartbeatFrequencyMS"],
            document["maxStalenessSeconds"],
        )


class LatencyWindow(Value):
    """The round-trip times that are near enough, both ends included.

    Attributes:
        fastest_ms: the shortest of the suitable servers.
        end_ms: that plus the local threshold.
    """

    fastest_ms: Milliseconds
    end_ms: Milliseconds

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> LatencyWindow:
        """Build from the answer's ``latencyWindow``."""
        return cls(document["fastestMS"], document["endMS"])


class TagMiss(Value):
    """The first tag for which a server does not match a tag set.

    Attributes:
        tag_set: the index of the tag set.
        name: the tag's name.
        needs: the value that the tag set asks for.
        has: the server's value; None where it has no such tag.
    """

    tag_set: int
    name: str
    needs: str
    has: str | None

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> TagMiss:
        """Build from one element of a server's ``tagSets``."""
        return cls(document["set"], document["name"], document["needs"], document["has"])


class Verdict(Value):
    """What became of one server.

    Attributes:
        index: its place in the topology description's ``servers``.
        address: as the description gave it.
        type: such as ``"RSSecondary"``.
        stage: the stage that dropped it, or ``"selected"``, or ``"inLatencyWindow"`` for one that might have been.
        why: the same in words, with the figures that decided.
        round_trip_time_ms: its average round-trip time; None where it was not measured.
        staleness_ms: its estimated lag; None where that was not asked for, or is not known.
        over_ms: by how much that is more than allowed; None unless that dropped it.
        tag_misses: why each tag set does not match, where tag sets dropped it.
    """

    index: int
    address: str
    type: str
    stage: str
    why: str
    round_trip_time_ms: Milliseconds | None
    staleness_ms: int | None
    over_ms: int | None
    tag_misses: tuple[TagMiss, ...]

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Verdict:
        """Build from one element of the answer's ``servers``."""
        return cls(
            document["index"],
            document["address"],
            document["type"],
            document["stage"],
            document["why"],
            document.get("roundTripTimeMS"),
            document.get("stalenessMS"),
            document.get("overMS"),
            tuple(TagMiss._from_document(miss) for miss in document.get("tagSets", ())),
        )


class Note(Value):
    """A remark on the whole.

    Attributes:
        code: a stable camelCase name.
        message: in English.
    """

    code: str
    message: str

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Note:
        """Build from one element of the answer's ``notes``."""
        return cls(document["code"], document["message"])
