"""What a discovered topology tells its host: events, and what the host is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable

from readpref._description import ServerDescription, TopologyDescription
from readpref._value import Value


class Notice(Value):
    """What all of them have.

    Attributes:
        sequence: its number in the topology, growing from 1; 0 where this package made it.
    """

    sequence: int

    def to_dict(self) -> dict[str, Any]:
        """Give the engine's document of it."""
        kind = type(self).__name__
        name = "effect" if isinstance(self, Effect) else "event"
        document: dict[str, Any] = {"sequence": self.sequence, name: _word(kind)}
        for field, kind_of_field in self._types.items():
            value = getattr(self, field)
            if field != "sequence" and (value is not None or kind_of_field == "TopologyDescription | None"):
                document[_KEYS[field]] = value.to_dict() if hasattr(value, "to_dict") else value
        return document


class Event(Notice):
    """Something happened. SDAM Logging and Monitoring specification, "Events API"."""


class Effect(Notice):
    """Something is to be done by the host, which has the sockets."""


class TopologyOpeningEvent(Event):
    """The topology was opened."""


class TopologyClosedEvent(Event):
    """The topology was closed."""


class TopologyDescriptionChangedEvent(Event):
    """Something about the topology changed that matters.

    Attributes:
        previous_description: before; None, as the other, where they would take more than 16 MiB.
        new_description: after.
    """

    previous_description: TopologyDescription | None
    new_description: TopologyDescription | None


class ServerOpeningEvent(Event):
    """A server joined the topology.

    Attributes:
        address: its address.
    """

    address: str


class ServerClosedEvent(Event):
    """A server left the topology.

    Attributes:
        address: its address.
    """

    address: str


class ServerDescriptionChangedEvent(Event):
    """Something about a server changed that matters; its round-trip time and dates do not.

    Attributes:
        address: its address.
        previous_description: before.
        new_description: after.
    """

    address: str
    previous_description: ServerDescription
    new_description: ServerDescription


class EventsDroppedEvent(Event):
    """Events were lost, since nobody took them in time. Effects are never lost.

    Attributes:
        count: how many.
    """

    count: int


class StartMonitor(Effect):
    """Begin to check a server.

    Attributes:
        address: its address.
    """

    address: str


class StopMonitor(Effect):
    """End the checks of a server.

    Attributes:
        address: its address.
    """

    address: str


class RequestCheck(Effect):
    """Check a server now, but no sooner than minHeartbeatFrequencyMS (500 ms) after the last check.

    Attributes:
        address: its address.
    """

    address: str


class CancelCheck(Effect):
    """Give up the check of a server that is under way, and close its connection.

    Attributes:
        address: its address.
    """

    address: str


class PoolReady(Effect):
    """The connection pool of a server may open connections.

    Attributes:
        address: the server's address.
    """

    address: str


class PoolClear(Effect):
    """Clear the connection pool of a server.

    Attributes:
        address: the server's address.
        interrupt_in_use: whether connections in use are closed, too.
        generation: the pool's generation from now on: errors of older ones do not count.
        service_id: behind a load balancer, the only service whose connections are meant, else None.
    """

    address: str
    interrupt_in_use: bool
    generation: int
    service_id: Any = None


class ScanSRV(Effect):
    """Look the SRV records up again, and tell `Topology.on_srv`.

    Attributes:
        after_ms: when, in milliseconds from now.
    """

    after_ms: int


_KEYS = {
    "address": "address",
    "previous_description": "previousDescription",
    "new_description": "newDescription",
    "interrupt_in_use": "interruptInUse",
    "generation": "generation",
    "service_id": "serviceId",
    "after_ms": "afterMS",
    "count": "count",
}


def _word(kind: str) -> str:
    """Give the engine's word for a class: ServerOpeningEvent is serverOpening."""
    word = kind[: -len("Event")] if kind.endswith("Event") else kind
    return "scanSRV" if word == "ScanSRV" else word[0].lower() + word[1:]


_EVENTS: tuple[type[Event], ...] = (
    TopologyOpeningEvent,
    TopologyClosedEvent,
    TopologyDescriptionChangedEvent,
    ServerOpeningEvent,
    ServerClosedEvent,
    ServerDescriptionChangedEvent,
)
_EFFECTS: tuple[type[Effect], ...] = (
    StartMonitor,
    StopMonitor,
    RequestCheck,
    CancelCheck,
    PoolReady,
    PoolClear,
    ScanSRV,
)
_CLASSES: dict[str, type[Notice]] = {_word(kind.__name__): kind for kind in (*_EVENTS, *_EFFECTS)}
_READERS: dict[str, Callable[[Any], Any]] = {
    "TopologyDescription | None": lambda given: None if given is None else TopologyDescription._from_answer(given),
    "ServerDescription": ServerDescription._from_answer,
}


def notice_from_document(document: Mapping[str, Any]) -> Notice | None:
    """Build from an element of the engine's ``events``; None for one that a newer engine has."""
    kind = _CLASSES.get(document.get("event") or document.get("effect") or "")
    if kind is None:
        return None
    arguments: dict[str, Any] = {}
    for field, kind_of_field in kind._types.items():
        value = document.get(_KEYS.get(field, field))
        arguments[field] = _READERS.get(kind_of_field, lambda given: given)(value)
    return kind(**arguments)
