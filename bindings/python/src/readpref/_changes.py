"""What a discovered topology answers to what its host tells it."""

from __future__ import annotations

from readpref._description import ServerDescription
from readpref._value import Value
from readpref._warning import EngineWarning


class HelloOutcome(Value):
    """What `Topology.on_hello` gives.

    Attributes:
        accepted: whether it counted; not if the server is no member of the topology, or a newer reply is known.
        server: the server's description now; None where the topology does not have it, or where it takes over 16 KiB.
        generation: the topology's generation now.
        connection_error: why the connection must not be used, though the server answered: behind a load balancer, a
            reply without serviceId. None: it may be used.
    """

    accepted: bool
    server: ServerDescription | None
    generation: int
    connection_error: str | None = None


class ErrorOutcome(Value):
    """What `Topology.on_error` gives.

    Attributes:
        accepted: whether it changed anything.
        deprioritize: whether the server goes on the operation's list of deprioritized servers, if it is retried.
        generation: the topology's generation now.
    """

    accepted: bool
    deprioritize: bool
    generation: int


class SRVOutcome(Value):
    """What `Topology.on_srv` gives.

    Attributes:
        added: the addresses that joined; None, as the other, where they are more than 16 KiB.
        removed: the addresses that left.
        next_ms: when to look again, in milliseconds; None: no more.
        warnings: records that were ignored.
        generation: the topology's generation now.
    """

    added: tuple[str, ...] | None
    removed: tuple[str, ...] | None
    next_ms: int | None
    warnings: tuple[EngineWarning, ...]
    generation: int
