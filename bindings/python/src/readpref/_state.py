"""Smaller questions: can it be read, can it be written, how fast does it answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readpref._call import answer
from readpref._description import Described
from readpref._encode import encode
from readpref._options import Milliseconds, Preference
from readpref._preference import preference_document
from readpref._value import Value


class RoundTripTime(Value):
    """Averages of round-trip times, in milliseconds.

    Attributes:
        average: after the last sample; None: there is none.
        minimum: the least of the last ten samples, 0 until there are two; None where there is no average.
        averages: after each sample.
    """

    average: float | None
    minimum: float | None
    averages: tuple[float | None, ...]


def rtt(samples: Sequence[Milliseconds | None], average: Milliseconds | None = None) -> RoundTripTime:
    """Average a server's round-trip times as the Server Selection specification does: a fifth of each new one.

    Args:
        samples: in milliseconds, in order; None: the server became Unknown in between, which forgets all.
        average: the average before the first sample.

    >>> rtt([10, 20, 20])
    RoundTripTime(average=13.6, minimum=10, averages=(10, 12, 13.6))
    """
    request: dict[str, Any] = {"samplesMS": samples}
    if average is not None:
        request["roundTripTimeMS"] = average
    found = answer("rtt", encode(request))
    return RoundTripTime(found["roundTripTimeMS"], found["minRoundTripTimeMS"], tuple(found["averagesMS"]))


def readable(
    topology: Described | Mapping[str, Any],
    read_preference: Preference | None = None,
    *,
    heartbeat_frequency_ms: int | None = None,
) -> bool:
    """Tell whether a read finds a server. SDAM Monitoring specification, "hasReadableServer".

    Args:
        topology: a `TopologyDescription`, a description, or a `Topology`.
        read_preference: as for `select`. None: primary.
        heartbeat_frequency_ms: None: 10000.

    >>> described = {"servers": [{"address": "a.example", "type": "RSSecondary"}]}
    >>> readable(described), readable(described, "secondary"), writable(described)
    (False, True, False)
    """
    request: dict[str, Any] = {"topology": topology}
    if read_preference is not None:
        request["readPreference"] = preference_document(read_preference)
    if heartbeat_frequency_ms is not None:
        request["heartbeatFrequencyMS"] = heartbeat_frequency_ms
    found: bool = answer("readable", encode(request))["readable"]
    return found


def writable(topology: Described | Mapping[str, Any]) -> bool:
    """Tell whether a write finds a server. SDAM Monitoring specification, "hasWritableServer".

    Args:
        topology: a `TopologyDescription`, a description, or a `Topology`.
    """
    found: bool = answer("writable", encode({"topology": topology}))["writable"]
    return found
