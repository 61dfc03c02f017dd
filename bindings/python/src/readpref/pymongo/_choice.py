"""What a server selector did with the servers that it was given."""

from __future__ import annotations

from readpref._value import Value


class Choice(Value):
    """One call of a `ServerSelector`.

    Attributes:
        suitable: the addresses of the servers that PyMongo gave it.
        kept: the addresses of those that it gave back; PyMongo's latency window comes next.
        excluded: the addresses of those that were dropped because they are excluded.
        last_resort: whether a server that is excluded was kept all the same, since nothing else was suitable.
        zone: the index in `zones` of the zone that was chosen; None where zones decided nothing.
        weight: the index in `weights` of the entry that was drawn; None where weights decided nothing.
        time_ms: when, in milliseconds since 1970.
    """

    suitable: tuple[str, ...]
    kept: tuple[str, ...]
    excluded: tuple[str, ...]
    last_resort: bool
    zone: int | None
    weight: int | None
    time_ms: int
